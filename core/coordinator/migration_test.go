package coordinator_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/core/coordinator"
	"groupscope/core/protocol"
)

func policy(name string) func(*coordinator.Config) {
	return func(cfg *coordinator.Config) { cfg.MigrationPolicy = name }
}

// upgraded is a classic group of two that consumer C has joined.
func upgraded(t *testing.T, change ...func(*coordinator.Config)) *classicRig {
	t.Helper()
	g := twoClassic(t, change...)
	joined := g.send("C", join)
	require.Equal(t, "T2 5classic-1 5classic-2 3 7classic-2 7classic-1 6 8classic-2 8classic-1 5C 3 7C 7classic-1 6 8C", short(joined.Records))
	return g
}

func TestAConsumerThatJoinsMakesAConsumerGroupOfAClassicOne(t *testing.T) {
	g := upgraded(t)
	assert.Equal(t, "2/2 Reconciling", g.state(), "the generation is the group epoch, and C bumps it")
	assert.Equal(t, "C@2[] waits[1], classic-1@1[0 1], classic-2@1[2]", g.members())
	assert.Equal(t, "T2: C[1] classic-1[0] classic-2[2]", g.target())
	assert.True(t, g.member("classic-1").Classic)
	assert.False(t, g.member("C").Classic)
	assert.Equal(t, g.now.Add(30*protocol.Second), g.member("classic-1").SessionDeadline, "its own session timeout")
	g.reload()
	assert.Equal(t, "C@2[] waits[1], classic-1@1[0 1], classic-2@1[2]", g.members())
}

func TestAPolicyAgainstItKeepsTheGroupClassic(t *testing.T) {
	for _, name := range []string{"disabled", "downgrade"} {
		g := twoClassic(t, policy(name))
		refused := g.send("C", join)
		assert.Equal(t, "GROUP_ID_NOT_FOUND", answer(refused), name)
		assert.Equal(t, "group.consumer.migration.policy: Group g is a classic group with members, and group.consumer.migration.policy does not let it become a consumer group.", main(refused.Decisions))
		assert.Equal(t, "Stable 1: classic-1 classic-2", g.classicState())
	}
}

func TestAGroupThatCannotBeReadStaysClassic(t *testing.T) {
	broken := func(r *protocol.JoinGroupRequest) { r.Protocols[0].Metadata = []byte{0, 3, 0} }
	notConsumers := func(r *protocol.JoinGroupRequest) { r.ProtocolType = "connect" }
	for name, test := range map[string]struct {
		change classicJoin
		want   string
	}{
		"broken":        {broken, "the subscription of classic-1 cannot be read"},
		"not consumers": {notConsumers, "its members are not consumers"},
	} {
		t.Run(name, func(t *testing.T) {
			g := newClassicRig(t)
			g.joins("A", "", test.change)
			g.passes(3 * protocol.Second)
			refused := g.send("C", join)
			assert.Equal(t, "GROUP_ID_NOT_FOUND", answer(refused))
			assert.Contains(t, main(refused.Decisions), test.want)
			assert.NotNil(t, g.group().Classic)
		})
	}
}

func TestDataOfAnAssignorsOwnWouldBeLost(t *testing.T) {
	g := newClassicRig(t)
	g.joins("A", "")
	g.passes(3 * protocol.Second)
	own := protocol.EncodeAssignment(protocol.ClassicAssignment{Version: 3, UserData: []byte{1}})
	g.c.ClassicSync(g.now, protocol.SyncGroupRequest{GroupID: "g", MemberID: "classic-1", GenerationID: 1,
		Assignments: []protocol.SyncGroupAssignment{{MemberID: "classic-1", Assignment: own}}})
	assert.Equal(t, "GROUP_ID_NOT_FOUND", answer(g.send("C", join)))
}

func TestWhoWaitsWhileTheGroupIsUpgradedJoinsAgain(t *testing.T) {
	g := newClassicRig(t)
	g.joins("A", "")
	g.joins("B", "")
	g.passes(6 * protocol.Second)
	g.syncs("classic-2", 1, nil)
	upgrade := g.send("C", join)
	g.completeAll(upgrade.Completed)
	assert.Equal(t, "REBALANCE_IN_PROGRESS", g.answers["classic-2"])
	assert.Equal(t, "2, [2]", answer(upgrade), "nobody had anything yet, so it has its part at once")

	full := newClassicRig(t, func(cfg *coordinator.Config) { cfg.MaxSize = 2 })
	full.joins("A", "")
	full.joins("B", "")
	full.passes(6 * protocol.Second)
	full.syncs("classic-2", 1, nil)
	refused := full.send("C", join)
	full.completeAll(refused.Completed)
	assert.Equal(t, "GROUP_MAX_SIZE_REACHED", answer(refused), "two fit, a third does not")
	assert.Equal(t, "REBALANCE_IN_PROGRESS", full.answers["classic-2"], "answered, though nothing came of it")
	assert.Equal(t, "CompletingRebalance 1: classic-1 classic-2", full.classicState())

	young := newClassicRig(t)
	young.joins("A", "")
	failed := young.send("C", join)
	young.completeAll(failed.Completed)
	assert.Equal(t, "REBALANCE_IN_PROGRESS", young.answers["A"])
	assert.Equal(t, "UNKNOWN_SERVER_ERROR", answer(failed), "a fault of the broker: there is no generation to take over")
	assert.NotNil(t, young.group().Classic)
}

