package board_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/core/protocol"
	"groupscope/core/sim"
	"groupscope/render/scene"
)

// chipsIn are the outlines of the chips in a region of the board, of those of
// its column.
func chipsIn(t *testing.T, s *scene.Scene, id string) (found []scene.Shape) {
	t.Helper()
	i := slices.IndexFunc(s.Regions, func(r scene.Region) bool { return r.ID == id })
	require.GreaterOrEqual(t, i, 0, "a region %s", id)
	r := s.Regions[i]
	for _, shape := range s.Base.Shapes {
		if shape.X >= r.X-6 && shape.Y >= r.Y && shape.X+shape.W <= r.X+r.W && shape.Y+shape.H <= r.Y+r.H {
			found = append(found, shape)
		}
	}
	return found
}

func title(t *testing.T, s *scene.Scene, id string) string {
	t.Helper()
	i := slices.IndexFunc(s.Regions, func(r scene.Region) bool { return r.ID == id })
	require.GreaterOrEqual(t, i, 0, "a region %s", id)
	return s.Regions[i].Title
}

func has(shapes []scene.Shape, is func(scene.Shape) bool) bool {
	return slices.ContainsFunc(shapes, is)
}

func dashed(s scene.Shape) bool { return s.Dash != [2]float32{} }
func locked(s scene.Shape) bool { return s.Mark == scene.Lock }

func TestATaskThatIsBeingOpenedDoesNotLookAsIfItRan(t *testing.T) {
	st := workshop(2, 2, worker{name: "A", process: "p1", epoch: 2, active: "", opens: "0 0 1", topology: 1, aim: "0 0 1"})
	s := picture(t, "opens", st, 768, 0)
	opening := chipsIn(t, s, "partition/0-0/own/A")
	assert.True(t, has(opening, dashed), "dashed, as what is free to take")
	assert.False(t, has(opening, func(k scene.Shape) bool { return k.Fill == scene.Epoch(2, scene.Fill) }), "and not filled")
	assert.Contains(t, title(t, s, "partition/0-0/own/A"), "is opening it")
	assert.Contains(t, strings.Join(texts(s), "|"), "takes 0_0 and 0_1")
}

func TestAnActiveTaskThatRestoresHasABarAndWords(t *testing.T) {
	behind := workshop(2, 2, worker{name: "A", process: "p1", epoch: 2, active: "1 0", restores: "1 0", topology: 1, aim: "1 0"})
	ready := workshop(2, 2, worker{name: "A", process: "p1", epoch: 2, active: "1 0", topology: 1, aim: "1 0"})
	bar := func(k scene.Shape) bool { return k.Fill == scene.Epoch(2, scene.On) }
	for _, width := range []float32{390, 480, 768, 1280} {
		column := "own"
		if width == 480 {
			column = "current" // it has no place for what clients believe
		}
		was, is := picture(t, "restores", behind, width, 0), picture(t, "restored", ready, width, 0)
		assert.True(t, has(chipsIn(t, was, "partition/1-0/"+column+"/A"), bar), "%v", width)
		assert.False(t, has(chipsIn(t, is, "partition/1-0/"+column+"/A"), bar), "%v", width)
		assert.Contains(t, title(t, was, "partition/1-0/"+column+"/A"), "restores its state")
		if width >= 768 {
			assert.Contains(t, strings.Join(texts(was), "|"), "restores 1_0")
		}
	}
}

func TestAWarmUpThatWaitsToBeActiveShowsBoth(t *testing.T) {
	st := workshop(3, 2,
		worker{name: "A", process: "p1", epoch: 2, active: "1 0 1", topology: 1, aim: "1 0"},
		worker{name: "B", process: "p2", epoch: 3, warmup: "1 1", waits: "1 1", topology: 1, aim: "1 1"})
	s := picture(t, "waits-warm", st, 768, 0)
	chip := chipsIn(t, s, "partition/1-1/current/B")
	assert.True(t, has(chip, locked), "a lock")
	assert.True(t, has(chip, func(k scene.Shape) bool { return k.Fill == scene.Epoch(3, scene.Wash) }), "and the body of a warm-up")
	assert.Contains(t, title(t, s, "partition/1-1/current/B"), "waits to have it in another role")
}

func TestAWarmUpThatIsWantedShowsNoProgress(t *testing.T) {
	st := workshop(3, 2, worker{name: "A", process: "p1", epoch: 3, topology: 1, aimWarmup: "1 1"})
	s := picture(t, "wanted", st, 768, 0)
	for _, k := range chipsIn(t, s, "partition/1-1/target/A") {
		assert.NotEqual(t, scene.Epoch(3, scene.Edge), k.Fill, "%+v", k)
	}
}

func TestTheNobodyLaneHasTheTasksOfATopologyJustValidated(t *testing.T) {
	st := workshop(2, 3, worker{name: "A", process: "p1", epoch: 1, topology: 1})
	st.Group.Streams.Tasks, st.Group.Streams.Configured = nil, nil
	st.Unowned = []sim.Unowned{{Partition: protocol.Partition{Topic: "0"}, Never: true}}
	assert.Contains(t, texts(picture(t, "first", st, 768, 0)), "no task has an owner yet")
}

func TestTheTopologyIsSaidWithItsEpochAndWhetherItIsValidated(t *testing.T) {
	for validated, words := range map[int32]string{1: "topology epoch 1, validated", 0: "topology epoch 1, validated at 0", -1: "topology epoch 1, not validated"} {
		st := enrich()
		st.Group.Streams.ValidatedTopologyEpoch = validated
		assert.Contains(t, texts(picture(t, "validated", st, 1400, 0)), words)
	}
}
