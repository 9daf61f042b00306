package sim

import (
	"groupscope/core/client"
	"groupscope/core/protocol"
)

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

// Duplicate makes the member's next Count heartbeats arrive twice, the second
// time After the first. The second answer goes nowhere.
type Duplicate struct {
	Member string
	Count  int
	After  protocol.Duration
}

// Disconnect breaks the member's connection: everything in flight fails at
// once at the client.
type Disconnect struct{ Member string }

// Partition cuts the member off for that long: whatever is sent in that time,
// in either direction, is lost, lookups of the coordinator included. What was
// on its way before still arrives.
type Partition struct {
	Member string
	For    protocol.Duration
}

// FailCallback makes the next Count callbacks of that kind throw, at their
// end.
type FailCallback struct {
	Member   string
	Callback client.CallbackKind
	Count    int
}

// BrokerError makes the broker answer every heartbeat that arrives in that
// time with Error, without a look at it. Lookups of the coordinator in that
// time fail if Lookup says so.
type BrokerError struct {
	Error  protocol.ErrorCode
	For    protocol.Duration
	Lookup bool
}

func (a LoseRequest) member() string  { return a.Member }
func (a LoseResponse) member() string { return a.Member }
func (a Delay) member() string        { return a.Member }
func (a Duplicate) member() string    { return a.Member }
func (a Disconnect) member() string   { return a.Member }
func (a Partition) member() string    { return a.Member }
func (a FailCallback) member() string { return a.Member }
func (BrokerError) member() string    { return "" }
