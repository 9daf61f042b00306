package streamsgroup

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/core/protocol"
)

// cluster are topics by name.
type cluster map[string]int32

func (c cluster) Named(name string) (protocol.Topic, bool) {
	n, ok := c[name]
	return protocol.Topic{ID: protocol.TopicID(name), Name: name, Partitions: n}, ok
}

func topologyOf(subtopologies ...protocol.Subtopology) *protocol.Topology {
	return &protocol.Topology{Subtopologies: subtopologies}
}

func topics(names ...string) []protocol.TopicInfo {
	out := make([]protocol.TopicInfo, len(names))
	for i, name := range names {
		out[i].Name = name
	}
	return out
}

func counted(name string, partitions int32) []protocol.TopicInfo {
	return []protocol.TopicInfo{{Name: name, Partitions: partitions}}
}

// outcome writes what came of a topology: its tasks, what it asks for and
// what is wrong.
func outcome(t *testing.T, topology *protocol.Topology, c cluster) string {
	t.Helper()
	configured, err := Configure(topology, c)
	if err != nil {
		var invalid *InvalidTopology
		require.ErrorAs(t, err, &invalid)
		return "invalid: " + err.Error()
	}
	var out string
	for _, s := range configured.Tasks {
		out += fmt.Sprintf("%s:%d ", s.ID, s.Tasks)
	}
	for _, topic := range configured.Creatable {
		out += fmt.Sprintf("+%s:%d ", topic.Name, topic.Partitions)
	}
	if configured.Status != nil {
		out += configured.Status.Detail
	}
	assert.Equal(t, configured.Status == nil, configured.Ready())
	return out
}

// joins has two repartition topics and a topic from outside in one copartition
// group of subtopology 1; subtopology 0 writes them.
func joins(first, second int32, group protocol.CopartitionGroup) *protocol.Topology {
	return topologyOf(
		protocol.Subtopology{ID: "0", SourceTopics: []string{"in"}, RepartitionSinkTopics: []string{"r1", "r2"}},
		protocol.Subtopology{
			ID: "1", SourceTopics: []string{"side", "other"},
			RepartitionSourceTopics: []protocol.TopicInfo{{Name: "r1", Partitions: first}, {Name: "r2", Partitions: second}},
			CopartitionGroups:       []protocol.CopartitionGroup{group},
		},
	)
}

