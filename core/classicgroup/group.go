// Package classicgroup is the state of a group of the classic protocol
// (JoinGroup, SyncGroup), as far as consumer groups meet it: they replace
// empty ones, upgrade from them and downgrade to them. It has no clock, no
// timers and answers nobody.
//
// Other than a group of the consumer protocol it is not made by its record
// alone: the record is written when a generation is complete, and whoever
// joins meanwhile is soft state that a failover loses.
package classicgroup

import (
	"maps"
	"slices"

	"groupscope/core/protocol"
)

// State is the state of a classic group.
type State int8

// The states. A group that is deleted does not exist, so Dead is not among
// them.
const (
	Empty State = iota
	PreparingRebalance
	CompletingRebalance
	Stable
)

// String is Kafka's word for the state.
func (s State) String() string {
	return [...]string{"Empty", "PreparingRebalance", "CompletingRebalance", "Stable"}[s]
}

// Group is a classic group. Only its methods change it.
type Group struct {
	ID string
	// State since when, and the one before.
	State, Previous State
	Since           protocol.Instant
	Generation      int32
	ProtocolType    string // "" before the first member
	Protocol        string // "" before the first generation
	Leader          string // "" while nobody is in the group
	// MoreCame says that somebody joined during the initial rebalance, which
	// extends it.
	MoreCame bool

	members map[string]*Member
	static  map[string]string // instance id to member id
	pending map[string]bool   // ids given out to members that have not joined yet
	unsent  map[string]bool   // members that have not sent their SyncGroup
}

// Member is a member of a classic group. It is never changed once made.
type Member struct {
	ID               string
	InstanceID       *string
	ClientID         string
	ClientHost       string
	RebalanceTimeout protocol.Duration
	SessionTimeout   protocol.Duration
	Protocols        []protocol.JoinGroupProtocol
	Assignment       []byte
	New              bool // it has not been told its first generation
	// Join and Sync are the tickets of its requests that wait for an answer,
	// 0 for none.
	Join, Sync int64
}

// New is an empty group.
func New(id string, now protocol.Instant) *Group {
	return &Group{
		ID: id, Since: now,
		members: map[string]*Member{}, static: map[string]string{},
		pending: map[string]bool{}, unsent: map[string]bool{},
	}
}

// Clone copies the group. The copy shares only values that never change.
func (g *Group) Clone() *Group {
	c := *g
	c.members = maps.Clone(g.members)
	c.static = maps.Clone(g.static)
	c.pending = maps.Clone(g.pending)
	c.unsent = maps.Clone(g.unsent)
	return &c
}

// Size is the number of members.
func (g *Group) Size() int { return len(g.members) }

// IDs lists the members' ids, sorted.
func (g *Group) IDs() []string { return slices.Sorted(maps.Keys(g.members)) }

// Member finds a member; nil when there is none of that id.
func (g *Group) Member(id string) *Member { return g.members[id] }

// StaticMember finds the member of an instance id; nil when there is none.
func (g *Group) StaticMember(instance string) *Member { return g.members[g.static[instance]] }

// IsPending reports whether the id was given out and has not joined yet.
func (g *Group) IsPending(id string) bool { return g.pending[id] }

// Promise gives an id out to a member that is to join with it.
func (g *Group) Promise(id string) { g.pending[id] = true }

// Find looks a member up as every request of the classic protocol does.
func (g *Group) Find(id string, instance *string) (*Member, protocol.ErrorCode) {
	if instance != nil {
		m := g.StaticMember(*instance)
		if m == nil {
			return nil, protocol.UnknownMemberID
		}
		if m.ID != id {
			return nil, protocol.FencedInstanceID
		}
	}
	if m := g.members[id]; m != nil {
		return m, protocol.None
	}
	return nil, protocol.UnknownMemberID
}

// Move changes the state.
func (g *Group) Move(to State, now protocol.Instant) {
	g.Previous, g.State, g.Since = g.State, to, now
}

// Add takes a member in. The first one gives the group its protocol type.
func (g *Group) Add(m *Member, protocolType string) {
	if len(g.members) == 0 {
		g.ProtocolType = protocolType
	}
	g.put(m)
}

func (g *Group) put(m *Member) {
	if g.Leader == "" {
		g.Leader = m.ID
	}
	g.members[m.ID] = m
	if m.InstanceID != nil {
		g.static[*m.InstanceID] = m.ID
	}
	delete(g.pending, m.ID)
}

// Remove takes a member, or one that only has its id, out of the group. A
// leader that goes is replaced.
func (g *Group) Remove(id string) {
	if m := g.members[id]; m != nil && m.InstanceID != nil {
		delete(g.static, *m.InstanceID)
	}
	delete(g.members, id)
	delete(g.pending, id)
	delete(g.unsent, id)
	if g.Leader == id {
		g.Leader = ""
		if ids := g.IDs(); len(ids) > 0 {
			g.Leader = ids[0]
		}
	}
}

// Replace puts a static member under another id. Nobody waits under it yet.
func (g *Group) Replace(old *Member, id string) *Member {
	next := *old
	next.ID, next.Join, next.Sync = id, 0, 0
	leader := g.Leader == old.ID
	g.Remove(old.ID)
	g.put(&next)
	if leader {
		g.Leader = id
	}
	return &next
}

// Change applies a change to a copy of the member and stores it.
func (g *Group) Change(id string, change func(m *Member)) *Member {
	next := *g.members[id]
	change(&next)
	g.members[id] = &next
	return &next
}

// Joined counts the members whose JoinGroup waits.
func (g *Group) Joined() int {
	n := 0
	for _, m := range g.members {
		if m.Join != 0 {
			n++
		}
	}
	return n
}

// AllJoined reports whether everybody waits for the next generation.
func (g *Group) AllJoined() bool { return g.Joined() == len(g.members) && len(g.pending) == 0 }

// RebalanceTimeout is the longest of the members'.
func (g *Group) RebalanceTimeout() protocol.Duration {
	var longest protocol.Duration
	for _, m := range g.members {
		longest = max(longest, m.RebalanceTimeout)
	}
	return longest
}
