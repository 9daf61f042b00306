package consumergroup

import (
	"maps"
	"slices"

	"groupscope/core/protocol"
)

// Group is the hard state of a consumer group: what its records say, and
// what follows from them. Apply is the only writer.
type Group struct {
	ID           string
	Epoch        int32
	MetadataHash int64
	// AssignmentEpoch is the group epoch the target was computed for, at
	// AssignmentTimestamp (0: unknown, so a new one is owed at once).
	AssignmentEpoch     int32
	AssignmentTimestamp protocol.Instant

	members map[string]*Member
	ids     []string    // of the members, sorted
	table   memberTable // the order in which the broker walks the members
	static  map[string]string
	target  map[string]targetEntry
	holders partitionEpochs
	// subscribers counts the members that name a topic, votes those that name
	// an assignor.
	subscribers map[string]int
	votes       map[string]int
}

// targetEntry is a member's part of the target, and the order in which its
// topics came to the member (a tie break of the uniform assignor).
type targetEntry struct {
	assignment protocol.Assignment
	arrival    []protocol.TopicID
}

// New is a group without members. The epoch is the rule InitialGroupEpoch.
func New(id string, epoch int32) *Group {
	return &Group{
		ID:              id,
		Epoch:           epoch,
		AssignmentEpoch: epoch,
		members:         map[string]*Member{},
		static:          map[string]string{},
		target:          map[string]targetEntry{},
		holders:         partitionEpochs{},
		subscribers:     map[string]int{},
		votes:           map[string]int{},
	}
}

// Clone copies the group. The copy shares only values that never change.
func (g *Group) Clone() *Group {
	c := *g
	c.members = maps.Clone(g.members)
	c.ids = slices.Clone(g.ids)
	c.table = g.table.clone()
	c.static = maps.Clone(g.static)
	c.target = maps.Clone(g.target)
	c.holders = g.holders.clone()
	c.subscribers = maps.Clone(g.subscribers)
	c.votes = maps.Clone(g.votes)
	return &c
}

// Size is the number of members.
func (g *Group) Size() int { return len(g.members) }

// Member finds a member; nil when there is none of that id.
func (g *Group) Member(id string) *Member { return g.members[id] }

// IDs lists the members' ids, sorted. The slice is the group's own.
func (g *Group) IDs() []string { return g.ids }

// StaticMember finds the member of an instance id; nil when there is none.
func (g *Group) StaticMember(instanceID string) *Member {
	id, ok := g.static[instanceID]
	if !ok {
		return nil
	}
	return g.members[id]
}

// Target is a member's part of the target, and whether it has one.
func (g *Group) Target(id string) (protocol.Assignment, bool) {
	e, ok := g.target[id]
	return e.assignment, ok
}

// Held reports whether some member has the partition, assigned or still to
// be revoked, whatever its epoch.
func (g *Group) Held(p protocol.Partition) bool { return g.holders.get(p) != noHolder }

// Holder finds who has the partition; nil when nobody has it.
func (g *Group) Holder(p protocol.Partition) *Member {
	if !g.Held(p) {
		return nil
	}
	for _, id := range g.ids {
		if m := g.members[id]; m.Holds(p) {
			return m
		}
	}
	return nil
}

// Subscribers counts the members that subscribe to a topic by name.
func (g *Group) Subscribers(name string) int { return g.subscribers[name] }

// Homogeneous reports whether all members subscribe to the same topics, as
// far as the records say.
func (g *Group) Homogeneous() bool { return homogeneous(g.subscribers, len(g.members)) }
