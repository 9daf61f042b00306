package coordinator_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/core/coordinator"
	"groupscope/core/protocol"
	"groupscope/core/record"
	"groupscope/core/rules"
)

// streamsRig is a coordinator under test with streams groups. After every
// operation it checks what must always hold.
type streamsRig struct {
	*rig
	topology *protocol.Topology // of a join that names none
}

// newStreamsRig has the topic in with 4 partitions, a topology whose one
// subtopology reads it, and computes targets at once.
func newStreamsRig(t *testing.T, r rules.Rules, change ...func(*coordinator.Config)) *streamsRig {
	t.Helper()
	atOnce := func(cfg *coordinator.Config) {
		cfg.Streams.AssignmentInterval, cfg.Streams.InitialRebalanceDelay = 0, 0
	}
	g := &streamsRig{rig: newRig(t, r, append([]func(*coordinator.Config){atOnce}, change...)...)}
	g.setTopics(topic("in", 4))
	g.topology = topologyOf(0, protocol.Subtopology{ID: "0", SourceTopics: []string{"in"}})
	return g
}

// stateful adds a changelog to the only subtopology, and its topic.
func (g *streamsRig) stateful() *streamsRig {
	g.topology = topologyOf(0, protocol.Subtopology{
		ID: "0", SourceTopics: []string{"in"}, StateChangelogTopics: []protocol.TopicInfo{{Name: "log"}},
	})
	g.setTopics(topic("in", 4), topic("log", 4))
	return g
}

func topologyOf(epoch int32, subtopologies ...protocol.Subtopology) *protocol.Topology {
	return &protocol.Topology{Epoch: epoch, Subtopologies: subtopologies}
}

// streamsRequest changes a heartbeat that says nothing but who it is from.
type streamsRequest func(*protocol.StreamsGroupHeartbeatRequest)

func at(e int32) streamsRequest {
	return func(r *protocol.StreamsGroupHeartbeatRequest) { r.MemberEpoch = e }
}

func ofInstance(id string) streamsRequest {
	return func(r *protocol.StreamsGroupHeartbeatRequest) { r.InstanceID = &id }
}

func inProcess(id string) streamsRequest {
	return func(r *protocol.StreamsGroupHeartbeatRequest) { r.ProcessID = &id }
}

func withTopology(t *protocol.Topology) streamsRequest {
	return func(r *protocol.StreamsGroupHeartbeatRequest) { r.Topology = t }
}

func withEndpoint(host string) streamsRequest {
	return func(r *protocol.StreamsGroupHeartbeatRequest) {
		r.UserEndpoint = &protocol.Endpoint{Host: host, Port: 9090}
	}
}

func knows(endpointEpoch int32) streamsRequest {
	return func(r *protocol.StreamsGroupHeartbeatRequest) { r.EndpointInformationEpoch = endpointEpoch }
}

// runs says which active tasks of subtopology 0 the member owns, and no other.
func runs(numbers ...int32) streamsRequest { return ownsTasks(numbers, nil, nil) }

func ownsTasks(active, standby, warmup []int32) streamsRequest {
	return func(r *protocol.StreamsGroupHeartbeatRequest) {
		r.Owned = protocol.Tasks{Active: zero(active...), Standby: zero(standby...), Warmup: zero(warmup...)}
	}
}

// zero are tasks of subtopology 0.
func zero(numbers ...int32) protocol.Assignment {
	if len(numbers) == 0 {
		return protocol.Assignment{}
	}
	return protocol.Assignment{{Topic: "0", Partitions: numbers}}
}

// reports says how far the member got with a task of subtopology 0.
func reports(task int32, offset, end int64) streamsRequest {
	return func(r *protocol.StreamsGroupHeartbeatRequest) {
		p := protocol.Partition{Topic: "0", Number: task}
		r.TaskOffsets = append(r.TaskOffsets, protocol.TaskOffset{Task: p, Offset: offset})
		r.TaskEndOffsets = append(r.TaskEndOffsets, protocol.TaskOffset{Task: p, Offset: end})
	}
}

func streamsJoin(member string, topology *protocol.Topology) protocol.StreamsGroupHeartbeatRequest {
	process := "p" + member
	return protocol.StreamsGroupHeartbeatRequest{
		GroupID: "g", MemberID: member, RebalanceTimeoutMs: 300_000, EndpointInformationEpoch: -1,
		Topology: topology, ProcessID: &process,
		Owned: protocol.Tasks{Active: protocol.Assignment{}, Standby: protocol.Assignment{}, Warmup: protocol.Assignment{}},
	}
}

// join sends a join of group g; every member is a process of its own.
func (g *streamsRig) join(member string, fields ...streamsRequest) coordinator.StreamsResult {
	g.t.Helper()
	return g.deliver(streamsJoin(member, g.topology), fields)
}