func TestPartitionCountsAreDecided(t *testing.T) {
	all := protocol.CopartitionGroup{RepartitionSourceTopics: []int16{0, 1}}
	mixed := protocol.CopartitionGroup{SourceTopics: []int16{0}, RepartitionSourceTopics: []int16{0, 1}}
	three := cluster{"in": 3, "side": 5, "other": 2}
	for _, c := range []struct {
		claim    string
		topology *protocol.Topology
		topics   cluster
		want     string
	}{
		{"a source topic gives the number of tasks",
			topologyOf(protocol.Subtopology{ID: "0", SourceTopics: []string{"in", "side"}}), three, "0:5 "},
		{"a missing source topic decides everything else away",
			topologyOf(protocol.Subtopology{ID: "0", SourceTopics: []string{"d", "c", "b", "a", "in"}}), three,
			"Source topics a, b, c and 1 more are missing."},
		{"a changelog has as many partitions as there are tasks",
			topologyOf(protocol.Subtopology{ID: "0", SourceTopics: []string{"in"}, StateChangelogTopics: topics("log")}), three,
			"0:3 +log:3 Internal topics are missing: log."},
		{"an internal topic that exists must have the decided count",
			topologyOf(protocol.Subtopology{ID: "0", SourceTopics: []string{"in"}, StateChangelogTopics: topics("log")}), cluster{"in": 3, "log": 4},
			"log has 4 partitions and needs 3."},
		{"a repartition topic takes the largest count of what its writer reads",
			joins(0, 0, protocol.CopartitionGroup{}), three, "0:3 1:5 +r1:3 +r2:3 Internal topics are missing: r1, r2."},
		{"an explicit count stands",
			joins(7, 0, protocol.CopartitionGroup{}), three, "0:3 1:7 +r1:7 +r2:3 Internal topics are missing: r1, r2."},
		{"repartition topics that are joined take the largest of their counts",
			joins(0, 0, all), three, "0:3 1:5 +r1:3 +r2:3 Internal topics are missing: r1, r2."},
		{"or the explicit one, wherever in the topology it stands",
			joins(7, 0, protocol.CopartitionGroup{RepartitionSourceTopics: []int16{1}}), three,
			"0:3 1:7 +r1:7 +r2:7 Internal topics are missing: r1, r2."},
		{"two explicit counts must agree",
			joins(7, 8, all), three, "r1 has 7 partitions and r2 has 8, but they are joined and must have equally many."},
		{"a topic from outside decides for those it is joined with",
			joins(0, 0, mixed), three, "0:3 1:5 +r1:5 +r2:5 Internal topics are missing: r1, r2."},
		{"an explicit count that disagrees with it is wrong",
			joins(7, 0, mixed), three, "Repartition topic r1 has 7 partitions and must have 5, as the topics it is joined with."},
		{"topics from outside that are joined must have equally many",
			joins(0, 0, protocol.CopartitionGroup{SourceTopics: []int16{0, 1}}), three,
			"side has 5 partitions and other has 2, but they are joined and must have equally many."},
		{"a real topic counts before the decided count",
			joins(0, 0, all), cluster{"in": 3, "side": 5, "other": 2, "r1": 6}, "0:3 1:6 +r2:6 Internal topics are missing: r2."},
		{"repartition topics decide on one another down a chain",
			topologyOf(
				protocol.Subtopology{ID: "0", RepartitionSourceTopics: topics("b")},
				protocol.Subtopology{ID: "1", RepartitionSourceTopics: topics("a"), RepartitionSinkTopics: []string{"b"}},
				protocol.Subtopology{ID: "2", SourceTopics: []string{"in"}, RepartitionSinkTopics: []string{"a"}},
			), three, "0:3 1:3 2:3 +a:3 +b:3 Internal topics are missing: a, b."},
		{"a loop cannot be decided",
			topologyOf(protocol.Subtopology{ID: "0", RepartitionSourceTopics: topics("a"), RepartitionSinkTopics: []string{"a"}}), three,
			"invalid: The partitions of the repartition topics cannot be worked out: the topology loops, or nobody writes one that it reads."},
		{"a repartition topic that nobody writes has no count",
			topologyOf(protocol.Subtopology{ID: "0", SourceTopics: []string{"in"}, RepartitionSourceTopics: topics("a")}), three,
			"invalid: Nobody writes the repartition topic a that subtopology 0 reads."},
		{"unless it has one of its own",
			topologyOf(protocol.Subtopology{ID: "0", SourceTopics: []string{"in"}, RepartitionSourceTopics: counted("a", 2)}), three,
			"0:3 +a:2 Internal topics are missing: a."},
		{"a count cannot be negative",
			topologyOf(protocol.Subtopology{ID: "0", SourceTopics: []string{"in"}, RepartitionSourceTopics: counted("a", -2)}), three,
			"invalid: Repartition topic a cannot have -2 partitions."},
		{"a subtopology must read something",
			topologyOf(protocol.Subtopology{ID: "0", StateChangelogTopics: topics("log")}), three, "invalid: Subtopology 0 reads no topic."},
		{"a copartition index must be that of a topic",
			joins(0, 0, protocol.CopartitionGroup{SourceTopics: []int16{2}}), three,
			"invalid: A copartition group of subtopology 1 has index 2, but there are 2 source topics."},
		{"whatever else is wrong",
			joins(0, 0, protocol.CopartitionGroup{RepartitionSourceTopics: []int16{-1}}), cluster{},
			"invalid: A copartition group of subtopology 1 has index -1, but there are 2 repartition source topics."},
	} {
		assert.Equal(t, c.want, outcome(t, c.topology, c.topics), c.claim)
	}
}

