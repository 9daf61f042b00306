package sim

import (
	"groupscope/core/coordinator"
	"groupscope/core/protocol"
)

// State is the read model of the world: everything that a picture, a table or
// an expectation may depend on. It is a value of its own: nothing in it
// changes when the world goes on, and parts that did not change are shared
// with earlier States.
type State struct {
	At    protocol.Instant
	Start protocol.Instant // the scenario's instant zero
	// SessionTimeout is the group's, so that a picture knows how full a
	// session timer is (the rebalance timeout stands on the member).
	SessionTimeout protocol.Duration
	// TargetDue is when the group's next target may be computed by the
	// assignment interval; 0 if it waits for none.
	TargetDue protocol.Instant
	GroupID   string
	Group     *coordinator.Group // nil: there is no such group (yet)
	// Other is the group that has the id in the place of a streams group, as its
	// type is another; nil if none has. Group is nil then.
	Other *coordinator.Group
	// Tasks are those of a streams group's topology, as far as they are known:
	// Group.Streams.Tasks, or, while the coordinator has not configured in memory
	// a topology that it found to be valid, what that will find.
	Tasks   []coordinator.SubtopologyTasks
	Topics  []protocol.Topic // sorted by name
	Clients []*ClientState   // in the order of the scenario
	Flying  []Message        // on the way, by arrival
	Unowned []Unowned        // partitions of subscribed topics nobody holds, sorted
	// Violations are those that hold now.
	Violations []Violation
	// Broken is what the broker answers to every heartbeat, nil if it does not.
	Broken *BrokerState
	// Resolving is when the coordinator will have resolved the group's regexes,
	// 0 while it does not.
	Resolving protocol.Instant
	Settings  []GroupSetting // the group's dynamic config
	// Refusing: the broker does not create internal topics.
	Refusing bool
	// Topologies are those that a streams group has had, the present one last.
	Topologies []*protocol.Topology
	Log        int // number of records in the log
	Seq        uint64
}

// ClientState is what a client believes. It is never changed once made.
type ClientState struct {
	Member string // the name in the scenario
	ID     string // the member id it uses; the same as Member unless it was restarted
	// State is the Java client's word: UNSUBSCRIBED, JOINING, RECONCILING,
	// ACKNOWLEDGING, STABLE, PREPARE_LEAVING, LEAVING, FENCED, STALE, FATAL;
	// or ours: ABSENT (not started yet), CRASHED, CLOSED.
	State string
	Epoch int32
	// Owned are the partitions that it reads; Revoking those of them that it
	// is giving up now; Adding what it was given and has not taken up yet.
	Owned      protocol.Assignment
	Revoking   protocol.Assignment
	Adding     protocol.Assignment
	Subscribed []string
	Regex      string // what it subscribes to instead of names
	InstanceID string
	LastError  protocol.ErrorCode // of its last answer
	InFlight   bool               // it waits for an answer
	PausedTill protocol.Instant   // 0: the application polls
	CutOffTill protocol.Instant   // what it sends, and is sent, before then gets lost
	// NextHeartbeat is when it would send its next heartbeat by itself;
	// 0 when it would not.
	NextHeartbeat protocol.Instant
	Quirks        []string       // names of the faults that its library has
	Streams       *StreamsClient // nil: a consumer
}

// Streams reports that this is the world of a streams group.
func (s *State) Streams() bool {
	return s.Group != nil && s.Group.Streams != nil || len(s.Clients) > 0 && s.Clients[0].Streams != nil
}

// StreamsClient is what a streams client believes beyond ClientState, whose
// Owned, Revoking and Adding are its active tasks. It is never changed once
// made.
type StreamsClient struct {
	Process       string // the process's name in the scenario
	Endpoint      *protocol.Endpoint
	TopologyEpoch int32
	// Standby and Warmup are the tasks it runs in those roles; the Revoking
	// lists are those of them that it is giving up now, the Adding lists those
	// that it was given and has not taken up yet.
	Standby, Warmup                 protocol.Assignment
	RevokingStandby, RevokingWarmup protocol.Assignment
	AddingStandby, AddingWarmup     protocol.Assignment
	Progress                        []TaskProgress    // of tasks it restores, sorted by task
	Status                          []protocol.Status // of its last answer that had any
	EndpointEpoch                   int32             // the endpoint information epoch it knows
}

// TaskProgress is how far a client has restored a task's state.
type TaskProgress struct {
	Task        protocol.Partition
	Offset, End int64
}

// Restoring are the active tasks of a client that have not caught up: until
// then they process nothing.
func (c *ClientState) Restoring() protocol.Assignment {
	if c.Streams == nil {
		return nil
	}
	var out []protocol.Partition
	for _, t := range c.Streams.Progress {
		if t.Offset < t.End && c.Owned.Contains(t.Task) {
			out = append(out, t.Task)
		}
	}
	return protocol.NewAssignment(out)
}

// Message is a heartbeat or an answer on its way.
type Message struct {
	Member   string
	Response bool
	Epoch    int32
	SentAt   protocol.Instant
	Arrives  protocol.Instant
	Lost     bool
	Error    protocol.ErrorCode
	Event    uint64 // the Sent or Handled event that made it
}

// Unowned is a partition that nobody holds. Since is when its last owner gave
// it up; Never says that it has had no owner so far.
type Unowned struct {
	Partition protocol.Partition
	Since     protocol.Instant
	Never     bool
}

// BrokerState is an error that the broker answers to all until an instant.
type BrokerState struct {
	Error protocol.ErrorCode
	Until protocol.Instant
}

// Violation is an invariant that does not hold.
type Violation struct {
	Invariant  string // the Name of one of Invariants
	Text       string // what, who
	Partitions []protocol.Partition
	Members    []string
	Since      protocol.Instant
}
