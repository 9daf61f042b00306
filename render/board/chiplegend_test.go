package board_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"groupscope/core/playback"
	"groupscope/core/protocol"
	"groupscope/core/sim"
	"groupscope/render/board"
	"groupscope/render/scene"
)

func TestTheLegendExplainsTheLooksThatAreOnTheBoard(t *testing.T) {
	st := enrich()
	words := texts(picture(t, "legend", st, 1280, 700))
	for _, w := range []string{"active", "standby", "warm-up", "being revoked", "target"} {
		assert.Contains(t, words, w)
	}
	for _, w := range []string{"waits", "being opened", "no owner yet", "breaks an invariant", "restoring"} {
		assert.NotContains(t, words, w, "not on the board")
	}
	waits := workshop(3, 2,
		worker{name: "A", process: "p1", epoch: 2, active: "1 0 1", topology: 1, aim: "1 0"},
		worker{name: "B", process: "p2", epoch: 3, opens: "0 0", waits: "1 1", topology: 1, aim: "1 1"})
	waits.Unowned = []sim.Unowned{{Partition: protocol.Partition{Topic: "0"}, Never: true}}
	words = texts(picture(t, "legend-waits", waits, 1280, 700))
	for _, w := range []string{"waits", "being opened", "no owner yet"} {
		assert.Contains(t, words, w)
	}
	waits.Violations = []sim.Violation{{Partitions: []protocol.Partition{{Topic: "1"}, {Topic: "0"}}, Members: []string{"A"}}}
	assert.Contains(t, texts(picture(t, "legend-broken", waits, 1280, 700)), "breaks an invariant")
}

func TestTheLegendStandsBesideTheLaneWhereThereIsNoRoomBelow(t *testing.T) {
	words := texts(last(enrich(), 768, 400))
	assert.Contains(t, words, "standby")
	assert.Contains(t, words, "being revoked")
}

func TestAStatusStaysVisibleWithoutRoomForWords(t *testing.T) {
	for _, width := range []float32{390, 480, 640, 768} {
		words := texts(last(enrich(), width, 300))
		assert.True(t, contains(words, "!") || contains(words, "STALE_TOPOLOGY"), "%v: %v", width, words)
	}
}

func TestAProcessKeepsItsNameWhereNamesHaveALineOfTheirOwn(t *testing.T) {
	st := workshop(2, 4,
		worker{name: "instance-1-thread-1", process: "one", epoch: 2, active: "0 0 1 2 3", topology: 1, aim: "0 0 1 2 3"},
		worker{name: "instance-1-thread-2", process: "one", epoch: 2, active: "1 0 1 2 3", topology: 1, aim: "1 0 1 2 3"})
	assert.Contains(t, texts(picture(t, "above", st, 768, 330)), "one")
}

// last is a board too low for all rows, from the last one on.
func last(st *sim.State, width, height float32) *scene.Scene {
	var s scene.Scene
	board.Group(&s, &playback.Frame{State: st, Now: st.At, Age: playback.Settled}, &board.View{Width: width, Height: height, FirstRow: 99, Held: true})
	return &s
}

func contains(words []string, word string) bool {
	for _, w := range words {
		if w == word {
			return true
		}
	}
	return false
}
