package streamsgroup

import (
	"maps"
	"slices"

	"groupscope/core/assignor"
	"groupscope/core/protocol"
	"groupscope/core/record"
)

// Unknown is the epoch of a group of which no record has told it yet.
const Unknown int32 = -1

// Group is the hard state of a streams group: what its records say, and what
// follows from them. Apply is the only writer.
type Group struct {
	ID           string
	Epoch        int32
	MetadataHash int64
	// ValidatedTopologyEpoch is the topology epoch for which the topics were
	// found to be as the topology needs them, -1 for none.
	ValidatedTopologyEpoch int32
	LastAssignmentConfigs  []protocol.Tag
	// AssignmentEpoch is the group epoch the target was computed for, at
	// AssignmentTimestamp (0: unknown, so a new one is owed at once).
	AssignmentEpoch     int32
	AssignmentTimestamp protocol.Instant
	Topology            *protocol.Topology // nil: none yet

	members map[string]*Member
	ids     []string             `canon:"-"` // of the members, sorted
	table   assignor.MemberTable // the order in which the broker walks the members
	static  map[string]string    `canon:"-"`
	target  map[string]protocol.Tasks
	owners  owners          `canon:"-"`
	topics  map[string]bool `canon:"-"` // that the topology needs
	// settled counts the members that are STABLE at an epoch, away the static
	// ones that left and mean to come back, endpoints those with a user
	// endpoint.
	settled         map[int32]int `canon:"-"`
	away, endpoints int           `canon:"-"`
}

// New is a group without members. The epoch is the one that the first member
// raises by one; Unknown is for a group whose records are yet to be applied.
func New(id string, epoch int32) *Group {
	return &Group{
		ID:                     id,
		Epoch:                  epoch,
		AssignmentEpoch:        epoch,
		ValidatedTopologyEpoch: -1,
		members:                map[string]*Member{},
		static:                 map[string]string{},
		target:                 map[string]protocol.Tasks{},
		owners:                 newOwners(),
		settled:                map[int32]int{},
	}
}

// Clone copies the group. The copy shares only values that never change.
func (g *Group) Clone() *Group {
	c := *g
	c.members = maps.Clone(g.members)
	c.ids = slices.Clone(g.ids)
	c.table = g.table.Clone()
	c.static = maps.Clone(g.static)
	c.target = maps.Clone(g.target)
	c.owners = g.owners.clone()
	c.settled = maps.Clone(g.settled)
	return &c
}

// Size is the number of members.
func (g *Group) Size() int { return len(g.members) }

// Away is the number of static members that left and mean to come back.
func (g *Group) Away() int { return g.away }

// Endpoints is the number of members with a user endpoint.
func (g *Group) Endpoints() int { return g.endpoints }

// Member finds a member; nil when there is none of that id.
func (g *Group) Member(id string) *Member { return g.members[id] }

// IDs lists the members' ids, sorted. The slice is the group's own.
func (g *Group) IDs() []string { return g.ids }

// Walk lists the members' ids in the order of the broker's table.
func (g *Group) Walk() []string { return g.table.Walk() }

// StaticMember finds the member of an instance id; nil when there is none.
func (g *Group) StaticMember(instanceID string) *Member {
	id, ok := g.static[instanceID]
	if !ok {
		return nil
	}
	return g.members[id]
}

// Target is a member's part of the target, and whether it has one.
func (g *Group) Target(id string) (protocol.Tasks, bool) {
	t, ok := g.target[id]
	return t, ok
}

// Targets copies the whole target.
func (g *Group) Targets() map[string]protocol.Tasks { return maps.Clone(g.target) }

// Settled reports whether every member has all of the target.
func (g *Group) Settled() bool { return g.settled[g.AssignmentEpoch] == len(g.members) }

// Ready reports whether the topics were found to be as the topology needs
// them.
func (g *Group) Ready() bool {
	return g.Topology != nil && g.Topology.Epoch == g.ValidatedTopologyEpoch
}

// Stable reports whether the group's state is Stable.
func (g *Group) Stable() bool {
	return len(g.members) > 0 && g.Ready() && g.Epoch <= g.AssignmentEpoch && g.Settled()
}

// Needs reports whether the group's topology needs the topic.
func (g *Group) Needs(topic string) bool { return g.topics[topic] }

// TopologyEpoch is the epoch of the group's topology, -1 for none.
func (g *Group) TopologyEpoch() int32 {
	if g.Topology == nil {
		return -1
	}
	return g.Topology.Epoch
}

// Runs reports whether some member has the task active, or has yet to give
// it up.
func (g *Group) Runs(task protocol.Partition) bool { return g.owners.roles(task, "").active }

// Holder finds who has the task active, or has yet to give it up; nil when
// nobody has.
func (g *Group) Holder(task protocol.Partition) *Member {
	if !g.Runs(task) {
		return nil
	}
	for _, id := range g.ids {
		if m := g.members[id]; isHeld(m.Current.Active, task) || isHeld(m.Current.PendingActive, task) {
			return m
		}
	}
	return nil
}

// tally keeps what is counted over members in step with one of them.
func (g *Group) tally(m *Member, by int) {
	if m == nil {
		return
	}
	if m.Current.State == record.Stable {
		if n := g.settled[m.Epoch()] + by; n > 0 {
			g.settled[m.Epoch()] = n
		} else {
			delete(g.settled, m.Epoch())
		}
	}
	if m.Epoch() == protocol.EpochStaticAbsent {
		g.away += by
	}
	if m.Meta.UserEndpoint != nil {
		g.endpoints += by
	}
}
