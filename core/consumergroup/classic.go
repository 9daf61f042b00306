package consumergroup

import (
	"slices"

	"groupscope/core/protocol"
	"groupscope/core/record"
)

// ClassicMembers counts the members that use the classic protocol, without
// those who go.
func (g *Group) ClassicMembers(gone ...*Member) int {
	n := 0
	for _, m := range g.members {
		if m.Meta.Classic != nil && !slices.Contains(gone, m) {
			n++
		}
	}
	return n
}

// SupportsClassic reports whether a member of the classic protocol can be in
// the group: all such members must have a protocol in common with it.
func (g *Group) SupportsClassic(protocols []protocol.JoinGroupProtocol) bool {
	classic := g.ClassicMembers()
	return slices.ContainsFunc(protocols, func(p protocol.JoinGroupProtocol) bool {
		n := 0
		for _, m := range g.members {
			if m.Meta.Classic != nil && slices.ContainsFunc(m.Meta.Classic.SupportedProtocols, func(q protocol.JoinGroupProtocol) bool {
				return p.Name == q.Name
			}) {
				n++
			}
		}
		return n == classic
	})
}

// WaitsForOthers reports whether some partition of the member's target is not
// its own yet and still held.
func (g *Group) WaitsForOthers(m *Member) bool {
	if m.Current.State != record.UnreleasedPartitions {
		return false
	}
	target, _ := g.Target(m.ID)
	return slices.ContainsFunc(target.Partitions(), func(p protocol.Partition) bool {
		return !m.IsAssigned(p) && g.Held(p)
	})
}
