package coordinator_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/core/coordinator"
	"groupscope/core/protocol"
	"groupscope/core/record"
	"groupscope/core/rules"
)

// start is the instant at which tests begin.
const start protocol.Instant = 1_000_000

// rig is a coordinator under test. After every operation it checks what must
// always hold.
type rig struct {
	t      *testing.T
	c      *coordinator.Coordinator
	cfg    coordinator.Config
	topics []protocol.Topic
	now    protocol.Instant
	epoch  int32 // highest group epoch seen
}

// newRig has the topic foo with 3 partitions and computes targets at once.
func newRig(t *testing.T, r rules.Rules, change ...func(*coordinator.Config)) *rig {
	t.Helper()
	cfg := coordinator.DefaultConfig(r)
	cfg.AssignmentInterval = 0
	for _, f := range change {
		f(&cfg)
	}
	g := &rig{t: t, c: coordinator.New(cfg), cfg: cfg, now: start}
	g.setTopics(topic("foo", 3))
	return g
}

func topic(name string, partitions int32) protocol.Topic {
	return protocol.Topic{ID: protocol.TopicID(name), Name: name, Partitions: partitions}
}

func (g *rig) setTopics(topics ...protocol.Topic) {
	g.topics = topics
	g.c.SetTopics(g.now, topics)
}

// request changes a heartbeat that says nothing but who it is from.
type request func(*protocol.ConsumerGroupHeartbeatRequest)

func epoch(e int32) request {
	return func(r *protocol.ConsumerGroupHeartbeatRequest) { r.MemberEpoch = e }
}

// owns says what the member owns of foo.
func owns(numbers ...int32) request {
	return func(r *protocol.ConsumerGroupHeartbeatRequest) {
		r.TopicPartitions = protocol.Assignment{}
		if len(numbers) > 0 {
			r.TopicPartitions = protocol.Assignment{{Topic: "foo", Partitions: numbers}}
		}
	}
}

func instance(id string) request {
	return func(r *protocol.ConsumerGroupHeartbeatRequest) { r.InstanceID = &id }
}

func votes(assignor string) request {
	return func(r *protocol.ConsumerGroupHeartbeatRequest) { r.ServerAssignor = &assignor }
}

func subscribes(topics ...string) request {
	return func(r *protocol.ConsumerGroupHeartbeatRequest) {
		r.SubscribedTopicNames = append([]string{}, topics...)
	}
}

func rebalanceTimeout(d protocol.Duration) request {
	return func(r *protocol.ConsumerGroupHeartbeatRequest) { r.RebalanceTimeoutMs = int32(d) }
}

// full adds what makes the request of an existing member full.
func full(r *protocol.ConsumerGroupHeartbeatRequest) {
	r.RebalanceTimeoutMs = 300_000
	r.SubscribedTopicNames = []string{"foo"}
}

// join is a full join, by default for foo.
func join(r *protocol.ConsumerGroupHeartbeatRequest) {
	full(r)
	r.MemberEpoch = protocol.EpochJoining
	r.TopicPartitions = protocol.Assignment{}
}

// joinRequest is a full join of group g.
func joinRequest(member string, topics ...string) protocol.ConsumerGroupHeartbeatRequest {
	r := protocol.ConsumerGroupHeartbeatRequest{GroupID: "g", MemberID: member}
	join(&r)
	r.SubscribedTopicNames = topics
	return r
}

// send sends a heartbeat of group g.
func (g *rig) send(member string, fields ...request) coordinator.Result {
	g.t.Helper()
	r := protocol.ConsumerGroupHeartbeatRequest{GroupID: "g", MemberID: member, RebalanceTimeoutMs: -1}
	for _, f := range fields {
		f(&r)
	}
	result := g.c.Heartbeat(g.now, r)
	g.checkRefusal(result.Response.Error, result.Decisions)
	g.check(result.Decisions)
	return result
}

// advance moves the clock and fires what is due.
func (g *rig) advance(d protocol.Duration) []coordinator.Expiry {
	g.t.Helper()
	g.now = g.now.Add(d)
	fired := g.c.Expire(g.now)
	for _, e := range fired {
		g.check(e.Decisions)
	}
	return fired
}

// group is the read model of group g.
func (g *rig) group() *coordinator.Group {
	g.t.Helper()
	group, ok := g.c.Group("g")
	require.True(g.t, ok, "there is a group")
	return group
}

func (g *rig) member(id string) *coordinator.Member {
	g.t.Helper()
	for _, m := range g.group().Members {
		if m.ID == id {
			return m
		}
	}
	require.Fail(g.t, "no member "+id)
	return nil
}

