package coordinator_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/core/assignor"
	"groupscope/core/coordinator"
	"groupscope/core/protocol"
	"groupscope/core/rules"
)

func TestAJoinWithoutTopicsBumpsUnderTheKIPOnly(t *testing.T) {
	nothing := subscribes()
	kip := newRig(t, rules.Kip())
	assert.Equal(t, "5A 3 7A 6 8A", short(kip.send("A", join, nothing).Records))

	kafka := newRig(t, rules.Kafka())
	result := kafka.send("A", join, nothing)
	assert.Equal(t, "1, []", answer(result))
	assert.Equal(t, "5A 8A", short(result.Records))
	assert.Equal(t, "1/1 Stable", kafka.state())
}

func TestASubscriptionThatOnlyChangesItsOrderBumpsNothing(t *testing.T) {
	bothRules(t, func(t *testing.T, r rules.Rules) {
		g, e := settleTwo(t, r)
		g.setTopics(topic("foo", 3), topic("bar", 1))
		g.send("A", epoch(e), subscribes("foo", "bar"))
		before := g.group().GroupEpoch
		require.Equal(t, e+1, before)
		g.send("A", epoch(e), subscribes("bar", "foo", "bar"))
		assert.Equal(t, before, g.group().GroupEpoch)
	})
}

func TestANewDescriptionAloneBumpsNothing(t *testing.T) {
	bothRules(t, func(t *testing.T, r rules.Rules) {
		g, e := settleTwo(t, r)
		result := g.send("A", epoch(e), rack("r1"), rebalanceTimeout(1000))
		assert.Equal(t, "5A", short(result.Records))
		assert.Equal(t, e, g.group().GroupEpoch)
		assert.Equal(t, "r1", g.member("A").RackID)
		assert.Equal(t, protocol.Duration(1000), g.member("A").RebalanceTimeout)
	})
}

func TestAChangedTopicBumpsAtTheNextHeartbeat(t *testing.T) {
	bothRules(t, func(t *testing.T, r rules.Rules) {
		g, e := settleTwo(t, r)
		g.setTopics(topic("foo", 4))
		assert.Equal(t, e, g.group().GroupEpoch, "not before")
		result := g.send("B", epoch(e))
		assert.Equal(t, numbered(e, "%d, [2 3]", 1), answer(result))
		assert.Equal(t, "3 7B 6 8B", short(result.Records))
		assert.Equal(t, numbered(e, "The partitions or racks of its topics changed. The group epoch goes from %d to %d.", 0, 1), result.Decisions[0].Text)
	})
}

func TestATopicNobodySubscribesToChangesNothing(t *testing.T) {
	bothRules(t, func(t *testing.T, r rules.Rules) {
		g, e := settleTwo(t, r)
		g.setTopics(topic("foo", 3), topic("other", 9))
		assert.Empty(t, g.send("A", epoch(e)).Records)
	})
}

func TestAChangedRackOfAReplicaBumps(t *testing.T) {
	bothRules(t, func(t *testing.T, r rules.Rules) {
		g, e := settleTwo(t, r)
		foo := topic("foo", 3)
		foo.Racks = [][]string{{"a"}, {"b"}, {"c", "a"}}
		g.setTopics(foo)
		assert.Equal(t, "3 6 8A", short(g.send("A", epoch(e)).Records), "the target is computed anew and stays the same")
		foo.Racks = [][]string{{"a"}, {"b"}, {"a", "c"}}
		g.setTopics(foo)
		assert.Empty(t, g.send("A", epoch(e+1)).Records, "the order of racks does not count")
	})
}

func TestADeletedTopicLeavesTheTargetAndIsRevoked(t *testing.T) {
	bothRules(t, func(t *testing.T, r rules.Rules) {
		g, e := settleTwo(t, r)
		g.setTopics()
		result := g.send("A", epoch(e))
		assert.Equal(t, numbered(e, "%d, []", 0), answer(result))
		assert.Equal(t, "3 7A 7B 6 8A", short(result.Records))
		assert.Equal(t, "[0 1]", held(g.member("A").PendingRevocation))
		assert.Zero(t, g.group().MetadataHash, "no subscribed topic is known")
		assert.Equal(t, numbered(e, "%d, none", 1), answer(g.send("A", epoch(e), owns())))
	})
}

func TestATopicMadeAnewIsAnotherTopic(t *testing.T) {
	bothRules(t, func(t *testing.T, r rules.Rules) {
		g, e := settleTwo(t, r)
		g.setTopics(protocol.Topic{ID: "foo#2", Name: "foo", Partitions: 3})
		result := g.send("B", epoch(e), owns(2))
		assert.Equal(t, numbered(e, "%d, []", 0), answer(result), "the old partition must be revoked")
		result = g.send("B", epoch(e), owns())
		require.Equal(t, protocol.None, result.Response.Error)
		for _, tp := range result.Response.Assignment {
			assert.Equal(t, protocol.TopicID("foo#2"), tp.Topic)
		}
		assert.NotEmpty(t, result.Response.Assignment)
	})
}

