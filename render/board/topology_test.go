package board_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/core/coordinator"
	"groupscope/core/playback"
	"groupscope/core/protocol"
	"groupscope/core/record"
	"groupscope/core/sim"
	"groupscope/render/board"
	"groupscope/render/scene"
	"groupscope/render/svg"
)

// plant is the group of enrich with its topology: orders and customers are
// joined, then counted by region.
func plant() *sim.State {
	st := enrich()
	topology := &protocol.Topology{Epoch: 1, Subtopologies: []protocol.Subtopology{
		{ID: "0", SourceTopics: []string{"orders", "customers"}, RepartitionSinkTopics: []string{"by-region"},
			StateChangelogTopics: []protocol.TopicInfo{{Name: "join-store", Partitions: 4}},
			CopartitionGroups:    []protocol.CopartitionGroup{{SourceTopics: []int16{0, 1}}}},
		{ID: "1", RepartitionSourceTopics: []protocol.TopicInfo{{Name: "by-region", Partitions: 4}},
			StateChangelogTopics: []protocol.TopicInfo{{Name: "count-store", Partitions: 4}}},
	}}
	st.Group.Streams.Topology, st.Group.Streams.Configured = topology, topology
	for _, name := range []string{"by-region", "count-store", "customers", "join-store", "orders"} {
		st.Topics = append(st.Topics, protocol.Topic{ID: protocol.TopicID(name), Name: name, Partitions: 4})
	}
	return st
}

// broken lacks a source topic, and with it every task.
func broken() *sim.State {
	st := plant()
	st.Topics = st.Topics[:2]
	g := st.Group
	g.Streams.Configured, st.Tasks, g.Streams.ValidatedTopologyEpoch = nil, nil, -1
	g.Streams.Status = &protocol.Status{Code: protocol.MissingSourceTopics, Detail: "Source topics customers and orders do not exist."}
	g.State = coordinator.NotReady
	for _, m := range g.Members {
		m.Assigned, m.PendingRevocation = nil, nil
		m.Streams.Standby, m.Streams.Warmup, m.Streams.PendingStandby = nil, nil, nil
	}
	return st
}

func topologyPicture(t *testing.T, name string, st *sim.State, width, height float32) *scene.Scene {
	t.Helper()
	s := &scene.Scene{}
	board.Topology(s, &playback.Frame{State: st, Now: st.At, Age: playback.Settled}, &board.View{Width: width, Height: height})
	if dir := os.Getenv("PICTURES"); dir != "" { // to look at them
		out, err := os.Create(dir + "/topology-" + name + "-" + itoa(int(width)) + ".svg")
		require.NoError(t, err)
		require.NoError(t, svg.Standalone(out, s, "light"))
		require.NoError(t, out.Close())
	}
	return s
}

func TestTheTopologyBoardSaysWhoRunsWhatAndFromWhichTopics(t *testing.T) {
	words := texts(topologyPicture(t, "plant", plant(), 1280, 0))
	for _, w := range []string{
		"Topology 1 of group enrich", "validated, 2 subtopologies, 8 tasks", "orders", "source, 4 partitions", "copartitioned", "by-region", "repartition, 4 partitions",
		"count-store", "Subtopology 0", "0_3", "s3", "active", "standby", "warm-up", "s1, s2", "STALE_TOPOLOGY",
	} {
		assert.Contains(t, words, w)
	}
}

func TestTheTopologyBoardNamesWhatIsMissing(t *testing.T) {
	words := texts(topologyPicture(t, "broken", broken(), 1280, 0))
	for _, w := range []string{"source, does not exist", "tasks not known", "MISSING_SOURCE_TOPICS", "not validated, 2 subtopologies, 0 tasks"} {
		assert.Contains(t, words, w)
	}
}

