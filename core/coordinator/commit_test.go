package coordinator_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/core/coordinator"
	"groupscope/core/protocol"
	"groupscope/core/rules"
)

// A had all of foo since epoch e, and now is at e+1 with foo-0 and foo-1.
func shrunk(t *testing.T, r rules.Rules) (*rig, int32) {
	t.Helper()
	g, e := oneStatic(t, r)
	g.send("B", join)
	if r.TwoStepJoin {
		g.send("B", join)
	}
	require.Equal(t, numbered(e, "%d, [0 1]", 0), answer(g.send("A", epoch(e))))
	require.Equal(t, numbered(e, "%d, none", 1), answer(g.send("A", epoch(e), owns(0, 1))))
	require.Equal(t, numbered(e, "%d, [2]", 1), answer(g.send("B", epoch(e+1))))
	return g, e
}

func TestACommitAtTheMembersEpochIsAccepted(t *testing.T) {
	bothRules(t, func(t *testing.T, r rules.Rules) {
		g, e := shrunk(t, r)
		result := g.commit("A", e+1, 0, 1)
		assert.Equal(t, protocol.None, result.Error)
		assert.Equal(t, "1foo-0 1foo-1", short(result.Records))
		offset, committed := g.c.CommittedOffset("g", "foo", 1)
		assert.Equal(t, int64(7), offset)
		assert.True(t, committed)
		assert.Equal(t, protocol.None, g.commit("A", e+1, 2).Error, "at its epoch it may commit anything")
	})
}

func TestACommitAheadOfTheMemberIsStale(t *testing.T) {
	bothRules(t, func(t *testing.T, r rules.Rules) {
		g, e := shrunk(t, r)
		result := g.commit("A", e+2, 0)
		assert.Equal(t, protocol.StaleMemberEpoch, result.Error)
		assert.Empty(t, result.Records)
		assert.Equal(t, numbered(e, "KIP-848, offset commit: A commits at epoch %d, which lies ahead of its epoch %d.", 2, 1), main(result.Decisions))
	})
}

// KIP-848 refuses it; KIP-1251 looks at each partition.
func TestACommitAtAnOlderEpochIsJudgedByAssignmentEpochs(t *testing.T) {
	bothRules(t, func(t *testing.T, r rules.Rules) {
		g, e := shrunk(t, r)
		kept, lost, mixed := g.commit("A", e, 0, 1), g.commit("A", e, 2), g.commit("A", e, 0, 2)
		early := g.commit("A", e-1, 0)
		if r.CommitWithOlderEpoch == rules.RefusedAsStale {
			for _, result := range []coordinator.CommitResult{kept, lost, mixed, early} {
				assert.Equal(t, protocol.StaleMemberEpoch, result.Error)
			}
			return
		}
		assert.Equal(t, protocol.None, kept.Error)
		assert.Equal(t, "KIP-1251, offset commit with an older epoch: A commits at epoch 2 and is at epoch 3. What it commits for it has had since then: accepted.", main(kept.Decisions))
		assert.Equal(t, protocol.StaleMemberEpoch, lost.Error)
		assert.Equal(t, "KIP-1251, offset commit with an older epoch: A commits foo-2 at epoch 2. It is at epoch 3 and does not have the partition.", main(lost.Decisions))
		assert.Equal(t, protocol.StaleMemberEpoch, mixed.Error, "one bad partition fails the whole request")
		assert.Empty(t, mixed.Records)
		assert.Equal(t, protocol.StaleMemberEpoch, early.Error)
		assert.Equal(t, "KIP-1251, offset commit with an older epoch: A commits foo-0 at epoch 1. It has had the partition only since epoch 2.", main(early.Decisions))
	})
}

func TestWhatIsToBeRevokedMayStillBeCommitted(t *testing.T) {
	g := newRig(t, rules.Kafka())
	g.send("A", join)
	g.send("B", join)
	g.send("A", epoch(2))
	require.Equal(t, "[2]", held(g.member("A").PendingRevocation))
	g.send("C", join)
	assert.Equal(t, protocol.None, g.commit("A", 2, 2).Error)
}

// An epoch of a member that left for a while is newer than any of its own.
func TestTheOldIdOfAnAbsentStaticMemberCommitsNothing(t *testing.T) {
	g, e := oneStatic(t, rules.Kafka())
	g.send("A", epoch(protocol.EpochStaticAbsent), instance("i1"))
	assert.Equal(t, protocol.StaleMemberEpoch, g.commit("A", e, 0).Error)
}

func TestACommitFromOutsideNeedsAnEmptyGroup(t *testing.T) {
	g := newRig(t, rules.Kafka())
	g.send("A", join)
	assert.Equal(t, protocol.UnknownMemberID, g.commit("", -1, 0).Error)
	assert.Equal(t, protocol.UnknownMemberID, g.commit("X", 2, 0).Error)
	g.send("A", epoch(-1))
	assert.Equal(t, protocol.None, g.commit("", -1, 0).Error)
	assert.Equal(t, protocol.UnknownMemberID, g.commit("A", 2, 0).Error)
}

func TestACommitWithoutAGroupMakesOneThatOnlyKeepsOffsets(t *testing.T) {
	g := newRig(t, rules.Kafka())
	assert.Equal(t, protocol.GroupIDNotFound, g.commit("A", 2, 0).Error)
	require.Equal(t, protocol.None, g.commit("", -1, 0).Error)
	assert.Equal(t, coordinator.ClassicType, g.c.TypeOf("g"))
	g.reload()
	assert.Equal(t, coordinator.ClassicType, g.c.TypeOf("g"), "the offset is enough to make it")

	joined := g.send("A", join)
	assert.Equal(t, "T2 5A 3 7A 6 8A", short(joined.Records), "and it gives way to a consumer group")
	_, committed := g.c.CommittedOffset("g", "foo", 0)
	assert.True(t, committed)
}

func TestTheConsumerProtocolCommitsInVersionNine(t *testing.T) {
	g := newRig(t, rules.Kafka())
	old := protocol.OffsetCommitRequest{GroupID: "g", MemberID: "A", GenerationIDOrMemberEpoch: 2, Version: 8}
	assert.Equal(t, protocol.IllegalGeneration, g.c.CommitOffsets(g.now, old).Error, "no group")
	g.send("A", join)
	assert.Equal(t, protocol.UnsupportedVersion, g.c.CommitOffsets(g.now, old).Error)
}

func TestFetchingOffsetsNeedsTheExactEpoch(t *testing.T) {
	bothRules(t, func(t *testing.T, r rules.Rules) {
		g, e := shrunk(t, r)
		fetch := func(member string, epoch int32) protocol.ErrorCode {
			result := g.c.FetchOffsets(g.now, protocol.OffsetFetchRequest{GroupID: "g", MemberID: member, MemberEpoch: epoch})
			g.check(result.Decisions)
			return result.Error
		}
		assert.Equal(t, protocol.None, fetch("A", e+1))
		assert.Equal(t, protocol.StaleMemberEpoch, fetch("A", e))
		assert.Equal(t, protocol.StaleMemberEpoch, fetch("A", e+2))
		assert.Equal(t, protocol.UnknownMemberID, fetch("X", e+1))
		assert.Equal(t, protocol.None, fetch("", -1), "from outside")
	})
}