// With "0" to "9" the broker walks subtopologies in that order. One whose turn
// comes before all counts are known decides by those that are.
func TestACountIsDecidedByWhatIsKnownWhenItsTurnComes(t *testing.T) {
	topology := topologyOf(
		protocol.Subtopology{ID: "0", SourceTopics: []string{"small"}, RepartitionSourceTopics: topics("late"), RepartitionSinkTopics: []string{"early"}},
		protocol.Subtopology{ID: "1", SourceTopics: []string{"big"}, RepartitionSinkTopics: []string{"late"}, RepartitionSourceTopics: topics("early")},
	)
	assert.Equal(t, "0:9 1:9 +early:2 +late:9 Internal topics are missing: early, late.", outcome(t, topology, cluster{"small": 2, "big": 9}))
}

func TestAnInternalTopicIsAskedForWithItsOwnSettings(t *testing.T) {
	config := []protocol.Tag{{Key: "cleanup.policy", Value: "compact"}}
	configured, err := Configure(topologyOf(protocol.Subtopology{
		ID: "0", SourceTopics: []string{"in"},
		StateChangelogTopics: []protocol.TopicInfo{{Name: "log", ReplicationFactor: 3, Configs: config}},
	}), cluster{"in": 1})
	require.NoError(t, err)
	assert.Equal(t, []protocol.CreatableTopic{{Name: "log", Partitions: 1, ReplicationFactor: 3, Configs: config}}, configured.Creatable)
}

func TestTopologiesAreComparedByContent(t *testing.T) {
	a := protocol.Subtopology{
		ID: "a", SourceTopics: []string{"x", "y"}, RepartitionSinkTopics: []string{"s"}, StateChangelogTopics: topics("log"),
		RepartitionSourceTopics: topics("r"), CopartitionGroups: []protocol.CopartitionGroup{{SourceTopics: []int16{0, 1}}},
	}
	b := protocol.Subtopology{ID: "b", SourceTopics: []string{"z"}}
	assert.True(t, SameTopology(topologyOf(a, b), topologyOf(b, a)), "the order of subtopologies is free")
	assert.True(t, SameTopology(topologyOf(a), &protocol.Topology{Epoch: 9, Subtopologies: []protocol.Subtopology{a}}), "the epoch is no content")
	for what, change := range map[string]func(s *protocol.Subtopology){
		"order of topics": func(s *protocol.Subtopology) { s.SourceTopics = []string{"y", "x"} },
		"a sink":          func(s *protocol.Subtopology) { s.RepartitionSinkTopics = nil },
		"a changelog":     func(s *protocol.Subtopology) { s.StateChangelogTopics = topics("log2") },
		"a count":         func(s *protocol.Subtopology) { s.RepartitionSourceTopics = counted("r", 2) },
		"a group":         func(s *protocol.Subtopology) { s.CopartitionGroups = nil },
		"an index": func(s *protocol.Subtopology) {
			s.CopartitionGroups = []protocol.CopartitionGroup{{SourceTopics: []int16{1, 0}}}
		},
		"an id": func(s *protocol.Subtopology) { s.ID = "c" },
	} {
		changed := a
		change(&changed)
		assert.False(t, SameTopology(topologyOf(a, b), topologyOf(changed, b)), what)
	}
	assert.False(t, SameTopology(topologyOf(a, b), topologyOf(a)))
}

func TestATopologyNeedsWhatItReadsAndKeepsItsStateIn(t *testing.T) {
	assert.Equal(t, []string{"in", "log", "r"}, Needed(topologyOf(
		protocol.Subtopology{SourceTopics: []string{"in"}, RepartitionSinkTopics: []string{"elsewhere"}},
		protocol.Subtopology{SourceTopics: []string{"in"}, RepartitionSourceTopics: topics("r"), StateChangelogTopics: topics("log")},
	)))
}
