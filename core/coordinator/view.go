package coordinator

import (
	"maps"
	"slices"

	"groupscope/core/consumergroup"
	"groupscope/core/protocol"
	"groupscope/core/record"
)

// groupView is the read model last made of a group, and what it was made
// from: a member that did not change is shared with the next one.
type groupView struct {
	stale   bool
	group   *Group
	members map[string]memberView
}

// memberView is a member's read model and what it depends on. A member that
// lacks partitions of its target also depends on what the others hold.
type memberView struct {
	view   *Member
	from   *consumergroup.Member
	target protocol.Assignment
	wants  []protocol.Partition
}

func (v *groupView) clone() groupView {
	c := *v
	c.members = maps.Clone(v.members)
	return c
}

// topicsChanged drops everything: what a member wants depends on the topics.
func (v *groupView) topicsChanged() { *v = groupView{} }

// Group is the read model of a group, false when there is none. It never
// changes once made; while nothing changes, the same value is returned.
func (c *Coordinator) Group(id string) (*Group, bool) {
	g := c.groups[id]
	if g == nil {
		return nil, false
	}
	if g.view.group == nil || g.view.stale {
		c.makeView(g)
	}
	return g.view.group, true
}

func (c *Coordinator) makeView(g *group) {
	out := &Group{
		ID:                g.ID,
		State:             state(g.Group),
		GroupEpoch:        g.Epoch,
		AssignmentEpoch:   g.AssignmentEpoch,
		MetadataHash:      g.MetadataHash,
		PreferredAssignor: g.PreferredAssignor(c.cfg.Assignors, c.cfg.Rules.AssignorTie),
		Members:           make([]*Member, 0, g.Size()),
	}
	if g.view.members == nil {
		g.view.members = make(map[string]memberView, g.Size())
	}
	for _, id := range g.IDs() {
		before := g.view.members[id]
		after := c.memberView(g.Group, g.Member(id), before)
		if after.view != before.view {
			g.view.members[id] = after
		}
		out.Members = append(out.Members, after.view)
	}
	if len(g.view.members) > g.Size() {
		maps.DeleteFunc(g.view.members, func(id string, _ memberView) bool { return g.Member(id) == nil })
	}
	g.view.group, g.view.stale = out, false
}

// state is worked out in the broker's order.
func state(g *consumergroup.Group) GroupState {
	switch {
	case g.Size() == 0:
		return Empty
	case g.Epoch > g.AssignmentEpoch:
		return Assigning
	}
	for _, id := range g.IDs() {
		if !g.Member(id).SettledAt(g.AssignmentEpoch) {
			return Reconciling
		}
	}
	return Stable
}

// memberView returns before itself if nothing it depends on changed.
func (c *Coordinator) memberView(g *consumergroup.Group, m *consumergroup.Member, before memberView) memberView {
	target, _ := g.Target(m.ID)
	session := c.timers.deadline(timerKey{SessionTimer, g.ID, m.ID})
	rebalance := c.timers.deadline(timerKey{RebalanceTimer, g.ID, m.ID})
	after := memberView{from: m, target: target}
	if before.from == m && sameMemory(before.target, target) {
		after.wants = before.wants
	} else {
		after.wants = c.wants(m, target)
	}
	free := freeFor(g, m, after.wants)
	if before.from == m && sameMemory(before.target, target) && before.view.SessionDeadline == session &&
		before.view.RebalanceDeadline == rebalance && slices.Equal(before.view.Free, free) {
		return before
	}
	after.view = &Member{
		ID:                   m.ID,
		InstanceID:           m.InstanceID(),
		ClientID:             m.Meta.ClientID,
		SubscribedTopicNames: m.Meta.SubscribedTopicNames,
		ServerAssignor:       m.Assignor(),
		RebalanceTimeout:     protocol.Duration(m.Meta.RebalanceTimeoutMs),
		MemberEpoch:          m.Current.MemberEpoch,
		PreviousMemberEpoch:  m.Current.PreviousMemberEpoch,
		State:                m.Current.State,
		Assigned:             m.Current.Assigned,
		PendingRevocation:    m.Current.PendingRevocation,
		Waiting:              c.waiting(m, after.wants),
		Free:                 free,
		Target:               target,
		SessionDeadline:      session,
		RebalanceDeadline:    rebalance,
	}
	if rack := m.Meta.RackID; rack != nil {
		after.view.RackID = *rack
	}
	return after
}

// sameMemory reports whether both are the very same assignment. Assignments
// are never changed, so the same memory is the same value.
func sameMemory(a, b protocol.Assignment) bool {
	return len(a) == len(b) && (a == nil) == (b == nil) && (len(a) == 0 || &a[0] == &b[0])
}

// wants is what the member lacks of its target.
func (c *Coordinator) wants(m *consumergroup.Member, target protocol.Assignment) []protocol.Partition {
	var out []protocol.Partition
	for _, tp := range c.meta.Restrict(m, target) {
		for _, n := range tp.Partitions {
			if p := (protocol.Partition{Topic: tp.Topic, Number: n}); !m.IsAssigned(p) {
				out = append(out, p)
			}
		}
	}
	return out
}

// waiting is what the member waits for: as its record lists it, or all that
// it lacks while it is UNRELEASED.
func (c *Coordinator) waiting(m *consumergroup.Member, wants []protocol.Partition) []protocol.Partition {
	switch {
	case c.cfg.Rules.ListsWaiting:
		return m.Current.PendingAssignment
	case m.Current.State == record.UnreleasedPartitions:
		return wants
	}
	return nil
}

// freeFor is what the member's next heartbeat could give it: wanted and held
// by nobody else. A member that has reached the target's epoch for good, or
// is away, gets nothing.
func freeFor(g *consumergroup.Group, m *consumergroup.Member, wants []protocol.Partition) []protocol.Partition {
	if len(wants) == 0 || m.Epoch() < 0 || m.SettledAt(g.AssignmentEpoch) {
		return nil
	}
	var out []protocol.Partition
	for _, p := range wants {
		if !g.Held(p) || m.Holds(p) {
			out = append(out, p)
		}
	}
	return out
}
