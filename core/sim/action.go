package sim

import (
	"groupscope/core/client"
	"groupscope/core/protocol"
)

// Action is one thing that is done to the world: by a scenario step, a
// button, a key or a link. They all use these types, so whatever a person
// does live can be saved as a scenario.
type Action interface {
	member() string // that it is done to, "" for none
}

// MemberOf is the member that an action is done to, "" if it is about none.
func MemberOf(a Action) string {
	if a == nil {
		return ""
	}
	return a.member()
}

// All but Run, Until and Advance happen at one instant, by hand: callbacks
// take no time, and what an action sends arrives, and is answered, at once,
// unless a fault says otherwise. Before Join, Restart, Heartbeat, Leave, and
// Subscribe to nothing, what was still on the way on the member's connection
// arrives; for a message that got lost, the request timeout counts as over. If
// an answer was delayed on purpose, a client that leaves does not wait for it.
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
	Regex  string // instead of Topics
}

// Run lets the clients live by themselves for that long; Until the same up to
// an instant. Advance moves the clock while clients keep silent: coordinator
// timers fire, and what is on the way arrives.
type (
	Run     struct{ For protocol.Duration }
	Until   struct{ At protocol.Duration } // since the start of the scenario
	Advance struct{ For protocol.Duration }
)

func (a Join) member() string      { return a.Member }
func (a Heartbeat) member() string { return a.Member }
func (a Leave) member() string     { return a.Member }
func (a Crash) member() string     { return a.Member }
func (a Restart) member() string   { return a.Member }
func (a Pause) member() string     { return a.Member }
func (a Subscribe) member() string { return a.Member }
func (Run) member() string         { return "" }
func (Until) member() string       { return "" }
func (Advance) member() string     { return "" }
