package consumergroup

import (
	"maps"
	"slices"

	"groupscope/core/assignor"
	"groupscope/core/protocol"
	"groupscope/core/record"
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
	ids     []string             `canon:"-"` // of the members, sorted
	table   assignor.MemberTable // the order in which the broker walks the members
	static  map[string]string    `canon:"-"`
	target  map[string]targetEntry
	holders partitionEpochs `canon:"-"`
	// subscribers counts the members that name a topic, votes those that name
	// an assignor.
	subscribers map[string]int `canon:"-"`
	votes       map[string]int `canon:"-"`
	// names are those of the member described last; members that subscribe to
	// the same share them.
	names []string `canon:"-"`
	// resolved are the regexes that are resolved, matches counts those that a
	// topic matches, regexUsers the members that subscribe to a regex.
	resolved   map[string]record.RegularExpressionValue
	matches    map[string]int `canon:"-"`
	regexUsers map[string]int `canon:"-"`
	// homogeneous is worked out anew when a member's record is applied, if
	// counted says that a count changed since.
	homogeneous, counted bool
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
		resolved:        map[string]record.RegularExpressionValue{},
		matches:         map[string]int{},
		regexUsers:      map[string]int{},
		homogeneous:     true,
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
	c.holders = g.holders.clone()
	c.subscribers = maps.Clone(g.subscribers)
	c.votes = maps.Clone(g.votes)
	c.resolved = maps.Clone(g.resolved)
	c.matches = maps.Clone(g.matches)
	c.regexUsers = maps.Clone(g.regexUsers)
	return &c
}

// Size is the number of members.
func (g *Group) Size() int { return len(g.members) }

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

// Subscribed reports whether a member subscribes to the topic, by name or by
// a regex that is resolved.
func (g *Group) Subscribed(name string) bool { return g.subscribers[name] > 0 || g.matches[name] > 0 }

// Homogeneous is the broker's stored answer to whether all members subscribe
// to the same topics: as it was when a member's record was last applied, so
// a regex that was resolved since does not count.
func (g *Group) Homogeneous() bool { return g.homogeneous }

// RegexUsers counts the members that subscribe to a regex.
func (g *Group) RegexUsers(regex string) int { return g.regexUsers[regex] }
