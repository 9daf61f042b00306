package client

import (
	"slices"

	"groupscope/core/protocol"
)

// ClassicConfig makes a client one of the classic protocol (ConsumerCoordinator
// on AbstractCoordinator): with the range assignor alone, so that it gives
// everything up before it joins a generation.
type ClassicConfig struct {
	SessionTimeout    protocol.Duration // session.timeout.ms, 45 s
	HeartbeatInterval protocol.Duration // heartbeat.interval.ms, 3 s
}

const (
	defaultClassicSession   = 45 * protocol.Second
	defaultClassicHeartbeat = 3 * protocol.Second
	// joinMargin is how much longer than a rebalance a JoinGroup may take.
	joinMargin = 5 * protocol.Second
)

// ClassicRequest is a request of the classic protocol: one of them is set.
type ClassicRequest struct {
	Join      *protocol.JoinGroupRequest
	Sync      *protocol.SyncGroupRequest
	Heartbeat *protocol.HeartbeatRequest
	Leave     *protocol.LeaveGroupRequest
	// Led are the members that a leader is to assign partitions to, as whoever
	// sends its Sync knows the topics: by the range assignor.
	Led []protocol.JoinGroupMember
}

// Name is the request's in Kafka.
func (r *ClassicRequest) Name() string {
	switch {
	case r.Join != nil:
		return "JoinGroup"
	case r.Sync != nil:
		return "SyncGroup"
	case r.Heartbeat != nil:
		return "Heartbeat"
	}
	return "LeaveGroup"
}

// ClassicResponse is the answer: that of the request.
type ClassicResponse struct {
	Join      *protocol.JoinGroupResponse
	Sync      *protocol.SyncGroupResponse
	Heartbeat *protocol.HeartbeatResponse
	Leave     *protocol.LeaveGroupResponse
}

// classic is what a client of the classic protocol knows beyond others.
type classic struct {
	id         string // given by the coordinator
	generation int32
	syncing    bool // it was told a generation and asks for its assignment
	led        []protocol.JoinGroupMember
	leads      bool
	rejoining  bool // it gives all up to join the next generation
}

func (cfg *ClassicConfig) withDefaults() *ClassicConfig {
	out := *cfg
	if out.SessionTimeout == 0 {
		out.SessionTimeout = defaultClassicSession
	}
	if out.HeartbeatInterval == 0 {
		out.HeartbeatInterval = defaultClassicHeartbeat
	}
	return &out
}

// nextClassic is the next request by the client's state.
func (c *Client) nextClassic() Send {
	switch s := &c.classic; {
	case c.state == Leaving:
		leave := &protocol.LeaveGroupRequest{GroupID: c.cfg.GroupID, Members: []protocol.LeavingMember{{MemberID: s.id}}}
		s.id = ""
		return Send{Classic: &ClassicRequest{Leave: leave}}
	case c.state == Joining && s.syncing:
		return Send{Classic: &ClassicRequest{Led: s.led, Sync: &protocol.SyncGroupRequest{
			GroupID: c.cfg.GroupID, GenerationID: s.generation, MemberID: s.id, GroupInstanceID: present(c.cfg.InstanceID),
			ProtocolType: protocol.ConsumerProtocolType, ProtocolName: classicAssignor,
		}}}
	case c.state == Joining:
		return Send{Classic: &ClassicRequest{Join: c.joinRequest()}, Timeout: c.cfg.MaxPollInterval + joinMargin}
	}
	return Send{Classic: &ClassicRequest{Heartbeat: &protocol.HeartbeatRequest{
		GroupID: c.cfg.GroupID, GenerationID: c.classic.generation, MemberID: c.classic.id, GroupInstanceID: present(c.cfg.InstanceID),
	}}}
}

// classicAssignor is the only one that our classic clients run.
const classicAssignor = "range"

func (c *Client) joinRequest() *protocol.JoinGroupRequest {
	subscription := protocol.ClassicSubscription{Version: 3, Topics: c.subscribed.Topics, GenerationID: -1, RackID: present(c.cfg.RackID)}
	return &protocol.JoinGroupRequest{
		GroupID: c.cfg.GroupID, SessionTimeoutMs: int32(c.cfg.Classic.SessionTimeout), RebalanceTimeoutMs: int32(c.cfg.MaxPollInterval),
		MemberID: c.classic.id, GroupInstanceID: present(c.cfg.InstanceID), ProtocolType: protocol.ConsumerProtocolType,
		Protocols:            []protocol.JoinGroupProtocol{{Name: classicAssignor, Metadata: protocol.EncodeSubscription(subscription)}},
		RequireKnownMemberID: true,
	}
}

// classicDue reports whether the next request may be sent. What is sent while
// joining waits for no interval.
func (c *Client) classicDue(now protocol.Instant) bool {
	if c.state == Acknowledging { // nothing is acknowledged in this protocol
		c.generated(now)
		c.intervalEnd = now.Add(c.interval)
		return false
	}
	return (c.state == Joining || now >= c.intervalEnd) && c.request.ready(now)
}

