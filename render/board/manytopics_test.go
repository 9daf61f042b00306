package board_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/core/coordinator"
	"groupscope/core/playback"
	"groupscope/core/protocol"
	"groupscope/core/sim"
	"groupscope/render/board"
	"groupscope/render/scene"
)

// works has so many subtopologies of two tasks each, and as many members, three
// to a process.
func works(subtopologies, members int) *sim.State {
	var many []worker
	for i := range members {
		w := worker{name: "s" + itoa(i+1), process: "process-" + itoa(i/3), epoch: 3, topology: 1, knows: 7}
		if i < subtopologies {
			w.active = itoa(i) + " 0 1"
		}
		w.aim = w.active
		many = append(many, w)
	}
	s := workshop(3, 2, many...)
	s.Tasks = nil
	for i := range subtopologies {
		s.Tasks = append(s.Tasks, coordinator.SubtopologyTasks{Subtopology: itoa(i), Tasks: 2, Stateful: true})
	}
	return s
}

func TestAMatrixOfManySubtopologiesFillsItsWidth(t *testing.T) {
	f := &playback.Frame{State: works(30, 12), Age: playback.Settled}
	f.Now = f.State.At
	for _, width := range []float32{640, 768, 1280, 2400} {
		v := board.View{Width: width}
		reached := 0
		for reached < 60 {
			var s scene.Scene
			v.FirstColumn = reached
			board.Group(&s, f, &v)
			_, columns := v.Windows()
			require.LessOrEqual(t, columns.First, reached, "%v: no task is passed over", width)
			require.Greater(t, columns.First+columns.Shown, reached, width)
			assert.True(t, columns.All() || float32(columns.Shown)*28 > 0.8*(width-360), "%v: %d from %d on", width, columns.Shown, columns.First)
			for _, r := range s.Regions {
				assert.LessOrEqual(t, r.X+r.W, width, "%v: %s", width, r.ID)
			}
			reached = columns.First + columns.Shown
		}
		assert.Equal(t, 60, reached, "%v: the last window ends with the last task", width)
	}
}

func TestASubtopologyWithoutRoomForItsWordIsAnId(t *testing.T) {
	words := texts(picture(t, "works", works(30, 12), 2400, 0))
	assert.Contains(t, words, "29")
	assert.Contains(t, words, "subtopology", "what the ids are")
	assert.NotContains(t, words, "Su…")
}

func TestAMatrixOfTasksSaysTasks(t *testing.T) {
	words := texts(picture(t, "window", works(30, 12), 768, 0))
	assert.Contains(t, words, "12 members, tasks 1 to 16 of 60")
	assert.NotContains(t, words, "partitions")
}

func TestProcessesAreNamedBeforeTheirBrackets(t *testing.T) {
	assert.Contains(t, texts(picture(t, "brackets", works(4, 12), 768, 0)), "process-3")
}

func TestMembersComeBeforeTheLegendOfAMatrix(t *testing.T) {
	rows := func(height float32) (int, []string) {
		f := &playback.Frame{State: works(4, 12), Age: playback.Settled}
		f.Now = f.State.At
		v, s := board.View{Width: 640, Height: height}, scene.Scene{}
		board.Group(&s, f, &v)
		shown, _ := v.Windows()
		return shown.Shown, texts(&s)
	}
	low, words := rows(262)
	assert.GreaterOrEqual(t, low, 2)
	assert.NotContains(t, words, "free to take")
	_, words = rows(600)
	assert.Contains(t, words, "free to take")
}

func TestTasksOfALongSubtopologyAreToldApartByTheirNumbers(t *testing.T) {
	const long = "payments-enrichment-by-country"
	st := workshop(3, 3, worker{name: "s1", process: "p1", epoch: 3, active: long + " 0 1 2, 1 0 1 2", topology: 1, knows: 7})
	st.Tasks[0].Subtopology = long
	st.Group.Streams.Topology = &protocol.Topology{Epoch: 1, Subtopologies: []protocol.Subtopology{{ID: long, SourceTopics: []string{"in"}}, {ID: "1", SourceTopics: []string{"other"}}}}
	for _, width := range []float32{320, 390, 640, 768, 1280} {
		for what, draw := range map[string]func(*scene.Scene, *playback.Frame, *board.View){"group": board.Group, "topology": board.Topology} {
			s := scene.Scene{}
			draw(&s, &playback.Frame{State: st, Now: st.At, Age: playback.Settled}, &board.View{Width: width})
			for _, end := range []string{"_0", "_1", "_2"} {
				found := slices.ContainsFunc(texts(&s), func(text string) bool { return strings.HasPrefix(text, "p") && strings.HasSuffix(text, end) })
				assert.True(t, found, "%s at %v: a task that ends in %s", what, width, end)
			}
			for _, l := range s.Base.Labels {
				if l.Anchor == scene.Start {
					assert.LessOrEqual(t, l.X+scene.Measure(l.Text, l.Size, l.Weight), width+1, "%s at %v: %s", what, width, l.Text)
				}
			}
		}
	}
}

func TestTasksKeepTheirNamesOnAPhone(t *testing.T) {
	six := workshop(3, 3,
		worker{name: "s1", process: "p1", epoch: 3, active: "0 0 1 2", aim: "0 0 1 2", topology: 1, knows: 7},
		worker{name: "s2", process: "p2", epoch: 3, active: "1 0 1 2", aim: "1 0 1 2", topology: 1, knows: 7})
	for _, width := range []float32{300, 320, 360, 390} {
		words := texts(picture(t, "phone", six, width, 0))
		for _, task := range []string{"0_0", "0_1", "0_2", "1_0", "1_1", "1_2"} {
			assert.Contains(t, words, task, "at %v", width)
		}
	}
}
