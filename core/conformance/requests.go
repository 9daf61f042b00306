package conformance

import (
	"fmt"
	"slices"
	"strings"

	"groupscope/core/protocol"
)

// Where requests come from when a step does not say.
const (
	defaultClient = "client"
	clientHost    = "/127.0.0.1"
)

// header reads what comes with a request, and the request. The version is
// that of its API; latest when the step does not say.
func (r *runner) header(f *fields, latest int16) (q *fields, client string, version int16) {
	client = defaultClient
	if f.has("clientId") {
		client = f.text("clientId")
	}
	if version = f.int16("apiVersion", latest); version < 0 || version > latest {
		f.wanted("apiVersion", fmt.Sprintf("0 to %d", latest))
	}
	if q = f.object("request"); q == nil {
		f.wanted("request", "an object")
		q = f.r.object("request", object{})
	}
	return q, client, version
}

// The latest versions of the APIs, and what older ones lack.
const (
	heartbeatVersion    = 1 // of both heartbeats
	ownIDVersion        = 1 // consumers name themselves
	clientTagsVersion   = 1 // streams members learn that they lack a tag
	offsetCommitVersion = 10
	joinVersion         = 9
	knownIDVersion      = 4 // a dynamic member is told its id and joins again with it
	otherClassicVersion = 5
)

// groupOf reads the group of a request or a step.
func (r *runner) groupOf(f *fields) string {
	if f.has("groupId") {
		return f.text("groupId")
	}
	return r.trace.config.group
}

func (r *runner) consumerHeartbeat(q *fields, client string) protocol.ConsumerGroupHeartbeatRequest {
	return protocol.ConsumerGroupHeartbeatRequest{
		GroupID: r.groupOf(q), MemberID: q.text("memberId"), MemberEpoch: q.int32("memberEpoch", 0),
		InstanceID: q.pointer("instanceId"), RackID: q.pointer("rackId"), RebalanceTimeoutMs: q.int32("rebalanceTimeoutMs", -1),
		SubscribedTopicNames: q.texts("subscribedTopicNames"), SubscribedTopicRegex: q.pointer("subscribedTopicRegex"),
		ServerAssignor: q.pointer("serverAssignor"), TopicPartitions: q.assignment("topicPartitions"),
		ClientID: client, ClientHost: clientHost,
	}
}

func (r *runner) streamsHeartbeat(q *fields, client string) protocol.StreamsGroupHeartbeatRequest {
	return protocol.StreamsGroupHeartbeatRequest{
		GroupID: r.groupOf(q), MemberID: q.text("memberId"), MemberEpoch: q.int32("memberEpoch", 0),
		EndpointInformationEpoch: q.int32("endpointInformationEpoch", 0),
		InstanceID:               q.pointer("instanceId"), RackID: q.pointer("rackId"),
		RebalanceTimeoutMs: q.int32("rebalanceTimeoutMs", -1), Topology: readTopology(q.object("topology")),
		Owned: protocol.Tasks{
			Active: q.assignment("activeTasks"), Standby: q.assignment("standbyTasks"), Warmup: q.assignment("warmupTasks"),
		},
		ProcessID: q.pointer("processId"), UserEndpoint: readEndpoint(q.object("userEndpoint")),
		ClientTags: readTags(q, "clientTags"), TaskOffsets: readOffsets(q, "taskOffsets"), TaskEndOffsets: readOffsets(q, "taskEndOffsets"),
		ShutdownApplication: q.flag("shutdownApplication"),
		ClientID:            client, ClientHost: clientHost,
	}
}

func readTopology(f *fields) *protocol.Topology {
	if f == nil {
		return nil
	}
	t := &protocol.Topology{Epoch: f.int32("epoch", 0)}
	for _, s := range f.objects("subtopologies") {
		t.Subtopologies = append(t.Subtopologies, protocol.Subtopology{
			ID: s.text("subtopologyId"), SourceTopics: s.texts("sourceTopics"), SourceTopicRegex: s.texts("sourceTopicRegex"),
			StateChangelogTopics: readTopicInfos(s, "stateChangelogTopics"), RepartitionSinkTopics: s.texts("repartitionSinkTopics"),
			RepartitionSourceTopics: readTopicInfos(s, "repartitionSourceTopics"), CopartitionGroups: readCopartitionGroups(s),
		})
		s.done()
	}
	f.done()
	return t
}

func readTopicInfos(f *fields, name string) []protocol.TopicInfo {
	var out []protocol.TopicInfo
	for _, t := range f.objects(name) {
		out = append(out, protocol.TopicInfo{
			Name: t.text("name"), Partitions: t.int32("partitions", 0), ReplicationFactor: t.int16("replicationFactor", 0),
			Configs: readPairs(t, "topicConfigs"),
		})
		t.done()
	}
	return out
}

func readCopartitionGroups(f *fields) []protocol.CopartitionGroup {
	var out []protocol.CopartitionGroup
	for _, g := range f.objects("copartitionGroups") {
		out = append(out, protocol.CopartitionGroup{
			SourceTopics: g.indexes("sourceTopics"), SourceTopicRegex: g.indexes("sourceTopicRegex"),
			RepartitionSourceTopics: g.indexes("repartitionSourceTopics"),
		})
		g.done()
	}
	return out
}

func readEndpoint(f *fields) *protocol.Endpoint {
	if f == nil {
		return nil
	}
	port := f.int32("port", 0)
	if port < 0 || port > 1<<16-1 {
		f.wanted("port", "a port")
	}
	e := &protocol.Endpoint{Host: f.text("host"), Port: uint16(port)}
	f.done()
	return e
}

// readPairs reads [{"key":"zone","value":"z1"}] in its order; nil when the
// field is absent.
func readPairs(f *fields, name string) []protocol.Tag {
	if !f.has(name) {
		return nil
	}
	out := []protocol.Tag{}
	for _, t := range f.objects(name) {
		out = append(out, protocol.Tag{Key: t.text("key"), Value: t.text("value")})
		t.done()
	}
	return out
}

func readTags(f *fields, name string) []protocol.Tag {
	tags := readPairs(f, name)
	slices.SortStableFunc(tags, func(a, b protocol.Tag) int { return strings.Compare(a.Key, b.Key) })
	return tags
}

// readOffsets reads what a client reports of its tasks, sorted by task; nil
// when the field is absent.
func readOffsets(f *fields, name string) []protocol.TaskOffset {
	if !f.has(name) {
		return nil
	}
	out := []protocol.TaskOffset{}
	for _, o := range f.objects(name) {
		out = append(out, protocol.TaskOffset{
			Task:   protocol.Partition{Topic: protocol.TopicID(o.text("subtopologyId")), Number: o.int32("partition", 0)},
			Offset: o.int64("offset", 0),
		})
		o.done()
	}
	slices.SortStableFunc(out, func(a, b protocol.TaskOffset) int { return a.Task.Compare(b.Task) })
	return out
}
