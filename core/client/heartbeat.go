package client

import (
	"slices"

	"groupscope/core/protocol"
)

// heartbeats is when and what to send (ConsumerHeartbeatRequestManager).
type heartbeats struct {
	request      pacing
	interval     protocol.Duration // of the last answer; 0 before the first
	intervalEnd  protocol.Instant
	looked       protocol.Instant // when it last asked itself whether the interval is over
	pollDeadline protocol.Instant
	memory       sentMemory
	outstanding  []outstanding
	lastID       uint32 `canon:"-"`
	lastError    protocol.ErrorCode
	lastSent     Send
	repeat       bool // the next request is the last one again (a quirk)
}

// outstanding is a request without an answer so far.
type outstanding struct {
	id      uint32 `canon:"-"`
	ignored bool   // the leave of a stale member: its answer means nothing
}

// sentMemory is the last value of each optional field that went into a request.
type sentMemory struct {
	rebalanceTimeout protocol.Duration
	topics           []string // nil: not sent
	pattern          string
	assignor         string
	assignment       localAssignment
}

func (m *sentMemory) forget() {
	*m = sentMemory{assignment: localAssignment{epoch: -2}}
}

// heartbeatPass sends what is due.
func (c *Client) heartbeatPass(now protocol.Instant) {
	if c.mode == Silent {
		return
	}
	if !c.coordinator.known || !c.state.InGroup() || c.leavesSilently() {
		c.skipped()
		return
	}
	if c.pollTimerOver(now) || c.due(now) {
		c.sendNext(now)
	}
}

func (c *Client) pollTimerOver(now protocol.Instant) bool {
	return now >= c.pollDeadline && !c.app.inside && !c.state.in(PrepareLeaving, Leaving)
}

func (c *Client) due(now protocol.Instant) bool {
	if c.state == Leaving && (c.cfg.InstanceID != "" || c.leaveOption != RemainInGroup) {
		return true // even with another in flight
	}
	if c.cfg.Classic != nil {
		return c.classicDue(now)
	}
	if c.atOnce() && !c.request.inFlight {
		return true
	}
	c.looked = now
	return now >= c.intervalEnd && c.request.ready(now)
}

// atOnce reports whether the next heartbeat waits neither for the interval nor
// for the backoff.
func (c *Client) atOnce() bool {
	if c.state == Acknowledging && c.has(AcknowledgesAtTheInterval) {
		return false
	}
	return c.state.atOnce() && !c.wedged()
}

// Heartbeat makes the client send its next heartbeat now, whatever its timers
// say. It must be in the group.
func (c *Client) Heartbeat(now protocol.Instant) []Output {
	c.begin()
	c.looked = now
	c.sendNext(now)
	return c.out
}

// sendNext sends the next heartbeat: if the application did not poll in time,
// that is one that leaves, whose answer means nothing.
func (c *Client) sendNext(now protocol.Instant) {
	if !c.pollTimerOver(now) {
		c.send(now, false)
		return
	}
	c.leaveStale()
	c.send(now, true)
	c.request.reset()
	c.forget()
}

func (c *Client) send(now protocol.Instant, ignored bool) {
	if c.state == Leaving && (c.has(NeverSendsLeave) || c.cfg.Classic != nil && c.cfg.InstanceID != "") {
		c.generated(now)
		c.leaving = false
		return
	}
	c.lastID++
	from := now // of the interval
	if c.cfg.Streams != nil {
		from = c.looked
	}
	s := c.lastSent
	if !c.repeat || c.state.in(Joining, Leaving) {
		s = c.next(now)
	}
	if c.has(KeepsOldEpochOnRetry) {
		c.lastSent = s
	}
	s.ID = c.lastID
	c.outstanding = append(c.outstanding, outstanding{c.lastID, ignored})
	c.request.inFlight = true
	c.intervalEnd = from.Add(c.interval)
	c.generated(now)
	c.emit(s)
}

// next is the next request.
func (c *Client) next(now protocol.Instant) Send {
	switch {
	case c.cfg.Streams != nil:
		return Send{Streams: c.buildStreams(now)}
	case c.cfg.Classic != nil:
		return c.nextClassic()
	}
	return Send{Request: c.build()}
}

// forget makes the next request a full one.
func (c *Client) forget() {
	c.memory.forget()
	c.sent = streamsMemory{}
}

// build makes the next request: what differs from the sent memory, and
// everything while joining.
func (c *Client) build() protocol.ConsumerGroupHeartbeatRequest {
	all := c.state == Joining
	m := &c.memory
	req := protocol.ConsumerGroupHeartbeatRequest{
		GroupID:            c.cfg.GroupID,
		MemberID:           c.id,
		MemberEpoch:        c.epoch,
		InstanceID:         present(c.cfg.InstanceID),
		RebalanceTimeoutMs: -1,
	}
	if (all || m.rebalanceTimeout != c.cfg.MaxPollInterval) && !c.has(JoinsWithoutRebalanceTimeout) {
		m.rebalanceTimeout = c.cfg.MaxPollInterval
		req.RebalanceTimeoutMs = int32(c.cfg.MaxPollInterval)
	}
	if all || m.topics == nil || !slices.Equal(m.topics, c.subscribed.Topics) {
		m.topics = c.subscribed.Topics
		if m.topics == nil {
			m.topics = []string{}
		}
		req.SubscribedTopicNames = m.topics
	}
	if c.subscribed.Pattern != m.pattern || all && c.subscribed.Pattern != "" {
		m.pattern = c.subscribed.Pattern
		pattern := m.pattern
		req.SubscribedTopicRegex = &pattern
	}
	if c.cfg.Assignor != "" && (all || m.assignor != c.cfg.Assignor) {
		m.assignor = c.cfg.Assignor
		req.ServerAssignor = present(c.cfg.Assignor)
	}
	if all {
		req.RackID = present(c.cfg.RackID)
	}
	if all || !m.assignment.equal(c.current) {
		m.assignment = c.current
		req.TopicPartitions = c.current.partitions
	}
	c.misstate(&req)
	return req
}

func present(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
