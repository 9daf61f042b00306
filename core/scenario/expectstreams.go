package scenario

import (
	"slices"
	"strconv"
	"strings"

	"groupscope/core/coordinator"
	"groupscope/core/protocol"
	"groupscope/core/record"
	"groupscope/core/sim"
)

// What expectations of streams groups say beyond, or in place of, those of
// consumer groups. Owns, revokes, waits and target are active tasks there.
var (
	streamsResponseKeys = []string{"member", "epoch", "active", "standby", "warmup", "status", "endpoint-epoch", "endpoints", "error"}
	streamsGroupKeys    = []string{"type", "epoch", "target-epoch", "state", "topology-epoch", "endpoint-epoch", "status", "missing"}
	streamsMemberKeys   = []string{
		"standby", "warmup", "revokes-standby", "revokes-warmup", "target-standby", "target-warmup", "topology-epoch", "endpoint-epoch",
	}
	streamsClientKeys = []string{"standby", "warmup", "status", "topology-epoch", "endpoint-epoch"}
)

// memberState is Kafka's word for what a member is doing: of a streams member
// it speaks of tasks.
func memberState(s record.MemberState, streams bool) string {
	if streams {
		return strings.Replace(s.String(), "_PARTITIONS", "_TASKS", 1)
	}
	return s.String()
}

// statuses are Kafka's constants for the statuses of a streams group.
func statuses() []string {
	var out []string
	for code := protocol.StaleTopology; code <= protocol.MissingClientTags; code++ {
		out = append(out, code.String())
	}
	return out
}

// status reads a list of statuses; their order does not count.
func (x *expecting) status(path string, n *node, got func(o *observed) string) {
	items, ok := x.names(n, "status is a list of Kafka's constants, [] for none")
	if !ok {
		return
	}
	var want []string
	for _, item := range items {
		name, known := x.oneOf(item, "status", statuses())
		ok = ok && known
		want = append(want, name)
	}
	if ok {
		x.add(path, n, sortedList(want), got)
	}
}

func statusList(list []protocol.Status) string {
	var names []string
	for _, s := range list {
		names = append(names, s.Code.String())
	}
	return sortedList(names)
}

func sortedList(words []string) string {
	return "[" + strings.Join(slices.Sorted(slices.Values(words)), ", ") + "]"
}

// streamsResponse reads what only an answer to a streams client has.
func (x *expecting) streamsResponse(path string, e entry) {
	switch v := e.value; e.key.text {
	case "active", "standby", "warmup":
		which := e.key.text
		got := func(o *observed) (protocol.Assignment, string) { return o.answerTasks(which) }
		if !absent(v) {
			x.set(path, v, got)
			return
		}
		x.add(path, v, absentWord, func(o *observed) string {
			set, other := got(o)
			if other != "" {
				return other
			}
			return listed(set, protocol.TaskName)
		})
	case "status":
		x.status(path, v, func(o *observed) string {
			return o.ofAnswer(func(r *protocol.StreamsGroupHeartbeatResponse) string { return statusList(r.Status) })
		})
	case "endpoint-epoch":
		x.epoch(path, v, func(o *observed) string {
			return o.ofAnswer(func(r *protocol.StreamsGroupHeartbeatResponse) string {
				return strconv.Itoa(int(r.EndpointInformationEpoch))
			})
		})
	case "endpoints":
		x.endpoints(path, v)
	}
}

// words reads a list of texts, or absent; their order does not count.
func (x *expecting) wordList(path string, n *node, what string, got func(o *observed) string) {
	if absent(n) {
		x.add(path, n, absentWord, got)
		return
	}
	items, ok := x.names(n, what)
	if !ok {
		return
	}
	var want []string
	for _, item := range items {
		want = append(want, item.text)
	}
	x.add(path, n, sortedList(want), got)
}

// ofAnswer is something of the last answer, if it was one without an error.
func (o *observed) ofAnswer(of func(r *protocol.StreamsGroupHeartbeatResponse) string) string {
	h := o.handled()
	if h == nil || h.Streams == nil || h.Response.Error != protocol.None {
		return o.answer()
	}
	return of(h.Streams.Response)
}

// answerTasks are the tasks of the last answer in a role.
func (o *observed) answerTasks(role string) (protocol.Assignment, string) {
	h := o.handled()
	if h == nil || h.Streams == nil || h.Response.Error != protocol.None {
		return nil, o.answer()
	}
	t := h.Streams.Response.Tasks
	set := map[string]protocol.Assignment{"active": t.Active, "standby": t.Standby, "warmup": t.Warmup}[role]
	if set == nil {
		return nil, absentWord
	}
	return set, ""
}

// streamsGroup reads what only a streams group has.
func (x *expecting) streamsGroup(path string, e entry) {
	of := func(field func(g *coordinator.StreamsGroup) string) func(o *observed) string {
		return func(o *observed) string {
			if g := o.state.Group; g != nil && g.Streams != nil {
				return field(g.Streams)
			}
			return absentWord
		}
	}
	switch v := e.value; e.key.text {
	case "topology-epoch":
		x.epoch(path, v, of(func(g *coordinator.StreamsGroup) string { return strconv.Itoa(int(g.TopologyEpoch)) }))
	case "endpoint-epoch":
		x.epoch(path, v, of(func(g *coordinator.StreamsGroup) string { return strconv.Itoa(int(g.EndpointInformationEpoch)) }))
	case "status":
		x.status(path, v, of(func(g *coordinator.StreamsGroup) string {
			if g.Status == nil {
				return "[]"
			}
			return statusList([]protocol.Status{*g.Status})
		}))
	case "missing":
		x.wordList(path, v, "missing is a list of topics, [] for none", of(func(g *coordinator.StreamsGroup) string {
			names := slices.Clone(g.MissingTopics)
			for _, t := range g.Creatable {
				names = append(names, t.Name)
			}
			slices.Sort(names)
			return sortedList(slices.Compact(names))
		}))
	}
}

// streamsMember is what the coordinator holds of a streams member, never nil.
func streamsMember(m *coordinator.Member) *coordinator.StreamsMember {
	if m.Streams == nil {
		return &coordinator.StreamsMember{}
	}
	return m.Streams
}

// streamsSets are the sets of tasks of a member beyond its active ones.
var streamsSets = map[string]func(m *coordinator.Member) protocol.Assignment{
	"standby":         func(m *coordinator.Member) protocol.Assignment { return streamsMember(m).Standby },
	"warmup":          func(m *coordinator.Member) protocol.Assignment { return streamsMember(m).Warmup },
	"revokes-standby": func(m *coordinator.Member) protocol.Assignment { return streamsMember(m).PendingStandby },
	"revokes-warmup":  func(m *coordinator.Member) protocol.Assignment { return streamsMember(m).PendingWarmup },
	"target-standby":  func(m *coordinator.Member) protocol.Assignment { return streamsMember(m).TargetStandby },
	"target-warmup":   func(m *coordinator.Member) protocol.Assignment { return streamsMember(m).TargetWarmup },
}

var streamsMemberEpochs = map[string]func(m *coordinator.Member) string{
	"topology-epoch": func(m *coordinator.Member) string { return strconv.Itoa(int(streamsMember(m).TopologyEpoch)) },
	"endpoint-epoch": func(m *coordinator.Member) string { return strconv.Itoa(int(streamsMember(m).EndpointEpoch)) },
}

// streamsClient is what a streams client believes, never nil.
func streamsClient(c *sim.ClientState) *sim.StreamsClient {
	if c.Streams == nil {
		return &sim.StreamsClient{}
	}
	return c.Streams
}
