package playback

import (
	"groupscope/core/protocol"
	"groupscope/core/sim"
)

// Stop is a place where stepping stops: the end of a scripted step that has a
// name or words, or, inside run and at, a moment at which something changed.
type Stop struct {
	Index int
	Label string // what the ladder shows: "K5", "K5.2" for an unnamed one, "+1" on a branch
	Step  string // the name of the scripted step, "" for none
	Say   string // the scenario's words, or ours for an unnamed stop
	// Event is the Seq of the last event that belongs to this stop.
	Event uint64
	At    protocol.Instant
	Line  int  // of the step in its file, 0 for a live action
	Pause bool // playing stops here
	// The epochs at this stop, for the ladder: the group's, the target's, and
	// the lowest and highest of the members; -1 without a group or members.
	GroupEpoch, AssignmentEpoch, MinMemberEpoch, MaxMemberEpoch int32
	Violated                                                    bool
}

// Settled is the Age of a frame in which all motion is over.
const Settled protocol.Duration = 1 << 40

// Frame is everything a picture may depend on. It is cheap to make: States
// are shared, so a frame in which only the clock moved allocates nothing.
type Frame struct {
	// State is the stop's, or, on the way to the next stop while playing,
	// that of the instant Now; only idle heartbeats and messages lie between.
	State *sim.State
	// Before is the state at the stop before, nil at the first one: what
	// differs from it wears the ring of "changed in this step".
	Before *sim.State
	// Changes is what differs between Before and State: who released and who
	// received a partition, whose epoch or state moved, who joined or is gone.
	// It is worked out once a stop and shared by all its frames; empty at the
	// first stop. Its methods answer for one member, client or partition.
	Changes *Changes
	// Pulses are the members whose client just had a heartbeat that changed
	// nothing; empty in a settled frame. The player reuses the slice.
	Pulses []Pulse
	// Events are those between Before and the stop's own state, in order.
	// Heartbeats that changed nothing while clients lived by themselves are
	// not among them; see Pulses.
	Events []sim.Event
	Stop   Stop
	// Now is the instant shown; it lies at or after State.At (timers drain).
	Now protocol.Instant
	// Age is how long ago, in milliseconds of the viewer's time, this stop was
	// entered by playing or stepping forward; Settled after a jump or a step back.
	Age protocol.Duration
	// Rules is the name of the rule set in force: "kip" or "kafka".
	Rules string
	// LabelAt names the stop at which an instant was reached, for words such
	// as "no owner since K6".
	LabelAt func(protocol.Instant) string
	// ReleasedAt names the stop at which a partition that nobody owns now was
	// given up by its last owner, "" when it never had one. Steps without a
	// run share an instant, so this is surer than LabelAt of Unowned.Since.
	ReleasedAt func(protocol.Partition) string
}

// Pulse is an idle heartbeat of a member, Age milliseconds of the viewer's
// time ago.
type Pulse struct {
	Member string // the client's name
	Age    protocol.Duration
}
