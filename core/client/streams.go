package client

import (
	"slices"

	"groupscope/core/protocol"
)

// StreamsConfig makes a client a streams client: a thread of a Kafka Streams
// application, which runs tasks in place of reading partitions.
type StreamsConfig struct {
	ProcessID  string // of the application instance; its threads share it
	Endpoint   *protocol.Endpoint
	ClientTags []protocol.Tag // sorted by key
	Topology   *protocol.Topology
	Restore    *Restore // nil: what state it has it says by ReportOffsets alone
	// HeedsStatus: its thread ends when a status asks for that.
	HeedsStatus bool
}

// knows reports whether all tasks are of subtopologies that the client has.
func (s *StreamsConfig) knows(tasks protocol.Tasks) bool {
	for _, list := range []protocol.Assignment{tasks.Active, tasks.Standby, tasks.Warmup} {
		for _, t := range list {
			if s.subtopology(t.Topic) == nil {
				return false
			}
		}
	}
	return true
}

func (s *StreamsConfig) subtopology(id protocol.TopicID) *protocol.Subtopology {
	i := slices.IndexFunc(s.Topology.Subtopologies, func(s protocol.Subtopology) bool { return s.ID == string(id) })
	if i < 0 {
		return nil
	}
	return &s.Topology.Subtopologies[i]
}

// inputs are the topic partitions that tasks read.
func (s *StreamsConfig) inputs(tasks protocol.Assignment) protocol.Assignment {
	var out []protocol.Partition
	for _, t := range tasks.Partitions() {
		sub := s.subtopology(t.Topic)
		if sub == nil {
			continue
		}
		for _, topic := range sub.SourceTopics {
			out = append(out, protocol.Partition{Topic: protocol.TopicID(topic), Number: t.Number})
		}
		for _, topic := range sub.RepartitionSourceTopics {
			out = append(out, protocol.Partition{Topic: protocol.TopicID(topic.Name), Number: t.Number})
		}
	}
	return protocol.NewAssignment(out)
}

// streams is what a streams client knows beyond a consumer
// (StreamsMembershipManager and StreamsGroupHeartbeatRequestManager). Its
// owned partitions are the active tasks whose topics it is subscribed to.
type streams struct {
	// confirmed are the tasks that the application took up last. It, and not
	// the current assignment, is what heartbeats report as owned.
	confirmed localAssignment
	// runs are the confirmed active tasks without those that the application has
	// given up since, which heartbeats report until it takes up what is left.
	runs           protocol.Assignment
	sent           streamsMemory
	endpointEpoch  int32 // of the last answer, kept over a rejoin; -1 before the first
	shutdown       bool  // the application asks for the end of the whole application
	thread         thread
	stores         []store           // sorted by task; replaced, never changed
	offsetsSent    protocol.Instant  // when offsets were last reported
	offsetInterval protocol.Duration // task.offset.interval.ms, of the last answer
	recoveryLag    int64             // acceptable.recovery.lag, of the last answer
}

// streamsMemory is the last value of each optional field that went into a
// request; a list is nil if it did not.
type streamsMemory struct {
	tasks         localAssignment
	offsets, ends []protocol.TaskOffset
}

// empty is a streams client's assignment of no tasks in a group not ready.
var empty = localAssignment{partitions: nothing, standby: nothing, warmup: nothing}

func newStreams() streams { return streams{confirmed: empty, runs: nothing, endpointEpoch: -1} }

// Tasks are the tasks that the application of a streams client runs: those
// that it took up last and has not given up, unless the client left the group
// since.
func (c *Client) Tasks() protocol.Tasks {
	if c.state.in(Unsubscribed, Closed, Crashed) || c.state == Leaving && !c.pollExpired {
		return empty.tasks()
	}
	out := c.confirmed.tasks()
	out.Active = c.runs
	return out
}

func (a localAssignment) tasks() protocol.Tasks {
	return protocol.Tasks{Active: a.partitions, Standby: a.standby, Warmup: a.warmup}
}

// PendingTasks are what a streams client was told and its application has not
// done yet: the tasks to give up and those to take.
func (c *Client) PendingTasks() (revoke, add protocol.Tasks) {
	if c.state != Reconciling || c.reconciled() {
		return protocol.Tasks{}, protocol.Tasks{}
	}
	has, wants := c.confirmed, c.target
	return protocol.Tasks{
			Active: minus(c.runs, wants.partitions), Standby: minus(has.standby, wants.standby), Warmup: minus(has.warmup, wants.warmup),
		}, protocol.Tasks{
			Active: minus(wants.partitions, c.runs), Standby: minus(wants.standby, has.standby), Warmup: minus(wants.warmup, has.warmup),
		}
}

// Streams is what a streams client was made with, nil of a consumer.
func (c *Client) Streams() *StreamsConfig { return c.cfg.Streams }

// EndpointEpoch is the endpoint information epoch that the client knows.
func (c *Client) EndpointEpoch() int32 { return c.endpointEpoch }

// ShutDownApplication is the application's request that all its instances
// shut down. It goes with each heartbeat from now on.
func (c *Client) ShutDownApplication(now protocol.Instant) []Output {
	c.begin()
	c.shutdown = true
	return c.act(now)
}

// AnswerStreams hands a streams client the answer to its request id.
func (c *Client) AnswerStreams(now protocol.Instant, id uint32, resp protocol.StreamsGroupHeartbeatResponse) []Output {
	return c.answer(now, id, func() {
		if !c.answered(now, resp.Error, resp.HeartbeatIntervalMs) {
			return
		}
		c.endpointEpoch = resp.EndpointInformationEpoch
		c.takeStatus(resp.Status)
		c.offsetInterval = protocol.Duration(resp.TaskOffsetIntervalMs)
		c.recoveryLag = int64(resp.AcceptableRecoveryLag)
		if c.state.takesAssignments() && resp.MemberEpoch >= 0 && !c.understands(resp.Tasks) {
			c.epoch = resp.MemberEpoch
			c.fail(now)
			return
		}
		c.succeeded(resp.MemberEpoch, c.assigned(resp.Tasks))
	})
}

// understands reports whether the lists of an answer are all there, or all
// absent, and name nothing but what the topology has.
func (c *Client) understands(t protocol.Tasks) bool {
	absent := t.Active == nil && t.Standby == nil && t.Warmup == nil
	return absent || t.Present() && c.cfg.Streams.knows(t)
}

// assigned is the assignment that an answer brings, nil for none. That the
// group became ready, or is no longer, counts as one.
func (c *Client) assigned(t protocol.Tasks) *localAssignment {
	ready := c.thread.groupReady()
	if t.Present() {
		return &localAssignment{partitions: t.Active, standby: t.Standby, warmup: t.Warmup, ready: ready}
	}
	if ready == c.target.ready {
		return nil
	}
	same := c.target
	if same.epoch < 0 {
		same = empty
	}
	same.ready = ready
	return &same
}

func (t *thread) groupReady() bool {
	return !slices.ContainsFunc(t.status, func(s protocol.Status) bool {
		switch s.Code {
		case protocol.MissingSourceTopics, protocol.IncorrectlyPartitionedTopics,
			protocol.MissingInternalTopics, protocol.AssignmentDelayed:
			return true
		}
		return false
	})
}
