package coordinator_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/core/coordinator"
	"groupscope/core/protocol"
	"groupscope/core/rules"
)

// Warm-ups (the rule WarmupTasks), and members that run an older topology
// (the rule TopologyUpdate).

// warming has A with the four stateful tasks, and B that is to take two.
func warming(t *testing.T, r rules.Rules, change ...func(*coordinator.Config)) *streamsRig {
	t.Helper()
	g := newStreamsRig(t, r, change...).stateful()
	g.join("A")
	g.settle()
	g.join("B")
	return g
}

func TestAStatefulTaskIsWarmedUpBeforeItMoves(t *testing.T) {
	g := warming(t, rules.Kip())
	assert.Equal(t, "A@1[0 1 2 3], B@2[] w[2 3]", g.tasks(), "A goes on running what B warms up")
	g.settle()
	require.Equal(t, "A@2[0 1 2 3], B@2[] w[2 3]", g.tasks())

	g.next("B", reports(2, 5_000, 20_000))
	assert.EqualValues(t, 2, g.group().GroupEpoch, "15,000 behind is too far")
	caught := g.next("B", reports(2, 10_000, 20_000))
	assert.EqualValues(t, 3, g.group().GroupEpoch)
	assert.Equal(t, "KIP-1071, warm-up tasks", streamsRuleOf(t, caught, "has warmed up 0_2"))
	assert.Equal(t, "[0 1 3]", numbers(g.member("A").Target.Partitions()))
	assert.Equal(t, "[2]", numbers(g.member("B").Target.Partitions()))
	assert.Equal(t, "A@2[0 1 2 3], B@3[] w[2 3]", g.tasks(), "B keeps the warm-up until it has the task")

	g.next("A")
	g.next("A")
	assert.Equal(t, "A@3[0 1 3], B@3[] w[2 3]", g.tasks())
	g.next("B")
	assert.Equal(t, "A@3[0 1 3], B@3[2] w[3]", g.tasks())
	g.settle()
	assert.EqualValues(t, 3, g.group().GroupEpoch, "once")
	g.next("B", reports(3, 1, 1))
	g.settle()
	assert.Equal(t, "A@4[0 1], B@4[2 3]", g.tasks())
}

func TestUnderTheBrokersRulesATaskMovesAtOnce(t *testing.T) {
	g := warming(t, rules.Kafka())
	g.settle()
	assert.Equal(t, "A@3[0 1], B@3[2 3]", g.tasks())
}

func TestNoMoreTasksWarmUpThanThereMayBe(t *testing.T) {
	g := warming(t, rules.Kip(), func(c *coordinator.Config) { c.Streams.WarmupReplicas = 1 })
	g.settle()
	assert.Equal(t, "A@2[0 1 2 3], B@2[] w[2]", g.tasks(), "the first of them")
	g.next("B", reports(2, 7, 7))
	g.settle()
	assert.Equal(t, "A@3[0 1 3], B@3[2] w[3]", g.tasks(), "then the next")
}

func TestWithoutWarmupReplicasAStatefulTaskStaysUntilItsNewOwnerIsCaughtUp(t *testing.T) {
	g := warming(t, rules.Kip(), func(c *coordinator.Config) { c.Streams.WarmupReplicas = 0 })
	g.settle()
	assert.Equal(t, "A@2[0 1 2 3], B@2[]", g.tasks())
}

func TestWhoIsCaughtUpAlreadyNeedsNoWarmup(t *testing.T) {
	g := newStreamsRig(t, rules.Kip()).stateful()
	g.join("A")
	g.join("B", reports(2, 90, 100), reports(3, 90, 100)) // its state is on disk
	assert.Equal(t, "[2 3]", numbers(g.member("B").Target.Partitions()))
}

func TestAStatelessTaskMovesAtOnce(t *testing.T) {
	g := newStreamsRig(t, rules.Kip())
	g.join("A")
	g.join("B")
	g.settle()
	assert.Equal(t, "A@2[0 1], B@2[2 3]", g.tasks())
}

func TestWithinAProcessAStatefulTaskMovesAtOnce(t *testing.T) {
	g := newStreamsRig(t, rules.Kip()).stateful()
	g.join("A", inProcess("p"))
	g.join("B", inProcess("p"))
	g.settle()
	assert.Equal(t, "A@2[0 1], B@2[2 3]", g.tasks())
}

func TestAfterTheOwnerLeftATaskGoesToWhoeverThereIs(t *testing.T) {
	g := warming(t, rules.Kip())
	g.settle()
	g.beat("A", at(protocol.EpochLeaving))
	g.settle()
	assert.Equal(t, "[0 1 2 3]", held(g.member("B").Assigned))
	assert.Empty(t, g.member("B").Streams.Warmup)
}

func TestAStandbyThatIsCaughtUpTakesOverAtOnceAndNoProcessHasATaskTwice(t *testing.T) {
	g := warming(t, rules.Kip(), func(c *coordinator.Config) { c.Streams.StandbyReplicas = 1 })
	g.settle()
	assert.Equal(t, "A@2[0 1 2 3], B@2[] s[0 1] w[2 3]", g.tasks(), "no standby of 2 and 3 at A, which runs them")
	g.next("B", reports(2, 3, 3), reports(3, 3, 3))
	g.settle()
	assert.Equal(t, "A@3[0 1] s[2 3], B@3[2 3] s[0 1]", g.tasks())
	g.beat("A", at(protocol.EpochLeaving))
	g.settle()
	assert.Equal(t, "B@4[0 1 2 3]", g.tasks())
}