// AnswerClassic hands a client of the classic protocol the answer to its
// request id.
func (c *Client) AnswerClassic(now protocol.Instant, id uint32, r ClassicResponse) []Output {
	return c.answer(now, id, func() {
		switch {
		case r.Join != nil:
			c.joinAnswered(now, r.Join)
		case r.Sync != nil:
			c.syncAnswered(now, r.Sync)
		case r.Heartbeat != nil:
			c.beatAnswered(now, r.Heartbeat)
		case r.Leave != nil:
			c.lastError = r.Leave.Error
			c.request.reset()
			c.failed() // a leave is over, however it was answered
		}
	})
}

func (c *Client) joinAnswered(now protocol.Instant, r *protocol.JoinGroupResponse) {
	c.lastError = r.Error
	c.request.reset()
	if c.state != Joining {
		return
	}
	switch r.Error {
	case protocol.None:
		c.classic.id, c.classic.generation, c.classic.syncing, c.classic.led = r.MemberID, r.GenerationID, true, nil
		c.epoch = r.GenerationID
		c.classic.leads = r.Leader == r.MemberID && !r.SkipAssignment
		if c.classic.leads {
			c.classic.led = r.Members
		}
	case protocol.MemberIDRequired:
		c.classic.id = r.MemberID
	default:
		c.classicRefused(now, r.Error)
	}
}

func (c *Client) syncAnswered(now protocol.Instant, r *protocol.SyncGroupResponse) {
	c.lastError, c.classic.syncing = r.Error, false
	c.request.reset()
	switch {
	case c.state != Joining:
	case r.Error == protocol.None:
		given, _ := protocol.DecodeAssignment(r.Assignment) // one that cannot be read gives nothing
		c.target = localAssignment{epoch: c.target.epoch + 1, partitions: c.byTopicName(given.Partitions)}
		c.intervalEnd = now.Add(c.interval)
		c.transition(Reconciling)
	case r.Error == protocol.RebalanceInProgress: // the next generation began meanwhile
	default:
		c.classicRefused(now, r.Error)
	}
}

// byTopicName are partitions of topics that are known by name.
func (c *Client) byTopicName(list []protocol.NamedPartitions) protocol.Assignment {
	var out []protocol.Partition
	for _, t := range list {
		i := slices.IndexFunc(c.metadata, func(id protocol.TopicID) bool { return id.Name() == t.Topic })
		id := protocol.TopicID(t.Topic)
		if i >= 0 {
			id = c.metadata[i]
		}
		for _, n := range t.Partitions {
			out = append(out, protocol.Partition{Topic: id, Number: n})
		}
	}
	return protocol.NewAssignment(out)
}

func (c *Client) beatAnswered(now protocol.Instant, r *protocol.HeartbeatResponse) {
	c.lastError = r.Error
	if r.Error == protocol.None {
		c.request.succeeded(now, &c.backoff)
		return
	}
	if !c.state.in(Stable, Reconciling, Acknowledging) {
		c.request.reset()
		return
	}
	if r.Error == protocol.RebalanceInProgress {
		c.request.succeeded(now, &c.backoff)
		c.rejoinClassic(now)
		return
	}
	c.classicRefused(now, r.Error)
}

// classicRefused is the reaction to an error of any request but a leave.
func (c *Client) classicRefused(now protocol.Instant, code protocol.ErrorCode) {
	c.retry(now)
	switch code {
	case protocol.UnknownMemberID:
		c.classic.id = ""
		c.fence(now)
		c.request.reset()
	case protocol.IllegalGeneration:
		c.fence(now)
		c.request.reset()
	case protocol.RebalanceInProgress:
	default:
		c.refused(now, code)
	}
}

// TopicsChanged tells a client of the classic protocol that the topics it
// assigned are not as they were: if it leads the generation, it asks for
// another one.
func (c *Client) TopicsChanged(now protocol.Instant) []Output {
	c.begin()
	if c.cfg.Classic != nil && c.classic.leads && c.state.in(Stable, Acknowledging, Reconciling) {
		c.rejoinClassic(now)
	}
	return c.act(now)
}

// rejoinClassic gives everything up, then joins the next generation.
func (c *Client) rejoinClassic(now protocol.Instant) {
	if c.classic.rejoining {
		return
	}
	c.classic.rejoining = true
	c.target = localAssignment{epoch: c.target.epoch + 1, partitions: nothing}
	c.reconciliation = reconciliation{running: true, to: c.target}
	if c.state != Reconciling {
		c.transition(Reconciling)
	}
	c.call(now, PartitionsRevoked, c.owned, joinGeneration)
}

// joinsGeneration goes on after everything was given up.
func (c *Client) joinsGeneration() {
	c.reconciliation = reconciliation{}
	if c.classic.rejoining && c.state == Reconciling {
		c.clearAssignment()
		c.join()
		c.intervalEnd = 0
		if !c.request.inFlight {
			c.request.reset()
		}
	}
}
