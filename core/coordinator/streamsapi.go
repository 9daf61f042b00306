package coordinator

import (
	"strings"

	"groupscope/core/assignor"
	"groupscope/core/protocol"
	"groupscope/core/record"
	"groupscope/core/streamsgroup"
)

// StreamsConfig is what a broker is configured with for streams groups.
type StreamsConfig struct {
	SessionTimeout        protocol.Duration // group.streams.session.timeout.ms
	HeartbeatInterval     protocol.Duration // group.streams.heartbeat.interval.ms
	AssignmentInterval    protocol.Duration // group.streams.assignment.interval.ms
	InitialRebalanceDelay protocol.Duration // group.streams.initial.rebalance.delay.ms
	TaskOffsetInterval    protocol.Duration // group.streams.task.offset.interval.ms
	Assignors             []string          // group.streams.assignors, the first is the default
	MaxSize               int               // group.streams.max.size
	StandbyReplicas       int               // group.streams.num.standby.replicas
	WarmupReplicas        int               // group.streams.num.warmup.replicas
	AcceptableRecoveryLag int64             // group.streams.acceptable.recovery.lag
	RackAwareTags         []string          // group.streams.rack.aware.assignment.tags
	// Custom are assignors of one's own that Assignors may name; one with the
	// name of a built-in assignor takes its place.
	Custom []assignor.StreamsAssignor
	// BrokenRule is a rule that is broken on purpose, in tests of those who judge.
	BrokenRule streamsgroup.Mutation
}

// StreamsResult is what an operation on a streams group did. Creatable are
// the internal topics that the broker is asked to create.
type StreamsResult struct {
	Response  protocol.StreamsGroupHeartbeatResponse
	Creatable []protocol.CreatableTopic
	Records   []record.Record
	Decisions []Decision
}

// StreamsGroup is what the read model of a streams group has beyond Group,
// whose fields mean the same: a member's Assigned, PendingRevocation, Waiting,
// Free and Target are its active tasks, named like partitions.
type StreamsGroup struct {
	TopologyEpoch          int32 // -1: no topology
	ValidatedTopologyEpoch int32 // -1: topics not as the topology needs them
	// Topology is the group's, as sent. Configured is it with every partition
	// count decided, Tasks the number of tasks of each subtopology in the order
	// of Configured; both nil when it is not configured in memory.
	Topology   *protocol.Topology
	Configured *protocol.Topology
	Tasks      []SubtopologyTasks
	Ready      bool
	// Status is what is wrong with the topics, nil for nothing.
	Status                     *protocol.Status
	Creatable                  []protocol.CreatableTopic // internal topics that are missing
	EndpointInformationEpoch   int32
	ShutdownRequestMember      string           // "" for none
	InitialRebalanceDeadline   protocol.Instant // 0: not running
	MissingTopics, Mismatching []string         // of Status, sorted
}

// SubtopologyTasks is how many tasks a subtopology has.
type SubtopologyTasks struct {
	Subtopology string
	Tasks       int32
	Stateful    bool
}

// StreamsMember is what the read model of a streams member has beyond Member.
type StreamsMember struct {
	TopologyEpoch int32
	ProcessID     string
	UserEndpoint  *protocol.Endpoint
	ClientTags    []protocol.Tag
	// Standby and Warmup are assigned; the Pending lists are to be given up;
	// the Target lists are the member's part of the target. Active tasks are
	// in the Member's own lists.
	Standby, Warmup               protocol.Assignment
	PendingStandby, PendingWarmup protocol.Assignment
	TargetStandby, TargetWarmup   protocol.Assignment
	// Refined is what the member is reconciled towards where that differs from
	// its target (the rule FrozenRefinement); else nil.
	Refined *protocol.Tasks
	// TaskOffsets and TaskEndOffsets are the latest that the member reported.
	TaskOffsets, TaskEndOffsets []protocol.TaskOffset
	// EndpointEpoch is the endpoint information epoch of its latest request.
	EndpointEpoch int32
}

// StateName is Kafka's word for the member's state: of a streams member it
// speaks of tasks.
func (m *Member) StateName() string {
	if m.Streams != nil {
		return strings.Replace(m.State.String(), "_PARTITIONS", "_TASKS", 1)
	}
	return m.State.String()
}
