package coordinator_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/core/coordinator"
	"groupscope/core/protocol"
	"groupscope/core/rules"
)

// Static members, the refined assignment that the broker freezes, and the
// wish to shut an application down.

// staticAndB has static member A (instance i) with tasks 0 and 1, and B.
func staticAndB(t *testing.T, r rules.Rules, change ...func(*coordinator.Config)) *streamsRig {
	t.Helper()
	g := newStreamsRig(t, r, change...)
	g.join("A", ofInstance("i"))
	g.join("B")
	g.settle()
	return g
}

func TestAStaticMemberThatIsAwayKeepsItsTasksForItsReplacement(t *testing.T) {
	bothRules(t, func(t *testing.T, r rules.Rules) {
		g := staticAndB(t, r)
		e := g.group().GroupEpoch
		deadline := g.member("A").SessionDeadline
		g.advance(1000)
		away := g.beat("A", at(protocol.EpochStaticAbsent), ofInstance("i"))
		assert.Equal(t, "22A", short(away.Records))
		assert.Equal(t, "[0@0 1@0]", epochs(g.member("A").Assigned))
		assert.Equal(t, deadline, g.member("A").SessionDeadline)
		assert.Equal(t, coordinator.Reconciling, g.group().State)

		back := g.join("C", ofInstance("i"), inProcess("pA"))
		assert.Equal(t, "T22A T21A T19A 19C 21C 22C 22C", short(back.Records))
		assert.Equal(t, e, g.group().GroupEpoch, "it changed nothing")
		assert.Equal(t, []int32{e, e}, []int32{back.Response.MemberEpoch, g.group().AssignmentEpoch})
		assert.Equal(t, "[0@0 1@0]", epochs(g.member("C").Assigned))
		assert.Equal(t, coordinator.Stable, g.group().State)
		fired := g.advance(45_000)
		require.NotEmpty(t, fired)
		assert.Equal(t, "A", fired[0].Member)
		assert.Empty(t, fired[0].Records, "the timer of A finds nobody")
	})
}

func TestAnInstanceThatIsInUseIsNotReplaced(t *testing.T) {
	bothRules(t, func(t *testing.T, r rules.Rules) {
		g := staticAndB(t, r)
		assert.Equal(t, "UNRELEASED_INSTANCE_ID", given(g.join("C", ofInstance("i"))))
		assert.Equal(t, "UNRELEASED_INSTANCE_ID", given(g.join("A", ofInstance("i"))))
		assert.Equal(t, "FENCED_INSTANCE_ID", given(g.beat("C", at(1), ofInstance("i"))))
		assert.Equal(t, "FENCED_INSTANCE_ID", given(g.beat("C", at(protocol.EpochLeaving), ofInstance("i"))))
	})
}

// The broker gives A's frozen part to whoever names its instance, before it
// refuses him.
func TestUnderTheBrokersRulesARefusedRequestTakesTheFrozenTasks(t *testing.T) {
	bothRules(t, func(t *testing.T, r rules.Rules) {
		g := staticAndB(t, r, func(c *coordinator.Config) { c.Streams.AssignmentInterval = 0 })
		g.next("B") // a stable group's refined assignment is the target
		assert.Equal(t, "UNRELEASED_INSTANCE_ID", given(g.join("C", ofInstance("i"))))
		refined := g.member("A").Streams.Refined
		assert.Equal(t, by(r, false, true), refined != nil, "A is to have nothing now")
		g.next("B")
		assert.Nil(t, g.member("A").Streams.Refined, "the next heartbeat of a stable group heals it")
	})
}

// X names A's instance while A is on its way to a new epoch, so A settles on
// nothing. Once all are stable the broker notices.
func TestUnderTheBrokersRulesAMemberThatSettledOnLessMakesAnEpochOfItsOwn(t *testing.T) {
	g := staticAndB(t, rules.Kafka())
	g.join("D")
	g.beat("X", at(1), ofInstance("i"))
	require.NotNil(t, g.member("A").Streams.Refined)
	g.next("A") // must give everything up
	g.next("A") // has
	require.Equal(t, "[]", held(g.member("A").Assigned))
	g.next("B")
	g.next("B")
	g.next("D")
	e := g.group().GroupEpoch
	require.Equal(t, coordinator.Stable, g.group().State, g.tasks())
	healed := g.next("A")
	assert.Equal(t, "17 20 22A", short(healed.Records))
	assert.Equal(t, e+1, g.group().GroupEpoch)
	assert.Equal(t, "Kafka, refined assignment", streamsRuleOf(t, healed, "settled on less"))
	assert.Equal(t, held(g.member("A").Assigned), numbers(g.member("A").Target.Partitions()))
}

func TestUnderTheBrokersRulesAMemberThatComesBackFindsItsFrozenTasks(t *testing.T) {
	bothRules(t, func(t *testing.T, r rules.Rules) {
		g := newStreamsRig(t, r, func(c *coordinator.Config) { c.Streams.AssignmentInterval = 1000 })
		g.join("A")
		g.advance(1000)
		g.join("B")
		g.settle()
		g.advance(500) // the target is too young to be replaced
		g.beat("B", at(protocol.EpochLeaving))
		back := g.join("B")
		assert.Equal(t, by(r, "[]", "[2 3]"), numbers(back.Response.Tasks.Active.Partitions()))
	})
}

