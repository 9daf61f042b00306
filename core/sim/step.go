package sim

import (
	"groupscope/core/client"
	"groupscope/core/protocol"
)

// Step handles the next thing up to the horizon: a coordinator timer, an
// arrival, or something that a client does by itself. Things of one instant
// come in the order in which they were scheduled, coordinator timers first.
// False: nothing is left, and the clock stands at the horizon.
func (w *World) Step() ([]Event, bool) {
	for {
		n := w.nextThing()
		if n.kind == nothingLeft || n.at > w.horizon {
			w.arrived()
			return nil, false
		}
		if n.at > w.now {
			w.now = n.at
			w.view.stale = true
		}
		if w.handleThing(n) {
			return w.took(), true
		}
	}
}

// Settle handles everything up to the horizon.
func (w *World) Settle() []Event {
	var out []Event
	for {
		events, more := w.Step()
		if !more {
			return out
		}
		out = append(out, events...)
	}
}

// arrived ends an action that passed time.
func (w *World) arrived() {
	if w.now < w.horizon {
		w.now = w.horizon
		w.view.stale = true
	}
	w.setLive(false)
}

// setLive lets the clients live by themselves, or stops them.
func (w *World) setLive(live bool) {
	if w.live == live {
		return
	}
	w.live = live
	mode := client.Asleep
	if live {
		mode = client.Awake
	}
	for i := range w.members {
		m := &w.members[i]
		if m.client == nil {
			continue
		}
		m.client.SetMode(mode)
		if live && m.touched {
			m.touched = false
			m.wake = slot{w.now, w.next()}
		}
	}
}

// thing is what may happen next.
type thing struct {
	kind   thingKind
	at     protocol.Instant
	order  uint64
	member int
}

type thingKind uint8

const (
	nothingLeft thingKind = iota
	timers
	arrival
	timeout
	wakeUp
	callbackEnd
	pollAgain
)

// nextThing finds what happens next. While clients keep silent, what they
// would do by themselves waits.
func (w *World) nextThing() thing {
	var next thing
	consider := func(kind thingKind, s slot, member int) {
		if s.at == 0 {
			return
		}
		at := max(s.at, w.now)
		if next.kind == nothingLeft || at < next.at || at == next.at && s.order < next.order {
			next = thing{kind, at, s.order, member}
		}
	}
	if len(w.queue) > 0 {
		consider(arrival, slot{w.queue[0].at, w.queue[0].order}, 0)
	}
	for i := range w.members {
		m := &w.members[i]
		if len(m.sent) > 0 {
			consider(timeout, m.sent[0].slot, i)
		}
		if w.live {
			consider(wakeUp, m.wake, i)
			consider(callbackEnd, m.callback, i)
			consider(pollAgain, m.resume, i)
		}
	}
	if at, ok := w.coordinator.NextDeadline(); ok && (next.kind == nothingLeft || at <= next.at) {
		next = thing{kind: timers, at: max(at, w.now)}
	}
	return next
}

// handleThing does what is due. It reports whether that was anything at all:
// a message that got lost vanishes without a trace.
func (w *World) handleThing(n thing) bool {
	switch n.kind {
	case timers:
		w.expire()
		return true
	case arrival:
		return w.arrive(w.queue.remove(0))
	}
	m := &w.members[n.member]
	switch n.kind {
	case timeout:
		w.breakConnection(m, "timeout")
	case wakeUp:
		m.wake = slot{}
		w.react(m, m.client.Wake(w.now))
	case callbackEnd:
		w.endCallback(m)
	case pollAgain:
		m.resume = slot{}
		w.react(m, m.client.Resume(w.now))
	}
	return true
}

func (w *World) endCallback(m *member) {
	m.callback = slot{}
	w.cause = m.called
	w.react(m, m.client.CallbackReturned(w.now, false))
}

// expire fires the coordinator timers that are due.
func (w *World) expire() {
	for _, e := range w.coordinator.Expire(w.now) {
		event := w.emit(Expired{Timer: e.Timer, Member: e.Member, Records: e.Records, Decisions: e.Decisions})
		w.wrote(e.Records, event)
	}
}
