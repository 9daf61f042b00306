// Package record holds the records a group coordinator writes to its log
// (__consumer_offsets). They are the only writer of a group's hard state: an
// operation returns records, and applying them is the one way the state
// changes. Records are values and are never changed after they are made.
package record

import (
	"fmt"

	"groupscope/core/protocol"
)

// Type is the record's key version in Kafka's schema.
type Type int

// Record types of consumer groups (consumer-group.md 12).
const (
	GroupMetadata            Type = 3
	MemberMetadata           Type = 5
	TargetAssignmentMetadata Type = 6
	TargetAssignmentMember   Type = 7
	CurrentMemberAssignment  Type = 8
)

// Key addresses what a record writes. Member is empty for records of the
// whole group; the other fields are of the types that say so.
type Key struct {
	Type      Type
	Group     string
	Member    string
	Regex     string
	Topic     string
	Partition int32
}

// Record is one line of the log. A nil Value is a tombstone: it deletes what
// the key addresses.
type Record struct {
	Key   Key
	Value Value
}

// Value is one of the *…Value types of this package.
type Value interface{ recordValue() }

// ValueOf is the record's value as the type that its key promises; an error
// when it carries another.
func ValueOf[V Value](r Record) (V, error) {
	v, ok := r.Value.(V)
	if !ok {
		return v, fmt.Errorf("it carries a %T", r.Value)
	}
	return v, nil
}

// GroupMetadataValue (type 3) bumps the group epoch.
type GroupMetadataValue struct {
	Epoch        int32
	MetadataHash int64 // 0: no subscribed topic is known
}

// MemberMetadataValue (type 5) is a member's identity and subscription.
type MemberMetadataValue struct {
	InstanceID           *string
	RackID               *string
	ClientID             string
	ClientHost           string
	SubscribedTopicNames []string // sorted, no duplicates
	SubscribedTopicRegex string
	RebalanceTimeoutMs   int32
	ServerAssignor       *string
	Classic              *ClassicMemberMetadata // nil: the member uses the consumer protocol
}

// TargetAssignmentMetadataValue (type 6) says for which group epoch, and
// when, the target was computed.
type TargetAssignmentMetadataValue struct {
	AssignmentEpoch     int32
	AssignmentTimestamp protocol.Instant // 0: unknown, compute at the next heartbeat
}

// TargetAssignmentMemberValue (type 7) is one member's part of the target.
type TargetAssignmentMemberValue struct {
	TopicPartitions protocol.Assignment
}

// MemberState is what a member is doing about its target.
type MemberState int8

const (
	// Stable: the member has all it may have of the target of its epoch.
	Stable MemberState = 0
	// UnrevokedPartitions: the member was asked to give partitions up and has
	// not said that it did; it cannot move to the next epoch until then.
	UnrevokedPartitions MemberState = 1
	// UnreleasedPartitions: the member has reached the target's epoch, and
	// waits for partitions that others still hold.
	UnreleasedPartitions MemberState = 2
	// UnknownState stands for every other number that a log may have.
	UnknownState MemberState = 127
)

// String is Kafka's constant for the state.
func (s MemberState) String() string {
	switch s {
	case Stable:
		return "STABLE"
	case UnrevokedPartitions:
		return "UNREVOKED_PARTITIONS"
	case UnreleasedPartitions:
		return "UNRELEASED_PARTITIONS"
	}
	return "UNKNOWN"
}

// Held is a partition a member holds, and the target epoch at which it
// received it (KIP-1251's assignment epoch).
type Held struct {
	Partition       protocol.Partition
	AssignmentEpoch int32
}

// Partitions are held partitions without their epochs, in the same order. The
// list is never nil.
func Partitions(held []Held) []protocol.Partition {
	out := make([]protocol.Partition, len(held))
	for i, h := range held {
		out[i] = h.Partition
	}
	return out
}

// CurrentMemberAssignmentValue (type 8) is a member's current assignment.
// The lists are sorted by partition.
type CurrentMemberAssignmentValue struct {
	MemberEpoch         int32
	PreviousMemberEpoch int32
	State               MemberState
	Assigned            []Held
	PendingRevocation   []Held
	// PendingAssignment is what the member waits for; written only under the
	// rule ListsWaiting (KIP-848's worked example).
	PendingAssignment []protocol.Partition
}

func (GroupMetadataValue) recordValue()            {}
func (MemberMetadataValue) recordValue()           {}
func (TargetAssignmentMetadataValue) recordValue() {}
func (TargetAssignmentMemberValue) recordValue()   {}
func (CurrentMemberAssignmentValue) recordValue()  {}
