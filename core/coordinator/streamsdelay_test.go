package coordinator_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/core/coordinator"
	"groupscope/core/protocol"
	"groupscope/core/rules"
)

// Delays of a target: the initial rebalance delay and the assignment interval.

func withDelay(c *coordinator.Config) { c.Streams.InitialRebalanceDelay = 3000 }

func TestTheDefaultsOfTheTwoDelaysAreTheRuleSets(t *testing.T) {
	bothRules(t, func(t *testing.T, r rules.Rules) {
		cfg := coordinator.DefaultConfig(r).Streams
		assert.Equal(t, by[protocol.Duration](r, 0, 3000), cfg.InitialRebalanceDelay)
		assert.Equal(t, by[protocol.Duration](r, 0, 1000), cfg.AssignmentInterval)
		assert.Equal(t, []string{"sticky"}, cfg.Assignors)
		assert.Equal(t, 2, cfg.WarmupReplicas)
		assert.EqualValues(t, 10_000, cfg.AcceptableRecoveryLag)
	})
}

func TestAMemberThatWaitsForOthersDoesNotStandAtEpoch0(t *testing.T) {
	bothRules(t, func(t *testing.T, r rules.Rules) {
		g := newStreamsRig(t, r, withDelay)
		joined := g.join("A")
		assert.Equal(t, "1 [] ASSIGNMENT_DELAYED", given(joined), "epoch 0 would mean joining")
		assert.Equal(t, "19A 23 17 22A", short(joined.Records))
		assert.Equal(t, "2/1 Assigning", g.state())
		assert.Equal(t, g.now.Add(3000), g.group().Streams.InitialRebalanceDeadline)
		assert.Equal(t, "1", given(g.next("A"))[:1])
	})
}

func TestTheDelayEndsWithATargetForAllWhoCame(t *testing.T) {
	bothRules(t, func(t *testing.T, r rules.Rules) {
		g := newStreamsRig(t, r, withDelay)
		g.join("A")
		g.advance(1000)
		assert.Equal(t, "1 [] ASSIGNMENT_DELAYED", given(g.join("B")), "the delay is not extended")
		fired := g.advance(2000)
		require.Len(t, fired, 1)
		assert.Equal(t, coordinator.InitialRebalanceTimer, fired[0].Timer)
		assert.Equal(t, "21A 21B 20", short(fired[0].Records))
		assert.Zero(t, g.group().Streams.InitialRebalanceDeadline)
		assert.Equal(t, "3 [1 3]", given(g.next("A")))
		assert.Equal(t, "3 [0 2]", given(g.next("B")))
	})
}

// The broker loses what the first heartbeat found out about the topology, so
// with one member the timer has nothing to compute with.
func TestUnderTheBrokersRulesALoneMemberGetsItsTasksWithItsSecondHeartbeat(t *testing.T) {
	bothRules(t, func(t *testing.T, r rules.Rules) {
		g := newStreamsRig(t, r, withDelay)
		g.join("A")
		fired := g.advance(3000)
		require.Len(t, fired, 1)
		assert.Equal(t, by(r, "21A 20", ""), short(fired[0].Records))
		g.advance(2000)
		assert.Equal(t, "2 [0 1 2 3]", given(g.next("A")))
	})
}

func TestAGroupThatEmptiesWaitsAgain(t *testing.T) {
	bothRules(t, func(t *testing.T, r rules.Rules) {
		g := newStreamsRig(t, r, withDelay)
		g.join("A")
		g.beat("A", at(protocol.EpochLeaving))
		fired := g.advance(3000)
		require.Len(t, fired, 1)
		assert.Empty(t, fired[0].Records, "nobody is there")
		assert.Contains(t, given(g.join("B")), "ASSIGNMENT_DELAYED")
		assert.Equal(t, g.now.Add(3000), g.group().Streams.InitialRebalanceDeadline)
	})
}

func TestADeletedGroupWaitsForNobody(t *testing.T) {
	g := newStreamsRig(t, rules.Kafka(), withDelay)
	g.join("A")
	g.beat("A", at(protocol.EpochLeaving))
	g.c.DeleteGroup(g.now, "g")
	_, running := g.c.NextDeadline()
	assert.False(t, running)
}

func TestWithinTheIntervalAMemberIsStableWithoutAnything(t *testing.T) {
	bothRules(t, func(t *testing.T, r rules.Rules) {
		g := newStreamsRig(t, r, func(c *coordinator.Config) { c.Streams.AssignmentInterval = 1000 })
		g.join("A")
		assert.Equal(t, by(r, "1 [] ASSIGNMENT_DELAYED", "2 [] ASSIGNMENT_DELAYED"), given(g.join("B")))
		assert.Equal(t, coordinator.Assigning, g.group().State)
		g.advance(1000)
		g.next("A")
		g.settle()
		assert.Equal(t, "[2 3]", held(g.member("B").Assigned))
	})
}

// Soft state does not survive a failover, and nothing waits afterwards.
func TestAfterAFailoverTheNextHeartbeatComputesTheTarget(t *testing.T) {
	bothRules(t, func(t *testing.T, r rules.Rules) {
		g := newStreamsRig(t, r, withDelay)
		g.join("A", func(r *protocol.StreamsGroupHeartbeatRequest) { r.ShutdownApplication = true })
		g.next("A", reports(0, 1, 2))
		loaded, err := coordinator.Load(g.cfg, g.c.Log(), g.topics, g.now)
		require.NoError(t, err)
		g.c = loaded
		s := g.group().Streams
		assert.Zero(t, s.InitialRebalanceDeadline)
		assert.Empty(t, s.ShutdownRequestMember)
		assert.Nil(t, s.Configured)
		assert.Nil(t, g.member("A").Streams.TaskOffsets)
		assert.Equal(t, "2 [0 1 2 3]", given(g.next("A")))
	})
}
