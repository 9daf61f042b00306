package sim

import (
	"slices"

	"groupscope/core/client"
)

// flush lets everything arrive at once that is on its way on a member's
// connection. A message that got lost, or whose answer did, times out.
func (w *World) flush(m *member) {
	for {
		i := w.queue.firstOf(m.index)
		if i < 0 {
			break
		}
		w.arrive(w.queue.remove(i))
	}
	w.breakConnection(m, "timeout")
	m.reconnect()
	if w.agendas[m.index].lookup.at != 0 && m.running() {
		w.mode = client.Asleep
		w.giveUpLookup(m)
	}
}

// holds reports whether an answer is on its way to a member that was delayed
// on purpose.
func (w *World) holds(m *member) bool {
	return slices.ContainsFunc(w.queue, func(p *parcel) bool { return p.member == m.index && p.response && p.held })
}

// deliver lets everything arrive that is due now.
func (w *World) deliver(m *member) {
	for {
		i := w.queue.firstOf(m.index)
		if i < 0 || w.queue[i].at > w.now {
			return
		}
		w.arrive(w.queue.remove(i))
	}
}

// finish lets the client do all that its last answer asks for, without
// sending anything. Callbacks take no time.
func (w *World) finish(m *member, acts func() []client.Output) {
	w.mode = client.Silent
	due := &w.agendas[m.index]
	if due.callback.at != 0 {
		w.endCallback(m)
	}
	if due.resume.at != 0 && due.resume.at <= w.now {
		w.resume(m)
	}
	if m.made.Poll > 0 {
		w.react(m, w.own(m).Poll(w.now))
	}
	w.react(m, acts())
}

// beat sends the client's next heartbeat, whatever its timers say, and lets
// the answer arrive. The client takes it in and does no more about it.
func (w *World) beat(m *member, with []Override) {
	w.mode = client.Asleep
	if m.client.State().InGroup() {
		outs := w.own(m).Heartbeat(w.now)
		for i, o := range outs {
			if s, ok := o.(client.Send); ok {
				outs[i] = overridden(s, with)
			}
		}
		w.react(m, outs)
	}
	w.deliver(m)
}

// startClient makes a client for the member and lets it join, after all that
// the one before it sent.
func (w *World) startClient(m *member) {
	cause := w.cause
	w.flush(m)
	w.cause = cause
	m.life++
	m.sent, w.agendas[m.index] = nil, agenda{}
	m.reconnect()
	m.client, m.shared, m.bytes = client.New(w.clientConfig(m)), false, stateBytes{}
	if m.made = m.setup; m.made.Poll > 0 {
		w.agendas[m.index].tick = slot{w.now.Add(m.made.Poll), w.next()}
	}
	w.finish(m, func() []client.Output {
		return w.own(m).Start(w.now, w.subscription(m), w.known)
	})
	w.beat(m, nil)
}

func (w *World) heartbeat(m *member, with []Override) {
	cause := w.cause
	w.flush(m)
	w.cause = cause
	w.finish(m, func() []client.Output { return w.own(m).Wake(w.now) })
	w.cause = cause
	w.beat(m, with)
}

// leave has the client leave the group, by close() or by unsubscribe(): its
// callbacks run, and its last heartbeat is sent and answered.
func (w *World) leave(m *member, call func() []client.Output) {
	cause := w.cause
	if !w.holds(m) {
		w.flush(m)
	}
	w.cause = cause
	w.finish(m, call)
	if m.client.State() == client.Leaving {
		w.beat(m, nil)
	}
	w.mode = client.Asleep
}

func (w *World) subscribe(m *member, to client.Subscription) {
	if len(to.Topics) == 0 && to.Pattern == "" {
		w.leave(m, func() []client.Output { return w.own(m).Unsubscribe(w.now) })
		return
	}
	w.react(m, w.own(m).Subscribe(w.now, to))
}

// crash stops the client. Requests on their way arrive all the same.
func (w *World) crash(m *member) {
	w.queue.drop(func(p *parcel) bool { return p.member == m.index && p.response })
	m.sent, w.agendas[m.index] = nil, agenda{}
	w.react(m, w.own(m).Crash(w.now))
}

// overridden is a heartbeat with fields replaced. The overrides have been
// checked.
func overridden(s client.Send, with []Override) client.Send {
	if s.Streams == nil {
		replace(fields, &s.Request, with)
		return s
	}
	r := *s.Streams
	replace(streamsFields, &r, with)
	s.Streams = &r
	return s
}
