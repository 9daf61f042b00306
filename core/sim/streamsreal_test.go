package sim

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/core/client"
	"groupscope/core/coordinator"
	"groupscope/core/protocol"
)

func TestAStreamsWorldIsARunOfTheRealThing(t *testing.T) {
	runs := readRuns(t, "testdata/streamsruns.jsonl.gz")
	assert.Equal(t, []int{24, 2299}, []int{len(runs), compareRuns(t, runs)}, "runs, and things that happened in them")
}

// What runs of streams clients have beyond those of consumers.

type runTopology map[string]struct {
	SourceTopics, ChangelogTopics, RepartitionSinkTopics, RepartitionSourceTopics []string
}

func (r runTopology) made() *protocol.Topology {
	if r == nil {
		return nil
	}
	infos := func(names []string) (out []protocol.TopicInfo) {
		for _, n := range names {
			out = append(out, protocol.TopicInfo{Name: n})
		}
		return out
	}
	out := &protocol.Topology{}
	for _, id := range slices.Sorted(maps.Keys(r)) {
		s := r[id]
		out.Subtopologies = append(out.Subtopologies, protocol.Subtopology{
			ID: id, SourceTopics: s.SourceTopics, StateChangelogTopics: infos(s.ChangelogTopics),
			RepartitionSinkTopics: s.RepartitionSinkTopics, RepartitionSourceTopics: infos(s.RepartitionSourceTopics),
		})
	}
	return out
}

type streamsRunConfig struct {
	InitialRebalanceDelayMs int64
	NumStandbyReplicas      int
	RackAwareAssignmentTags string
}

func (c *streamsRunConfig) apply(to *coordinator.Config) {
	s := &to.Streams
	s.AssignmentInterval, s.InitialRebalanceDelay = to.AssignmentInterval, protocol.Duration(c.InitialRebalanceDelayMs)
	s.SessionTimeout, s.HeartbeatInterval = to.SessionTimeout, to.HeartbeatInterval
	s.StandbyReplicas = c.NumStandbyReplicas
	if c.RackAwareAssignmentTags != "" {
		s.RackAwareTags = []string{c.RackAwareAssignmentTags}
	}
}

type streamsRunMember struct {
	Process    string
	Endpoint   *protocol.Endpoint
	ClientTags map[string]string
	Topology   runTopology
}

func (m *streamsRunMember) streams() StreamsSetup {
	out := StreamsSetup{Process: m.Process, Endpoint: m.Endpoint, Topology: m.Topology.made(), IgnoresStatus: true}
	for _, key := range slices.Sorted(maps.Keys(m.ClientTags)) {
		out.Tags = append(out.Tags, protocol.Tag{Key: key, Value: m.ClientTags[key]})
	}
	return out
}

type taskNumbers = map[protocol.TopicID][]int32

type streamsRunRequest struct {
	EndpointInformationEpoch               int32
	ActiveTasks, StandbyTasks, WarmupTasks taskNumbers
	TaskOffsets, TaskEndOffsets            []struct{ Offset int64 }
	ShutdownApplication                    bool
}

type streamsRunResponse struct {
	ActiveTasks, StandbyTasks, WarmupTasks taskNumbers
	Status                                 []protocol.StatusCode
	EndpointInformationEpoch               int32
	PartitionsByUserEndpoint               []protocol.Endpoint
}

// gone are the topics that a list leaves out.
func (w *World) gone(listed []protocol.Topic) []protocol.Topic {
	var out []protocol.Topic
	for _, t := range w.topics {
		if w.topology != nil && !slices.ContainsFunc(listed, func(l protocol.Topic) bool { return l.Name == t.Name }) {
			out = append(out, protocol.Topic{Name: t.Name})
		}
	}
	return out
}

func (a *realAction) doStreams(t *testing.T, w *World, m *member) {
	switch a.Op {
	case "shutdownApplication":
		w.own(m).ShutDownApplication(w.now)
	case "partition":
		m.faults.cutOff = w.now.Add(protocol.Duration(a.DurMs))
	case "failCallback":
		for _, kind := range []client.CallbackKind{client.TasksRevoked, client.TasksAssigned, client.AllTasksLost} {
			if kind.String() == a.What {
				w.own(m).FailCallbacks(kind, 1)
			}
		}
	case "brokerError":
		code, ok := protocol.ParseErrorCode(a.Code)
		require.True(t, ok)
		w.broken = brokerError{code: code, until: w.now.Add(protocol.Duration(a.DurMs))}
	default:
		require.Fail(t, "unknown action", a.Op)
	}
}

