package board_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/core/playback"
	"groupscope/core/protocol"
	"groupscope/render/board"
	"groupscope/render/scene"
)

func draw(f *playback.Frame, v board.View) *scene.Scene {
	var s scene.Scene
	board.Group(&s, f, &v)
	return &s
}

func at(f *playback.Frame, age protocol.Duration) *playback.Frame {
	g := *f
	g.Age = age
	return &g
}

// chipAt is the chip that moves with a label, above all else.
func chipAt(t *testing.T, s *scene.Scene, label string) scene.Shape {
	t.Helper()
	for i := range s.Over.Labels {
		l := &s.Over.Labels[i]
		if l.Text != label {
			continue
		}
		for _, sh := range s.Over.Shapes {
			if sh.X < l.X && l.X < sh.X+sh.W && sh.Y < l.Y && l.Y < sh.Y+sh.H {
				return sh
			}
		}
	}
	require.Fail(t, "nothing moves", "no chip %s above the picture", label)
	return scene.Shape{}
}

// region is the place of a region.
func region(t *testing.T, s *scene.Scene, id string) scene.Region {
	t.Helper()
	for _, r := range s.Regions {
		if r.ID == id {
			return r
		}
	}
	require.Fail(t, "no region", id)
	return scene.Region{}
}

func TestTheSameFrameGivesTheSameScene(t *testing.T) {
	for _, f := range worked() {
		for _, age := range []protocol.Duration{0, 100, 300, 1000, playback.Settled} {
			for _, w := range []float32{1280, 390} {
				used := board.View{Width: w}
				var s scene.Scene
				board.Group(&s, worked()[3], &used) // another picture before
				board.Group(&s, at(f, age), &used)
				assert.Equal(t, draw(at(f, age), board.View{Width: w}), &s)
			}
		}
	}
}

func TestAPictureAtRestDoesNotTellHowItWasReached(t *testing.T) {
	for _, w := range []float32{1280, 768, 640, 480, 390} {
		for i, f := range worked() {
			rest := draw(f, board.View{Width: w})
			assert.False(t, rest.Moving, "K%d", i)
			assert.Equal(t, rest, draw(at(f, 5000), board.View{Width: w}), "K%d after motion", i)
			assert.Equal(t, rest, draw(at(f, 100), board.View{Width: w, ReducedMotion: true}), "K%d with reduced motion", i)
		}
	}
}

func TestAReleasedPartitionFallsToTheNobodyLane(t *testing.T) {
	f := worked()[6]
	v := board.View{Width: 1280}
	end := region(t, draw(f, v), "partition/foo-2/nobody")
	last := float32(0)
	for _, age := range []protocol.Duration{0, 60, 120, 200, 239} {
		s := draw(at(f, age), v)
		assert.True(t, s.Moving)
		c := chipAt(t, s, "foo-2")
		assert.Equal(t, end.X, c.X, "it moves straight down")
		assert.GreaterOrEqual(t, c.Y, last)
		assert.Less(t, c.Y, end.Y)
		assert.Equal(t, scene.Ink, c.Stroke, "nobody owns it on the way")
		last = c.Y
	}
	assert.Empty(t, draw(at(f, 241), v).Over.Labels, "it has arrived")
}

func TestAGrantedPartitionRisesAndFillsOnArrival(t *testing.T) {
	f := worked()[7]
	v := board.View{Width: 1280}
	end := region(t, draw(f, v), "partition/foo-2/current/B")
	c := chipAt(t, draw(at(f, 10), v), "foo-2")
	assert.Greater(t, c.Y, end.Y)
	assert.Equal(t, scene.Paper, c.Fill)
	s := draw(at(f, 300), v)
	var filling scene.Shape
	for _, sh := range s.Over.Shapes {
		if sh.Fill == scene.Epoch(2, scene.Fill) {
			filling = sh
		}
	}
	assert.Equal(t, end.Y, filling.Y)
	assert.Greater(t, filling.Alpha, float32(0))
	assert.Less(t, filling.Alpha, float32(1))
}

func TestAPartitionNeverGoesFromOwnerToOwner(t *testing.T) {
	before, after := worked()[5], worked()[7]
	f := *after
	f.Before = before.State
	f.Changes = playback.Diff(f.Before, f.State, nil)
	v := board.View{Width: 1280}
	lane := draw(worked()[6], v)
	nobody := region(t, lane, "partition/foo-2/nobody")
	assert.InDelta(t, nobody.Y, chipAt(t, draw(at(&f, 239), v), "foo-2").Y, 2, "released first")
	assert.InDelta(t, nobody.Y, chipAt(t, draw(at(&f, 241), v), "foo-2").Y, 2, "then granted")
	b := region(t, draw(&f, v), "partition/foo-2/current/B")
	assert.InDelta(t, b.Y, chipAt(t, draw(at(&f, 480), v), "foo-2").Y, 2)
}