func TestWithoutWarmupReplicasNothingIsFrozen(t *testing.T) {
	g := staticAndB(t, rules.Kafka(), func(c *coordinator.Config) { c.Streams.WarmupReplicas = 0 })
	g.next("B")
	g.join("C", ofInstance("i"))
	assert.Nil(t, g.member("A").Streams.Refined)
}

func TestTheWishToShutDownReachesEverybodyUntilTheGroupIsEmpty(t *testing.T) {
	shutdown := func(r *protocol.StreamsGroupHeartbeatRequest) { r.ShutdownApplication = true }
	bothRules(t, func(t *testing.T, r rules.Rules) {
		g := twoStreams(t, r)
		assert.Equal(t, by(r, "2 SHUTDOWN_APPLICATION", "3 SHUTDOWN_APPLICATION"), given(g.next("A", shutdown)))
		assert.Equal(t, by(r, "2 SHUTDOWN_APPLICATION", "3 SHUTDOWN_APPLICATION"), given(g.next("B", shutdown)))
		assert.Equal(t, "A", g.group().Streams.ShutdownRequestMember, "the first who asked")
		g.beat("A", at(protocol.EpochLeaving))
		assert.Contains(t, given(g.next("B")), "SHUTDOWN_APPLICATION")
		g.beat("B", at(protocol.EpochLeaving))
		assert.Empty(t, g.group().Streams.ShutdownRequestMember)
		assert.NotContains(t, given(g.join("C")), "SHUTDOWN_APPLICATION")

		assert.Equal(t, "UNKNOWN_MEMBER_ID", given(g.beat("X", at(protocol.EpochLeaving), shutdown)))
		assert.Contains(t, given(g.next("C")), "SHUTDOWN_APPLICATION", "even of a leave that is refused")
	})
}

func TestWhatTheRequestThatMakesTheGroupSaysIsForgottenUnderTheBrokersRules(t *testing.T) {
	bothRules(t, func(t *testing.T, r rules.Rules) {
		g := newStreamsRig(t, r)
		first := g.join("A", reports(0, 5, 9), func(r *protocol.StreamsGroupHeartbeatRequest) { r.ShutdownApplication = true })
		assert.Contains(t, given(first), "SHUTDOWN_APPLICATION", "its own answer has it")
		assert.Equal(t, by(r, "A", ""), g.group().Streams.ShutdownRequestMember)
		assert.Len(t, g.member("A").Streams.TaskOffsets, by(r, 1, 0))
		assert.Equal(t, by(r, true, false), g.group().Streams.Configured != nil)
	})
}

func TestTaskOffsetsAreKeptUntilTheyAreReportedAnew(t *testing.T) {
	bothRules(t, func(t *testing.T, r rules.Rules) {
		g := twoStreams(t, r)
		g.next("A", reports(0, 5, 9))
		g.next("A")
		zero := protocol.Partition{Topic: "0", Number: 0}
		assert.Equal(t, []protocol.TaskOffset{{Task: zero, Offset: 5}}, g.member("A").Streams.TaskOffsets)
		assert.Equal(t, []protocol.TaskOffset{{Task: zero, Offset: 9}}, g.member("A").Streams.TaskEndOffsets)
		assert.Equal(t, "INVALID_REQUEST", given(g.next("A", reports(0, 1, 1), reports(0, 2, 2))), "one task twice")
		g.next("A", func(r *protocol.StreamsGroupHeartbeatRequest) { r.TaskOffsets = []protocol.TaskOffset{} })
		assert.Empty(t, g.member("A").Streams.TaskOffsets)
		assert.Len(t, g.member("A").Streams.TaskEndOffsets, 1)
	})
}

func TestDescribeTellsOfTopologyTasksAndOffsets(t *testing.T) {
	bothRules(t, func(t *testing.T, r rules.Rules) {
		g := newStreamsRig(t, r).stateful()
		g.join("A")
		g.next("A", reports(0, 5, 9))
		d := g.c.Describe("g", coordinator.StreamsType)
		assert.Equal(t, "Stable", d.GroupState)
		assert.Equal(t, "sticky", d.AssignorName)
		require.Len(t, d.Topology.Subtopologies, 1)
		assert.EqualValues(t, 4, d.Topology.Subtopologies[0].StateChangelogTopics[0].Partitions, "as decided")
		require.Len(t, d.Members, 1)
		assert.Equal(t, zero(0, 1, 2, 3), d.Members[0].Tasks.Active)
		assert.Equal(t, zero(0, 1, 2, 3), d.Members[0].TargetTasks.Active)
		assert.EqualValues(t, 9, d.Members[0].Streams.TaskEndOffsets[0].Offset)

		g.setTopics(topic("in", 4))
		g.next("A")
		d = g.c.Describe("g", coordinator.StreamsType)
		assert.Equal(t, "NotReady", d.GroupState)
		assert.Zero(t, d.Topology.Subtopologies[0].StateChangelogTopics[0].Partitions, "as sent")
		assert.Equal(t, protocol.GroupIDNotFound, g.c.Describe("g", coordinator.ConsumerType).Error)
	})
}
