package client_test

import (
	"crypto/md5"
	"encoding/hex"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"groupscope/core/client"
	"groupscope/core/protocol"
)

// What traces of streams clients have beyond those of consumers.

type traceTopology map[string]struct {
	SourceTopics, ChangelogTopics, RepartitionSinkTopics, RepartitionSourceTopics []string
}

type traceTasks struct {
	Active, Standby, Warmup map[string][]int32
	GroupReady              bool
}

type traceOffset struct {
	SubtopologyID string
	Partition     int32
	Offset        int64
}

type traceStreamsRequest struct {
	EndpointInformationEpoch               *int32
	Topology                               *traceSentTopology
	ActiveTasks, StandbyTasks, WarmupTasks map[string][]int32
	ProcessID                              *string
	UserEndpoint                           *protocol.Endpoint
	ClientTags                             []protocol.Tag
	TaskOffsets, TaskEndOffsets            []traceOffset
	ShutdownApplication                    bool
}

type traceSentTopology struct {
	Epoch         int32
	Subtopologies []struct {
		SubtopologyID                                 string
		SourceTopics                                  []string
		StateChangelogTopics, RepartitionSourceTopics []struct{ Name string }
		RepartitionSinkTopics                         []string
	}
}

type traceStreamsResponse struct {
	TaskOffsetIntervalMs, AcceptableRecoveryLag int32
	Status                                      []struct{ StatusCode protocol.StatusCode }
	ActiveTasks, StandbyTasks, WarmupTasks      map[string][]int32
	EndpointInformationEpoch                    int32
}

// streams is what a member of a trace is made with, nil for a consumer.
func (tr *trace) streams(m *traceMember) *client.StreamsConfig {
	if tr.Protocol != "streams" {
		return nil
	}
	of := tr.Topology
	if m.Topology != nil {
		of = m.Topology
	}
	topology := protocol.Topology{}
	for _, id := range slices.Sorted(maps.Keys(of)) {
		sub := of[id]
		topology.Subtopologies = append(topology.Subtopologies, protocol.Subtopology{
			ID: id, SourceTopics: sub.SourceTopics, StateChangelogTopics: topicInfos(sub.ChangelogTopics),
			RepartitionSinkTopics: sub.RepartitionSinkTopics, RepartitionSourceTopics: topicInfos(sub.RepartitionSourceTopics),
		})
	}
	process := m.Process
	if process == "" {
		process = m.ID
	}
	return &client.StreamsConfig{ProcessID: nameUUID(process), Endpoint: m.Endpoint, ClientTags: tags(m.ClientTags), Topology: &topology}
}

func topicInfos(names []string) []protocol.TopicInfo {
	var out []protocol.TopicInfo
	for _, n := range names {
		out = append(out, protocol.TopicInfo{Name: n})
	}
	return out
}

func tags(m map[string]string) []protocol.Tag {
	var out []protocol.Tag
	for _, k := range slices.Sorted(maps.Keys(m)) {
		out = append(out, protocol.Tag{Key: k, Value: m[k]})
	}
	return out
}

// nameUUID is the name-based UUID (version 3) of a process.
func nameUUID(name string) string {
	sum := md5.Sum([]byte(name))
	sum[6], sum[8] = sum[6]&0x0f|0x30, sum[8]&0x3f|0x80
	h := hex.EncodeToString(sum[:])
	return strings.Join([]string{h[:8], h[8:12], h[12:16], h[16:20], h[20:]}, "-")
}

// streamsMessage is the trace's request as a message of ours.
func (r *traceRequest) streamsMessage() *protocol.StreamsGroupHeartbeatRequest {
	out := &protocol.StreamsGroupHeartbeatRequest{
		MemberID: *r.MemberID, MemberEpoch: r.MemberEpoch, EndpointInformationEpoch: *r.EndpointInformationEpoch,
		InstanceID: r.InstanceID, RackID: r.RackID, RebalanceTimeoutMs: -1,
		Topology:  r.Topology.message(),
		Owned:     protocol.Tasks{Active: assignment(r.ActiveTasks), Standby: assignment(r.StandbyTasks), Warmup: assignment(r.WarmupTasks)},
		ProcessID: r.ProcessID, UserEndpoint: r.UserEndpoint, ClientTags: r.ClientTags,
		TaskOffsets: offsets(r.TaskOffsets), TaskEndOffsets: offsets(r.TaskEndOffsets), ShutdownApplication: r.ShutdownApplication,
	}
	if r.RebalanceTimeoutMs != nil {
		out.RebalanceTimeoutMs = *r.RebalanceTimeoutMs
	}
	return out
}

