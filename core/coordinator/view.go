package coordinator

import (
	"slices"
	"strings"

	"groupscope/core/consumergroup"
	"groupscope/core/protocol"
	"groupscope/core/record"
)

// groupView is the read model last made of a group, and what it was made
// from. Making the next one costs what changed: members that nothing happened
// to are shared.
type groupView struct {
	group   *Group
	members []memberView // parallel to group.Members
	// wanting and unsettled count the members that lack something of their
	// target, and those that have not settled at its epoch.
	wanting, unsettled int
	// dirty are the members that something happened to since; all says that
	// any may have changed, or that members came or went.
	dirty []string
	all   bool
	stale bool
}

// maxDirty bounds the list of changes while nobody asks for the read model.
const maxDirty = 32

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
	c.members = slices.Clone(v.members)
	c.dirty = slices.Clone(v.dirty)
	return c
}

// recordApplied notes what a record changed.
func (v *groupView) recordApplied(key record.Key) {
	v.stale = true
	switch {
	case key.Type == record.RegularExpression:
		*v = groupView{} // what a member wants depends on it
	case key.Type == record.MemberMetadata:
		v.all = true
	case key.Member != "":
		v.touch(key.Member)
	}
}

func (v *groupView) touch(member string) {
	v.stale = true
	if v.all || v.group == nil {
		return
	}
	if len(v.dirty) == maxDirty {
		v.all = true
		return
	}
	v.dirty = append(v.dirty, member)
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
	return g.readModel(c), true
}

// TargetDue is when the next target of a group may be computed by the
// assignment interval, 0 for at once.
func (c *Coordinator) TargetDue(id string) protocol.Instant {
	if g := c.groups[id]; g != nil {
		return g.targetDue(c)
	}
	return 0
}

func (g *group) readModel(c *Coordinator) *Group {
	if g.view.group == nil || g.view.stale {
		c.makeView(g)
	}
	return g.view.group
}

func (c *Coordinator) makeView(g *group) {
	v := &g.view
	if v.group == nil || v.all {
		c.viewAll(g)
	} else {
		c.viewDirty(g)
	}
	out := &Group{
		ID:                g.ID,
		Type:              ConsumerType,
		State:             v.state(g.Group),
		GroupEpoch:        g.Epoch,
		AssignmentEpoch:   g.AssignmentEpoch,
		MetadataHash:      g.MetadataHash,
		PreferredAssignor: g.PreferredAssignor(c.cfg.Assignors, c.cfg.Rules.AssignorTie),
		Members:           make([]*Member, len(v.members)),
	}
	for _, regex := range g.Regexes() {
		resolved, _ := g.Resolved(regex)
		out.ResolvedRegexes = append(out.ResolvedRegexes, ResolvedRegex{Regex: regex, Topics: resolved.Topics})
	}
	for i := range v.members {
		out.Members[i] = v.members[i].view
	}
	v.group, v.dirty, v.all, v.stale = out, v.dirty[:0], false, false
}

// viewAll looks at every member.
func (c *Coordinator) viewAll(g *group) {
	before := g.view.members
	after := make([]memberView, 0, g.Size())
	for _, id := range g.IDs() {
		var old memberView
		for len(before) > 0 && before[0].view.ID < id {
			before = before[1:]
		}
		if len(before) > 0 && before[0].view.ID == id {
			old = before[0]
		}
		after = append(after, c.memberView(g.Group, g.Member(id), old))
	}
	g.view.members = after
	g.view.count(g.AssignmentEpoch)
}

// viewDirty looks at the members that something happened to, and at those
// that lack something.
func (c *Coordinator) viewDirty(g *group) {
	v := &g.view
	written := v.group.AssignmentEpoch != g.AssignmentEpoch
	look := func(i int) {
		old := v.members[i]
		v.members[i] = c.memberView(g.Group, g.Member(old.view.ID), old)
		written = written || v.members[i].from != old.from || len(v.members[i].wants) != len(old.wants)
	}
	for _, id := range v.dirty {
		if i, ok := slices.BinarySearchFunc(v.members, id, compareToID); ok {
			look(i)
		}
	}
	if v.wanting > 0 {
		for i := range v.members {
			if len(v.members[i].wants) > 0 {
				look(i)
			}
		}
	}
	if written {
		v.count(g.AssignmentEpoch)
	}
}

func compareToID(m memberView, id string) int { return strings.Compare(m.view.ID, id) }

func (v *groupView) count(assignmentEpoch int32) {
	v.wanting, v.unsettled = 0, 0
	for i := range v.members {
		if len(v.members[i].wants) > 0 {
			v.wanting++
		}
		if !v.members[i].from.SettledAt(assignmentEpoch) {
			v.unsettled++
		}
	}
}

// state is worked out in the broker's order.
func (v *groupView) state(g *consumergroup.Group) GroupState {
	switch {
	case len(v.members) == 0:
		return Empty
	case g.Epoch > g.AssignmentEpoch:
		return Assigning
	case v.unsettled > 0:
		return Reconciling
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
		after.wants = c.wants(g, m, target)
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
		ClientHost:           m.Meta.ClientHost,
		SubscribedTopicNames: m.Meta.SubscribedTopicNames,
		SubscribedTopicRegex: m.Meta.SubscribedTopicRegex,
		Classic:              m.Meta.Classic != nil,
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
func (c *Coordinator) wants(g *consumergroup.Group, m *consumergroup.Member, target protocol.Assignment) []protocol.Partition {
	var out []protocol.Partition
	for _, tp := range g.Subscription(m).Restrict(c.meta, target) {
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
