package record

import "groupscope/core/protocol"

// Record types of streams groups (streams-group.md 12).
const (
	StreamsGroupMetadata            Type = 17
	StreamsMemberMetadata           Type = 19
	StreamsTargetAssignmentMetadata Type = 20
	StreamsTargetAssignmentMember   Type = 21
	StreamsCurrentMemberAssignment  Type = 22
	StreamsTopology                 Type = 23
)

// Streams reports whether the type belongs to streams groups.
func (t Type) Streams() bool { return t >= StreamsGroupMetadata && t <= StreamsTopology }

// StreamsGroupMetadataValue (type 17) bumps the group epoch.
type StreamsGroupMetadataValue struct {
	Epoch        int32
	MetadataHash int64 // 0: no topic of the topology is known
	// ValidatedTopologyEpoch is -1 while the topics are not as the topology
	// needs them.
	ValidatedTopologyEpoch int32
	LastAssignmentConfigs  []protocol.Tag // in Kafka's order
}

// StreamsMemberMetadataValue (type 19) is a member's identity.
type StreamsMemberMetadataValue struct {
	InstanceID         *string
	RackID             *string
	ClientID           string
	ClientHost         string
	RebalanceTimeoutMs int32
	TopologyEpoch      int32
	ProcessID          string
	UserEndpoint       *protocol.Endpoint
	ClientTags         []protocol.Tag // sorted by key
}

// StreamsTargetAssignmentMetadataValue (type 20) says for which group epoch,
// and when, the target was computed.
type StreamsTargetAssignmentMetadataValue struct {
	AssignmentEpoch     int32
	AssignmentTimestamp protocol.Instant // 0: unknown
}

// StreamsTargetAssignmentMemberValue (type 21) is one member's part of the
// target. No list is nil.
type StreamsTargetAssignmentMemberValue struct{ Tasks protocol.Tasks }

// Streams members use the states of consumer members; Kafka numbers them 1
// to 3 there, and speaks of tasks.

// StreamsCurrentMemberAssignmentValue (type 22) is a member's current
// assignment. Active tasks carry the epoch at which they were assigned; lists
// are sorted by task.
type StreamsCurrentMemberAssignmentValue struct {
	MemberEpoch         int32
	PreviousMemberEpoch int32
	State               MemberState
	Active              []Held
	Standby, Warmup     protocol.Assignment
	// Pending are the tasks that the member was asked to give up.
	PendingActive                 []Held
	PendingStandby, PendingWarmup protocol.Assignment
}

// StreamsTopologyValue (type 23) is the group's topology.
type StreamsTopologyValue struct{ Topology *protocol.Topology }

func (StreamsGroupMetadataValue) recordValue()            {}
func (StreamsMemberMetadataValue) recordValue()           {}
func (StreamsTargetAssignmentMetadataValue) recordValue() {}
func (StreamsTargetAssignmentMemberValue) recordValue()   {}
func (StreamsCurrentMemberAssignmentValue) recordValue()  {}
func (StreamsTopologyValue) recordValue()                 {}
