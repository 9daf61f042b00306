package playback

import (
	"cmp"
	"fmt"

	"groupscope/core/prose"
	"groupscope/core/sim"
)

// decides reports whether the coordinator did more in the moment than answer
// heartbeats that change nothing.
func (m *moment) decides() bool {
	for _, e := range m.events {
		if _, deciding := causeOf(e, nil); deciding && !isIdle(e) {
			return true
		}
	}
	return false
}

// main is the operation that the stop is about: the first one since the last
// action that did something, else the last one before, else one that found
// nothing to do.
func (m *moment) main() *sim.Event {
	last := m.last()
	var before, idle *sim.Event
	for i := range m.events {
		e := &m.events[i]
		if _, ds := writes(*e); len(ds) == 0 {
			continue
		}
		late := len(last) > 0 && e.Seq >= last[0].Seq
		switch {
		case late && !isIdle(*e):
			return e
		case late && idle == nil:
			idle = e
		case !late && !isIdle(*e):
			before = e
		}
	}
	return cmp.Or(before, idle)
}

// last are the events since the last action that does something: the one that
// a stop is about.
func (m *moment) last() []sim.Event {
	for i := len(m.events) - 1; i > 0; i-- {
		if a, ok := m.events[i].What.(sim.Acted); ok && !passesTime(a.Action) {
			return m.events[i:]
		}
	}
	return m.events
}

// cause tells what set the stop off. A stop may take in steps of no name
// before its own: the last action is the one it is about. Of what came of
// that, it is what led to the main operation, else the first thing that
// happened.
func (m *moment) cause(main *sim.Event) string {
	events := m.last()
	if main != nil && !isIdle(*main) && (len(events) == 0 || main.Seq < events[0].Seq) {
		s, _ := causeOf(*main, newLedger(m.before))
		return s
	}
	first, l := "", newLedger(m.before)
	for _, e := range events {
		if m.idle > 0 && onItsWay(e) {
			continue
		}
		s, deciding := causeOf(e, l)
		if deciding {
			return s
		}
		if first == "" {
			first = s
		}
	}
	if heard := m.heard(events); heard != "" {
		return heard
	}
	if first == "" && m.idle > 0 {
		return prose.Count(m.idle, "idle heartbeat") + "."
	}
	if first == "" && m.before != nil && m.after.At > m.before.At {
		return "Time passes."
	}
	return first
}

// onItsWay reports whether an event is a heartbeat or an answer that just
// travels.
func onItsWay(e sim.Event) bool {
	switch what := e.What.(type) {
	case sim.Sent:
		return !what.Lost
	case sim.Received:
		return what.Failure == ""
	}
	return false
}

// heard is the answer that makes a client's application start or stop reading.
func (m *moment) heard(events []sim.Event) string {
	for _, e := range events {
		called, ok := e.What.(sim.Called)
		if !ok || !called.Done || len(called.Partitions) == 0 {
			continue
		}
		for _, cause := range events {
			if r, ok := cause.What.(sim.Received); ok && r.Member == called.Member {
				text, _ := causeOf(cause, nil)
				return text
			}
		}
	}
	return ""
}

// causeOf tells an event as a cause; deciding says that the coordinator
// decided because of it. The ledger, if any, knows who is in the group.
func causeOf(e sim.Event, l *ledger) (text string, deciding bool) {
	switch what := e.What.(type) {
	case sim.Handled:
		if what.Again {
			return own(what.Member) + " request arrives a second time.", true
		}
		if what.Classic != nil {
			return classicSends(what.Member, what.Classic.Request.Name(), what.Request.MemberEpoch) + ".", true
		}
		return l.asked(sender(what.Member, what.Raw), what.Request, what.Asked()) + ".", true
	case sim.Operated:
		return askedOf(what), true
	case sim.Expired:
		return fmt.Sprintf("%s timer ends.", capital(own(timerOf(what.Name)))+" "+what.Timer.String()), true
	case sim.FailedOver:
		return "The coordinator fails over.", true
	case sim.Acted:
		if passesTime(what.Action) {
			return "", false
		}
		return sentence(phrase(what.Action)), false
	case sim.TopicsChanged:
		return sentence(topicsChanged(what)), false
	case sim.ThreadEnded:
		return sayThreadEnded(what), false
	case sim.Sent:
		if what.Classic != nil {
			return classicSends(what.Member, what.Classic.Name(), what.Request.MemberEpoch) + ".", false
		}
		return l.asked(sender(what.Member, what.Raw), what.Request, what.Streams) + ".", false
	case sim.Received:
		if what.Failure != "" {
			return fmt.Sprintf("%s gets no answer: %s.", what.Member, failure(what.Failure)), false
		}
		return fmt.Sprintf("%s hears its answer: %s.", what.Member, answer(what.Response, what.Streams)), false
	case sim.Raised:
		return sayRaised(what), false
	case sim.TopicsLearnt:
		return "Clients learn which topics there are now.", false
	case sim.Called:
		if what.Failed {
			return sayCalled(what), false
		}
		if what.Done {
			return fmt.Sprintf("%s returns.", own(what.Member)+" "+what.What), false
		}
		return fmt.Sprintf("%s is called.", own(what.Member)+" "+what.What), false
	}
	return "", false
}
