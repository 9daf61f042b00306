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

// Next is the instant of the next thing up to the horizon, so that a player
// can let the clock run towards it. False: there is none, and Step would put
// the clock at the horizon.
func (w *World) Next() (protocol.Instant, bool) {
	n := w.nextThing()
	if n.kind == nothingLeft || n.at > w.horizon {
		return 0, false
	}
	return n.at, true
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
	w.live, w.mode = live, client.Asleep
	if !live {
		return
	}
	w.mode = client.Awake
	for i := range w.members {
		if m := &w.members[i]; m.touched {
			m.touched = false
			w.agendas[i].wake = slot{w.now, w.next()}
		}
	}
}

// thing is what may happen next.
type thing struct {
	slot
	kind   thingKind
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
	pollTick
	lookupLost
	newsComes
	backgroundEnds
	topicsCreated
)

// consider takes something instead of what is next so far, if it comes
// sooner. What is overdue is due now.
func (t *thing) consider(kind thingKind, s slot, member int, now protocol.Instant) {
	if s.at == 0 {
		return
	}
	s.at = max(s.at, now)
	if t.kind == nothingLeft || s.at < t.at || s.at == t.at && s.order < t.order {
		*t = thing{s, kind, member}
	}
}

// nextThing finds what happens next. While clients keep silent, what they
// would do by themselves waits.
func (w *World) nextThing() thing {
	next := w.nextOfClients()
	if len(w.queue) > 0 {
		next.consider(arrival, slot{w.queue[0].at, w.queue[0].order}, 0, w.now)
	}
	return w.orTimers(next)
}

// nextOfClients finds what happens next of what needs no message.
func (w *World) nextOfClients() thing {
	var next thing
	if len(w.news) > 0 {
		next.consider(newsComes, w.news[0].slot, 0, w.now)
	}
	if len(w.creation.under) > 0 {
		next.consider(topicsCreated, w.creation.under[0].slot, 0, w.now)
	}
	next.consider(backgroundEnds, w.background, 0, w.now)
	for i := range w.agendas {
		due := &w.agendas[i]
		next.consider(timeout, due.timeout, i, w.now)
		next.consider(lookupLost, due.lookup, i, w.now)
		if w.live {
			next.consider(pollTick, due.tick, i, w.now)
			next.consider(wakeUp, due.wake, i, w.now)
			next.consider(callbackEnd, due.callback, i, w.now)
			next.consider(pollAgain, due.resume, i, w.now)
		}
	}
	return next
}

// orTimers takes the coordinator's timers instead, if they come no later.
func (w *World) orTimers(next thing) thing {
	if at, ok := w.coordinator.NextDeadline(); ok && (next.kind == nothingLeft || at <= next.at) {
		return thing{slot{at: max(at, w.now)}, timers, 0}
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
	case newsComes:
		w.learn()
		return true
	case topicsCreated:
		w.topicsCreated()
		return true
	case backgroundEnds:
		w.resolve()
		return true
	}
	m := &w.members[n.member]
	switch n.kind {
	case timeout:
		w.breakConnection(m, "timeout")
	case wakeUp:
		w.agendas[n.member].wake = slot{}
		w.react(m, w.own(m).Wake(w.now))
	case callbackEnd:
		w.endCallback(m)
	case pollAgain:
		w.resume(m)
	case pollTick:
		w.tick(m)
	case lookupLost:
		w.giveUpLookup(m)
	}
	return true
}

// tick is a poll() of an application that calls it now and then. Those that
// were due while clients kept silent come as one.
func (w *World) tick(m *member) {
	due := &w.agendas[m.index].tick
	if !m.running() {
		*due = slot{}
		return
	}
	for due.at <= w.now {
		due.at = due.at.Add(m.made.Poll)
	}
	due.order = w.next()
	w.react(m, w.own(m).Poll(w.now))
}

func (w *World) endCallback(m *member) {
	w.agendas[m.index].callback = slot{}
	w.cause = m.called
	w.react(m, w.own(m).CallbackReturned(w.now))
}

func (w *World) resume(m *member) {
	w.agendas[m.index].resume = slot{}
	w.react(m, w.own(m).Resume(w.now))
}

// expire fires the coordinator timers that are due.
func (w *World) expire() {
	for _, e := range w.broker().Expire(w.now) {
		event := w.emit(Expired{Timer: e.Timer, Member: e.Member, Name: w.nameOf(e.Member), Records: e.Records, Decisions: e.Decisions})
		w.wrote(e.Records, event)
		w.complete(e.Completed, event)
	}
}
