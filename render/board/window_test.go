package board_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/core/playback"
	"groupscope/core/sim"
	"groupscope/render/board"
	"groupscope/render/scene"
)

func TestNothingLiesWhereTheKeysOfAWindowStand(t *testing.T) {
	all := append(worked(), payments(), violated())
	for _, n := range [][2]int{{8, 24}, {24, 96}, {60, 200}} {
		all = append(all, frames(step{"K1", crowd(n[0], n[1], true), nil})[0])
	}
	rows, columns := 0, 0
	for i, f := range all {
		for _, v := range views() {
			var s scene.Scene
			board.Group(&s, f, &v)
			r, c := v.Windows()
			for _, w := range []board.Window{r, c} {
				if !w.All() {
					assert.Empty(t, inTheWay(&s, w), "frame %d at %v x %v", i, v.Width, v.Height)
				}
			}
			if !r.All() {
				rows++
			}
			if !c.All() {
				columns++
			}
		}
	}
	require.NotZero(t, rows)
	require.NotZero(t, columns)
}

func inTheWay(s *scene.Scene, w board.Window) (out []string) {
	place := box{w.X, w.Y, w.X + board.KeysWidth, w.Y + board.KeysHeight}
	if !(box{0, 0, s.Width, s.Height}).holds(place) {
		out = append(out, fmt.Sprintf("the place reaches out: %v", place))
	}
	for _, l := range []scene.Layer{s.Base, s.Over} {
		for i := range l.Labels {
			if ink(&l.Labels[i]).meets(place) {
				out = append(out, l.Labels[i].Text)
			}
		}
	}
	for _, r := range s.Regions {
		if len(r.ID) > 10 && r.ID[:10] == "partition/" && (box{r.X, r.Y, r.X + r.W, r.Y + r.H}).meets(place) {
			out = append(out, r.ID)
		}
	}
	return out
}

func TestRowsMoveToWhatChangedUnlessTheyAreHeld(t *testing.T) {
	for name, f := range map[string]*playback.Frame{"chips": worked()[3], "matrix": joined(24)} {
		v := board.View{Width: 640, Height: 170}
		if name == "matrix" {
			v.Height = 360
		}
		draw := func(first int, held bool) board.Window {
			var s scene.Scene
			v.FirstRow, v.Held = first, held
			board.Group(&s, f, &v)
			rows, _ := v.Windows()
			require.False(t, rows.All(), name)
			return rows
		}
		assert.Equal(t, 0, draw(0, true).First, name)
		assert.NotZero(t, draw(0, false).First, name)
		last := draw(999, true)
		assert.Equal(t, last.Count, last.First+last.Shown, "%s: it ends with the last row", name)
	}
}

// joined is the moment at which the last of so many members has joined.
func joined(n int) *playback.Frame {
	before, after := crowd(n, 2*n, false), crowd(n, 2*n, false)
	last := *after.Group.Members[n-1]
	last.MemberEpoch++
	after.Group.Members[n-1] = &last
	return frames(step{"K1", before, nil}, step{"K2", after, nil})[1]
}

func TestAGroupWithoutMembersHasABoardInEveryForm(t *testing.T) {
	empty := crowd(100, 300, false)
	none := *empty
	none.Group = nil
	bare := *empty.Group
	bare.Members = nil
	left := *empty
	left.Group = &bare
	for name, s := range map[string]*sim.State{"no group": &none, "no members": &left} {
		check(t, name, frames(step{"K1", s, nil})[0], views())
	}
}
