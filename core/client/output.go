package client

import "groupscope/core/protocol"

// Output is something that the client did, one of the types below.
type Output interface{ output() }

// Send is a heartbeat. Its answer, or its failure, is handed back under ID.
type Send struct {
	ID      uint32
	Request protocol.ConsumerGroupHeartbeatRequest
	Streams *protocol.StreamsGroupHeartbeatRequest // of a streams client, in place of Request
	Classic *ClassicRequest                        // of a client of the classic protocol, in place of Request
	// Timeout is how long the request may take, 0 for RequestTimeout.
	Timeout protocol.Duration
}

// FindCoordinator asks where the coordinator is; Found is the answer.
type FindCoordinator struct{}

// Callback tells that the application's rebalance listener was entered or,
// with Done, has returned.
type Callback struct {
	What       CallbackKind
	Partitions protocol.Assignment
	Takes      protocol.Duration // until CallbackReturned is to be called
	Done       bool
	Failed     bool // it threw
	// Of a streams client Partitions are active tasks; onTasksAssigned is told
	// of the others, and whether the group is ready, as well.
	Standby, Warmup protocol.Assignment
	Ready           bool
}

// Changed tells that state, epoch or owned partitions are new.
type Changed struct {
	State State
	Epoch int32
	Owned protocol.Assignment
	// Of a streams client Owned are active tasks, and these the others that its
	// application confirmed last, and whether it was told that the group is ready.
	Standby, Warmup protocol.Assignment
	Ready           bool
}

// same reports whether nothing but perhaps the state differs.
func (c Changed) same(o Changed) bool {
	return c.Epoch == o.Epoch && c.Owned.Equal(o.Owned) && c.Standby.Equal(o.Standby) &&
		c.Warmup.Equal(o.Warmup) && c.Ready == o.Ready
}

// Raised is an exception that poll() throws at the application.
type Raised struct{ Error protocol.ErrorCode }

// ThreadEnded tells that the stream thread above a streams client closes it,
// and which status made it do so.
type ThreadEnded struct{ Why protocol.StatusCode }

func (Send) output()            {}
func (FindCoordinator) output() {}
func (Callback) output()        {}
func (Changed) output()         {}
func (Raised) output()          {}
func (ThreadEnded) output()     {}

// CallbackKind is a method of the rebalance listener.
type CallbackKind uint8

// The rebalance listener's methods.
const (
	PartitionsRevoked CallbackKind = iota
	PartitionsAssigned
	PartitionsLost
	TasksRevoked
	TasksAssigned
	AllTasksLost
	callbackKinds
)

var callbackNames = [callbackKinds]string{
	"onPartitionsRevoked", "onPartitionsAssigned", "onPartitionsLost",
	"onTasksRevoked", "onTasksAssigned", "onAllTasksLost",
}

// streams reports whether it is one of a streams client.
func (k CallbackKind) streams() bool { return k >= TasksRevoked }

// String is the method's name.
func (k CallbackKind) String() string { return callbackNames[k] }
