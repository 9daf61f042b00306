package protocol

import "strconv"

// A task of a streams group is named like a partition: Topic is the
// subtopology's id and Number the task's partition. So tasks share Partition
// and Assignment with consumer groups, and every set operation on them.

// TaskName is a task's name as Kafka Streams writes it: "0_2".
func TaskName(task Partition) string {
	return string(task.Topic) + "_" + strconv.Itoa(int(task.Number))
}

// Tasks are the tasks of a member by role. In a message the three lists are
// all nil ("absent", unchanged) or all present.
type Tasks struct {
	Active, Standby, Warmup Assignment
}

// Present reports whether all three lists are there.
func (t Tasks) Present() bool { return t.Active != nil && t.Standby != nil && t.Warmup != nil }

// Equal reports whether all three lists are equal, absence included.
func (t Tasks) Equal(o Tasks) bool {
	return t.Active.Equal(o.Active) && t.Standby.Equal(o.Standby) && t.Warmup.Equal(o.Warmup)
}

// StreamsGroupHeartbeatRequest is API key 88. A nil pointer, slice, map or
// Assignment, and RebalanceTimeoutMs -1, mean that the field is absent, so
// the coordinator keeps what it has.
type StreamsGroupHeartbeatRequest struct {
	GroupID                  string
	MemberID                 string
	MemberEpoch              int32
	EndpointInformationEpoch int32 // -1: the client has no endpoint information yet
	InstanceID               *string
	RackID                   *string
	RebalanceTimeoutMs       int32
	Topology                 *Topology // present when joining
	Owned                    Tasks     // ActiveTasks, StandbyTasks, WarmupTasks
	ProcessID                *string
	UserEndpoint             *Endpoint
	ClientTags               []Tag        // sorted by key; nil: absent
	TaskOffsets              []TaskOffset // sorted by task; nil: absent
	TaskEndOffsets           []TaskOffset
	ShutdownApplication      bool
	// ClientID and ClientHost come from the request's header and connection.
	ClientID   string
	ClientHost string
}

// StreamsGroupHeartbeatResponse is the answer. When Error is not None no
// other field means anything, ErrorMessage excepted.
type StreamsGroupHeartbeatResponse struct {
	Error                    ErrorCode
	ErrorMessage             string
	MemberID                 string
	MemberEpoch              int32
	HeartbeatIntervalMs      int32
	AcceptableRecoveryLag    int32
	TaskOffsetIntervalMs     int32
	Status                   []Status // in the order of streams-group.md 10
	Tasks                    Tasks    // all nil: nothing new
	EndpointInformationEpoch int32
	// PartitionsByUserEndpoint is nil when absent, empty when there is no
	// endpoint.
	PartitionsByUserEndpoint []EndpointPartitions
}

// Endpoint is where an application instance answers interactive queries.
type Endpoint struct {
	Host string
	Port uint16
}

// String is "host:port".
func (e Endpoint) String() string { return e.Host + ":" + strconv.Itoa(int(e.Port)) }

// Tag is a client tag or a config: a key and its value.
type Tag struct{ Key, Value string }

// TaskOffset is the offset that a client reports for a task.
type TaskOffset struct {
	Task   Partition
	Offset int64
}

// EndpointPartitions lists the topic partitions that an endpoint can answer
// for. Topics are plain names; one name may stand twice, once for each
// subtopology that reads it.
type EndpointPartitions struct {
	Endpoint        Endpoint
	Active, Standby []NamedPartitions
}

// NamedPartitions are partitions of a topic that is known by name.
type NamedPartitions struct {
	Topic      string
	Partitions []int32
}

// StatusCode is a status of a streams group in a successful answer.
type StatusCode int8

// The statuses of KIP-1071.
const (
	StaleTopology                StatusCode = 0
	MissingSourceTopics          StatusCode = 1
	IncorrectlyPartitionedTopics StatusCode = 2
	MissingInternalTopics        StatusCode = 3
	ShutdownApplication          StatusCode = 4
	AssignmentDelayed            StatusCode = 5
	MissingClientTags            StatusCode = 6
)

// String is Kafka's constant for the status.
func (s StatusCode) String() string {
	names := [...]string{
		"STALE_TOPOLOGY", "MISSING_SOURCE_TOPICS", "INCORRECTLY_PARTITIONED_TOPICS",
		"MISSING_INTERNAL_TOPICS", "SHUTDOWN_APPLICATION", "ASSIGNMENT_DELAYED", "MISSING_CLIENT_TAGS",
	}
	if int(s) < len(names) && s >= 0 {
		return names[s]
	}
	return "STATUS_" + strconv.Itoa(int(s))
}

// Status is a status and, in words of our own, what it is about.
type Status struct {
	Code   StatusCode
	Detail string
}

// Topology is what a streams application consists of. Topologies are values
// and never changed once made.
type Topology struct {
	Epoch         int32
	Subtopologies []Subtopology // in the order given
}

// Subtopology is a part of a topology whose tasks run independently. The
// order inside the lists matters when two topologies are compared.
type Subtopology struct {
	ID                      string
	SourceTopics            []string
	SourceTopicRegex        []string // must be empty
	StateChangelogTopics    []TopicInfo
	RepartitionSinkTopics   []string
	RepartitionSourceTopics []TopicInfo
	CopartitionGroups       []CopartitionGroup
}

// Stateful reports whether its tasks have state: a changelog topic.
func (s *Subtopology) Stateful() bool { return len(s.StateChangelogTopics) > 0 }

// TopicInfo describes an internal topic. Partitions 0: to be worked out;
// ReplicationFactor 0: the broker's default.
type TopicInfo struct {
	Name              string
	Partitions        int32
	ReplicationFactor int16
	Configs           []Tag
}

// CopartitionGroup names topics that must have equally many partitions, by
// their indexes in the subtopology's SourceTopics, SourceTopicRegex and
// RepartitionSourceTopics.
type CopartitionGroup struct {
	SourceTopics, SourceTopicRegex, RepartitionSourceTopics []int16
}

// CreatableTopic is an internal topic that the coordinator asks the broker to
// create. ReplicationFactor -1: the broker's default.
type CreatableTopic struct {
	Name              string
	Partitions        int32
	ReplicationFactor int16
	Configs           []Tag
}
