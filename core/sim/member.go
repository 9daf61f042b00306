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
	setup  MemberSetup
	client *client.Client // nil: not started yet
	life   int            // how many clients it has had
	view   *ClientState   // nil: to be made anew
	faults faults

	up, down connection
	// sent are the requests without an answer so far, the oldest first.
	sent []sent

	// What the client does by itself, and when. A zero slot is empty.
	wake, callback, resume slot
	called                 uint64 // the event of the running callback's start
	// touched: something was done to it by hand, so it looks around as soon
	// as it lives by itself again.
	touched bool
}

// slot is something that will happen to one client.
type slot struct {
	at    protocol.Instant
	order uint64
}

// connection is one direction of a connection: messages keep their order.
type connection struct {
	random  rand.PCG
	arrives protocol.Instant // of the last message
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
	id    uint32
	event uint64
	slot  // when it times out
}

// faults are those that wait for the member's next messages.
type faults struct {
	loseRequests, loseResponses   int
	delayRequests, delayResponses delay
}

type delay struct {
	by    protocol.Duration
	count int
}

// take is the delay of the next message.
func (d *delay) take() protocol.Duration {
	if d.count == 0 {
		return 0
	}
	d.count--
	return d.by
}

func takeOne(count *int) bool {
	if *count == 0 {
		return false
	}
	*count--
	return true
}

// split parts a copied member from its original.
func (m *member) split() {
	if m.client != nil {
		m.client = m.client.Clone()
	}
	m.sent = slices.Clone(m.sent)
}

// id is the member id that its present client uses.
func (m *member) id() string {
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

// takes is how long the application needs for a callback.
func (m *member) takes(what client.CallbackKind) protocol.Duration {
	switch what {
	case client.PartitionsRevoked:
		return m.setup.RevokeTime
	case client.PartitionsAssigned:
		return m.setup.AssignTime
	}
	return 0
}

// index is where the member stands in the setup.
func (w *World) index(m *member) int {
	for i := range w.members {
		if &w.members[i] == m {
			return i
		}
	}
	panic("sim: no such member")
}

// react carries out what a client did, and what follows from it at once.
func (w *World) react(m *member, outs []client.Output) {
	m.view = nil
	w.view.stale = true
	var lookup, entered bool
	for {
		l, e := w.note(m, outs)
		lookup, entered = lookup || l, entered || e
		switch {
		case lookup:
			lookup = false
			outs = m.client.Found(w.now, false)
		case entered && (w.byHand || m.takes(m.what()) == 0):
			entered = false
			outs = m.client.CallbackReturned(w.now, false)
		default:
			if entered {
				entered = false
				m.callback = slot{w.now.Add(m.takes(m.what())), w.next()}
			}
			if outs = m.client.Rest(); len(outs) == 0 {
				w.schedule(m)
				return
			}
		}
	}
}

func (m *member) what() client.CallbackKind {
	running, _ := m.client.Running()
	return running.What
}

// note makes events of what a client did. It reports whether the client asks
// for the coordinator, and whether its application entered a callback.
func (w *World) note(m *member, outs []client.Output) (lookup, entered bool) {
	for i, o := range outs {
		switch o := o.(type) {
		case client.Send:
			w.send(m, o)
		case client.FindCoordinator:
			lookup = true
		case client.Callback:
			entered = !o.Done
			m.called = w.emit(Called{Member: m.setup.Name, What: o.What.String(), Partitions: o.Partitions, Done: o.Done})
		case client.Changed:
			w.emit(ClientChanged{w.clientThen(m, o, i == len(outs)-1)})
		}
	}
	return lookup, entered
}

// schedule sets the time at which the client looks at its timers.
func (w *World) schedule(m *member) {
	m.wake = slot{}
	if at, ok := m.client.NextDeadline(w.now); ok {
		m.wake = slot{at, w.next()}
	}
	if !w.live {
		m.touched = true
	}
}
