// Package consumergroup is the state of one consumer group and the decisions
// that need nothing but that state: replaying records, reconciling a member,
// electing an assignor, computing a target. It has no clock and no timers.
package consumergroup

import (
	"bytes"
	"slices"

	"groupscope/core/protocol"
	"groupscope/core/record"
)

// Member is a member as its two records describe it. A Member is never
// changed once made: a change makes a new one.
type Member struct {
	ID      string
	Meta    record.MemberMetadataValue          // its last record 5
	Current record.CurrentMemberAssignmentValue // its last record 8
}

// NewMember is a member nobody has written a record of yet.
func NewMember(id string) *Member {
	return &Member{
		ID:      id,
		Meta:    record.MemberMetadataValue{RebalanceTimeoutMs: -1},
		Current: record.CurrentMemberAssignmentValue{PreviousMemberEpoch: -1},
	}
}

// WithMeta is the member with another description.
func (m *Member) WithMeta(meta record.MemberMetadataValue) *Member {
	return &Member{ID: m.ID, Meta: meta, Current: m.Current}
}

// WithCurrent is the member with another current assignment.
func (m *Member) WithCurrent(current record.CurrentMemberAssignmentValue) *Member {
	return &Member{ID: m.ID, Meta: m.Meta, Current: current}
}

// As is the member under another id, as a static member comes back: at epoch
// 0, with everything it had.
func (m *Member) As(id string) *Member {
	current := m.Current
	current.MemberEpoch, current.PreviousMemberEpoch = 0, 0
	return &Member{ID: id, Meta: m.Meta, Current: current}
}

// Epoch is the member epoch.
func (m *Member) Epoch() int32 { return m.Current.MemberEpoch }

// InstanceID is the static member's instance id, "" for a dynamic member.
func (m *Member) InstanceID() string { return deref(m.Meta.InstanceID) }

// Assignor is the assignor that the member votes for, "" for none.
func (m *Member) Assignor() string { return deref(m.Meta.ServerAssignor) }

// IsAssigned reports whether the partition is assigned to the member.
func (m *Member) IsAssigned(p protocol.Partition) bool { return contains(m.Current.Assigned, p) }

// AssignmentEpoch is the target epoch at which the member got a partition
// that it holds, assigned or still to be revoked; false for any other.
func (m *Member) AssignmentEpoch(p protocol.Partition) (int32, bool) {
	for _, list := range [][]record.Held{m.Current.Assigned, m.Current.PendingRevocation} {
		if i, ok := slices.BinarySearchFunc(list, p, compareToPartition); ok {
			return list[i].AssignmentEpoch, true
		}
	}
	return 0, false
}

// Holds reports whether the partition is assigned to the member or still to
// be revoked from it.
func (m *Member) Holds(p protocol.Partition) bool {
	return contains(m.Current.Assigned, p) || contains(m.Current.PendingRevocation, p)
}

// SettledAt reports whether the member has all of the target of that epoch.
func (m *Member) SettledAt(epoch int32) bool {
	return m.Current.State == record.Stable && m.Current.MemberEpoch == epoch
}

// SameMeta reports whether two descriptions agree in every field.
func SameMeta(a, b *record.MemberMetadataValue) bool {
	return same(a.InstanceID, b.InstanceID) && same(a.RackID, b.RackID) &&
		a.ClientID == b.ClientID && a.ClientHost == b.ClientHost &&
		slices.Equal(a.SubscribedTopicNames, b.SubscribedTopicNames) &&
		a.SubscribedTopicRegex == b.SubscribedTopicRegex &&
		a.RebalanceTimeoutMs == b.RebalanceTimeoutMs && same(a.ServerAssignor, b.ServerAssignor) &&
		sameClassic(a.Classic, b.Classic)
}

func sameClassic(a, b *record.ClassicMemberMetadata) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.SessionTimeoutMs == b.SessionTimeoutMs &&
		slices.EqualFunc(a.SupportedProtocols, b.SupportedProtocols, func(a, b protocol.JoinGroupProtocol) bool {
			return a.Name == b.Name && bytes.Equal(a.Metadata, b.Metadata)
		})
}

// SameCurrent reports whether two current assignments agree in every field
// that the broker's record has: the list of what the member waits for does
// not count.
func SameCurrent(a, b *record.CurrentMemberAssignmentValue) bool {
	return a.MemberEpoch == b.MemberEpoch && a.PreviousMemberEpoch == b.PreviousMemberEpoch &&
		a.State == b.State && slices.Equal(a.Assigned, b.Assigned) &&
		slices.Equal(a.PendingRevocation, b.PendingRevocation)
}

func deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

func same(a, b *string) bool { return (a == nil) == (b == nil) && deref(a) == deref(b) }

func contains(held []record.Held, p protocol.Partition) bool {
	_, ok := slices.BinarySearchFunc(held, p, compareToPartition)
	return ok
}

func compareToPartition(h record.Held, p protocol.Partition) int { return h.Partition.Compare(p) }