func TestAFencedMembersPartitionsAreStruckBeforeTheyFall(t *testing.T) {
	f := fencedSteps()[1]
	v := board.View{Width: 1280}
	c := chipAt(t, draw(at(f, 100), v), "foo-0")
	assert.Equal(t, scene.Alert, c.Stroke)
	moved := chipAt(t, draw(at(f, 300), v), "foo-0")
	assert.Equal(t, scene.Ink, moved.Stroke)
	assert.Greater(t, moved.Y, c.Y)
}

func TestMoreThanTwoHundredChipsDoNotMove(t *testing.T) {
	before, after := crowd(64, 1000, false), crowd(64, 1000, false)
	for _, m := range after.Group.Members[:20] {
		m.Assigned = nil
	}
	f := frames(step{"K1", before, nil}, step{"K2", after, nil})[1]
	assert.False(t, draw(at(f, 50), board.View{Width: 1280}).Moving)
}

func TestAnIdleHeartbeatIsARingAroundTheName(t *testing.T) {
	f := *worked()[7]
	f.Pulses = []playback.Pulse{{Member: "A", Age: 200}}
	v := board.View{Width: 1280}
	s := draw(&f, v)
	assert.True(t, s.Moving)
	require.NotEmpty(t, s.Over.Shapes)
	f.Pulses[0].Age = 600
	assert.Empty(t, draw(&f, v).Over.Shapes)
	f.Pulses[0].Age = 200
	v.ReducedMotion = true
	assert.False(t, draw(&f, v).Moving)
}

func TestAFrameMakesNoGarbage(t *testing.T) {
	all := map[string]*playback.Frame{"K5": worked()[5], "payments": payments()}
	for name, n := range map[string][2]int{"matrix": {24, 96}, "aggregate": {100, 1000}} {
		all[name] = frames(step{"K1", crowd(n[0], n[1], false), nil}, step{"K2", crowd(n[0], n[1], true), nil})[1]
	}
	for name, f := range all {
		for _, age := range []protocol.Duration{150, playback.Settled} {
			v := board.View{Width: 1280, Height: 640}
			var s scene.Scene
			g := at(f, age)
			board.Group(&s, g, &v)
			allocs := testing.AllocsPerRun(20, func() {
				g.Now = g.Now.Add(16)
				board.Group(&s, g, &v)
			})
			assert.LessOrEqual(t, allocs, 5.0, "%s at age %v", name, age)
		}
	}
}

func TestAnyViewDrawsAndEveryNumberIsOne(t *testing.T) {
	odd := []*playback.Frame{worked()[0], worked()[5], payments(), frames(step{"K1", stage(0, nil), nil})[0],
		frames(step{"K1", stage(3, nil, member{name: "A", epoch: 3}), nil})[0], frames(step{"K1", crowd(30, 40, true), nil})[0], frames(step{"K1", crowd(70, 90, true), nil})[0]}
	for _, f := range odd {
		for _, w := range []float32{1, 40, 150, 300, 1000, 5000} {
			for _, h := range []float32{0, 1, 90, 5000} {
				s := draw(f, board.View{Width: w, Height: h, FirstRow: 3, FirstColumn: 999, Selected: "partition/foo-1"})
				require.GreaterOrEqual(t, s.Height, h)
				for _, sh := range s.Base.Shapes {
					for _, v := range []float32{sh.X, sh.Y, sh.W, sh.H, sh.Radii[0]} {
						require.False(t, math.IsNaN(float64(v)) || math.IsInf(float64(v), 0), "%v x %v", w, h)
					}
				}
			}
		}
	}
}

// half is a big group in which half of the partitions are on their way.
func half(members, partitions int) *playback.Frame {
	before, after := crowd(members, partitions, false), crowd(members, partitions, false)
	for i, m := range after.Group.Members {
		if i%2 == 0 {
			m.PendingRevocation, m.Assigned = m.Assigned, nil
		}
	}
	return at(frames(step{"K1", before, nil}, step{"K2", after, nil})[1], 100)
}

func BenchmarkGroup(b *testing.B) {
	cases := map[string]*playback.Frame{
		"3x3": at(worked()[7], 100), "6x12": payments(), "24x96": half(24, 96), "64x1000": half(64, 1000), "100x1000": half(100, 1000),
	}
	for _, name := range []string{"3x3", "6x12", "24x96", "64x1000", "100x1000"} {
		b.Run(name, func(b *testing.B) {
			f := cases[name]
			v := board.View{Width: 1280, Height: 720}
			var s scene.Scene
			b.ReportAllocs()
			for b.Loop() {
				board.Group(&s, f, &v)
			}
		})
	}
}
