package board_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/core/coordinator"
	"groupscope/core/playback"
	"groupscope/core/protocol"
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
	g.Streams.Configured, g.Streams.Tasks, g.Streams.ValidatedTopologyEpoch = nil, nil, -1
	g.Streams.Status = &protocol.Status{Code: protocol.MissingSourceTopics, Detail: "Source topics customers and orders do not exist."}
	g.State = coordinator.NotReady
	for _, m := range g.Members {
		m.Assigned, m.PendingRevocation = nil, nil
		m.Streams.Standby, m.Streams.Warmup, m.Streams.PendingStandby = nil, nil, nil
	}
	return st
}

func topologyPicture(t *testing.T, name string, st *sim.State, width float32) *scene.Scene {
	t.Helper()
	s := &scene.Scene{}
	board.Topology(s, &playback.Frame{State: st, Now: st.At, Age: playback.Settled}, &board.View{Width: width})
	if dir := os.Getenv("PICTURES"); dir != "" { // to look at them
		out, err := os.Create(dir + "/topology-" + name + "-" + itoa(int(width)) + ".svg")
		require.NoError(t, err)
		require.NoError(t, svg.Standalone(out, s, "light"))
		require.NoError(t, out.Close())
	}
	return s
}

func TestTheTopologyBoardSaysWhoRunsWhatAndFromWhichTopics(t *testing.T) {
	words := texts(topologyPicture(t, "plant", plant(), 1280))
	for _, w := range []string{
		"Topology 1 of group enrich", "validated, 2 subtopologies, 8 tasks", "orders", "source, 4 partitions", "copartitioned", "by-region", "repartition, 4 partitions",
		"count-store", "Subtopology 0", "0_3", "s3", "active", "standby", "warm-up", "s1, s2", "STALE_TOPOLOGY",
	} {
		assert.Contains(t, words, w)
	}
}

func TestTheTopologyBoardNamesWhatIsMissing(t *testing.T) {
	words := texts(topologyPicture(t, "broken", broken(), 1280))
	for _, w := range []string{"source, does not exist", "tasks not known", "MISSING_SOURCE_TOPICS", "not validated, 2 subtopologies, 0 tasks"} {
		assert.Contains(t, words, w)
	}
}

func TestTheTopologyBoardFitsEveryWidth(t *testing.T) {
	for _, w := range []float32{320, 390, 480, 640, 768, 1024, 1280, 1600} {
		for name, st := range map[string]*sim.State{"plant": plant(), "broken": broken(), "empty": {GroupID: "g"}} {
			s := topologyPicture(t, name, st, w)
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
