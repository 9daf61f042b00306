package sim

import (
	"fmt"
	"slices"

	"groupscope/core/client"
	"groupscope/core/coordinator"
	"groupscope/core/protocol"
	"groupscope/core/record"
)

// Unsettled says, in a sentence, what keeps the group from being at rest: a
// message that is on its way, a client that is not done, a member without a
// client, a partition without an owner. It is "" when coordinator and clients
// agree, and nothing but heartbeats that change nothing would follow. Clients
// that have stopped for good count as gone. Broken invariants of the names
// given are passed over.
func (w *World) Unsettled(except ...string) string {
	if p := slices.IndexFunc(w.queue, func(p *parcel) bool { return !p.lost }); p >= 0 {
		return fmt.Sprintf("A message of %s is on its way.", w.members[w.queue[p].member].setup.Name)
	}
	for i := range w.members {
		if m := &w.members[i]; m.busy() {
			return fmt.Sprintf("%s is %s.", m.setup.Name, m.state())
		}
	}
	s := w.State()
	for _, v := range s.Violations {
		if !slices.Contains(except, v.Invariant) {
			return v.Text
		}
	}
	if s.Group == nil {
		return ""
	}
	if s.Group.State == coordinator.Assigning || s.Group.State == coordinator.Reconciling {
		return fmt.Sprintf("The group is %s.", s.Group.State)
	}
	for _, m := range s.Group.Members {
		if text := w.disagreement(m); text != "" {
			return text
		}
	}
	return ""
}

// busy reports whether the member's client has something to do.
func (m *member) busy() bool {
	switch m.state() {
	case client.Stable:
		return len(m.sent) > 0
	case client.Unsubscribed:
		return len(m.client.Subscription().Topics) > 0 || m.client.Subscription().Pattern != ""
	case client.Fatal:
		return false
	}
	return m.running()
}

// disagreement says where the coordinator's books and a member's client
// differ.
func (w *World) disagreement(m *coordinator.Member) string {
	for i := range w.members {
		c := &w.members[i]
		if c.id() != m.ID || !c.running() || c.state() == client.Fatal {
			continue
		}
		assigned := protocol.NewAssignment(record.Partitions(m.Assigned))
		if !c.client.Owned().Equal(assigned) {
			return fmt.Sprintf("%s is assigned %s and %ss %s.", c.setup.Name, w.namesOfHeld(assigned), w.reading(), w.namesOfHeld(c.client.Owned()))
		}
		return ""
	}
	return fmt.Sprintf("%s is still in the group, without a client.", w.nameOf(m.ID))
}

// Counted is what a member's client reads as a member of the group, by its own
// account: what the invariant "one reader" looks at. The member counts in the
// setup.
func (w *World) Counted(member int) protocol.Assignment {
	if m := &w.members[member]; m.client != nil && m.client.Epoch() > 0 {
		return m.reads
	}
	return nil
}

// Violations are those that hold now. The log is not replayed for them.
func (w *World) Violations() []Violation { return w.violations }
