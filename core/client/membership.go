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
	partitions protocol.Assignment // of a streams client the active tasks
	// The rest only streams clients have.
	standby, warmup protocol.Assignment
	ready           bool // the group is
}

var (
	nothing = protocol.Assignment{}
	// none differs from every received assignment, the empty one included, so
	// that even an empty first assignment is reconciled and acknowledged.
	none = localAssignment{epoch: -1, partitions: nothing}
)

func (a localAssignment) equal(o localAssignment) bool {
	return a.epoch == o.epoch && a.same(o)
}

// same reports whether they differ by nothing but the client's number.
func (a localAssignment) same(o localAssignment) bool {
	return a.partitions.Equal(o.partitions) && a.standby.Equal(o.standby) && a.warmup.Equal(o.warmup) && a.ready == o.ready
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
	lacksNames      bool               // and it met one that it has not
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
	c.classic.syncing, c.classic.rejoining = false, false
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

// succeeded takes in an answer without error: its epoch, and the assignment
// that it brings, nil for none.
func (c *Client) succeeded(epoch int32, assigned *localAssignment) {
	switch {
	case c.state == Leaving:
		return
	case c.state == Unsubscribed && (epoch < 0 || c.has(TakesEpochOfLateLeave)):
		c.leaving = false
		return
	case c.state == Joining && epoch < 0 && c.has(TakesEpochOfLateLeave):
		c.epoch = epoch
		return
	case !c.state.InGroup() || epoch < 0:
		return
	case c.cfg.TwoStepJoin && c.state == Joining && epoch == 0:
		return
	}
	c.epoch = epoch
	if assigned == nil || !c.state.takesAssignments() || c.overlooks(assigned.partitions) {
		return
	}
	if c.target.epoch < 0 || !c.target.same(*assigned) {
		assigned.epoch = c.target.epoch + 1
		c.target = *assigned
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
		c.callLost(now, rejoinFenced)
	default:
		c.leaving = false
	}
}

// fail is the reaction to an error that a retry cannot mend.
func (c *Client) fail(now protocol.Instant) {
	before := c.state
	if before.in(Fatal, Fenced, Stale) {
		return // a late answer: the Java client's state machine knows no such step
	}
	c.transition(Fatal)
	if before.in(Unsubscribed, PrepareLeaving, Leaving) {
		c.leaving = false
		return
	}
	c.callLost(now, releaseFatal)
}

// callLost tells the application that what it owned is lost.
func (c *Client) callLost(now protocol.Instant, next continuation) {
	if c.cfg.Streams != nil {
		c.callStreams(AllTasksLost, empty, next)
		return
	}
	c.call(now, PartitionsLost, c.owned, next)
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
	switch {
	case c.epoch <= 0:
		c.callLost(now, leaveGroup)
	case c.cfg.Streams != nil:
		c.revokeTasks(now, c.current.partitions, leaveGroup)
	default:
		c.call(now, PartitionsRevoked, c.owned, leaveGroup)
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
		c.callLost(now, releaseStale)
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
