package sim

import (
	"fmt"

	"groupscope/core/client"
	"groupscope/core/coordinator"
	"groupscope/core/protocol"
)

// faults are those that wait for the member's next messages, and those that
// last for a time.
type faults struct {
	loseRequests, loseResponses   int
	delayRequests, delayResponses delay
	duplicates                    delay
	cutOff                        protocol.Instant // the connection is cut until then
}

type delay struct {
	by    protocol.Duration
	count int
}

// take is the delay of the next message; false if there is none for it.
func (d *delay) take() (protocol.Duration, bool) {
	if d.count == 0 {
		return 0, false
	}
	d.count--
	return d.by, true
}

func takeOne(count *int) bool {
	if *count == 0 {
		return false
	}
	*count--
	return true
}

// brokerError is an answer that the broker gives to all heartbeats for a time.
type brokerError struct {
	code   protocol.ErrorCode
	until  protocol.Instant
	lookup bool // lookups fail, too
}

// arm carries out an action that waits for what the member does next.
func (w *World) arm(m *member, a Action) {
	switch a := a.(type) {
	case LoseRequest:
		m.faults.loseRequests += a.Count
	case LoseResponse:
		m.faults.loseResponses += a.Count
	case Delay:
		if a.Response {
			m.faults.delayResponses = delay{a.By, a.Count}
		} else {
			m.faults.delayRequests = delay{a.By, a.Count}
		}
	case Duplicate:
		m.faults.duplicates = delay{a.After, a.Count}
	case Partition:
		m.faults.cutOff = w.now.Add(a.For)
		m.view = nil
	case FailCallback:
		w.own(m).FailCallbacks(a.Callback, a.Count)
	}
}

// cut reports whether what the member sends, or is sent, now gets lost.
func (w *World) cut(m *member) bool { return w.now < m.faults.cutOff }

// lookUp answers a client's question for the coordinator: at once, or, if the
// question gets lost, when the client has waited long enough.
func (w *World) lookUp(m *member) []client.Output {
	w.agendas[m.index].lookup = slot{}
	if w.cut(m) {
		w.agendas[m.index].lookup = slot{w.now.Add(m.client.RequestTimeout()), w.next()}
		return nil
	}
	return w.own(m).Found(w.now, w.broken.lookup && w.now < w.broken.until)
}

// giveUpLookup ends the wait for the answer to a lookup that got lost.
func (w *World) giveUpLookup(m *member) {
	w.agendas[m.index].lookup = slot{}
	w.react(m, w.own(m).Found(w.now, true))
}

// refused is the answer of a broker that was told to give it, to any
// heartbeat; false if it was not.
func (w *World) refused() (coordinator.Result, bool) {
	if w.now >= w.broken.until {
		return coordinator.Result{}, false
	}
	return coordinator.Result{
		Response: protocol.ConsumerGroupHeartbeatResponse{Error: w.broken.code},
		Decisions: []coordinator.Decision{{
			Rule: "Scenario, broker error", Main: true,
			Text: fmt.Sprintf("The broker does not look at the heartbeat: it answers %s to all.", w.broken.code),
		}},
	}, true
}