func TestAnEmptyGroupOfTheOtherProtocolGivesWay(t *testing.T) {
	g := newClassicRig(t)
	g.send("C", join)
	g.send("C", epoch(protocol.EpochLeaving))
	classic := g.joins("A", "")
	assert.Equal(t, "T6 T4 T3 2", short(classic.Records))
	assert.Equal(t, "PreparingRebalance 0: classic-1", g.classicState())
	g.leaves(protocol.LeavingMember{MemberID: "classic-1"})
	g.passes(3 * protocol.Second)
	assert.Equal(t, "Empty 1:", g.classicState())

	assert.Equal(t, "GROUP_ID_NOT_FOUND", answer(g.send("C", epoch(2))), "only a join makes it one")
	g.epoch = 0
	consumer := g.send("C", join)
	assert.Equal(t, "T2 5C 3 7C 6 8C", short(consumer.Records))
	assert.Equal(t, "2/2 Stable", g.state())
}

// settled brings the mixed group to rest: classic-1 gives foo-1 up.
func settledMix(t *testing.T, change ...func(*coordinator.Config)) *classicRig {
	t.Helper()
	g := upgraded(t, change...)
	require.Equal(t, "REBALANCE_IN_PROGRESS", g.beats("classic-1", 1))
	g.joins("A", "classic-1", owned(1, 0, 1))
	require.Equal(t, "generation 1 of classic-1", g.answers["A"], "it must revoke first, so it stays")
	g.syncs("classic-1", 1, nil)
	require.Equal(t, "[{foo [0]}]", g.answers["classic-1"])
	require.Equal(t, "REBALANCE_IN_PROGRESS", g.beats("classic-1", 1), "and has to join again when it has")
	g.joins("A", "classic-1", owned(1, 0))
	require.Equal(t, "generation 2 of classic-1", g.answers["A"])
	g.syncs("classic-1", 2, nil)
	g.joins("B", "classic-2", owned(1, 2))
	g.syncs("classic-2", 2, nil)
	require.Equal(t, "2, [1]", answer(g.send("C", epoch(2))))
	require.Equal(t, "C@2[1], classic-1@2[0], classic-2@2[2]", g.members())
	require.Equal(t, "2/2 Stable", g.state())
	return g
}

// owned says in a join what the member owns of foo.
func owned(generation int32, numbers ...int32) classicJoin {
	return says(protocol.ClassicSubscription{
		Topics: []string{"foo"}, GenerationID: generation, Owned: []protocol.NamedPartitions{{Topic: "foo", Partitions: numbers}},
	})
}

func TestAClassicMemberIsReconciledByItsJoins(t *testing.T) {
	g := settledMix(t)
	assert.Equal(t, "NONE", g.beats("classic-1", 2))
	assert.Equal(t, "ILLEGAL_GENERATION", g.beats("classic-1", 1))
	assert.Equal(t, "UNKNOWN_MEMBER_ID", g.beats("C", 2), "C does not use the classic protocol")
	g.syncs("classic-1", 1, nil)
	assert.Equal(t, "ILLEGAL_GENERATION", g.answers["classic-1"])
	assert.Equal(t, protocol.IllegalGeneration, g.commit("classic-1", 3, 0).Error, "not STALE_MEMBER_EPOCH")
	assert.Equal(t, protocol.None, g.commit("classic-1", 1, 0).Error, "it has had foo-0 since generation 1")
}

func TestAClassicMemberThatWaitsForOthersIsToldWhenTheyHaveReleased(t *testing.T) {
	g := settledMix(t)
	g.send("C", epoch(2), subscribes("bar"))
	require.Equal(t, "3/3 Reconciling", g.state())
	require.Equal(t, "REBALANCE_IN_PROGRESS", g.beats("classic-1", 2))
	g.joins("A", "classic-1", owned(2, 0))
	g.joins("B", "classic-2", owned(2, 2))
	waiter := "classic-1"
	if len(g.member(waiter).Waiting) == 0 {
		waiter = "classic-2"
	}
	require.Equal(t, "[1]", numbers(g.member(waiter).Waiting))
	assert.Equal(t, "NONE", g.beats(waiter, 3), "C still has it")
	g.send("C", epoch(2), owns())
	assert.Equal(t, "REBALANCE_IN_PROGRESS", g.beats(waiter, 3))
}

