package sim

import (
	"groupscope/core/client"
	"groupscope/core/coordinator"
	"groupscope/core/protocol"
	"groupscope/core/record"
)

// Event is one thing that happened. Events are totally ordered by Seq, which
// starts at 1; At never falls. Cause is the Seq of the event that led to it
// (a response to its request, a request to the action), 0 for none.
// Events are immutable.
type Event struct {
	Seq   uint64
	At    protocol.Instant
	Cause uint64
	What  Occurrence
}

// Written are the records that the coordinator wrote with the event.
func (e *Event) Written() []record.Record {
	switch what := e.What.(type) {
	case Handled:
		return what.Records
	case Expired:
		return what.Records
	case Operated:
		return what.Records
	}
	return nil
}

// Occurrence is one of the types below.
type Occurrence interface{ occurrence() }

// Acted: an action was carried out.
type Acted struct{ Action Action }

// Heartbeats of streams clients: Request and Response have what both kinds of
// heartbeats have in common (active tasks stand for partitions), Streams the
// whole.

// Sent: a client sent a heartbeat. Lost says that it will not arrive.
type Sent struct {
	Member  string
	Request protocol.ConsumerGroupHeartbeatRequest
	Streams *protocol.StreamsGroupHeartbeatRequest // nil: of a consumer
	Classic *client.ClassicRequest                 // nil: not of the classic protocol
	Lost    bool
	Raw     bool // it comes from no client of the scenario
}

// Handled: the coordinator handled a heartbeat. Idle says that it changed
// nothing (no record, no error, no assignment in the answer) and that there is
// nothing else to see in it. While clients live by themselves that goes for a
// member that is refused as it was the time before, too.
// ResponseLost says that the answer will not arrive.
type Handled struct {
	Member       string
	Request      protocol.ConsumerGroupHeartbeatRequest
	Response     protocol.ConsumerGroupHeartbeatResponse
	Records      []record.Record
	Decisions    []coordinator.Decision
	Streams      *StreamsExchange // nil: of a consumer
	Classic      *ClassicExchange // nil: not of the classic protocol
	Idle         bool
	Waits        bool // the answer, of the classic protocol, will come with a later event
	Late         bool // it is the answer that had to wait
	ResponseLost bool
	Raw          bool // it came from no client of the scenario, and nobody hears the answer
	Again        bool // the same request arrived a second time; its answer goes nowhere
}

// Received: a client got its answer, or learnt that there will be none
// (Failure "timeout" or "disconnect", Response zero).
type Received struct {
	Member   string
	Response protocol.ConsumerGroupHeartbeatResponse
	Streams  *protocol.StreamsGroupHeartbeatResponse // nil: of a consumer, or a failure
	Classic  *ClassicExchange                        // nil: not of the classic protocol, or a failure
	Failure  string
}

// Expired: a coordinator timer fired. Member is the member's id, Name what it
// is called then: see State.NameOf.
type Expired struct {
	Timer     coordinator.TimerKind
	Member    string
	Name      string
	Records   []record.Record
	Decisions []coordinator.Decision
}

// ClientChanged: a client moved to another state of its own, or its epoch or
// its owned partitions changed.
type ClientChanged struct{ Client ClientState }

// Called: the client's application is told of revoked, assigned or lost
// partitions; Done when the callback returned.
type Called struct {
	Member     string
	What       string // onPartitionsRevoked, …Assigned, …Lost; onTasksRevoked, onTasksAssigned, onAllTasksLost
	Partitions protocol.Assignment
	Done       bool
	Failed     bool // it threw
	// Standby and Warmup are what a streams client's onTasksAssigned is told of
	// beside its active tasks.
	Standby, Warmup protocol.Assignment
}

// Raised: poll() threw an exception at the application, which goes on.
type Raised struct {
	Member string
	Error  protocol.ErrorCode
	Again  bool // the same as the time before, and no answer without an error since
}

// ThreadEnded: a streams client's thread closes it because of a status.
type ThreadEnded struct {
	Member string
	Why    protocol.StatusCode
}

// TopicsChanged: the cluster's metadata changed. Internal are the topics that
// the broker created because a topology needs them.
type TopicsChanged struct {
	Topics   []protocol.Topic
	Internal []string
}

// TopicsLearnt: clients know of these topics now, some time after the cluster.
type TopicsLearnt struct{ Topics []protocol.TopicID }

// FailedOver: the coordinator was rebuilt from its log of Records records.
type FailedOver struct{ Records int }

// Violated: an invariant broke.
type Violated struct{ Violation Violation }

func (Acted) occurrence()         {}
func (Sent) occurrence()          {}
func (Handled) occurrence()       {}
func (Received) occurrence()      {}
func (Expired) occurrence()       {}
func (ClientChanged) occurrence() {}
func (Called) occurrence()        {}
func (Raised) occurrence()        {}
func (ThreadEnded) occurrence()   {}
func (TopicsChanged) occurrence() {}
func (TopicsLearnt) occurrence()  {}
func (FailedOver) occurrence()    {}
func (Violated) occurrence()      {}
