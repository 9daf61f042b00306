package classicgroup

import (
	"bytes"
	"maps"
	"slices"

	"groupscope/core/protocol"
	"groupscope/core/record"
)

// Supports reports whether a member with these protocols can be in the group:
// everybody must have one of them in common.
func (g *Group) Supports(protocolType string, protocols []protocol.JoinGroupProtocol) bool {
	if g.State == Empty {
		return protocolType != "" && len(protocols) > 0
	}
	return protocolType == g.ProtocolType && slices.ContainsFunc(protocols, func(p protocol.JoinGroupProtocol) bool {
		return g.supporters(p.Name) == len(g.members)
	})
}

func (g *Group) supporters(name string) int {
	n := 0
	for _, m := range g.members {
		if _, ok := m.metadata(name); ok {
			n++
		}
	}
	return n
}

// metadata is what the member says about one of its protocols.
func (m *Member) metadata(name string) ([]byte, bool) {
	for _, p := range m.Protocols {
		if p.Name == name {
			return p.Metadata, true
		}
	}
	return nil, false
}

// Matches reports whether the member offers exactly these protocols.
func (m *Member) Matches(protocols []protocol.JoinGroupProtocol) bool {
	return slices.EqualFunc(m.Protocols, protocols, func(a, b protocol.JoinGroupProtocol) bool {
		return a.Name == b.Name && bytes.Equal(a.Metadata, b.Metadata)
	})
}

// Subscription is what the member says about the group's protocol.
func (g *Group) Subscription(m *Member) []byte {
	metadata, _ := m.metadata(g.Protocol)
	return metadata
}

// Elect chooses the protocol that most members prefer among those that all of
// them support; "" in a group without members.
func (g *Group) Elect() string {
	votes := map[string]int{}
	for _, m := range g.members {
		for _, p := range m.Protocols {
			if g.supporters(p.Name) == len(g.members) {
				votes[p.Name]++
				break
			}
		}
	}
	best := ""
	for _, name := range slices.Sorted(maps.Keys(votes)) {
		if votes[name] > votes[best] {
			best = name
		}
	}
	return best
}

// LeaderJoined makes sure that the leader is among those who joined: if it is
// not, another becomes it. It reports false when nobody joined.
func (g *Group) LeaderJoined() bool {
	leader := g.members[g.Leader]
	if leader == nil {
		return false
	}
	if leader.Join != 0 {
		return true
	}
	for _, id := range g.IDs() {
		if g.members[id].Join != 0 {
			g.Leader = id
			return true
		}
	}
	return false
}

// NextGeneration begins the next generation with the members there are.
func (g *Group) NextGeneration(now protocol.Instant) {
	g.Generation++
	g.unsent = map[string]bool{}
	g.MoreCame = false
	g.Protocol = g.Elect()
	if len(g.members) == 0 {
		g.Move(Empty, now)
		return
	}
	g.Move(CompletingRebalance, now)
	for id := range g.members {
		g.unsent[id] = true
	}
}

// Sent notes that a member sent its SyncGroup.
func (g *Group) Sent(id string) { delete(g.unsent, id) }

// Unsent lists the members that have not sent their SyncGroup, sorted.
func (g *Group) Unsent() []string { return slices.Sorted(maps.Keys(g.unsent)) }

// ForgetUnsent is what a new rebalance does to the wait for SyncGroups.
func (g *Group) ForgetUnsent() { g.unsent = map[string]bool{} }

// Subscribes reports whether a member of a stable group reads the topic.
func (g *Group) Subscribes(topic string) bool {
	for _, m := range g.members {
		s, err := protocol.DecodeSubscription(g.Subscription(m))
		if err == nil && slices.Contains(s.Topics, topic) {
			return true
		}
	}
	return false
}

// Value is the group as its record says it, with these assignments by member
// id.
func (g *Group) Value(assignments map[string][]byte) record.ClassicGroupMetadataValue {
	v := record.ClassicGroupMetadataValue{
		ProtocolType: g.ProtocolType, Generation: g.Generation, CurrentStateTimestamp: g.Since,
	}
	if g.Protocol != "" {
		v.Protocol = &g.Protocol
	}
	if g.Leader != "" {
		v.Leader = &g.Leader
	}
	for _, id := range g.IDs() {
		m := g.members[id]
		v.Members = append(v.Members, record.ClassicMember{
			MemberID: id, GroupInstanceID: m.InstanceID, ClientID: m.ClientID, ClientHost: m.ClientHost,
			RebalanceTimeout: int32(m.RebalanceTimeout), SessionTimeout: int32(m.SessionTimeout),
			Subscription: g.Subscription(m), Assignment: assignments[id],
		})
	}
	return v
}

// Apply replays the group's record.
func (g *Group) Apply(v record.ClassicGroupMetadataValue) {
	*g = *New(g.ID, v.CurrentStateTimestamp)
	g.Generation, g.ProtocolType = v.Generation, v.ProtocolType
	if v.Protocol != nil {
		g.Protocol = *v.Protocol
	}
	if v.Leader != nil {
		g.Leader = *v.Leader
	}
	for _, m := range v.Members {
		g.State = Stable
		g.put(&Member{
			ID: m.MemberID, InstanceID: m.GroupInstanceID, ClientID: m.ClientID, ClientHost: m.ClientHost,
			RebalanceTimeout: protocol.Duration(m.RebalanceTimeout), SessionTimeout: protocol.Duration(m.SessionTimeout),
			Protocols:  []protocol.JoinGroupProtocol{{Name: g.Protocol, Metadata: m.Subscription}},
			Assignment: m.Assignment,
		})
	}
}
