package coordinator_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"groupscope/core/coordinator"
	"groupscope/core/protocol"
	"groupscope/core/rules"
)

// group100 is a settled group of 100 members and 1,000 partitions.
func group100(b testing.TB) (*coordinator.Coordinator, []protocol.ConsumerGroupHeartbeatRequest) {
	b.Helper()
	cfg := coordinator.DefaultConfig(rules.Kafka())
	cfg.AssignmentInterval = 0
	c := coordinator.New(cfg)
	c.SetTopics(start, []protocol.Topic{{ID: "foo", Name: "foo", Partitions: 1000}})
	steady := make([]protocol.ConsumerGroupHeartbeatRequest, 100)
	for i := range steady {
		join := joinRequest(fmt.Sprintf("member-%03d", i), "foo")
		c.Heartbeat(start, join)
		steady[i] = protocol.ConsumerGroupHeartbeatRequest{GroupID: join.GroupID, MemberID: join.MemberID, RebalanceTimeoutMs: -1}
	}
	for range 3 {
		for i := range steady {
			g, _ := c.Group("g")
			steady[i].MemberEpoch = g.Members[i].MemberEpoch
			steady[i].TopicPartitions = g.Members[i].Target
			c.Heartbeat(start, steady[i])
		}
	}
	for i := range steady {
		g, _ := c.Group("g")
		if g.State != coordinator.Stable {
			b.Fatalf("the group is %s", g.State)
		}
		steady[i].MemberEpoch = g.Members[i].MemberEpoch
		steady[i].TopicPartitions = nil
	}
	return c, steady
}

func TestASteadyHeartbeatAllocatesNothing(t *testing.T) {
	c, steady := group100(t)
	i := 0
	heartbeat := func() {
		c.Heartbeat(start.Add(protocol.Duration(i)), steady[i%len(steady)])
		i++
	}
	for range steady {
		heartbeat() // the first one of a member that has settled finds its words
	}
	assert.Zero(t, testing.AllocsPerRun(500, heartbeat))
	assert.Zero(t, testing.AllocsPerRun(100, func() { c.Group("g") }), "nothing changed")
}

func BenchmarkSteadyHeartbeat(b *testing.B) {
	c, steady := group100(b)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		c.Heartbeat(start.Add(protocol.Duration(i)), steady[i%len(steady)])
	}
}

func BenchmarkSteadyHeartbeatAndReadModel(b *testing.B) {
	c, steady := group100(b)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		c.Heartbeat(start.Add(protocol.Duration(i)), steady[i%len(steady)])
		c.Group("g")
	}
}

func BenchmarkReadModelUnchanged(b *testing.B) {
	c, _ := group100(b)
	b.ReportAllocs()
	for b.Loop() {
		c.Group("g")
	}
}

// A join and the leave after it: two operations, one target.
func BenchmarkJoinWithTarget(b *testing.B) {
	c, _ := group100(b)
	join := joinRequest("newcomer", "foo")
	leave := protocol.ConsumerGroupHeartbeatRequest{GroupID: "g", MemberID: "newcomer", MemberEpoch: protocol.EpochLeaving}
	b.ReportAllocs()
	for b.Loop() {
		c.Heartbeat(start, join)
		c.Heartbeat(start, leave)
	}
}

func BenchmarkClone(b *testing.B) {
	c, _ := group100(b)
	b.ReportAllocs()
	for b.Loop() {
		c.Clone()
	}
}

// crowdedTopics are 10 topics.
func crowdedTopics(partitions int32) ([]protocol.Topic, []string) {
	var topics []protocol.Topic
	var names []string
	for i := range 10 {
		name := fmt.Sprintf("topic-%02d", i)
		topics = append(topics, protocol.Topic{ID: protocol.TopicID(name), Name: name, Partitions: partitions, UUID: [16]byte{0: byte(37 * i), 15: byte(101*i + 1)}})
		names = append(names, name)
	}
	return topics, names
}

// converged is a group whose members all joined and then sent heartbeats, in
// rounds, until it was stable: each says what it owns and takes what it is
// given. The targets are computed at once.
func converged(tb testing.TB, members int, topics []protocol.Topic, names []string) (*coordinator.Coordinator, []protocol.ConsumerGroupHeartbeatRequest) {
	tb.Helper()
	cfg := coordinator.DefaultConfig(rules.Kafka())
	cfg.AssignmentInterval = 0
	c := coordinator.New(cfg)
	c.SetTopics(start, topics)
	next := make([]protocol.ConsumerGroupHeartbeatRequest, members)
	for i := range next {
		next[i] = joinRequest(fmt.Sprintf("%08x-member-%04d", uint32(i)*2654435761, i), names...)
	}
	now := start
	for stable := false; !stable; now = now.Add(protocol.Second) {
		stable = true
		for i := range next {
			r := &next[i]
			answer := c.Heartbeat(now, *r).Response
			if answer.Error != protocol.None {
				tb.Fatalf("%s: %s", r.MemberID, answer.ErrorMessage)
			}
			if answer.MemberEpoch != r.MemberEpoch || answer.Assignment != nil {
				stable = false
			}
			owned := r.TopicPartitions
			if answer.Assignment != nil {
				owned = answer.Assignment
			}
			*r = protocol.ConsumerGroupHeartbeatRequest{
				GroupID: r.GroupID, MemberID: r.MemberID, MemberEpoch: answer.MemberEpoch, RebalanceTimeoutMs: -1, TopicPartitions: owned,
			}
		}
	}
	return c, next
}

func TestACrowdConvergesToAStableGroup(t *testing.T) {
	topics, names := crowdedTopics(100)
	c, _ := converged(t, 100, topics, names)
	g, _ := c.Group("g")
	assert.Equal(t, coordinator.Stable, g.State)
	for _, m := range g.Members {
		assert.Len(t, m.Assigned, 10)
	}
}

// All of 1,000 members have what is theirs and say no more than who they are.
func BenchmarkHeartbeatSteady(b *testing.B) {
	topics, names := crowdedTopics(1000)
	c, steady := converged(b, 1000, topics, names)
	for i := range steady {
		steady[i].TopicPartitions = nil
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		c.Heartbeat(start.Add(protocol.Duration(i)), steady[i%len(steady)])
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "heartbeats/s")
}

func BenchmarkConverge(b *testing.B) {
	topics, names := crowdedTopics(100)
	for _, members := range []int{100, 300} {
		b.Run(fmt.Sprintf("members=%d", members), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				converged(b, members, topics, names)
			}
		})
	}
}
