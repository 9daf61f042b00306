package coordinator_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/core/coordinator"
	"groupscope/core/protocol"
	"groupscope/core/rules"
)

// Line 6 of KIP-1071's heartbeat handling: the reconciliation, and what makes
// a target.

func TestLine6ATaskIsGivenUpBeforeItIsHandedOn(t *testing.T) {
	bothRules(t, func(t *testing.T, r rules.Rules) {
		g := newStreamsRig(t, r)
		g.join("A")
		joined := g.join("B")
		first := by[int32](r, 1, 2)
		assert.Equal(t, by(r, "2 []", "3 []"), given(joined))
		assert.Equal(t, "19B 17 21A 21B 20 22B", short(joined.Records))
		assert.Equal(t, "[2 3]", numbers(g.member("B").Waiting))
		assert.Empty(t, g.member("B").Free)

		asked := g.beat("A", at(first))
		assert.Equal(t, by(r, "1 [0 1]", "2 [0 1]"), given(asked), "at its old epoch")
		assert.Equal(t, "[2 3]", held(g.member("A").PendingRevocation))
		assert.Equal(t, g.now.Add(300_000), g.member("A").RebalanceDeadline)
		assert.Equal(t, by(r, "1", "2"), given(g.beat("A", at(first))), "it does not say what it owns")
		assert.Equal(t, by(r, "1", "2"), given(g.beat("A", at(first), runs(0, 1, 2))), "it still owns 2")
		assert.Equal(t, by(r, "2", "3"), given(g.beat("A", at(first), runs(0, 1))))
		assert.Zero(t, g.member("A").RebalanceDeadline)
		assert.Equal(t, "[2 3]", numbers(g.member("B").Free))
		assert.Equal(t, by(r, "2 [2 3]", "3 [2 3]"), given(g.next("B")))
		assert.Equal(t, coordinator.Stable, g.group().State)
	})
}

func TestAMemberThatDoesNotGiveUpItsTasksInTimeIsRemoved(t *testing.T) {
	bothRules(t, func(t *testing.T, r rules.Rules) {
		g := newStreamsRig(t, r)
		g.join("A", func(r *protocol.StreamsGroupHeartbeatRequest) { r.RebalanceTimeoutMs = 10_000 })
		g.join("B")
		g.next("A", at(g.member("A").MemberEpoch))
		fired := g.advance(10_000)
		require.Len(t, fired, 1)
		assert.Equal(t, coordinator.RebalanceTimer, fired[0].Timer)
		assert.Equal(t, "T22A T21A T19A 17", short(fired[0].Records))
		g.next("B")
		assert.Equal(t, "[0 1 2 3]", held(g.member("B").Assigned))
	})
}

func TestASilentMemberIsRemoved(t *testing.T) {
	bothRules(t, func(t *testing.T, r rules.Rules) {
		g := newStreamsRig(t, r)
		g.join("A")
		g.advance(44_999)
		g.next("A")
		fired := g.advance(45_000)
		require.Len(t, fired, 1)
		assert.Equal(t, coordinator.SessionTimer, fired[0].Timer)
		assert.Equal(t, "T22A T21A T19A 17 20", short(fired[0].Records), "the group is empty now")
		assert.Equal(t, coordinator.Empty, g.group().State)
		assert.Equal(t, g.group().GroupEpoch, g.group().AssignmentEpoch)
	})
}

// A is told to give up one task after the other.
func TestAMemberThatMustRevokeAgainStepsItsEpochUnderTheBrokersRules(t *testing.T) {
	bothRules(t, func(t *testing.T, r rules.Rules) {
		g := newStreamsRig(t, r)
		g.join("A")
		g.join("B")
		g.next("A")
		e := g.member("A").MemberEpoch
		g.join("C")
		g.join("D") // one task is left for each
		again := g.beat("A", at(e), runs(0, 1))
		want := by(r, e, e+1)
		require.Equal(t, want, again.Response.MemberEpoch)
		assert.Len(t, g.member("A").PendingRevocation, 1)
		assert.Equal(t, by(r, false, true), hasText(again, "was never a target"))
		g.settle()
		assert.Equal(t, coordinator.Stable, g.group().State)
	})
}

