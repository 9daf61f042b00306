package board_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/core/playback"
	"groupscope/core/scenario"
	"groupscope/core/sim"
	"groupscope/render/board"
	"groupscope/render/scene"
	"groupscope/scenarios"
)

// restarted is the worked example at K7, where A crashed and was started again.
func restarted(t *testing.T, more ...sim.Action) *playback.Frame {
	t.Helper()
	src, err := scenarios.Source("kip-848-worked-example")
	require.NoError(t, err)
	sc, ds := scenario.Parse("test.yaml", src)
	require.Empty(t, ds)
	rec, err := playback.Record(sc, "kip")
	require.NoError(t, err)
	p := playback.NewPlayer(rec)
	require.NoError(t, p.SeekStep("K7"))
	for _, a := range append([]sim.Action{sim.Crash{Member: "A"}}, append(more, sim.Restart{Member: "A"})...) {
		require.NoError(t, p.Do(a))
	}
	require.NoError(t, p.Seek(p.Len()-1))
	return p.Frame()
}

func TestARestartedMemberAndWhatItLeftBehindHaveNamesOfTheirOwn(t *testing.T) {
	f := restarted(t)
	for _, v := range views() {
		s := draw(f, v)
		seen := map[string]bool{}
		for _, r := range s.Regions {
			assert.False(t, seen[r.ID], "%s stands twice, width %v", r.ID, v.Width)
			seen[r.ID] = true
		}
	}
	s := draw(f, board.View{Width: 1280})
	assert.Contains(t, region(t, s, "member/A~1").Title, "A~1: member epoch 2")
	assert.Contains(t, region(t, s, "member/A").Title, "A: member epoch 0")
	assert.Contains(t, texts(s), "A~1")
	region(t, s, "partition/foo-0/current/A~1")
	check(t, "restarted", f, views())
}

func TestWhoIsStillInTheBooksIsNotCalledRemoved(t *testing.T) {
	f := restarted(t, sim.LoseRequest{Member: "A", Count: 1})
	words := texts(draw(f, board.View{Width: 1280}))
	assert.Contains(t, words, "not in the group")
	assert.NotContains(t, words, "removed from the group")
}

func TestABrokenInvariantMarksTheMemberItNamesAlone(t *testing.T) {
	f := *restarted(t)
	s := *f.State
	s.Violations = []sim.Violation{{Invariant: "epoch order", Text: "A is ahead.", Members: []string{"A"}, Since: s.At}}
	f.State = &s
	picture := draw(&f, board.View{Width: 1280})
	home := region(t, picture, "member/A~1")
	marked := 0
	for _, sh := range picture.Over.Shapes {
		if sh.Stroke == scene.Alert && sh.W == 16 {
			marked++
			assert.True(t, sh.Y > home.Y && sh.Y < home.Y+home.H, "the mark stands in the row of A~1")
		}
	}
	assert.Equal(t, 1, marked)
}
