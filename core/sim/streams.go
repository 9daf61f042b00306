package sim

import (
	"cmp"

	"groupscope/core/client"
	"groupscope/core/coordinator"
	"groupscope/core/protocol"
)

// StreamsSetup is what a member of a streams group, a thread of an
// application, is set up with beyond MemberSetup. It subscribes to nothing: its
// topology says what it reads.
type StreamsSetup struct {
	Process  string             // of the instance that it is a thread of; "": one of its own
	Endpoint *protocol.Endpoint // nil: none
	Tags     []protocol.Tag     // sorted by key
	Topology *protocol.Topology // nil: the group's, of Setup
	Restore  *client.Restore    // nil: there is nothing to restore
	// IgnoresStatus: its thread lives on whatever a status says.
	IgnoresStatus bool
}

// StreamsChange is new values for settings of a member of a streams group. A
// nil field stays as it is.
type StreamsChange struct {
	Process       *string
	Endpoint      *protocol.Endpoint
	Tags          []protocol.Tag
	Topology      *protocol.Topology
	Restore       *client.Restore
	IgnoresStatus *bool
}

func (c *StreamsChange) apply(to *StreamsSetup) {
	set(&to.Process, c.Process)
	set(&to.IgnoresStatus, c.IgnoresStatus)
	to.Endpoint = cmp.Or(c.Endpoint, to.Endpoint)
	to.Topology = cmp.Or(c.Topology, to.Topology)
	to.Restore = cmp.Or(c.Restore, to.Restore)
	if c.Tags != nil {
		to.Tags = c.Tags
	}
}

func (c *StreamsChange) empty() bool {
	return c.Process == nil && c.Endpoint == nil && c.Tags == nil && c.Topology == nil && c.Restore == nil && c.IgnoresStatus == nil
}

func (s *StreamsSetup) check() string {
	if s.Restore != nil && (s.Restore.Rate < 0 || s.Restore.End < 0) {
		return "No task is restored backwards, and no changelog is shorter than 0."
	}
	return ""
}

// ShutDown is the request of the member's application that all instances shut
// down. It goes with its heartbeats from now on.
type ShutDown struct{ Member string }

// ReportOffsets replaces what state the member's application has of its tasks;
// they are sorted. It tells the coordinator with a heartbeat once it is time:
// with the next one that reports other tasks than before, that comes after the
// offset interval, or by which a warm-up task has caught up.
type ReportOffsets struct {
	Member string
	Tasks  []client.TaskProgress
}

func (a ShutDown) member() string      { return a.Member }
func (a ReportOffsets) member() string { return a.Member }

// StreamsExchange is a heartbeat of a streams client and its answer. Creatable
// are the topics that the coordinator asks the broker to create.
type StreamsExchange struct {
	Request   *protocol.StreamsGroupHeartbeatRequest
	Response  *protocol.StreamsGroupHeartbeatResponse
	Creatable []protocol.CreatableTopic
}

// streamsConfig is what the client of a member is made with, nil for a
// consumer.
func (w *World) streamsConfig(m *member) *client.StreamsConfig {
	if w.topology == nil {
		return nil
	}
	s := m.setup.Streams
	return &client.StreamsConfig{
		ProcessID: cmp.Or(s.Process, m.setup.Name), Endpoint: s.Endpoint, ClientTags: s.Tags,
		Topology: cmp.Or(s.Topology, w.topology), Restore: cmp.Or(s.Restore, &client.Restore{}), HeedsStatus: !s.IgnoresStatus,
	}
}

// subscription is what the member's client starts with.
func (w *World) subscription(m *member) client.Subscription {
	if w.topology != nil {
		return client.Subscription{}
	}
	return client.Subscription{Topics: m.setup.Subscribe, Pattern: m.setup.Regex}
}

// serveStreams has the coordinator answer a heartbeat of a streams client,
// unless the broker was told to refuse all.
func (w *World) serveStreams(p *parcel, refused coordinator.Result, broken bool) (coordinator.Result, *StreamsExchange) {
	result := coordinator.StreamsResult{Decisions: refused.Decisions}
	if broken {
		result.Response.Error = refused.Response.Error
	} else {
		result = w.broker().StreamsHeartbeat(w.now, *p.streams.Request)
	}
	return coordinator.Result{
		Response: responseInCommon(&result.Response), Records: result.Records, Decisions: result.Decisions,
	}, &StreamsExchange{Request: p.streams.Request, Response: &result.Response, Creatable: result.Creatable}
}

// heard notes the statuses of an answer. It reports whether the member was
// told the same the last time, and there is nothing else to see in the answer.
func (m *member) heard(x *StreamsExchange) bool {
	if x == nil {
		return true
	}
	before, now := m.statuses, x.Response.Status
	m.statuses = now
	if len(x.Response.PartitionsByUserEndpoint) > 0 || len(before) != len(now) {
		return false
	}
	for i := range now {
		if now[i].Code != before[i].Code {
			return false
		}
	}
	return true
}

// requestInCommon is what a heartbeat of a streams client has in common with
// one of a consumer.
func requestInCommon(r *protocol.StreamsGroupHeartbeatRequest) protocol.ConsumerGroupHeartbeatRequest {
	return protocol.ConsumerGroupHeartbeatRequest{
		GroupID: r.GroupID, MemberID: r.MemberID, MemberEpoch: r.MemberEpoch, InstanceID: r.InstanceID, RackID: r.RackID,
		RebalanceTimeoutMs: r.RebalanceTimeoutMs, TopicPartitions: r.Owned.Active, ClientID: r.ClientID, ClientHost: r.ClientHost,
	}
}

func responseInCommon(r *protocol.StreamsGroupHeartbeatResponse) protocol.ConsumerGroupHeartbeatResponse {
	return protocol.ConsumerGroupHeartbeatResponse{
		Error: r.Error, ErrorMessage: r.ErrorMessage, MemberID: r.MemberID, MemberEpoch: r.MemberEpoch,
		HeartbeatIntervalMs: r.HeartbeatIntervalMs, Assignment: r.Tasks.Active,
	}
}

// Asked is the whole request of a streams client, nil of a consumer.
func (h *Handled) Asked() *protocol.StreamsGroupHeartbeatRequest {
	if h.Streams == nil {
		return nil
	}
	return h.Streams.Request
}

// Answer is the whole answer to a streams client, nil to a consumer.
func (h *Handled) Answer() *protocol.StreamsGroupHeartbeatResponse {
	if h.Streams == nil {
		return nil
	}
	return h.Streams.Response
}