func TestAClassicMemberMayJoinAConsumerGroup(t *testing.T) {
	g := newClassicRig(t)
	g.send("C", join)
	g.joins("A", "")
	assert.Equal(t, "generation 3 of classic-1", g.answers["A"], "answered at once")
	assert.Equal(t, "C@2[0 1 2], classic-1@3[] waits[2]", g.members())
	g.syncs("classic-1", 3, nil)
	assert.Equal(t, "[]", g.answers["classic-1"])

	g.joins("X", "", supports("roundrobin"))
	assert.Equal(t, "INCONSISTENT_GROUP_PROTOCOL", g.answers["X"], "classic members must have an assignor in common")
	g.joins("X", "", func(r *protocol.JoinGroupRequest) { r.RequireKnownMemberID = true })
	assert.Equal(t, "MEMBER_ID_REQUIRED", g.answers["X"])
	g.joins("X", "", func(r *protocol.JoinGroupRequest) { r.Protocols[0].Metadata = []byte{0} })
	assert.Equal(t, "INVALID_REQUEST", g.answers["X"])
}

func TestThePolicyDisabledKeepsClassicMembersOut(t *testing.T) {
	for name, want := range map[string]string{
		"disabled": "INCONSISTENT_GROUP_PROTOCOL", "upgrade": "generation 3 of classic-1", "downgrade": "generation 3 of classic-1",
	} {
		g := newClassicRig(t, policy(name))
		g.send("C", join)
		g.joins("A", "")
		assert.Equal(t, want, g.answers["A"], name)
	}
}

func TestAClassicMemberMustJoinAndSyncWithinItsRebalanceTimeout(t *testing.T) {
	g := settledMix(t)
	g.send("D", join)
	require.Equal(t, "REBALANCE_IN_PROGRESS", g.beats("classic-1", 2))
	for range 3 {
		g.passes(20*protocol.Second - 1)
		g.send("C", epoch(2), owns(1))
		g.send("D", epoch(3))
		require.Equal(t, "REBALANCE_IN_PROGRESS", g.beats("classic-1", 2), "the timer is not started anew")
		g.beats("classic-2", 2)
	}
	fired := g.passes(3)
	require.Len(t, fired, 1, "classic-2 was told 20 s later")
	assert.Equal(t, coordinator.JoinTimer, fired[0].Timer)
	assert.Contains(t, main(fired[0].Decisions), "join timeout: classic-1 did not join again within 1m and is removed.")
	assert.Equal(t, "T8classic-1 T7classic-1 T5classic-1 3", short(fired[0].Records))

	late := newClassicRig(t)
	late.send("C", join)
	late.joins("A", "", func(r *protocol.JoinGroupRequest) { r.RebalanceTimeoutMs = 10_000 })
	fired = late.passes(10 * protocol.Second)
	require.Len(t, fired, 1)
	assert.Equal(t, coordinator.SyncTimer, fired[0].Timer)
	assert.Contains(t, main(fired[0].Decisions), "classic-1 did not ask for its assignment within 10s")
}

func TestAGroupWithOnlyClassicMembersLeftIsAClassicGroup(t *testing.T) {
	g := settledMix(t)
	left := g.send("C", epoch(protocol.EpochLeaving))
	assert.Equal(t, "T8classic-2 T8C T8classic-1 T7classic-2 T7C T7classic-1 T6 T5classic-2 T5C T5classic-1 T4 T3 2", short(left.Records))
	assert.Equal(t, "PreparingRebalance 2: classic-1 classic-2", g.classicState(), "everybody has to join again")
	g.joins("A", "classic-1")
	g.joins("B", "classic-2")
	assert.Equal(t, "generation 3 of classic-2, leads classic-1 classic-2", g.answers["B"])
	g.reload()
	assert.Equal(t, "Stable 2: classic-1 classic-2", g.classicState(), "as the log has it")
	g.syncs("classic-1", 2, nil)
	assert.Equal(t, "[{foo [0]}]", g.answers["classic-1"], "it keeps what its target gave it")
}

