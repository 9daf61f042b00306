package sim

import (
	"groupscope/core/client"
	"groupscope/core/protocol"
)

// flush lets everything arrive at once that is on its way on a member's
// connection. A message that got lost, or whose answer did, times out.
func (w *World) flush(m *member) {
	index := w.index(m)
	for {
		i := w.queue.firstOf(index)
		if i < 0 {
			break
		}
		w.arrive(w.queue.remove(i))
	}
	w.breakConnection(m, "timeout")
}

// deliver lets everything arrive that is due now.
func (w *World) deliver(m *member) {
	index := w.index(m)
	for {
		i := w.queue.firstOf(index)
		if i < 0 || w.queue[i].at > w.now {
			return
		}
		w.arrive(w.queue.remove(i))
	}
}

// finish lets the client do all that its last answer asks for, without
// sending anything. Callbacks take no time.
func (w *World) finish(m *member, acts func() []client.Output) {
	m.client.SetMode(client.Silent)
	if m.callback.at != 0 {
		w.endCallback(m)
	}
	if m.resume.at != 0 && m.resume.at <= w.now {
		m.resume = slot{}
		w.react(m, m.client.Resume(w.now))
	}
	w.react(m, acts())
}

// beat sends the client's next heartbeat, whatever its timers say, and lets
// the answer arrive. The client takes it in and does no more about it.
func (w *World) beat(m *member, with []Override) {
	if m.client.State().InGroup() {
		outs := m.client.Heartbeat(w.now)
		for i, o := range outs {
			if s, ok := o.(client.Send); ok {
				override(&s.Request, with)
				outs[i] = s
			}
		}
		m.client.SetMode(client.Asleep)
		w.react(m, outs)
	}
	m.client.SetMode(client.Asleep)
	w.deliver(m)
}

// startClient makes a client for the member and lets it join.
func (w *World) startClient(m *member) {
	m.life++
	m.wake, m.callback, m.resume, m.sent = slot{}, slot{}, slot{}, nil
	m.client = client.New(w.clientConfig(m))
	w.finish(m, func() []client.Output {
		return m.client.Start(w.now, client.Subscription{Topics: m.setup.Subscribe}, w.ids)
	})
	w.beat(m, nil)
}

func (w *World) heartbeat(m *member, with []Override) {
	cause := w.cause
	w.flush(m)
	w.cause = cause
	w.finish(m, func() []client.Output { return m.client.Wake(w.now) })
	w.cause = cause
	w.beat(m, with)
}

// leave has the client leave the group, by close() or by unsubscribe(): its
// callbacks run, and its last heartbeat is sent and answered.
func (w *World) leave(m *member, call func() []client.Output) {
	cause := w.cause
	w.flush(m)
	w.cause = cause
	w.finish(m, call)
	if m.client.State() == client.Leaving {
		w.beat(m, nil)
	}
	m.client.SetMode(client.Asleep)
}

func (w *World) subscribe(m *member, topics []string) {
	if len(topics) == 0 {
		w.leave(m, func() []client.Output { return m.client.Unsubscribe(w.now) })
		return
	}
	w.react(m, m.client.Subscribe(w.now, client.Subscription{Topics: topics}))
}

// crash stops the client. Requests on their way arrive all the same.
func (w *World) crash(m *member) {
	index := w.index(m)
	w.queue.drop(func(p *parcel) bool { return p.member == index && p.response })
	outs := m.client.Crash(w.now)
	m.wake, m.callback, m.resume, m.sent = slot{}, slot{}, slot{}, nil
	w.react(m, outs)
}

// override replaces fields of a request. The overrides have been checked.
func override(r *protocol.ConsumerGroupHeartbeatRequest, with []Override) {
	for _, o := range with {
		fields[o.Field].set(r, o.Value)
	}
}
