package conformance

import (
	"crypto/md5"
	"encoding/hex"
	"maps"
	"slices"
	"strconv"
	"strings"

	"groupscope/core/client"
	"groupscope/core/protocol"
)

// What traces of streams clients have beyond those of consumers.

// readStreams reads what makes a member a streams client. The topology is the
// trace's unless the member has one of its own.
func readStreams(f *fields, topology *protocol.Topology) *client.StreamsConfig {
	out := &client.StreamsConfig{ProcessID: nameUUID(f.text("id")), Endpoint: readEndpoint(f.object("endpoint")), Topology: topology}
	if f.has("process") {
		out.ProcessID = nameUUID(f.text("process"))
	}
	tags := f.textMap("clientTags")
	for _, key := range slices.Sorted(maps.Keys(tags)) {
		out.ClientTags = append(out.ClientTags, protocol.Tag{Key: key, Value: tags[key]})
	}
	if of := f.object("topology"); of != nil {
		out.Topology = readSubtopologies(of)
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

// readSubtopologies reads a topology by the ids of its subtopologies.
func readSubtopologies(f *fields) *protocol.Topology {
	out := &protocol.Topology{}
	if f == nil {
		return out
	}
	for _, id := range f.names() {
		s := f.object(id)
		out.Subtopologies = append(out.Subtopologies, protocol.Subtopology{
			ID: id, SourceTopics: s.texts("sourceTopics"), RepartitionSinkTopics: s.texts("repartitionSinkTopics"),
			StateChangelogTopics: topicsNamed(s.texts("changelogTopics")), RepartitionSourceTopics: topicsNamed(s.texts("repartitionSourceTopics")),
		})
		s.done()
	}
	return out
}

func topicsNamed(names []string) (out []protocol.TopicInfo) {
	for _, n := range names {
		out = append(out, protocol.TopicInfo{Name: n})
	}
	return out
}

// readProgress reads {"0_1":[offset,endOffset]}.
func readProgress(f *fields) (out []client.TaskProgress) {
	of := f.object("offsets")
	if of == nil {
		f.wanted("offsets", "tasks and their offsets")
		return nil
	}
	for _, name := range of.names() {
		subtopology, digits, _ := strings.Cut(name, "_")
		number, err := strconv.ParseInt(digits, 10, 32)
		list, _ := of.any(name).([]any)
		if err != nil || len(list) != 2 {
			of.wanted(name, "the name of a task and two numbers")
			continue
		}
		at, isAt := list[0].(int64)
		end, isEnd := list[1].(int64)
		if !isAt || !isEnd {
			of.wanted(name, "two numbers")
		}
		out = append(out, client.TaskProgress{
			Task: protocol.Partition{Topic: protocol.TopicID(subtopology), Number: int32(number)}, Offset: at, End: end,
		})
	}
	slices.SortFunc(out, func(a, b client.TaskProgress) int { return a.Task.Compare(b.Task) })
	return out
}

// readStreamsResponse reads what a client learns from a response.
func readStreamsResponse(f *fields) *protocol.StreamsGroupHeartbeatResponse {
	out := &protocol.StreamsGroupHeartbeatResponse{
		MemberEpoch: f.int32("memberEpoch", 0), HeartbeatIntervalMs: f.int32("heartbeatIntervalMs", 0),
		AcceptableRecoveryLag: f.int32("acceptableRecoveryLag", 0), TaskOffsetIntervalMs: f.int32("taskOffsetIntervalMs", 0),
		EndpointInformationEpoch: f.int32("endpointInformationEpoch", 0),
		Tasks: protocol.Tasks{
			Active: f.assignment("activeTasks"), Standby: f.assignment("standbyTasks"), Warmup: f.assignment("warmupTasks"),
		},
	}
	for _, s := range f.objects("status") {
		out.Status = append(out.Status, protocol.Status{Code: protocol.StatusCode(s.int16("statusCode", 0))})
	}
	return out
}

// streamsRequestWords is a heartbeat in the words of a trace.
func streamsRequestWords(q *protocol.StreamsGroupHeartbeatRequest) object {
	out := object{
		"memberId": q.MemberID, "memberEpoch": int64(q.MemberEpoch), "endpointInformationEpoch": int64(q.EndpointInformationEpoch),
	}
	for name, v := range map[string]*string{"instanceId": q.InstanceID, "rackId": q.RackID, "processId": q.ProcessID} {
		if v != nil {
			out[name] = *v
		}
	}
	for name, tasks := range map[string]protocol.Assignment{
		"activeTasks": q.Owned.Active, "standbyTasks": q.Owned.Standby, "warmupTasks": q.Owned.Warmup,
	} {
		if tasks != nil {
			out[name] = tree(tasks)
		}
	}
	for name, list := range map[string][]protocol.TaskOffset{"taskOffsets": q.TaskOffsets, "taskEndOffsets": q.TaskEndOffsets} {
		if list != nil {
			out[name] = each(list, func(o protocol.TaskOffset) object {
				return bare(object{"subtopologyId": string(o.Task.Topic), "partition": int64(o.Task.Number), "offset": o.Offset})
			})
		}
	}
	if q.RebalanceTimeoutMs != -1 {
		out["rebalanceTimeoutMs"] = int64(q.RebalanceTimeoutMs)
	}
	if q.Topology != nil {
		out["topology"] = topology(q.Topology)
	}
	if q.UserEndpoint != nil {
		out["userEndpoint"] = endpoint(q.UserEndpoint)
	}
	if q.ClientTags != nil {
		out["clientTags"] = pairs(q.ClientTags, "key", "value")
	}
	if q.ShutdownApplication {
		out["shutdownApplication"] = true
	}
	return out
}

// taskWords is the tasks that an application runs, and whether it was told
// that the group is ready.
func taskWords(active, standby, warmup protocol.Assignment, ready bool) object {
	out := object{"active": tree(active), "standby": tree(standby), "groupReady": ready}
	if warmup.Len() > 0 {
		out["warmup"] = tree(warmup)
	}
	return out
}