func TestTheTopologyBoardFitsEveryWidth(t *testing.T) {
	for _, w := range []float32{320, 390, 480, 640, 768, 1024, 1280, 1600} {
		for name, st := range map[string]*sim.State{"plant": plant(), "broken": broken(), "empty": {GroupID: "g"}} {
			s := topologyPicture(t, name, st, w, 0)
			require.Positive(t, s.Height)
			for _, l := range s.Base.Labels {
				assert.GreaterOrEqual(t, l.Size, float32(14), "%s at %v: %q", name, w, l.Text)
				right := l.X + scene.Measure(l.Text, l.Size, l.Weight)
				if l.Anchor == scene.End {
					right = l.X
				} else if l.Anchor == scene.Middle {
					right = l.X + scene.Measure(l.Text, l.Size, l.Weight)/2
				}
				assert.LessOrEqual(t, right, w+1, "%s at %v: %q", name, w, l.Text)
			}
		}
	}
}

// arrows counts the arrowheads of a picture.
func arrows(s *scene.Scene) (n int) {
	for _, shape := range s.Base.Shapes {
		if shape.Mark == scene.TriangleRight || shape.Mark == scene.TriangleDown {
			n++
		}
	}
	return n
}

func TestTopicsAndSubtopologiesAreJoinedByArrowsAtEveryWidth(t *testing.T) {
	for _, w := range []float32{320, 390, 480, 640, 768, 1024, 1280, 1600} {
		s := topologyPicture(t, "plant", plant(), w, 0)
		assert.Equal(t, 6, arrows(s), "at %v: two sources and a repartition topic are read, it is written, and there are two changelogs", w)
	}
}

func TestTheTopologyBoardFitsTheHeightThereIs(t *testing.T) {
	for _, box := range [][2]float32{{1280, 544}, {768, 342}, {640, 262}, {480, 214}} {
		s := topologyPicture(t, "box", plant(), box[0], box[1])
		assert.Equal(t, box[1], s.Height, "%v", box)
		words := texts(s)
		assert.Contains(t, words, "Subtopology 1", "%v", box)
		assert.Contains(t, words, "0_0", "%v", box)
	}
	assert.Contains(t, texts(topologyPicture(t, "box", plant(), 480, 214)), "STALE_TOPOLOGY")
	assert.Contains(t, texts(topologyPicture(t, "box", plant(), 480, 180)), "and 3 more, on the group board")
}

// TestTasksOfAFormerTopologyAreShownAsLongAsSomebodyHasThem: s3 still runs
// task 7_1, which reads what 0_1 reads.
func TestTasksOfAFormerTopologyAreShownAsLongAsSomebodyHasThem(t *testing.T) {
	st := plant()
	task := protocol.Partition{Topic: "7", Number: 1}
	for _, m := range st.Group.Members {
		if m.Streams.TopologyEpoch == 0 {
			m.Assigned = append(m.Assigned, record.Held{Partition: task})
		}
	}
	st.Topologies = []*protocol.Topology{{Epoch: 0, Subtopologies: []protocol.Subtopology{{ID: "7", SourceTopics: []string{"orders"}}}}, st.Group.Streams.Topology}
	words := texts(topologyPicture(t, "former", st, 1280, 0))
	for _, w := range []string{"Subtopology 7", "topology 0", "7_1", "validated, 2 subtopologies, 8 tasks"} {
		assert.Contains(t, words, w)
	}
	assert.NotContains(t, words, "read twice")

	st.Violations = []sim.Violation{{Partitions: []protocol.Partition{{Topic: "0", Number: 1}, task}, Members: []string{"s1", "s3"}}}
	assert.Contains(t, texts(topologyPicture(t, "twice", st, 1280, 0)), "source, read twice")
}

func TestATopicThatDoesNotMatchOthersIsMarked(t *testing.T) {
	st := plant()
	st.Group.Streams.Mismatching = []string{"customers"}
	red := 0
	for _, shape := range topologyPicture(t, "mismatch", st, 1280, 0).Base.Shapes {
		if shape.Stroke == scene.Alert {
			red++
		}
	}
	assert.Equal(t, 1, red)
}

func TestATopicThatIsToBeCreatedSaysSoInFull(t *testing.T) {
	for _, w := range []float32{320, 390, 640, 768, 1280} {
		st := plant()
		st.Topics = slices.DeleteFunc(st.Topics, func(topic protocol.Topic) bool { return topic.Name == "by-region" })
		assert.Contains(t, strings.Join(texts(topologyPicture(t, "create", st, w, 0)), "\n"), "to be created\n", "at %v", w)
	}
}
