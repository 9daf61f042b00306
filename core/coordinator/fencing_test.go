package coordinator_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/core/assignor"
	"groupscope/core/coordinator"
	"groupscope/core/protocol"
	"groupscope/core/rules"
)

// told is an assignor that gives what it is told to.
type told map[string][]int32

func (told) Name() string { return "told" }

func (a told) Assign(spec assignor.Spec) ([]protocol.Assignment, error) {
	out := make([]protocol.Assignment, len(spec.Members))
	for i, m := range spec.Members {
		out[i] = protocol.Assignment{}
		if numbers := a[m.ID]; len(numbers) > 0 {
			out[i] = protocol.Assignment{{Topic: "foo", Partitions: numbers}}
		}
	}
	return out, nil
}

func bothRules(t *testing.T, test func(t *testing.T, r rules.Rules)) {
	t.Helper()
	for _, r := range rules.All() {
		t.Run(r.Name, func(t *testing.T) { test(t, r) })
	}
}

// settleTwo has A with foo-0 and foo-1, B with foo-2, both at the same epoch.
func settleTwo(t *testing.T, r rules.Rules, change ...func(*coordinator.Config)) (*rig, int32) {
	t.Helper()
	g := newRig(t, r, change...)
	rows := map[string][]storyRow{"kip": kipStory()[:7], "kafka": kafkaStory()[:10]}[r.Name]
	for _, row := range rows {
		g.send(row.member, row.fields...)
	}
	require.Equal(t, coordinator.Stable, g.group().State)
	return g, g.group().GroupEpoch
}

func TestAnEpochAheadOfTheMembersIsFenced(t *testing.T) {
	bothRules(t, func(t *testing.T, r rules.Rules) {
		g, e := settleTwo(t, r)
		before := g.group()
		result := g.send("A", epoch(e+1))
		assert.Equal(t, "FENCED_MEMBER_EPOCH", answer(result))
		if r.RemoveFencedMember {
			assert.Equal(t, "T8A T7A T5A 3", short(result.Records))
			assert.Len(t, g.group().Members, 1)
			return
		}
		assert.Empty(t, result.Records)
		assert.Same(t, before, g.group(), "nothing changed, no timer was touched")
	})
}

func TestOnlyTheKIPRemovesAMemberAndOnlyForItsEpoch(t *testing.T) {
	bothRules(t, func(t *testing.T, r rules.Rules) {
		g, e := settleTwo(t, r)
		g.send("S", join, instance("i1"))
		if r.TwoStepJoin {
			g.send("S", join, instance("i1"))
		}
		for what, result := range map[string]coordinator.Result{
			"UNKNOWN_MEMBER_ID":      g.send("X", epoch(e)),
			"UNRELEASED_INSTANCE_ID": g.send("S2", join, instance("i1")),
			"FENCED_INSTANCE_ID":     g.send("S2", epoch(e), instance("i1")),
			"GROUP_ID_NOT_FOUND": g.send("A", epoch(e), func(q *protocol.ConsumerGroupHeartbeatRequest) {
				q.GroupID = "other"
			}),
		} {
			assert.Equal(t, what, answer(result))
			assert.Empty(t, result.Records)
		}
		assert.Len(t, g.group().Members, 3)
	})
}

func TestARejoinOfAKnownMemberKeepsItsEpochAndPartitions(t *testing.T) {
	bothRules(t, func(t *testing.T, r rules.Rules) {
		g, e := settleTwo(t, r)
		result := g.send("A", join)
		assert.Equal(t, numbered(e, "%d, [0 1]", 0), answer(result))
		assert.Empty(t, result.Records)
	})
}

// B reaches its target's epoch and waits for foo-1; the answer is lost and B
// claims foo-1 nevertheless.
func TestAfterALostResponseTheTargetOrWhatWasGrantedBoundsWhatIsOwned(t *testing.T) {
	custom := told{}
	use := func(c *coordinator.Config) {
		c.Custom = []assignor.Assignor{custom}
		c.Assignors = []string{"told", "uniform"}
	}
	bothRules(t, func(t *testing.T, r rules.Rules) {
		custom["A"], custom["B"] = []int32{0, 1}, []int32{2}
		g, e := settleTwo(t, r, use)
		custom["A"], custom["B"] = []int32{0}, []int32{1, 2}
		g.send("A", epoch(e), subscribes("foo", "bar"))
		require.Equal(t, numbered(e, "%d, none", 1), answer(g.send("B", epoch(e))))

		claimed := g.send("B", epoch(e), owns(1, 2))
		if r.LostResponseOwned == rules.WithinTarget {
			assert.Equal(t, numbered(e, "%d, none", 1), answer(claimed), "it is within the target")
			return
		}
		assert.Equal(t, "FENCED_MEMBER_EPOCH", answer(claimed), "it was not granted")
	})
}

// A moved on and the answer was lost; meanwhile a new target takes foo-1.
func TestANewTargetDuringALostResponseFencesUnderTheKIPOnly(t *testing.T) {
	custom := told{}
	use := func(c *coordinator.Config) {
		c.Custom = []assignor.Assignor{custom}
		c.Assignors = []string{"told", "uniform"}
	}
	bothRules(t, func(t *testing.T, r rules.Rules) {
		custom["A"], custom["B"] = []int32{0, 1}, []int32{2}
		g, e := settleTwo(t, r, use)
		g.send("B", epoch(e), subscribes("bar", "foo"))
		g.send("A", epoch(e))
		require.Equal(t, e, g.member("A").PreviousMemberEpoch)
		custom["A"] = []int32{0}
		g.send("B", epoch(e+1), subscribes("foo"))

		repeated := g.send("A", epoch(e), owns(0, 1))
		if r.LostResponseOwned == rules.WithinTarget {
			assert.Equal(t, "FENCED_MEMBER_EPOCH", answer(repeated))
			return
		}
		assert.Equal(t, numbered(e, "%d, [0]", 1), answer(repeated), "accepted, and told to revoke")
	})
}

func TestAFullGroupRefusesWhoIsNotInIt(t *testing.T) {
	bothRules(t, func(t *testing.T, r rules.Rules) {
		g, e := settleTwo(t, r, func(c *coordinator.Config) { c.MaxSize = 2 })
		assert.Equal(t, "GROUP_MAX_SIZE_REACHED", answer(g.send("C", join)))
		assert.Equal(t, "GROUP_MAX_SIZE_REACHED", answer(g.send("C", epoch(e))), "whatever its epoch")
		assert.Equal(t, "NONE", g.send("A", epoch(e)).Response.Error.String())
	})
}

func TestALeaveOfSomeoneUnknownIsRefused(t *testing.T) {
	bothRules(t, func(t *testing.T, r rules.Rules) {
		g := newRig(t, r)
		assert.Equal(t, "GROUP_ID_NOT_FOUND", answer(g.send("A", epoch(protocol.EpochLeaving))))
		g.send("A", join)
		assert.Equal(t, "UNKNOWN_MEMBER_ID", answer(g.send("X", epoch(protocol.EpochLeaving))))
		assert.Equal(t, "UNKNOWN_MEMBER_ID", answer(g.send("A", epoch(protocol.EpochStaticAbsent), instance("i1"))))
	})
}
