package coordinator_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/core/coordinator"
	"groupscope/core/protocol"
	"groupscope/core/rules"
)

// oneStatic has the static member A (instance i1) with all of foo.
func oneStatic(t *testing.T, r rules.Rules) (*rig, int32) {
	t.Helper()
	g := newRig(t, r)
	g.send("A", join, instance("i1"))
	if r.TwoStepJoin {
		require.Equal(t, "1, [0 1 2]", answer(g.send("A", join, instance("i1"))), "its next heartbeat is no conflict with itself")
	}
	return g, g.group().GroupEpoch
}

func TestAStaticMemberThatComesBackFindsItsPartitions(t *testing.T) {
	bothRules(t, func(t *testing.T, r rules.Rules) {
		g, e := oneStatic(t, r)
		away := g.send("A", epoch(protocol.EpochStaticAbsent), instance("i1"))
		assert.Equal(t, "-2, none", answer(away))
		assert.Equal(t, "8A", short(away.Records))
		assert.Equal(t, "KIP-848, static membership: Static member i1 (A) is away and keeps its partitions. Its session timer goes on.", main(away.Decisions))
		assert.Equal(t, numbered(e, "%d/%d Reconciling", 0, 0), g.state())
		assert.Equal(t, "[0@0 1@0 2@0]", epochs(g.member("A").Assigned))
		assert.Equal(t, start+45_000, g.member("A").SessionDeadline)

		back := g.send("A2", join, instance("i1"))
		assert.Equal(t, numbered(e, "%d, [0 1 2]", 0), answer(back), "one request, under both rule sets")
		assert.Equal(t, "T8A T7A T5A 5A2 7A2 8A2 8A2", short(back.Records))
		assert.Equal(t, numbered(e, "%d/%d Stable", 0, 0), g.state())

		assert.Equal(t, "FENCED_INSTANCE_ID", answer(g.send("A", epoch(e), instance("i1"))), "the one it replaced")
		fired := g.advance(45 * protocol.Second)
		require.Len(t, fired, 2)
		assert.Equal(t, "session timeout: The timer of A ends, but there is no such member any more.", main(fired[0].Decisions))
		assert.Empty(t, fired[0].Records)
		assert.Equal(t, "A2", fired[1].Member)
	})
}

// A is to give foo-2 up and goes away instead: it cannot hold B up meanwhile.
func TestAStaticMemberThatGoesAwayReleasesWhatItWasToGiveUp(t *testing.T) {
	bothRules(t, func(t *testing.T, r rules.Rules) {
		g, e := oneStatic(t, r)
		g.send("B", join)
		g.send("B", epoch(g.member("B").MemberEpoch), owns(), full)
		require.Equal(t, numbered(e, "%d, [0 1]", 0), answer(g.send("A", epoch(e), instance("i1"))))
		require.Equal(t, "[2]", held(g.member("A").PendingRevocation))

		g.send("A", epoch(protocol.EpochStaticAbsent), instance("i1"))
		assert.Empty(t, g.member("A").PendingRevocation)
		assert.Equal(t, numbered(e, "%d, [2]", 1), answer(g.send("B", epoch(e+1))))
	})
}

func TestAStaticMemberThatStaysAwayIsRemovedAfterItsSession(t *testing.T) {
	bothRules(t, func(t *testing.T, r rules.Rules) {
		g, e := oneStatic(t, r)
		g.advance(40 * protocol.Second)
		g.send("A", epoch(protocol.EpochStaticAbsent), instance("i1"))
		fired := g.advance(5 * protocol.Second)
		require.Len(t, fired, 1)
		assert.Equal(t, "T8A T7A T5A 3 6", short(fired[0].Records))
		assert.Equal(t, numbered(e, "%d/%d Empty", 1, 1), g.state())
	})
}

func TestAStaticMemberThatIsFencedRejoinsOnlyWhereItWasRemoved(t *testing.T) {
	bothRules(t, func(t *testing.T, r rules.Rules) {
		g, e := oneStatic(t, r)
		require.Equal(t, "FENCED_MEMBER_EPOCH", answer(g.send("A", epoch(e+5), instance("i1"))))
		want := "UNRELEASED_INSTANCE_ID"
		if r.RemoveFencedMember {
			want = "0, []"
		}
		assert.Equal(t, want, answer(g.send("A", join, instance("i1"))))
	})
}

func TestAnotherMemberMayNotTakeAnInstanceInItsFirstStep(t *testing.T) {
	g := newRig(t, rules.Kip())
	g.send("A", join, instance("i1"))
	assert.Equal(t, "UNRELEASED_INSTANCE_ID", answer(g.send("B", join, instance("i1"))))
}

func TestADynamicMemberMayTakeAnInstanceIdWhenItRejoins(t *testing.T) {
	bothRules(t, func(t *testing.T, r rules.Rules) {
		g, e := settleTwo(t, r)
		assert.Equal(t, numbered(e, "%d, [0 1]", 0), answer(g.send("A", join, instance("i1"))))
		assert.Equal(t, "i1", g.member("A").InstanceID)
		assert.Equal(t, e, g.group().GroupEpoch)
	})
}

func TestALeavingStaticMemberGivesItsInstanceFree(t *testing.T) {
	bothRules(t, func(t *testing.T, r rules.Rules) {
		g, _ := oneStatic(t, r)
		require.Equal(t, "FENCED_INSTANCE_ID", answer(g.send("X", epoch(protocol.EpochLeaving), instance("i1"))))
		g.send("A", epoch(protocol.EpochLeaving), instance("i1"))
		result := g.send("B", join, instance("i1"))
		assert.Equal(t, protocol.None, result.Response.Error)
		assert.Len(t, g.group().Members, 1)
		assert.NotEqual(t, coordinator.Empty, g.group().State)
	})
}