// beat sends a heartbeat of group g.
func (g *streamsRig) beat(member string, fields ...streamsRequest) coordinator.StreamsResult {
	g.t.Helper()
	return g.deliver(protocol.StreamsGroupHeartbeatRequest{GroupID: "g", MemberID: member, RebalanceTimeoutMs: -1}, fields)
}

func (g *streamsRig) deliver(r protocol.StreamsGroupHeartbeatRequest, fields []streamsRequest) coordinator.StreamsResult {
	g.t.Helper()
	for _, f := range fields {
		f(&r)
	}
	result := g.c.StreamsHeartbeat(g.now, r)
	if !r.ShutdownApplication { // what a leave asks for counts though it is refused
		g.checkRefusal(result.Response.Error, result.Decisions)
	}
	g.check(result.Decisions)
	return result
}

// next sends the heartbeat that a member without mishap would send now: its
// epoch, and all that it was granted.
func (g *streamsRig) next(member string, fields ...streamsRequest) coordinator.StreamsResult {
	g.t.Helper()
	m := g.member(member)
	owned := func(r *protocol.StreamsGroupHeartbeatRequest) {
		r.Owned = protocol.Tasks{
			Active: protocol.NewAssignment(record.Partitions(m.Assigned)), Standby: m.Streams.Standby, Warmup: m.Streams.Warmup,
		}
		r.EndpointInformationEpoch = m.Streams.EndpointEpoch
		if m.InstanceID != "" {
			r.InstanceID = &m.InstanceID
		}
	}
	return g.beat(member, append([]streamsRequest{at(m.MemberEpoch), owned}, fields...)...)
}

// settle has everybody heartbeat until the group is stable.
func (g *streamsRig) settle() {
	g.t.Helper()
	for range 20 {
		for _, m := range g.group().Members {
			if m.MemberEpoch > 0 {
				g.next(m.ID)
			}
		}
		if g.group().State == coordinator.Stable {
			return
		}
	}
	require.Fail(g.t, "the group does not settle", g.tasks())
}

// check holds after every operation: see rig; besides, nobody but its
// members' processes decide who may run a task, and a process runs a task
// once.
func (g *streamsRig) check(decisions []coordinator.Decision) {
	g.t.Helper()
	g.rig.check(decisions)
	group, ok := g.c.Group("g")
	if !ok || group.Streams == nil {
		return
	}
	runs := map[string]string{}
	for _, m := range group.Members {
		for _, list := range []protocol.Assignment{
			protocol.NewAssignment(record.Partitions(m.Assigned)), protocol.NewAssignment(record.Partitions(m.PendingRevocation)),
			m.Streams.Standby, m.Streams.Warmup,
		} {
			for _, task := range list.Partitions() {
				place := m.Streams.ProcessID + " " + protocol.TaskName(task)
				if other, taken := runs[place]; taken && other != m.ID {
					assert.Fail(g.t, "two members of one process have a task", "%s: %s and %s", place, other, m.ID)
				}
				runs[place] = m.ID
			}
		}
	}
}

// advance moves the clock and fires what is due.
func (g *streamsRig) advance(d protocol.Duration) []coordinator.Expiry {
	g.t.Helper()
	g.now = g.now.Add(d)
	fired := g.c.Expire(g.now)
	for _, e := range fired {
		g.check(e.Decisions)
	}
	return fired
}

// tasks writes all members as "A@2[0 1] s[2] w[3] drops[3], B@2[]".
func (g *streamsRig) tasks() string {
	var out []string
	for _, m := range g.group().Members {
		s := fmt.Sprintf("%s@%d%s", m.ID, m.MemberEpoch, held(m.Assigned))
		for _, role := range []struct {
			name string
			list protocol.Assignment
		}{{"s", m.Streams.Standby}, {"w", m.Streams.Warmup}} {
			if len(role.list) > 0 {
				s += " " + role.name + numbers(role.list.Partitions())
			}
		}
		drops := slices.Concat(record.Partitions(m.PendingRevocation), m.Streams.PendingStandby.Partitions(), m.Streams.PendingWarmup.Partitions())
		if len(drops) > 0 {
			s += " drops" + numbers(drops)
		}
		out = append(out, s)
	}
	return strings.Join(out, ", ")
}

// given writes an answer as "2 [0 1] s[2] w[]", "2" when it gives nothing
// new, or the error; statuses follow.
func given(r coordinator.StreamsResult) string {
	a := r.Response
	if a.Error != protocol.None {
		return a.Error.String()
	}
	out := fmt.Sprint(a.MemberEpoch)
	if a.Tasks.Present() {
		out += " " + numbers(a.Tasks.Active.Partitions())
		if len(a.Tasks.Standby) > 0 {
			out += " s" + numbers(a.Tasks.Standby.Partitions())
		}
		if len(a.Tasks.Warmup) > 0 {
			out += " w" + numbers(a.Tasks.Warmup.Partitions())
		}
	}
	for _, s := range a.Status {
		out += " " + s.Code.String()
	}
	return out
}
