package client

import "groupscope/core/protocol"

// Output is something that the client did, one of the types below.
type Output interface{ output() }

// Send is a heartbeat. Its answer, or its failure, is handed back under ID.
type Send struct {
	ID      uint32
	Request protocol.ConsumerGroupHeartbeatRequest
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
}

// Changed tells that state, epoch or owned partitions are new.
type Changed struct {
	State State
	Epoch int32
	Owned protocol.Assignment
}

// Raised is an exception that poll() throws at the application.
type Raised struct{ Error protocol.ErrorCode }

func (Send) output()            {}
func (FindCoordinator) output() {}
func (Callback) output()        {}
func (Changed) output()         {}
func (Raised) output()          {}

// CallbackKind is a method of the rebalance listener.
type CallbackKind uint8

// The rebalance listener's methods.
const (
	PartitionsRevoked CallbackKind = iota
	PartitionsAssigned
	PartitionsLost
	callbackKinds
)

var callbackNames = [callbackKinds]string{"onPartitionsRevoked", "onPartitionsAssigned", "onPartitionsLost"}

// String is the method's name.
func (k CallbackKind) String() string { return callbackNames[k] }