func (s *traceSentTopology) message() *protocol.Topology {
	if s == nil {
		return nil
	}
	out := &protocol.Topology{Epoch: s.Epoch}
	for _, sub := range s.Subtopologies {
		infos := func(topics []struct{ Name string }) (out []protocol.TopicInfo) {
			for _, t := range topics {
				out = append(out, protocol.TopicInfo{Name: t.Name})
			}
			return out
		}
		out.Subtopologies = append(out.Subtopologies, protocol.Subtopology{
			ID: sub.SubtopologyID, SourceTopics: sub.SourceTopics, StateChangelogTopics: infos(sub.StateChangelogTopics),
			RepartitionSinkTopics: sub.RepartitionSinkTopics, RepartitionSourceTopics: infos(sub.RepartitionSourceTopics),
		})
	}
	return out
}

func offsets(in []traceOffset) []protocol.TaskOffset {
	if in == nil {
		return nil
	}
	out := []protocol.TaskOffset{}
	for _, o := range in {
		out = append(out, protocol.TaskOffset{Task: task(o.SubtopologyID, o.Partition), Offset: o.Offset})
	}
	return out
}

func task(subtopology string, number int32) protocol.Partition {
	return protocol.Partition{Topic: protocol.TopicID(subtopology), Number: number}
}

// taskOffsets are those that an application reports.
func (a *traceAction) taskOffsets(t *testing.T) (out []client.TaskProgress) {
	for _, name := range slices.Sorted(maps.Keys(a.Offsets)) {
		subtopology, number, _ := strings.Cut(name, "_")
		n, err := strconv.Atoi(number)
		require.NoError(t, err)
		out = append(out, client.TaskProgress{Task: task(subtopology, int32(n)), Offset: a.Offsets[name][0], End: a.Offsets[name][1]})
	}
	return out
}

// streamsAnswer is what a response event brings.
func (e *traceEvent) streamsAnswer(t *testing.T) protocol.StreamsGroupHeartbeatResponse {
	if e.Response == nil {
		return protocol.StreamsGroupHeartbeatResponse{Error: e.code(t)}
	}
	r := e.Response
	out := protocol.StreamsGroupHeartbeatResponse{
		MemberID: e.Member, MemberEpoch: r.MemberEpoch, HeartbeatIntervalMs: r.HeartbeatIntervalMs,
		TaskOffsetIntervalMs: r.TaskOffsetIntervalMs, AcceptableRecoveryLag: r.AcceptableRecoveryLag,
		Tasks:                    protocol.Tasks{Active: assignment(r.ActiveTasks), Standby: assignment(r.StandbyTasks), Warmup: assignment(r.WarmupTasks)},
		EndpointInformationEpoch: r.EndpointInformationEpoch,
	}
	for _, s := range r.Status {
		out.Status = append(out.Status, protocol.Status{Code: s.StatusCode})
	}
	return out
}

// What is compared, in words.

func (r *traceRequest) text(proto string) string {
	if proto == "streams" {
		return asJSON(r.streamsMessage())
	}
	m := r.message()
	return requestText(&m)
}

func sentText(s client.Send) string {
	if s.Streams != nil {
		return asJSON(s.Streams)
	}
	return requestText(&s.Request)
}

// asJSON writes all fields that are present.
func asJSON(v any) string {
	b, err := json.Marshal(v)
	var fields map[string]json.RawMessage
	if err != nil || json.Unmarshal(b, &fields) != nil {
		panic(err)
	}
	maps.DeleteFunc(fields, func(_ string, v json.RawMessage) bool { return string(v) == "null" })
	b, _ = json.Marshal(fields)
	return string(b)
}

func (e *traceEvent) ownedText(proto string) string {
	if proto == "streams" {
		var owned traceTasks
		decode(e.Owned, &owned)
		return owned.text()
	}
	var owned map[string][]int32
	decode(e.Owned, &owned)
	return byName(assignment(owned))
}

func (e *traceEvent) calledText(proto string) string {
	if proto == "streams" && e.What == "onTasksAssigned" {
		var tasks traceTasks
		decode(e.Partitions, &tasks)
		return tasks.text()
	}
	var partitions map[string][]int32
	decode(e.Partitions, &partitions)
	return byName(assignment(partitions))
}

func decode(raw json.RawMessage, into any) {
	if err := json.Unmarshal(raw, into); err != nil {
		panic(err)
	}
}

func (t traceTasks) text() string {
	return tasksText(assignment(t.Active), assignment(t.Standby), assignment(t.Warmup), t.GroupReady)
}

func tasksText(active, standby, warmup protocol.Assignment, ready bool) string {
	if warmup == nil {
		warmup = protocol.Assignment{}
	}
	text := "active " + active.String() + ", standby " + standby.String() + ", warm-up " + warmup.String()
	if ready {
		return text + ", ready"
	}
	return text
}

func changedText(c client.Changed) string {
	if c.Standby == nil {
		return byName(c.Owned)
	}
	return tasksText(c.Owned, c.Standby, c.Warmup, c.Ready)
}

func calledText(c client.Callback) string {
	if c.What == client.TasksAssigned {
		return tasksText(c.Partitions, c.Standby, c.Warmup, c.Ready)
	}
	return byName(c.Partitions)
}