// In words, what consumers do not have.

func beyondAsked(r *protocol.StreamsGroupHeartbeatRequest) string {
	if r == nil {
		return ""
	}
	return fmt.Sprintf(" %s %s, endpoints %d, %d and %d offsets, %v", r.Owned.Standby, r.Owned.Warmup, r.EndpointInformationEpoch,
		present(r.TaskOffsets), present(r.TaskEndOffsets), r.ShutdownApplication)
}

// present is the length of a list, -1 of an absent one.
func present[T any](list []T) int {
	if list == nil {
		return -1
	}
	return len(list)
}

func (q *realRequest) owned() protocol.Assignment {
	if q.TopicPartitions != nil {
		return partitions(q.TopicPartitions)
	}
	return partitions(q.ActiveTasks)
}

func (q *realRequest) beyond(r *realRun) string {
	if r.Topology == nil {
		return ""
	}
	return fmt.Sprintf(" %s %s, endpoints %d, %d and %d offsets, %v", partitions(q.StandbyTasks), partitions(q.WarmupTasks),
		q.EndpointInformationEpoch, present(q.TaskOffsets), present(q.TaskEndOffsets), q.ShutdownApplication)
}

func beyondHeard(r *protocol.StreamsGroupHeartbeatResponse) string {
	if r == nil {
		return ""
	}
	var codes []protocol.StatusCode
	for _, s := range r.Status {
		codes = append(codes, s.Code)
	}
	var endpoints []protocol.Endpoint // the run sorts them, too
	for _, e := range r.PartitionsByUserEndpoint {
		endpoints = append(endpoints, e.Endpoint)
	}
	slices.SortFunc(endpoints, func(a, b protocol.Endpoint) int { return cmp.Compare(a.String(), b.String()) })
	return fmt.Sprintf(" %s %s, status %v, endpoints %d %v", r.Tasks.Standby, r.Tasks.Warmup, codes, r.EndpointInformationEpoch, endpoints)
}

func (p *realResponse) assigned() protocol.Assignment {
	if p.Assignment != nil {
		return partitions(p.Assignment)
	}
	return partitions(p.ActiveTasks)
}

func (p *realResponse) beyond(r *realRun) string {
	if r.Topology == nil {
		return ""
	}
	return fmt.Sprintf(" %s %s, status %v, endpoints %d %v", partitions(p.StandbyTasks), partitions(p.WarmupTasks), p.Status,
		p.EndpointInformationEpoch, p.PartitionsByUserEndpoint)
}

func beyondOwned(c ClientState) string {
	if c.Streams == nil {
		return ""
	}
	return " " + c.Streams.Standby.String()
}

func (e *realEvent) owned(r *realRun) string {
	if r.Topology == nil {
		return partitions(decoded[taskNumbers](e.Owned)).String()
	}
	owned := decoded[struct{ Active, Standby taskNumbers }](e.Owned)
	if e.State == "UNSUBSCRIBED" { // it tells of what its application took up last
		return "nothing nothing"
	}
	return partitions(owned.Active).String() + " " + partitions(owned.Standby).String()
}

func beyondCalled(c Called) string {
	if c.What != client.TasksAssigned.String() {
		return ""
	}
	return " " + c.Standby.String()
}

func (e *realEvent) called(r *realRun) string {
	if e.What != client.TasksAssigned.String() {
		return partitions(decoded[taskNumbers](e.Partitions)).String()
	}
	tasks := decoded[struct{ Active, Standby taskNumbers }](e.Partitions)
	return partitions(tasks.Active).String() + " " + partitions(tasks.Standby).String()
}

func decoded[T any](raw json.RawMessage) (out T) {
	if err := json.Unmarshal(raw, &out); err != nil {
		panic(err)
	}
	return out
}
