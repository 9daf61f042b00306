package client

import "groupscope/core/protocol"

// Subscription is what the application asked for: topic names, or a pattern
// that the broker matches. It is never changed once made.
type Subscription struct {
	Topics  []string // sorted
	Pattern string
}

// localAssignment is an assignment and the number that the client gives it;
// the number is never sent.
type localAssignment struct {
	epoch      int
	partitions protocol.Assignment
}

var (
	nothing = protocol.Assignment{}
	// none differs from every received assignment, the empty one included, so
	// that even an empty first assignment is reconciled and acknowledged.
	none = localAssignment{-1, nothing}
)

func (a localAssignment) equal(o localAssignment) bool {
	return a.epoch == o.epoch && a.partitions.Equal(o.partitions)
}

// membership is the member state machine (ConsumerMembershipManager).
type membership struct {
	identity
	state           State
	epoch           int32
	target, current localAssignment
	owned           protocol.Assignment
	subscribed      Subscription
	// subscriptionNew: the next poll() joins, if the client is not in the group.
	subscriptionNew bool
	metadata        []protocol.TopicID // the topics that exist, as far as the client knows
	names           []protocol.TopicID // topics of the assignment whose names it has seen
	reconciliation  reconciliation
	leaveOption     LeaveOption
	leaving         bool             // somebody waits for the leave to end ...
	leaveDeadline   protocol.Instant // ... until then
	pollExpired     bool             // the poll timer made it leave
	staleReleased   bool             // onPartitionsLost of a stale member has returned
	rejoinReleased  bool             // and it shall rejoin then
}

func (c *Client) transition(to State) {
	c.state = to
	c.tell()
}

func (c *Client) reconciled() bool { return c.current.equal(c.target) }

func (c *Client) join() {
	if c.state == Fatal {
		return
	}
	if c.reconciliation.running {
		c.reconciliation.rejoined = true
	}
	c.epoch = 0
	c.transition(Joining)
	c.forgetTarget()
}

func (c *Client) forgetTarget() {
	c.target = none
	c.names = nil
}

func (c *Client) clearAssignment() {
	c.owned = nothing
	c.current = none
	c.forgetTarget()
}

// polled is what a poll() of the application means to the membership.
func (c *Client) polled() {
	if !c.subscriptionNew {
		return
	}
	c.subscriptionNew = false
	if c.state == Unsubscribed {
		c.join()
	}
}

// succeeded takes in an answer without error.
func (c *Client) succeeded(resp *protocol.ConsumerGroupHeartbeatResponse) {
	switch {
	case c.state == Leaving:
		return
	case c.state == Unsubscribed && (resp.MemberEpoch < 0 || c.has(TakesEpochOfLateLeave)):
		c.leaving = false
		return
	case c.state == Joining && resp.MemberEpoch < 0 && c.has(TakesEpochOfLateLeave):
		c.epoch = resp.MemberEpoch
		return
	case !c.state.InGroup() || resp.MemberEpoch < 0:
		return
	case c.cfg.TwoStepJoin && c.state == Joining && resp.MemberEpoch == 0:
		return
	}
	c.epoch = resp.MemberEpoch
	c.takeMemberID(resp.MemberID)
	if resp.Assignment == nil || !c.state.takesAssignments() || c.overlooks(resp.Assignment) {
		return
	}
	if c.target.epoch < 0 || !c.target.partitions.Equal(resp.Assignment) {
		c.target = localAssignment{c.target.epoch + 1, resp.Assignment}
	}
	if !c.reconciled() {
		c.transition(Reconciling)
	} else if c.state == Reconciling || c.state == Joining {
		c.transition(Stable)
	}
}

// failed takes in that the last heartbeat was in vain. A leave is not
// repeated, so that ends it.
func (c *Client) failed() {
	if c.state == Unsubscribed {
		c.leaving = false
	}
}

