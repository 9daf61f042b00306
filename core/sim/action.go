package sim

import (
	"groupscope/core/client"
	"groupscope/core/protocol"
)

// Action is one thing that is done to the world: by a scenario step, a
// button, a key or a link. They all use these types, so whatever a person
// does live can be saved as a scenario.
type Action interface{ action() }

// All but Run, Until and Advance happen at one instant, by hand: callbacks
// take no time, and what an action sends arrives, and is answered, at once,
// unless a fault says otherwise. Before Join, Restart, Heartbeat, Leave, and
// Subscribe to nothing, what was still on the way on the member's connection
// arrives; for a message that got lost, the request timeout counts as over.
// Before the other actions nothing does: it stays on its way.

// Join makes the member's client and lets it send its first heartbeat.
type Join struct{ Member string }

// Heartbeat lets the member's client finish what its last answer asked for
// (revoke, take), then sends the request that it would send next, whatever its
// timers say. What the answer asks for is done by the next Heartbeat, or in Run.
type Heartbeat struct {
	Member string
	With   []Override // fields of the request that are replaced
}

// Override replaces one field of a request. Value is nil for an absent field.
type Override struct {
	Field string // the protocol's name: memberEpoch, topicPartitions, …
	Value any    // int32, string, []string, protocol.Assignment, or nil
}

// LeaveOption is how a client closes.
type LeaveOption = client.LeaveOption

// The options of close().
const (
	LeaveDefault  = client.LeaveDefault  // dynamic -1, static -2
	LeaveGroup    = client.LeaveGroup    // -1
	RemainInGroup = client.RemainInGroup // static -2
)

// Leave closes the member's client: it revokes all and sends a leave heartbeat.
type Leave struct {
	Member string
	Option LeaveOption
}

// Crash stops the client without a word. Restart starts it again after a
// crash, a leave or a fatal error: with a new member id, A~2, as each client
// has one of its own; a static member keeps its instance id.
type (
	Crash   struct{ Member string }
	Restart struct{ Member string }
)

// Pause keeps the application out of poll() for that long: heartbeats go on
// until the poll timer (max.poll.interval.ms) ends.
type Pause struct {
	Member string
	For    protocol.Duration
}

// Subscribe changes the topics that the member subscribes to. None means to
// unsubscribe, which leaves the group.
type Subscribe struct {
	Member string
	Topics []string
}

// LoseRequest and LoseResponse lose the member's next Count heartbeats, or
// their answers, on the way. The client learns of it by the request timeout.
type (
	LoseRequest struct {
		Member string
		Count  int
	}
	LoseResponse struct {
		Member string
		Count  int
	}
)

// Delay adds latency to the member's next Count requests (or responses), in
// place of a delay that waits for them already. Order on the connection is
// kept. By hand too, the message arrives only when the clock has moved.
type Delay struct {
	Member   string
	By       protocol.Duration
	Response bool
	Count    int
}

// Disconnect breaks the member's connection: everything in flight fails at
// once at the client.
type Disconnect struct{ Member string }

// FailOver moves the group to a coordinator that is rebuilt from the log:
// soft state is lost, session timers start anew. Connections break; each
// client's next heartbeat, when it is due, is a full one.
type FailOver struct{}

// SetTopics changes the cluster's topics: the named ones are created,
// changed, or (Partitions 0) deleted; others stay. A topic that is created
// again is another one, foo#2. Clients know of it at once.
type SetTopics struct{ Topics []protocol.Topic }

// Run lets the clients live by themselves for that long; Until the same up to
// an instant. Advance moves the clock while clients keep silent: coordinator
// timers fire, and what is on the way arrives.
type (
	Run     struct{ For protocol.Duration }
	Until   struct{ At protocol.Duration } // since the start of the scenario
	Advance struct{ For protocol.Duration }
)

func (Join) action()         {}
func (Heartbeat) action()    {}
func (Leave) action()        {}
func (Crash) action()        {}
func (Restart) action()      {}
func (Pause) action()        {}
func (Subscribe) action()    {}
func (LoseRequest) action()  {}
func (LoseResponse) action() {}
func (Delay) action()        {}
func (Disconnect) action()   {}
func (FailOver) action()     {}
func (SetTopics) action()    {}
func (Run) action()          {}
func (Until) action()        {}
func (Advance) action()      {}
