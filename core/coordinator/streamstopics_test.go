package coordinator_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/core/coordinator"
	"groupscope/core/protocol"
	"groupscope/core/rules"
)

// Line 5 of KIP-1071's heartbeat handling: the topology and the topics.

func TestLine5AMissingSourceTopicTakesEveryTaskAwayUntilItIsThere(t *testing.T) {
	bothRules(t, func(t *testing.T, r rules.Rules) {
		g := newStreamsRig(t, r)
		g.join("A")
		g.settle()
		g.setTopics()
		lost := g.next("A")
		e := g.group().GroupEpoch
		assert.Equal(t, by(r, "1 [] MISSING_SOURCE_TOPICS", "2 [] MISSING_SOURCE_TOPICS"), given(lost))
		assert.Equal(t, "17 21A 20 22A", short(lost.Records))
		assert.Equal(t, "KIP-1071 heartbeat 5", streamsRuleOf(t, lost, "Source topics in are missing"))
		assert.Equal(t, coordinator.NotReady, g.group().State)
		assert.EqualValues(t, -1, g.group().Streams.ValidatedTopologyEpoch)
		assert.Equal(t, []string{"in"}, g.group().Streams.MissingTopics)
		assert.Nil(t, g.group().Streams.Tasks, "nobody knows which tasks there are")
		again := g.next("A")
		assert.Len(t, again.Response.Status, 1, "the status is repeated")

		g.setTopics(topic("in", 2))
		back := g.next("A")
		assert.Equal(t, e+1, g.group().GroupEpoch)
		assert.Empty(t, back.Response.Status)
		g.settle()
		assert.Equal(t, "[0 1]", held(g.member("A").Assigned))
	})
}

func TestLine5MissingInternalTopicsAreAskedForOnEveryHeartbeat(t *testing.T) {
	bothRules(t, func(t *testing.T, r rules.Rules) {
		g := newStreamsRig(t, r).stateful()
		g.setTopics(topic("in", 4))
		want := []protocol.CreatableTopic{{Name: "log", Partitions: 4, ReplicationFactor: -1}}
		joined := g.join("A")
		assert.Equal(t, by(r, "1 [] MISSING_INTERNAL_TOPICS", "2 [] MISSING_INTERNAL_TOPICS"), given(joined))
		assert.Equal(t, want, joined.Creatable)
		assert.Equal(t, want, g.next("A").Creatable)
		assert.Equal(t, []coordinator.SubtopologyTasks{{Subtopology: "0", Tasks: 4, Stateful: true}}, g.group().Streams.Tasks,
			"the tasks are known, but nobody gets one")
		assert.Equal(t, want, g.group().Streams.Creatable)
		assert.Equal(t, coordinator.NotReady, g.group().State)

		g.setTopics(topic("in", 4), topic("log", 4))
		g.next("A")
		g.settle()
		assert.Equal(t, "[0 1 2 3]", held(g.member("A").Assigned))
		assert.Empty(t, g.next("A").Creatable)
	})
}

func TestLine5AnInternalTopicWithTheWrongCountIsNamed(t *testing.T) {
	bothRules(t, func(t *testing.T, r rules.Rules) {
		g := newStreamsRig(t, r).stateful()
		g.setTopics(topic("in", 4), topic("log", 3))
		joined := g.join("A")
		require.Len(t, joined.Response.Status, 1)
		assert.Equal(t, protocol.IncorrectlyPartitionedTopics, joined.Response.Status[0].Code)
		assert.Equal(t, "log has 3 partitions and needs 4.", joined.Response.Status[0].Detail)
	})
}