// fence is the reaction to FENCED_MEMBER_EPOCH and UNKNOWN_MEMBER_ID.
func (c *Client) fence(now protocol.Instant) {
	switch c.state {
	case PrepareLeaving:
		c.transition(Leaving)
		c.transition(Unsubscribed)
		c.leaving = false
	case Leaving:
		c.transition(Unsubscribed)
		c.leaving = false
	case Joining, Reconciling, Acknowledging, Stable:
		c.transition(Fenced)
		c.epoch = 0
		c.renew()
		c.call(now, PartitionsLost, c.owned, rejoinFenced)
	default:
		c.leaving = false
	}
}

// fail is the reaction to an error that a retry cannot mend.
func (c *Client) fail(now protocol.Instant) {
	before := c.state
	if before == Fatal {
		return
	}
	c.transition(Fatal)
	if before.in(Unsubscribed, PrepareLeaving, Leaving) {
		c.leaving = false
		return
	}
	c.call(now, PartitionsLost, c.owned, releaseFatal)
}

// leave starts leaving the group: with callbacks of the state machine, or
// (close) without. It reports through c.leaving when it is done.
func (c *Client) leave(now protocol.Instant, callbacks bool) {
	c.leaving = false
	if !c.state.InGroup() {
		if c.state == Fenced {
			c.clearAssignment()
			c.transition(Unsubscribed)
		}
		c.unsubscribed()
		return
	}
	c.leaving, c.leaveDeadline = true, 1<<62
	if c.state == PrepareLeaving || c.state == Leaving {
		return
	}
	c.transition(PrepareLeaving)
	if !callbacks {
		c.leaveReleased(now)
		return
	}
	if c.epoch > 0 {
		c.call(now, PartitionsRevoked, c.owned, leaveGroup)
	} else {
		c.call(now, PartitionsLost, c.owned, leaveGroup)
	}
}

func (c *Client) unsubscribed() {
	c.subscribed = Subscription{}
	c.owned = nothing
}

func (c *Client) leaveReleased(now protocol.Instant) {
	c.leaveDeadline = now.Add(closeTimeout)
	c.unsubscribed()
	c.clearAssignment()
	c.sendLeave()
}

func (c *Client) sendLeave() {
	if c.state == Fatal {
		c.leaving = false
		return
	}
	if c.state == Unsubscribed {
		return
	}
	c.epoch = c.leaveOption.epoch(c.cfg.InstanceID != "")
	c.current = none
	c.transition(Leaving)
}

// leaveStale leaves because the application did not poll in time.
func (c *Client) leaveStale() {
	c.pollExpired = true
	c.transition(PrepareLeaving)
	c.sendLeave()
}

// generated is the transition that goes with a heartbeat when it is made.
func (c *Client) generated(now protocol.Instant) {
	switch {
	case c.state == Leaving && c.pollExpired:
		c.staleReleased, c.rejoinReleased = false, false
		c.transition(Stale)
		c.call(now, PartitionsLost, c.owned, releaseStale)
	case c.state == Leaving:
		c.transition(Unsubscribed)
	case c.state == Acknowledging && c.reconciled():
		c.transition(Stable)
	case c.state == Acknowledging:
		c.transition(Reconciling)
	}
}

// skipped: a leave cannot be sent, so it is given up.
func (c *Client) skipped() {
	if c.state == Leaving {
		c.transition(Unsubscribed)
		c.leaving = false
	}
}

func (c *Client) rejoinStale() {
	c.pollExpired = false
	if c.state != Stale {
		return
	}
	if c.staleReleased {
		c.join()
	} else {
		c.rejoinReleased = true
	}
}

// LeaveOption is how a client closes.
type LeaveOption int8

// The options of close().
const (
	LeaveDefault LeaveOption = iota
	LeaveGroup
	RemainInGroup
)

func (o LeaveOption) epoch(static bool) int32 {
	if static && o != LeaveGroup {
		return protocol.EpochStaticAbsent
	}
	return protocol.EpochLeaving
}
