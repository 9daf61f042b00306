package sim

import (
	"cmp"
	"slices"

	"groupscope/core/protocol"
)

// Choice is one of the things that may happen next if latencies are open: a
// message arrives, gets lost, or stays on its way while time passes. Step
// makes one choice by the latencies of the setup; whoever explores a world
// takes each of them.
type Choice struct {
	Kind ChoiceKind
	// Member counts in the setup, and Response is the direction: the oldest
	// message on its way there is meant. Both are zero for Pass.
	Member   int
	Response bool
	// At is when the message was sent, or up to when time passes. Arrives is
	// when the message would arrive by the latencies of the setup.
	At, Arrives protocol.Instant
}

// ChoiceKind tells choices apart.
type ChoiceKind uint8

// The kinds of choices.
const (
	// Deliver: the message arrives now.
	Deliver ChoiceKind = iota
	// Lose: the message gets lost.
	Lose
	// Pass: time passes up to the next instant at which something happens
	// without a message (a timer of the coordinator or of a client, the end of
	// a callback), or less far if At says so, and all that is due then is done.
	Pass
)

// Choices appends to list what may happen next while clients live by
// themselves, that is after Do(Run) or Do(Until): for each direction of each
// connection its oldest message, delivered and lost, in the order of the
// setup, then Pass. How long a message may stay on its way is up to the caller.
func (w *World) Choices(list []Choice) []Choice {
	begin := len(list)
	for i, p := range w.queue {
		if w.oldest(p.member, p.response) == i && !p.lost {
			list = append(list, Choice{Deliver, p.member, p.response, p.sentAt, p.at}, Choice{Lose, p.member, p.response, p.sentAt, p.at})
		}
	}
	slices.SortStableFunc(list[begin:], func(a, b Choice) int {
		return cmp.Or(cmp.Compare(a.Member, b.Member), cmp.Compare(truth(a.Response), truth(b.Response)))
	})
	if n := w.orTimers(w.nextOfClients()); n.kind != nothingLeft {
		list = append(list, Choice{Kind: Pass, At: n.at})
	}
	return list
}

func truth(b bool) int {
	if b {
		return 1
	}
	return 0
}

// oldest is the index in the queue of the oldest message in one direction of a
// connection, -1 if there is none.
func (w *World) oldest(member int, response bool) int {
	first := -1
	for i, p := range w.queue {
		if p.member == member && p.response == response && !p.lost && (first < 0 || p.order < w.queue[first].order) {
			first = i
		}
	}
	return first
}

// Take carries out one of the present Choices, whatever the horizon. Things
// that are due at one instant happen in Step's order.
func (w *World) Take(c Choice) []Event {
	switch c.Kind {
	case Deliver:
		w.arrive(w.queue.remove(w.oldest(c.Member, c.Response)))
	case Lose:
		w.queue.remove(w.oldest(c.Member, c.Response))
		w.view.stale = true
	case Pass:
		w.now = max(w.now, c.At)
		w.view.stale = true
		for n := w.orTimers(w.nextOfClients()); n.kind != nothingLeft && n.at <= w.now; n = w.orTimers(w.nextOfClients()) {
			w.handleThing(n)
		}
	}
	return w.took()
}
