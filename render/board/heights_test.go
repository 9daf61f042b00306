package board

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/core/playback"
	"groupscope/core/scenario"
	"groupscope/render/scene"
	"groupscope/scenarios"
)

// With the least height a board leaves out timers and words, but no row that
// it would show with the height it prefers.
func TestTheLeastHeightShowsEveryRow(t *testing.T) {
	for _, name := range scenarios.Names() {
		src, err := scenarios.Source(name)
		require.NoError(t, err)
		sc, ds := scenario.Parse(name, src)
		require.Empty(t, ds)
		rec, err := playback.Record(sc, sc.Rules[0])
		require.NoError(t, err)
		p := playback.NewPlayer(rec)
		for i := range p.Len() {
			require.NoError(t, p.Seek(i))
			for _, width := range []float32{390, 480, 640, 768, 1280} {
				v := &View{Width: width}
				preferred, least := Kinds[0].Heights(p.Frame(), v)
				require.LessOrEqual(t, least, preferred)
				rows := shownRows(p.Frame(), v, preferred)
				assert.Equal(t, rows, shownRows(p.Frame(), v, least), "%s %s, %v wide", name, p.Frame().Stop.Label, width)
			}
		}
	}
}

func shownRows(f *playback.Frame, v *View, height float32) int {
	var s scene.Scene
	v.Height = height
	Group(&s, f, v)
	rows := 0
	for i := range v.work.rows {
		if v.work.rows[i].shown {
			rows++
		}
	}
	return rows
}
