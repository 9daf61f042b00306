package sim

import (
	"fmt"
	"slices"

	"groupscope/core/client"
)

// Refused is why an action cannot be carried out, and what could be done
// instead, in plain words.
type Refused struct {
	Action Action
	Reason string
}

// Error is the reason.
func (r *Refused) Error() string { return r.Reason }

// Possible is the *Refused with which Do would refuse an action, nil if it
// would carry it out.
func (w *World) Possible(a Action) error {
	if reason := w.refusal(a); reason != "" {
		return &Refused{a, reason}
	}
	return nil
}

func (w *World) refusal(a Action) string {
	switch a := a.(type) {
	case Run:
		return notBack(a.For < 0)
	case Advance:
		return notBack(a.For < 0)
	case Until:
		if at := w.start.Add(a.At); at < w.now {
			return fmt.Sprintf("%s is over: the clock stands at %s. Choose a later time.", a.At, w.now.Sub(w.start))
		}
		return ""
	case FailOver:
		return ""
	case SetTopics:
		return w.topicsRefusal(a)
	case nil:
		return "There is nothing to do."
	}
	m := w.find(MemberOf(a))
	if m == nil {
		return fmt.Sprintf("The scenario has no member %s. Add it to the members first.", MemberOf(a))
	}
	return w.memberRefusal(m, a)
}

func notBack(negative bool) string {
	if negative {
		return "The clock cannot go back. Choose a time of 0 or more."
	}
	return ""
}

// The sizes that a world may grow to. Topics that were deleted count: who held
// their partitions is remembered.
const (
	MaxPartitions = 10_000 // of all topics together
	MaxTopics     = 1_000
	MaxMembers    = 1_000 // in the group at a time, those that crashed counted in until they are removed
)

func (w *World) topicsRefusal(a SetTopics) string {
	partitions, topics := w.ledger.size()
	for _, t := range a.Topics {
		i, exists := slices.BinarySearchFunc(w.topics, t.Name, byName)
		switch {
		case t.Name == "":
			return "A topic needs a name."
		case t.Partitions < 0:
			return fmt.Sprintf("Topic %s cannot have %d partitions. Write 0 to delete it.", t.Name, t.Partitions)
		case !exists && t.Partitions == 0:
			return fmt.Sprintf("There is no topic %s to delete. Create it first, with 1 partition or more.", t.Name)
		case exists && t.Partitions > 0 && t.Partitions < w.topics[i].Partitions:
			return fmt.Sprintf("Topic %s has %d partitions, and a topic cannot lose any. Delete it and create it again.",
				t.Name, w.topics[i].Partitions)
		case exists:
			partitions += max(0, int(t.Partitions-w.topics[i].Partitions))
		default:
			partitions, topics = partitions+int(t.Partitions), topics+1
		}
	}
	switch {
	case partitions > MaxPartitions:
		return fmt.Sprintf("There would be %d partitions, those of deleted topics counted in: the limit is %d.", partitions, MaxPartitions)
	case topics > MaxTopics:
		return fmt.Sprintf("There would be %d topics, deleted ones counted in: the limit is %d.", topics, MaxTopics)
	}
	return ""
}

func (w *World) memberRefusal(m *member, a Action) string {
	name, state := m.setup.Name, m.state()
	switch a.(type) {
	case Join, Restart:
		if n := len(w.ledger.members); n >= MaxMembers {
			return fmt.Sprintf("The group has %d members, those that crashed counted in until they are removed: that is the limit.", n)
		}
	}
	switch a := a.(type) {
	case Join:
		switch {
		case state == client.Absent || state == client.Closed || m.client.Closing():
			return ""
		case state == client.Crashed || state == client.Fatal:
			return fmt.Sprintf("%s has stopped. Restart it instead.", name)
		}
		return fmt.Sprintf("%s runs already. Let it heartbeat, or crash it and restart it.", name)
	case Restart:
		switch {
		case state == client.Absent:
			return fmt.Sprintf("%s was never started. Let it join.", name)
		case m.running() && state != client.Fatal && !m.client.Closing():
			return fmt.Sprintf("%s is running. Crash it or let it leave first.", name)
		}
		return ""
	case LoseRequest:
		return positive(a.Count)
	case LoseResponse:
		return positive(a.Count)
	case Delay:
		if a.By < 0 {
			return "A delay cannot be below 0."
		}
		return positive(a.Count)
	}
	if !m.running() {
		return notRunning(m)
	}
	switch a := a.(type) {
	case Heartbeat:
		if reason := w.silent(m); reason != "" {
			return reason
		}
		return checkOverrides(a.With)
	case Leave:
		if m.client.Closing() {
			return fmt.Sprintf("%s is leaving already. Let time pass.", name)
		}
	case Subscribe:
		switch {
		case m.client.Closing():
			return fmt.Sprintf("%s is leaving. Let it join again instead.", name)
		case state == client.Fatal:
			return fmt.Sprintf("%s has stopped for good with %s. Restart it.", name, m.client.LastError())
		}
	case Pause:
		if a.For <= 0 {
			return "A pause takes longer than 0."
		}
	}
	return ""
}

func positive(count int) string {
	if count < 1 {
		return "The number of messages is 1 or more."
	}
	return ""
}

func notRunning(m *member) string {
	name := m.setup.Name
	switch m.state() {
	case client.Crashed:
		return fmt.Sprintf("%s has crashed. Restart it first.", name)
	case client.Closed:
		return fmt.Sprintf("%s has left. Let it join again first.", name)
	}
	return fmt.Sprintf("%s has not started. Let it join first.", name)
}

// silent says why a running client would send no heartbeat, "" if it would.
func (w *World) silent(m *member) string {
	name := m.setup.Name
	switch m.client.State() {
	case client.Fatal:
		return fmt.Sprintf("%s has stopped for good with %s. Restart it.", name, m.client.LastError())
	case client.Unsubscribed:
		if len(m.client.Subscription().Topics) == 0 {
			return fmt.Sprintf("%s subscribes to nothing, so it is in no group. Let it subscribe first.", name)
		}
	case client.Stale:
		if m.client.Paused() && w.agendas[m.index].resume.at > w.now {
			return fmt.Sprintf("%s has left the group, as its application did not poll in time. Let time pass: it polls again at %s.",
				name, w.agendas[m.index].resume.at.Sub(w.start))
		}
	}
	return ""
}