func TestLine5TopicsThatGrowMakeMoreTasks(t *testing.T) {
	bothRules(t, func(t *testing.T, r rules.Rules) {
		g := newStreamsRig(t, r)
		g.join("A")
		g.settle()
		e := g.group().GroupEpoch
		g.setTopics(topic("in", 6), topic("elsewhere", 1))
		g.next("A")
		assert.Equal(t, e+1, g.group().GroupEpoch)
		assert.Equal(t, "[0 1 2 3 4 5]", held(g.member("A").Assigned))
		g.setTopics(topic("in", 6))
		g.next("A")
		assert.Equal(t, e+1, g.group().GroupEpoch, "a topic that the topology does not need changes nothing")
	})
}

func TestLine5OwnedTasksThatDoNotExistAreRefused(t *testing.T) {
	bothRules(t, func(t *testing.T, r rules.Rules) {
		g := newStreamsRig(t, r)
		e := g.join("A").Response.MemberEpoch
		assert.Equal(t, "INVALID_REQUEST", given(g.beat("A", at(e), runs(9))))
		assert.Equal(t, "INVALID_REQUEST", given(g.beat("A", at(e), ownsTasks(nil, []int32{-1}, nil))))
		g.setTopics()
		assert.NotEqual(t, protocol.InvalidRequest, g.beat("A", at(e), runs(9)).Response.Error,
			"while the topics are not all there, nobody can tell")
	})
}

func TestAChangedNumberOfStandbysBumpsAndOtherConfigsDoNot(t *testing.T) {
	bothRules(t, func(t *testing.T, r rules.Rules) {
		g := newStreamsRig(t, r).stateful()
		g.join("A")
		g.join("B")
		g.settle()
		if r.WarmupTasks {
			for range 6 { // every task that moves is warmed up
				for _, id := range []string{"A", "B"} {
					g.next(id, reports(2, 10, 10), reports(3, 10, 10))
				}
			}
		}
		e := g.group().GroupEpoch
		set := func(key, value string) {
			require.NoError(t, g.c.SetGroupConfig(g.now, "g", map[string]string{key: value}))
			g.next("A")
		}
		set("streams.num.warmup.replicas", "7")
		set("streams.acceptable.recovery.lag", "7")
		set("streams.heartbeat.interval.ms", "7000")
		assert.Equal(t, e, g.group().GroupEpoch)
		set("streams.num.standby.replicas", "1")
		assert.Equal(t, e+1, g.group().GroupEpoch)
		g.settle()
		assert.Len(t, g.member("A").Streams.Standby.Partitions(), 2)
		set("streams.rack.aware.assignment.tags", "zone,rack")
		assert.Equal(t, e+2, g.group().GroupEpoch)
		assert.Equal(t, protocol.MissingClientTags, g.next("A").Response.Status[0].Code)
	})
}

func TestEveryConfigOfAGroupTakesThePlaceOfTheBrokers(t *testing.T) {
	g := newStreamsRig(t, rules.Kafka())
	require.NoError(t, g.c.SetGroupConfig(g.now, "g", map[string]string{
		"streams.session.timeout.ms": "1111", "streams.heartbeat.interval.ms": "222",
		"streams.task.offset.interval.ms": "333", "streams.acceptable.recovery.lag": "44",
		"streams.assignment.interval.ms": "5555", "streams.initial.rebalance.delay.ms": "666",
		"streams.assignor.name": "sticky",
	}))
	a := g.join("A").Response
	assert.EqualValues(t, 222, a.HeartbeatIntervalMs)
	assert.EqualValues(t, 333, a.TaskOffsetIntervalMs)
	assert.EqualValues(t, 44, a.AcceptableRecoveryLag)
	assert.Equal(t, g.now.Add(1111), g.member("A").SessionDeadline)
	assert.Equal(t, g.now.Add(666), g.group().Streams.InitialRebalanceDeadline)
	require.NoError(t, g.c.SetGroupConfig(g.now, "g", map[string]string{"streams.assignor.name": "bogus"}))
	g.advance(700)
	assert.Equal(t, "bogus", g.group().PreferredAssignor)
	assert.Equal(t, "UNKNOWN_SERVER_ERROR", given(g.join("B")))
}