func hasText(r coordinator.StreamsResult, says string) bool {
	for _, d := range r.Decisions {
		if strings.Contains(d.Text, says) {
			return true
		}
	}
	return false
}

// A process runs a task once: B, in the process of A, cannot have the standby
// of a task that A runs.
func TestLine6MembersOfOneProcessShareNoTask(t *testing.T) {
	bothRules(t, func(t *testing.T, r rules.Rules) {
		g := newStreamsRig(t, r, func(c *coordinator.Config) { c.Streams.StandbyReplicas = 1 }).stateful()
		g.join("A", inProcess("p"))
		g.join("B", inProcess("p"))
		g.settle()
		assert.Empty(t, g.member("A").Streams.Standby)
		assert.Empty(t, g.member("B").Streams.Standby, "there is no other process")
		assert.Len(t, g.member("A").Assigned, 2, "within a process a task moves at once")
	})
}

func TestTheLastMemberLeavesTheGroupEmpty(t *testing.T) {
	bothRules(t, func(t *testing.T, r rules.Rules) {
		g := newStreamsRig(t, r)
		g.join("A")
		left := g.beat("A", at(protocol.EpochLeaving))
		assert.Equal(t, "-1", given(left))
		assert.NotNil(t, left.Response.Status)
		assert.Equal(t, "T22A T21A T19A 17 20", short(left.Records))
		assert.Equal(t, coordinator.Empty, g.group().State)
		_, running := g.c.NextDeadline()
		assert.False(t, running)

		assert.Equal(t, "T20 T17 T23", short(g.c.DeleteGroup(g.now, "g").Records))
		assert.Equal(t, coordinator.NoGroup, g.c.TypeOf("g"))
	})
}

func TestAGroupWithMembersIsNotDeleted(t *testing.T) {
	g := newStreamsRig(t, rules.Kafka())
	g.join("A")
	assert.Equal(t, protocol.NonEmptyGroup, g.c.DeleteGroup(g.now, "g").Error)
	assert.Empty(t, g.c.Cleanup(g.now).Records)
	g.beat("A", at(protocol.EpochLeaving))
	assert.Equal(t, "T20 T17 T23", short(g.c.Cleanup(g.now).Records))
}

func TestOnlyAJoinOfSomebodyNewCountsAgainstTheSizeLimit(t *testing.T) {
	bothRules(t, func(t *testing.T, r rules.Rules) {
		g := newStreamsRig(t, r, func(c *coordinator.Config) { c.Streams.MaxSize = 1 })
		g.join("A", ofInstance("i"))
		assert.Equal(t, "GROUP_MAX_SIZE_REACHED", given(g.join("B")))
		assert.Equal(t, "UNKNOWN_MEMBER_ID", given(g.beat("B", at(1))))
		assert.Equal(t, "UNRELEASED_INSTANCE_ID", given(g.join("B", ofInstance("i"))), "a known instance")
		assert.Equal(t, protocol.None, g.join("A").Response.Error, "a known member")
	})
}

func TestAnEmptiedGroupKeepsItsTopology(t *testing.T) {
	bothRules(t, func(t *testing.T, r rules.Rules) {
		g := newStreamsRig(t, r)
		g.join("A")
		g.beat("A", at(protocol.EpochLeaving))
		other := topologyOf(0, protocol.Subtopology{ID: "0", SourceTopics: []string{"in"}, RepartitionSinkTopics: []string{"x"}})
		assert.Equal(t, r.TopologyConflict.String(), given(g.join("B", withTopology(other))))
		assert.Equal(t, protocol.None, g.join("B").Response.Error)
	})
}
