// Package streamsgroup is the state of one streams group (KIP-1071) and the
// decisions that need nothing but that state: replaying records, comparing
// and configuring a topology, reconciling a member, computing a target. It
// has no clock and no timers.
package streamsgroup

import (
	"slices"

	"groupscope/core/protocol"
	"groupscope/core/record"
)

// Member is a member as its two records describe it. A Member is never
// changed once made: a change makes a new one.
type Member struct {
	ID      string
	Meta    record.StreamsMemberMetadataValue          // its last record 19
	Current record.StreamsCurrentMemberAssignmentValue // its last record 22
	// active are the active tasks of Current as a set.
	active protocol.Assignment `canon:"-"`
}

// NewMember is a member nobody has written a record of yet.
func NewMember(id string) *Member {
	return &Member{
		ID:      id,
		Meta:    record.StreamsMemberMetadataValue{RebalanceTimeoutMs: -1, TopologyEpoch: -1},
		Current: nothing(0),
		active:  protocol.Assignment{},
	}
}

// nothing is the current assignment of a member without tasks.
func nothing(epoch int32) record.StreamsCurrentMemberAssignmentValue {
	return record.StreamsCurrentMemberAssignmentValue{
		MemberEpoch: epoch, PreviousMemberEpoch: epoch,
		Standby: protocol.Assignment{}, Warmup: protocol.Assignment{},
		PendingStandby: protocol.Assignment{}, PendingWarmup: protocol.Assignment{},
	}
}

// WithMeta is the member with another description.
func (m *Member) WithMeta(meta record.StreamsMemberMetadataValue) *Member {
	return &Member{m.ID, meta, m.Current, m.active}
}

// WithCurrent is the member with another current assignment.
func (m *Member) WithCurrent(current record.StreamsCurrentMemberAssignmentValue) *Member {
	return &Member{m.ID, m.Meta, current, ActiveTasks(current.Active)}
}

// As is the member under another id, as a static member comes back: at epoch
// 0, with everything it had.
func (m *Member) As(id string) *Member {
	current := m.Current
	current.MemberEpoch, current.PreviousMemberEpoch = 0, 0
	return &Member{id, m.Meta, current, m.active}
}

// Epoch is the member epoch.
func (m *Member) Epoch() int32 { return m.Current.MemberEpoch }

// InstanceID is the static member's instance id, "" for a dynamic member.
func (m *Member) InstanceID() string { return deref(m.Meta.InstanceID) }

// SettledAt reports whether the member has all of the target of that epoch.
func (m *Member) SettledAt(epoch int32) bool {
	return m.Current.State == record.Stable && m.Current.MemberEpoch == epoch
}

// Assigned are the member's tasks, without those that it is to give up. No
// list is nil.
func (m *Member) Assigned() protocol.Tasks {
	return protocol.Tasks{Active: m.active, Standby: m.Current.Standby, Warmup: m.Current.Warmup}
}

// Runs reports whether the member has the task active.
func (m *Member) Runs(task protocol.Partition) bool { return isHeld(m.Current.Active, task) }

// ActiveTasks are held active tasks as a set, never nil.
func ActiveTasks(held []record.Held) protocol.Assignment {
	out := protocol.Assignment{}
	for _, h := range held {
		if n := len(out); n == 0 || out[n-1].Topic != h.Partition.Topic {
			out = append(out, protocol.TopicPartitions{Topic: h.Partition.Topic})
		}
		last := &out[len(out)-1]
		last.Partitions = append(last.Partitions, h.Partition.Number)
	}
	return out
}

// Has reports whether the member's tasks are exactly those.
func (m *Member) Has(tasks protocol.Tasks) bool {
	i := 0
	for _, tp := range tasks.Active {
		for _, n := range tp.Partitions {
			if i == len(m.Current.Active) || m.Current.Active[i].Partition != (protocol.Partition{Topic: tp.Topic, Number: n}) {
				return false
			}
			i++
		}
	}
	return i == len(m.Current.Active) &&
		sameTasks(tasks.Standby, m.Current.Standby) && sameTasks(tasks.Warmup, m.Current.Warmup)
}

// Owns reports whether every task of the lists is assigned to the member in
// the same role.
func (m *Member) Owns(tasks protocol.Tasks) bool {
	for _, tp := range tasks.Active {
		for _, n := range tp.Partitions {
			if !isHeld(m.Current.Active, protocol.Partition{Topic: tp.Topic, Number: n}) {
				return false
			}
		}
	}
	return within(tasks.Standby, m.Current.Standby) && within(tasks.Warmup, m.Current.Warmup)
}

// SameMeta reports whether two descriptions agree in every field.
func SameMeta(a, b *record.StreamsMemberMetadataValue) bool {
	return same(a.InstanceID, b.InstanceID) && same(a.RackID, b.RackID) &&
		a.ClientID == b.ClientID && a.ClientHost == b.ClientHost &&
		a.RebalanceTimeoutMs == b.RebalanceTimeoutMs && a.TopologyEpoch == b.TopologyEpoch &&
		a.ProcessID == b.ProcessID && SameEndpoint(a.UserEndpoint, b.UserEndpoint) &&
		slices.Equal(a.ClientTags, b.ClientTags)
}

// SameEndpoint reports whether two endpoints are equal, or both absent.
func SameEndpoint(a, b *protocol.Endpoint) bool {
	return a == b || a != nil && b != nil && *a == *b
}

// SameCurrent reports whether two current assignments agree in every field.
func SameCurrent(a, b *record.StreamsCurrentMemberAssignmentValue) bool {
	return a.MemberEpoch == b.MemberEpoch && a.PreviousMemberEpoch == b.PreviousMemberEpoch &&
		a.State == b.State && SameAssigned(a, b) && slices.Equal(a.PendingActive, b.PendingActive) &&
		sameTasks(a.PendingStandby, b.PendingStandby) && sameTasks(a.PendingWarmup, b.PendingWarmup)
}

// SameAssigned reports whether two current assignments have the same tasks in
// the same roles since the same epochs.
func SameAssigned(a, b *record.StreamsCurrentMemberAssignmentValue) bool {
	return slices.Equal(a.Active, b.Active) && sameTasks(a.Standby, b.Standby) && sameTasks(a.Warmup, b.Warmup)
}

func deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

func same(a, b *string) bool { return (a == nil) == (b == nil) && deref(a) == deref(b) }

// Within reports whether every task of a is in b in the same role.
func Within(a, b protocol.Tasks) bool {
	return within(a.Active, b.Active) && within(a.Standby, b.Standby) && within(a.Warmup, b.Warmup)
}
