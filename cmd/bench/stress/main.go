//go:build js

// Command stress is what `make bench` times frames with: 100 members with ten
// chips each, half of them on the move for ever, laid out and drawn by the
// same code as the boards.
package main

import (
	"fmt"
	"runtime"
	"syscall/js"
	"time"

	"groupscope/render/scene"
	"groupscope/render/screen"
)

const (
	members = 100
	each    = 10
)

func main() {
	s := &stress{}
	s.palette, _ = scene.Theme("light")
	for m := range members {
		for p := range each {
			s.names = append(s.names, fmt.Sprintf("foo-%d", m*each+p))
		}
	}
	exports := js.Global().Get("Object").New()
	exports.Set("memory", js.FuncOf(func(js.Value, []js.Value) any {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return map[string]any{"mallocs": float64(m.Mallocs), "frames": s.frames}
	}))
	js.Global().Set("groupscope", exports)
	js.Global().Get("groupscope_ready").Invoke()
	if err := screen.Run(s); err != nil {
		panic(err)
	}
}

// stress is a board whose every other chip swings between two rows.
type stress struct {
	names   []string
	picture scene.Scene
	palette *scene.Palette
	clock   time.Duration
	frames  int
}

// Update implements screen.Board.
func (s *stress) Update(elapsed time.Duration) (screen.Picture, bool) {
	s.clock += elapsed
	s.frames++
	s.picture.Reset()
	s.picture.Width, s.picture.Height, s.picture.Background = 1280, 720, scene.Paper
	swing := float32(s.clock%time.Second) / float32(time.Second) * 40
	for i, name := range s.names {
		layer, y := &s.picture.Base, float32(i/(2*each))*14
		if i%2 == 1 {
			layer, y = &s.picture.Over, y+swing
		}
		x := float32(i%(2*each)) * 64
		layer.Shapes = append(layer.Shapes, scene.Shape{
			X: x, Y: y, W: 60, H: 13, Radii: [4]float32{6, 6, 6, 6},
			Fill: scene.Epoch(int32(i%4+1), scene.Fill), Stroke: scene.Epoch(int32(i%4+1), scene.Edge), Width: 1.5,
		})
		layer.Labels = append(layer.Labels, scene.Label{
			X: x + 30, Y: y + 11, Text: name, Size: 12, Anchor: scene.Middle, Color: scene.Epoch(int32(i%4+1), scene.On),
		})
	}
	return screen.Picture{Scene: &s.picture, Palette: s.palette, Scale: 1, Moving: true}, true
}

// Idle implements screen.Board.
func (s *stress) Idle() {}

// Broken implements screen.Board.
func (s *stress) Broken(cause any, stack []byte) { panic(fmt.Sprintf("%v\n%s", cause, stack)) }
