package sim

import (
	"groupscope/core/client"
	"groupscope/core/protocol"
)

// FailOver moves the group to a coordinator that is rebuilt from the log:
// soft state is lost, session timers start anew. Connections break; each
// client's next heartbeat, when it is due, is a full one.
type FailOver struct{}

// SetTopics changes the cluster's topics: the named ones are created,
// changed, or (Partitions 0) deleted; others stay. A topic that is created
// again is another one, foo#2. The coordinator knows of it at once, clients
// when Delay has passed, by hand too. Those that are Hidden may not be seen by
// clients from then on; the others may.
type SetTopics struct {
	Topics []protocol.Topic
	Delay  protocol.Duration
	Hidden []string // names, sorted
}

// ChangeMember gives a member other settings. How long messages and callbacks
// take counts from now on, all else for its next client.
type ChangeMember struct {
	Member string
	To     MemberChange
}

// MemberChange is new values for settings of a member. A nil field stays as
// it is.
type MemberChange struct {
	InstanceID       *string
	RackID           *string
	Assignor         *string
	RebalanceTimeout *protocol.Duration
	Latency          *Range
	RevokeTime       *protocol.Duration
	AssignTime       *protocol.Duration
	LostTime         *protocol.Duration
	Poll             *protocol.Duration
	AutoCommit       *bool
	Quirks           []client.Quirk // an empty list takes all away
	Classic          *bool
	Streams          StreamsChange
}

// Apply is the setup with the changes made.
func (c *MemberChange) Apply(to MemberSetup) MemberSetup {
	set(&to.InstanceID, c.InstanceID)
	set(&to.RackID, c.RackID)
	set(&to.Assignor, c.Assignor)
	set(&to.RebalanceTimeout, c.RebalanceTimeout)
	set(&to.RevokeTime, c.RevokeTime)
	set(&to.AssignTime, c.AssignTime)
	set(&to.LostTime, c.LostTime)
	set(&to.Poll, c.Poll)
	set(&to.AutoCommit, c.AutoCommit)
	set(&to.Classic, c.Classic)
	if c.Latency != nil {
		to.Latency = c.Latency
	}
	if c.Quirks != nil {
		to.Quirks = c.Quirks
	}
	c.Streams.apply(&to.Streams)
	return to
}

func (c *MemberChange) empty() bool {
	return c.InstanceID == nil && c.RackID == nil && c.Assignor == nil && c.RebalanceTimeout == nil && c.Latency == nil &&
		c.RevokeTime == nil && c.AssignTime == nil && c.LostTime == nil && c.Poll == nil && c.AutoCommit == nil && c.Classic == nil && c.Quirks == nil &&
		c.Streams.empty()
}

func set[T any](field, to *T) {
	if to != nil {
		*field = *to
	}
}

func (FailOver) member() string       { return "" }
func (SetTopics) member() string      { return "" }
func (a ChangeMember) member() string { return a.Member }