func TestAVoteThatChangesTheAssignorBumps(t *testing.T) {
	bothRules(t, func(t *testing.T, r rules.Rules) {
		g, e := settleTwo(t, r)
		result := g.send("A", epoch(e), votes("range"))
		assert.Equal(t, "5A 3 6 8A", short(result.Records), "range gives the same here")
		assert.Equal(t, numbered(e, "The group's assignor is now range instead of uniform. The group epoch goes from %d to %d.", 0, 1), result.Decisions[1].Text)
		assert.Equal(t, "range", g.group().PreferredAssignor)
	})
}

// One vote each: the broker's two counts order the tie differently.
func TestATieOfOneVoteEachBumpsForEverUnderTheBroker(t *testing.T) {
	bothRules(t, func(t *testing.T, r rules.Rules) {
		g, e := settleTwo(t, r)
		g.send("B", epoch(e), votes("uniform"))
		g.send("A", epoch(e), votes("range"))
		bumps := func() bool {
			before := g.group().GroupEpoch
			g.send("A", epoch(g.member("A").MemberEpoch), owns(0, 1))
			return g.group().GroupEpoch > before
		}
		for range 3 {
			assert.Equal(t, r.AssignorTie == rules.HashOrder, bumps())
		}
		assert.Equal(t, "uniform", g.group().PreferredAssignor)
	})
}

func TestATieGoesToTheFirstConfiguredAssignorUnderTheKIP(t *testing.T) {
	g, e := settleTwo(t, rules.Kip(), func(c *coordinator.Config) { c.Assignors = []string{"range", "uniform"} })
	g.send("B", epoch(e), votes("uniform"))
	g.send("A", epoch(e), votes("range"))
	assert.Equal(t, "range", g.group().PreferredAssignor)
}

func TestAnUnsubscribedTopicIsRevokedBeforeThereIsANewTarget(t *testing.T) {
	g := newRig(t, rules.Kafka(), withInterval)
	g.setTopics(topic("foo", 2), topic("bar", 1))
	g.send("A", join, subscribes("foo", "bar"))
	result := g.send("A", epoch(2), subscribes("bar"))
	assert.Equal(t, "5A 3 8A", short(result.Records))
	assert.Equal(t, "Kafka, change of subscription: A no longer subscribes to the topics of foo-0 and foo-1. It must revoke them before it can move on.", main(result.Decisions))
	assert.Equal(t, "[0 1]", held(g.member("A").PendingRevocation))
	assert.Equal(t, start+300_000, g.member("A").RebalanceDeadline)
}

// A member without topics joins while a target is owed after a leave: the
// broker's hint to the assignor lacks it.
func TestTheHintToTheAssignorIsStaleUnderTheBrokerOnly(t *testing.T) {
	bothRules(t, func(t *testing.T, r rules.Rules) {
		r.JoinAlwaysBumps = false // else the request itself checks the hash
		g, e := settleTwo(t, r)
		g.send("B", epoch(protocol.EpochLeaving))
		require.Equal(t, coordinator.Assigning, g.group().State)
		g.send("C", join, subscribes())
		want := "[0 1 2]"
		if r.StaleSubscriptionType {
			want = "[0 1]"
		}
		assert.Equal(t, want, numbers(g.member("A").Target.Partitions()))
		assert.Equal(t, e+1, g.group().AssignmentEpoch)
	})
}

// moody is an assignor that fails when it is told to.
type moody struct{ fails *bool }

func (moody) Name() string { return "moody" }

func (a moody) Assign(spec assignor.Spec) ([]protocol.Assignment, error) {
	if *a.fails {
		return nil, errors.New("not now")
	}
	return assignor.Uniform{}.Assign(spec)
}

// The topics were looked at, but the new group epoch was lost with the rest
// of the request: the next one must not take them for looked at.
func TestAChangeOfTopicsThatCouldNotBeWrittenIsSeenAgain(t *testing.T) {
	bothRules(t, func(t *testing.T, r rules.Rules) {
		fails := false
		g, e := settleTwo(t, r, func(c *coordinator.Config) {
			c.Custom = []assignor.Assignor{moody{&fails}}
			c.Assignors = []string{"moody"}
		})
		g.setTopics(topic("foo", 4))
		fails = true
		require.Equal(t, "UNKNOWN_SERVER_ERROR", answer(g.send("B", epoch(e))))
		require.Equal(t, e, g.group().GroupEpoch)
		fails = false
		assert.Equal(t, numbered(e, "%d, [2 3]", 1), answer(g.send("B", epoch(e))))
	})
}

func TestAnAssignorThatFailsWritesNothing(t *testing.T) {
	g := newRig(t, rules.Kip(), func(c *coordinator.Config) { c.Assignors = []string{"missing"} })
	result := g.send("A", join)
	assert.Equal(t, "UNKNOWN_SERVER_ERROR", answer(result))
	assert.Empty(t, g.c.Log())
	_, ok := g.c.Group("g")
	assert.False(t, ok)
}
