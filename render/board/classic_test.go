package board_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/core/playback"
	"groupscope/core/scenario"
	"groupscope/render/board"
	"groupscope/scenarios"
)

// stepOf is a scenario of the gallery at one of its steps.
func stepOf(t *testing.T, name, step string) *playback.Frame {
	t.Helper()
	src, err := scenarios.Source(name)
	require.NoError(t, err)
	sc, ds := scenario.Parse(name+".yaml", src)
	require.Empty(t, ds)
	rec, err := playback.Record(sc, "kafka")
	require.NoError(t, err)
	p := playback.NewPlayer(rec)
	require.NoError(t, p.SeekStep(step))
	return p.Frame()
}

func TestAClassicGroupHasAGenerationAndDoesNotSayWhoHasWhat(t *testing.T) {
	f := stepOf(t, "from-the-classic-protocol", "classic")
	s := draw(f, board.View{Width: 1280})
	words := texts(s)
	for _, want := range []string{"classic, Stable", "generation", "the leader knows who has what"} {
		assert.Contains(t, words, want)
	}
	for _, no := range []string{"group epoch", "assignment epoch", "no partition has an owner yet"} {
		assert.NotContains(t, words, no)
	}
	assert.Equal(t, "Group example: a classic group, Stable, generation 2", region(t, s, "group").Title)
	assert.Contains(t, region(t, s, "member/A").Title, "A: in a classic group")
	assert.Contains(t, s.Title, "group example is a classic group, Stable, in generation 2, 2 members.")
	check(t, "classic", f, views())

	words = texts(draw(stepOf(t, "from-the-classic-protocol", "converted"), board.View{Width: 1280}))
	assert.Contains(t, words, "group epoch")
	assert.NotContains(t, words, "generation")
}
