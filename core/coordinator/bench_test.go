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

func TestASteadyHeartbeatAllocatesLittleWhateverTheSizeOfTheGroup(t *testing.T) {
	c, steady := group100(t)
	i := 0
	assert.LessOrEqual(t, testing.AllocsPerRun(500, func() {
		c.Heartbeat(start.Add(protocol.Duration(i)), steady[i%len(steady)])
		i++
	}), 6.0)
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