// checkRefusal: of a request that is refused only that is told, not what would
// have been done.
func (g *rig) checkRefusal(code protocol.ErrorCode, decisions []coordinator.Decision) {
	g.t.Helper()
	if code != protocol.None {
		assert.Len(g.t, decisions, 1, "a refusal says why, and nothing else")
	}
}

// check holds after every operation: one decision is the main one, nobody
// shares a partition, the group epoch never falls and bounds the others, and
// the log alone makes the same state.
func (g *rig) check(decisions []coordinator.Decision) {
	g.t.Helper()
	mains := 0
	for _, d := range decisions {
		assert.NotEmpty(g.t, d.Rule)
		assert.NotEmpty(g.t, d.Text)
		if d.Main {
			mains++
		}
	}
	assert.Equal(g.t, 1, mains, "one decision is the main one: %v", decisions)
	if group, ok := g.c.Group("g"); ok && group.Type == coordinator.ConsumerType {
		assert.GreaterOrEqual(g.t, group.GroupEpoch, g.epoch, "the group epoch never falls")
		assert.LessOrEqual(g.t, group.AssignmentEpoch, group.GroupEpoch)
		g.epoch = group.GroupEpoch
		owner := map[protocol.Partition]string{}
		for _, m := range group.Members {
			assert.LessOrEqual(g.t, m.MemberEpoch, group.AssignmentEpoch, "%s is not ahead of the target", m.ID)
			for _, list := range [][]record.Held{m.Assigned, m.PendingRevocation} {
				for _, h := range list {
					assert.Empty(g.t, owner[h.Partition], "%s of %s has another owner", h.Partition, m.ID)
					owner[h.Partition] = m.ID
				}
			}
		}
	}
	loaded, err := coordinator.Load(g.cfg, g.c.Log(), g.topics, g.now)
	require.NoError(g.t, err)
	require.Equal(g.t, g.c.HardState(), loaded.HardState(), "the log makes the same state")
}

// main is the decision that explains the outcome.
func main(decisions []coordinator.Decision) string {
	for _, d := range decisions {
		if d.Main {
			return d.Rule + ": " + d.Text
		}
	}
	return ""
}

// answer writes a response as "2, [0 1]", "2, none", or the error.
func answer(r coordinator.Result) string {
	if r.Response.Error != protocol.None {
		return r.Response.Error.String()
	}
	if r.Response.Assignment == nil {
		return fmt.Sprintf("%d, none", r.Response.MemberEpoch)
	}
	return fmt.Sprintf("%d, %s", r.Response.MemberEpoch, numbers(r.Response.Assignment.Partitions()))
}

// short writes records as "5A 3 7A 6 8A".
func short(records []record.Record) string {
	out := make([]string, 0, len(records))
	for _, r := range records {
		out = append(out, r.Short())
	}
	return strings.Join(out, " ")
}

func numbers(ps []protocol.Partition) string {
	out := make([]int32, len(ps))
	for i, p := range ps {
		out[i] = p.Number
	}
	return fmt.Sprint(out)
}

func held(hs []record.Held) string { return numbers(record.Partitions(hs)) }

// epochs writes held partitions as "[0@1 1@1]".
func epochs(hs []record.Held) string {
	out := make([]string, len(hs))
	for i, h := range hs {
		out[i] = fmt.Sprintf("%d@%d", h.Partition.Number, h.AssignmentEpoch)
	}
	return fmt.Sprint(out)
}

// members writes all members as "A@1[0 1] drops[2], B@2[] waits[2]".
func (g *rig) members() string {
	var out []string
	for _, m := range g.group().Members {
		s := fmt.Sprintf("%s@%d%s", m.ID, m.MemberEpoch, held(m.Assigned))
		if len(m.PendingRevocation) > 0 {
			s += " drops" + held(m.PendingRevocation)
		}
		if len(m.Waiting) > 0 {
			s += " waits" + numbers(m.Waiting)
		}
		out = append(out, s)
	}
	return strings.Join(out, ", ")
}

// target writes the target as "T2: A[0 1] B[2]".
func (g *rig) target() string {
	group := g.group()
	out := fmt.Sprintf("T%d:", group.AssignmentEpoch)
	for _, m := range group.Members {
		out += " " + m.ID + numbers(m.Target.Partitions())
	}
	return out
}

func (g *rig) state() string {
	group := g.group()
	return fmt.Sprintf("%d/%d %s", group.GroupEpoch, group.AssignmentEpoch, group.State)
}
