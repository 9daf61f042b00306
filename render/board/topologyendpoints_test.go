package board_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"groupscope/core/playback"
	"groupscope/render/board"
	"groupscope/render/scene"
)

func TestTheTopologyBoardListsWhatCanBeAskedWhere(t *testing.T) {
	draw := func(height float32) []string {
		st, s := plant(), scene.Scene{}
		board.Topology(&s, &playback.Frame{State: st, Now: st.At, Age: playback.Settled}, &board.View{Width: 1280, Height: height})
		return texts(&s)
	}
	words := draw(0)
	assert.Contains(t, words, "Endpoints, epoch 7")
	assert.Contains(t, words, "p1:9090", "both threads of the process")
	assert.Contains(t, words, "0_0, 0_1, 0_2, 1_0, 1_1, 1_2; copies of 0_3, 1_3")
	assert.NotContains(t, draw(420), "p1:9090", "not for want of topics")
}
