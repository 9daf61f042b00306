package screen

import (
	"math"

	"github.com/hajimehoshi/ebiten/v2"

	"groupscope/render/scene"
)

// The kinds that shape.kage tells apart, besides the patterns by their number.
const (
	kindDashes = 4
	kindMarks  = 8
)

// batch is what one draw call takes.
type batch struct {
	vertices []ebiten.Vertex
	indices  []uint32
}

func (b *batch) reset() { b.vertices, b.indices = b.vertices[:0], b.indices[:0] }

// quad adds a rectangle of the screen. Its source coordinates run from
// (sx0, sy0) to (sx1, sy1); v gives the rest.
func (b *batch) quad(x0, y0, x1, y1, sx0, sy0, sx1, sy1 float32, v ebiten.Vertex) {
	n := uint32(len(b.vertices))
	for _, c := range [4][4]float32{{x0, y0, sx0, sy0}, {x1, y0, sx1, sy0}, {x0, y1, sx0, sy1}, {x1, y1, sx1, sy1}} {
		v.DstX, v.DstY, v.SrcX, v.SrcY = c[0], c[1], c[2], c[3]
		b.vertices = append(b.vertices, v)
	}
	b.indices = append(b.indices, n, n+1, n+2, n+1, n+3, n+2)
}

// grid maps scene lengths to device pixels. With snap, outer edges come to lie
// on pixel boundaries, so that straight strokes are crisp; without it things
// glide.
type grid struct {
	scale float32
	snap  bool
}

func (g grid) place(pos, size float32) (from, to float32) {
	from, to = pos*g.scale, (pos+size)*g.scale
	if g.snap {
		length := max(round(to-from), 1)
		from = round(from)
		to = from + length
	}
	return from, to
}

func round(x float32) float32 { return float32(math.Floor(float64(x) + 0.5)) }

// shape adds one shape of a scene. Shapes whose corners differ take four
// quads, one a corner, since a quad carries one radius.
func (b *batch) shape(s *scene.Shape, g grid) {
	w := s.Width
	if s.Stroke == scene.NoColor || s.Mark != scene.NoMark {
		w = 0
	}
	x0, x1 := g.place(s.X-w/2, s.W+w)
	y0, y1 := g.place(s.Y-w/2, s.H+w)
	hw, hh := (x1-x0)/2, (y1-y0)/2
	w *= g.scale

	v := ebiten.Vertex{ColorR: hw, ColorG: hh, ColorA: w, Custom3: look(s)}
	switch {
	case s.Mark != scene.NoMark:
		v.Custom0 = kindMarks + float32(s.Mark)
	case s.Dash[0] > 0 && w == 0:
		v.Custom0 = kindDashes
	default:
		v.Custom0 = float32(s.Pattern)
	}
	v.Custom1, v.Custom2 = s.Dash[0]*g.scale, s.Dash[1]*g.scale
	radius := func(r float32) float32 {
		if r == 0 {
			return 0
		}
		return min(r*g.scale+w/2, hw, hh)
	}

	const rim = 1 // room for smooth edges
	cx, cy := (x0+x1)/2, (y0+y1)/2
	r := s.Radii
	if r[0] == r[1] && r[1] == r[2] && r[2] == r[3] {
		v.ColorB = radius(r[0])
		b.quad(x0-rim, y0-rim, x1+rim, y1+rim, -hw-rim, -hh-rim, hw+rim, hh+rim, v)
		return
	}
	v.ColorB = radius(r[0])
	b.quad(x0-rim, y0-rim, cx, cy, -hw-rim, -hh-rim, 0, 0, v)
	v.ColorB = radius(r[1])
	b.quad(cx, y0-rim, x1+rim, cy, 0, -hh-rim, hw+rim, 0, v)
	v.ColorB = radius(r[2])
	b.quad(cx, cy, x1+rim, y1+rim, 0, 0, hw+rim, hh+rim, v)
	v.ColorB = radius(r[3])
	b.quad(x0-rim, cy, cx, y1+rim, -hw-rim, 0, 0, hh+rim, v)
}

// look packs a shape's colours and alpha into one number below 2^18, which a
// float carries exactly.
func look(s *scene.Shape) float32 {
	return float32(int(s.Fill) + 64*int(s.Stroke) + 4096*int(round(opacity(s.Alpha)*63)))
}

func opacity(alpha float32) float32 {
	if alpha == 0 {
		return 1
	}
	return min(max(alpha, 0), 1)
}