// newTopology has A and B at topology 0 with the tasks of subtopology 0, and C
// that brought topology 1, which has a second subtopology.
func newTopology(t *testing.T) *streamsRig {
	t.Helper()
	g := newStreamsRig(t, rules.Kip())
	g.setTopics(topic("in", 4), topic("more", 3))
	g.join("A")
	g.join("B")
	g.settle()
	g.topology = topologyOf(1,
		protocol.Subtopology{ID: "0", SourceTopics: []string{"in"}}, protocol.Subtopology{ID: "1", SourceTopics: []string{"more"}})
	g.join("C")
	g.settle()
	return g
}

func TestStaleMembersKeepExactlyWhatTheyHave(t *testing.T) {
	g := newTopology(t)
	assert.Equal(t, "A@3[0 1], B@3[2 3], C@3[0 1 2]", g.tasks(), "C runs the tasks of the new subtopology")
	assert.Equal(t, "1 [0, 1, 2]", g.member("C").Target.String())
	assert.Len(t, g.next("A").Response.Status, 1)
}

func TestWhenAStaleMemberLeavesItsTasksGoToTheUpgraded(t *testing.T) {
	g := newTopology(t)
	g.beat("A", at(protocol.EpochLeaving))
	g.settle()
	assert.Equal(t, "0 [0, 1], 1 [0, 1, 2]", g.member("C").Target.String())
	assert.Equal(t, "[2 3]", held(g.member("B").Assigned))
	g.join("A")
	g.settle()
	assert.Len(t, g.member("B").Assigned, 2, "B still runs the old topology")
	total := len(g.member("A").Assigned) + len(g.member("B").Assigned) + len(g.member("C").Assigned)
	assert.Equal(t, 7, total)
}

func TestAStaleMemberIsNotAskedForTasksOfTheNewTopology(t *testing.T) {
	g := newTopology(t)
	// Subtopology 0 is gone from the third topology.
	g.topology = topologyOf(2, protocol.Subtopology{ID: "1", SourceTopics: []string{"more"}})
	g.join("D")
	g.settle()
	assert.Equal(t, "[0 1]", held(g.member("A").Assigned), "a task that the new topology does not have")
	assert.Equal(t, protocol.None, g.next("A").Response.Error)
	assert.Equal(t, "STREAMS_TOPOLOGY_FENCED", given(g.join("A", withTopology(topologyOf(0, protocol.Subtopology{ID: "0", SourceTopics: []string{"in"}})))),
		"it cannot join again as it is")
}

// The hazard of KAFKA-20170: the new topology joins two subtopologies, so an
// old and a new task read the same partition for a while.
func TestAnOldAndANewTaskMayReadTheSamePartition(t *testing.T) {
	g := newStreamsRig(t, rules.Kip())
	g.setTopics(topic("in", 1), topic("more", 1))
	g.topology = topologyOf(0,
		protocol.Subtopology{ID: "0", SourceTopics: []string{"in"}}, protocol.Subtopology{ID: "1", SourceTopics: []string{"more"}})
	g.join("A")
	g.topology = topologyOf(1, protocol.Subtopology{ID: "joined", SourceTopics: []string{"in", "more"}})
	g.join("B")
	g.settle()
	assert.Equal(t, "0 [0], 1 [0]", protocol.NewAssignment(heldTasks(g.member("A"))).String())
	assert.Equal(t, "joined [0]", protocol.NewAssignment(heldTasks(g.member("B"))).String())
}

func heldTasks(m *coordinator.Member) []protocol.Partition {
	out := make([]protocol.Partition, len(m.Assigned))
	for i, h := range m.Assigned {
		out[i] = h.Partition
	}
	return out
}

func TestStaleMembersKeepTheirTasksWhileTheNewTopologyWaitsForItsTopics(t *testing.T) {
	g := newStreamsRig(t, rules.Kip())
	g.join("A")
	g.topology = topologyOf(1, protocol.Subtopology{
		ID: "0", SourceTopics: []string{"in"}, StateChangelogTopics: []protocol.TopicInfo{{Name: "log"}},
	})
	joined := g.join("B")
	assert.Equal(t, "2 [] MISSING_INTERNAL_TOPICS", given(joined))
	g.next("A")
	assert.Equal(t, "[0 1 2 3]", held(g.member("A").Assigned))
	g.setTopics(topic("in", 4), topic("log", 4))
	g.settle()
	assert.Equal(t, "[0 1 2 3]", held(g.member("A").Assigned))
}

// A member that keeps what it has would bump the group epoch for ever.
func TestAStaleMemberThatHasWarmedUpATaskBumpsNothing(t *testing.T) {
	g := warming(t, rules.Kip())
	g.topology = topologyOf(1, g.topology.Subtopologies...)
	g.join("C")
	g.settle()
	require.Equal(t, "[2 3]", numbers(g.member("B").Streams.Warmup.Partitions()))
	e := g.group().GroupEpoch
	g.next("B", reports(2, 1, 1), reports(3, 1, 1))
	assert.Equal(t, e, g.group().GroupEpoch)
}
