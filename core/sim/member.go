package sim

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"

	"groupscope/core/client"
	"groupscope/core/protocol"
)

// member is a member of the scenario: its present client, if any, and the
// connection to the coordinator.
type member struct {
	setup *MemberSetup `canon:"-"`
	index int          `canon:"-"` // where it stands in the setup
	// client is nil when it was not started yet. It may belong to a clone of
	// the world as well: it is acted on through own.
	client *client.Client      `canon:"-"` // AppendState writes it
	bytes  stateBytes          `canon:"-"` // of the client
	shared bool                `canon:"-"`
	life   int                 // how many clients it has had
	made   *MemberSetup        `canon:"-"` // what its present client was made with
	view   *ClientState        `canon:"-"` // nil: to be made anew
	reads  protocol.Assignment `canon:"-"` // what its application reads
	faults faults

	up, down connection `canon:"-"`
	// sent are the requests without an answer so far, the oldest first. The
	// slice is replaced, never changed.
	sent []sent
	// led are the topics as they were when it last assigned them, as the leader
	// of a classic generation.
	led    []protocol.Topic
	called uint64 `canon:"-"` // the event of the running callback's start
	// statuses are those of the last answer that was made for it.
	statuses []protocol.Status `canon:"-"`
	// refused is the error that its last heartbeat was refused with, and
	// raised the one that poll() threw since then.
	refused, raised protocol.ErrorCode `canon:"-"`
	// touched: something was done to it by hand, so it looks around as soon
	// as it lives by itself again.
	touched bool
}

// agenda is what will happen to a client, and when. Those of all members lie
// side by side, as they are looked through at each step.
type agenda struct {
	timeout  slot // of its oldest request
	wake     slot // it looks at its timers
	callback slot // its application's callback returns
	resume   slot // its application polls again after a pause
	tick     slot // its application polls
	lookup   slot // it gives up waiting for a lookup
}

// slot is an instant, and the order among what is due then. It is empty when
// at is 0.
type slot struct {
	at    protocol.Instant
	order uint64 `canon:"-"`
}

// connection is one direction of a connection: messages keep their order.
type connection struct {
	random  rand.PCG
	arrives protocol.Instant // of the last message
	burst   int              // messages that left at the same instant ...
	burstAt protocol.Instant // ... at this one
}

// maxBurst is how many messages an instant has room for where messages take
// no time: a client that asks again and again must not hold the clock up.
const maxBurst = 10

// crowd is the least latency of a message that leaves now.
func (c *connection) crowd(now protocol.Instant) protocol.Duration {
	if c.burstAt != now {
		c.burst, c.burstAt = 0, now
	}
	if c.burst++; c.burst > maxBurst {
		return 1
	}
	return 0
}

// latency draws evenly from a range.
func (c *connection) latency(r Range) protocol.Duration {
	span := uint64(r.Max-r.Min) + 1
	if span == 1 {
		return r.Min
	}
	offset, _ := bits.Mul64(c.random.Uint64(), span)
	return r.Min + protocol.Duration(offset)
}

// sent is a request without an answer.
type sent struct {
	id      uint32 `canon:"-"`
	event   uint64 `canon:"-"`
	timeout slot
}

// own is the member's client, to be acted on in the world's present mode.
func (w *World) own(m *member) *client.Client {
	if m.shared {
		m.client, m.shared = m.client.Clone(), false
	}
	m.bytes.known = nil
	m.client.SetMode(w.mode)
	return m.client
}

// waitFor notes a request that was sent.
func (w *World) waitFor(m *member, s sent) {
	m.sent = append(slices.Clip(m.sent), s)
	w.agendas[m.index].timeout = m.sent[0].timeout
}

// answered takes a request off the list of those without an answer.
func (w *World) answered(m *member, id uint32) {
	var left []sent
	for _, s := range m.sent {
		if s.id != id {
			left = append(left, s)
		}
	}
	m.sent = left
	w.agendas[m.index].timeout = slot{}
	if len(left) > 0 {
		w.agendas[m.index].timeout = left[0].timeout
	}
}

// id is the member id that its present client uses.
func (m *member) id() string {
	if m.client != nil && m.client.MemberID() != "" {
		return m.client.MemberID()
	}
	return m.idOfLife()
}

// idOfLife is the member id that its present client was made with.
func (m *member) idOfLife() string {
	if m.life < 2 {
		return m.setup.Name
	}
	return fmt.Sprintf("%s~%d", m.setup.Name, m.life)
}

func (m *member) state() client.State {
	if m.client == nil {
		return client.Absent
	}
	return m.client.State()
}

// running reports whether there is a process with a client.
func (m *member) running() bool {
	switch m.state() {
	case client.Absent, client.Closed, client.Crashed:
		return false
	}
	return true
}

// react carries out what a client did, and what follows from it at once.
func (w *World) react(m *member, outs []client.Output) {
	m.view = nil
	w.view.stale = true
	var lookup bool
	var entered *client.Callback
	for {
		l, e := w.note(m, outs)
		lookup = lookup || l
		if e != nil {
			entered = e
		}
		switch {
		case lookup:
			lookup = false
			outs = w.lookUp(m)
		case entered != nil && (w.byHand || entered.Takes == 0):
			entered = nil
			outs = w.own(m).CallbackReturned(w.now)
		default:
			if entered != nil {
				w.agendas[m.index].callback = slot{w.now.Add(entered.Takes), w.next()}
				entered = nil
			}
			if outs = w.own(m).Rest(); len(outs) == 0 {
				w.read(m)
				w.schedule(m)
				return
			}
		}
	}
}

// note makes events of what a client did. It reports whether the client asks
// for the coordinator, and the callback that its application entered.
func (w *World) note(m *member, outs []client.Output) (lookup bool, entered *client.Callback) {
	for i, o := range outs {
		switch o := o.(type) {
		case client.Send:
			w.send(m, o)
		case client.FindCoordinator:
			lookup = true
		case client.Callback:
			entered = nil
			if !o.Done {
				entered = &o
			}
			m.called = w.emit(Called{
				Member: m.setup.Name, What: o.What.String(), Partitions: o.Partitions, Done: o.Done, Failed: o.Failed,
				Standby: o.Standby, Warmup: o.Warmup,
			})
		case client.Changed:
			w.emit(ClientChanged{w.clientThen(m, o, i == len(outs)-1)})
		case client.ThreadEnded:
			w.emit(ThreadEnded{Member: m.setup.Name, Why: o.Why})
		case client.Raised:
			w.emit(Raised{Member: m.setup.Name, Error: o.Error, Again: m.raised == o.Error && w.live})
			m.raised = o.Error
		}
	}
	return lookup, entered
}

// schedule sets the time at which the client looks at its timers.
func (w *World) schedule(m *member) {
	wake := &w.agendas[m.index].wake
	*wake = slot{}
	if at, ok := m.client.NextDeadline(w.now); ok {
		*wake = slot{at, w.next()}
	}
	if !w.live {
		m.touched = true
	}
}
