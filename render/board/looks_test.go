package board_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"groupscope/render/board"
	"groupscope/render/scene"
)

func TestTheHelpDrawsEveryLookWithItsMeaning(t *testing.T) {
	for _, width := range []float32{300, 640} {
		for _, streams := range []bool{false, true} {
			var s scene.Scene
			board.Looks(&s, streams, width)
			words := texts(&s)
			for _, w := range []string{"waits until another gives it up", "breaks an invariant", "it is about to run out", "8"} {
				assert.Contains(t, words, w)
			}
			assert.Equal(t, streams, contains(words, "standby"))
			for _, l := range s.Base.Labels {
				assert.GreaterOrEqual(t, l.Size, float32(14))
				assert.LessOrEqual(t, l.Y, s.Height)
				if l.Anchor == scene.Start {
					assert.LessOrEqual(t, l.X+scene.Measure(l.Text, l.Size, l.Weight), width, l.Text)
				}
			}
		}
	}
}