func TestAPolicyAgainstItKeepsTheGroupAConsumerGroup(t *testing.T) {
	g := settledMix(t, policy("upgrade"))
	assert.Equal(t, "T8C T7C T5C 3", short(g.send("C", epoch(protocol.EpochLeaving)).Records))
	assert.Nil(t, g.group().Classic)

	small := settledMix(t, func(cfg *coordinator.Config) { cfg.ClassicMaxSize = 2 })
	small.send("C", epoch(protocol.EpochLeaving))
	assert.NotNil(t, small.group().Classic, "two fit")
}

func TestTheSessionOfTheLastConsumerEndsInAClassicGroup(t *testing.T) {
	g := settledMix(t)
	g.passes(20 * protocol.Second)
	g.beats("classic-1", 2)
	g.beats("classic-2", 2)
	g.passes(20 * protocol.Second)
	g.beats("classic-1", 2)
	g.beats("classic-2", 2)
	fired := g.passes(5 * protocol.Second)
	require.Len(t, fired, 1)
	assert.Equal(t, "C", fired[0].Member)
	assert.NotNil(t, g.group().Classic)
	for _, e := range g.passes(25 * protocol.Second) {
		if e.Timer == coordinator.SessionTimer {
			assert.Equal(t, "session timeout: Group g has changed its protocol since the timer started. Nothing changes.", main(e.Decisions))
		}
	}
}

func TestAStaticMemberMayComeBackWithTheOtherProtocol(t *testing.T) {
	g := newClassicRig(t)
	g.send("C", join, instance("i1"))
	back := g.joins("A", "", classicInstance("i1"))
	assert.Equal(t, "T8C T7C T5C 5classic-1 7classic-1 8classic-1 5classic-1 8classic-1 T8classic-1 T7classic-1 T6 T5classic-1 T4 T3 2", short(back.Records),
		"it replaces the last consumer, so the group is classic from now on")
	assert.Equal(t, "generation 2 of classic-1", g.answers["A"])
	assert.Equal(t, "Stable 2: classic-1", g.classicState(), "nothing changed that the assignment depends on")
	g.syncs("classic-1", 2, nil)
	assert.Equal(t, "[{foo [0 1 2]}]", g.answers["classic-1"])
	g.reload()
	assert.Equal(t, "Stable 2: classic-1", g.classicState())

	again := g.send("C2", join, instance("i1"))
	assert.Equal(t, "2, [0 1 2]", answer(again), "and back: its partitions are kept, and no epoch is needed")
	assert.Equal(t, "C2@2[0 1 2]", g.members())
	assert.False(t, g.member("C2").Classic)
}

func TestAStaticMemberThatComesBackWithAnotherSubscriptionMakesEverybodyJoin(t *testing.T) {
	g := newClassicRig(t)
	g.send("C", join, instance("i1"))
	g.joins("A", "", classicInstance("i1"), says(protocol.ClassicSubscription{Topics: []string{"bar"}, GenerationID: -1}))
	assert.Equal(t, "PreparingRebalance 2: classic-1", g.classicState())
}

func TestAnOperatorRemovesAStaticMemberOfEitherProtocol(t *testing.T) {
	g := newClassicRig(t)
	i1, i2 := "i1", "i2"
	g.send("C", join, instance(i1))
	g.send("D", join, instance(i2))
	result := g.leaves(protocol.LeavingMember{GroupInstanceID: &i1}, protocol.LeavingMember{MemberID: "X", GroupInstanceID: &i2})
	assert.Equal(t, []protocol.LeftMember{
		{GroupInstanceID: &i1}, {MemberID: "X", GroupInstanceID: &i2, Error: protocol.FencedInstanceID},
	}, result.Leave.Members)
	assert.Equal(t, "T8C T7C T5C 3", short(result.Records))
	both := g.leaves(protocol.LeavingMember{GroupInstanceID: &i2}, protocol.LeavingMember{MemberID: "Y"})
	assert.Equal(t, "T8D T7D T5D 3 6", short(both.Records))
	assert.Equal(t, "5/5 Empty", g.state())
}

func TestAnAssignmentThatCannotBeIsNoReasonToFall(t *testing.T) {
	for name, test := range map[string]struct {
		assigned map[string][]int32
		want     string
	}{
		"a partition for two":          {map[string][]int32{"classic-1": {0, 1}, "classic-2": {1, 2}}, "UNKNOWN_SERVER_ERROR"},
		"partitions that do not exist": {map[string][]int32{"classic-1": {-1, 0, 1 << 30}, "classic-2": {1, 2}}, "2, []"},
	} {
		t.Run(name, func(t *testing.T) {
			g := newClassicRig(t)
			g.joins("A", "")
			g.joins("B", "")
			g.passes(6 * protocol.Second)
			g.syncs("classic-1", 1, test.assigned)
			assert.Equal(t, test.want, answer(g.send("C", join)))
		})
	}
}
