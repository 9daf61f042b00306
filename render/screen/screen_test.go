package screen

import (
	"errors"
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/hajimehoshi/ebiten/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/render/scene"
	"groupscope/render/screen/kage"
)

func round4(r float32) [4]float32 { return [4]float32{r, r, r, r} }

func chip(x, y float32) scene.Shape {
	return scene.Shape{X: x, Y: y, W: 52, H: 32, Radii: round4(6), Fill: scene.Epoch(1, scene.Fill), Stroke: scene.Epoch(1, scene.Edge), Width: 1.5}
}

// outer is the outer edge that a quad's shader draws, from its half sizes.
func outer(v ebiten.Vertex) (left, top, right, bottom float32) {
	cx, cy := v.DstX-v.SrcX, v.DstY-v.SrcY
	return cx - v.ColorR, cy - v.ColorG, cx + v.ColorR, cy + v.ColorG
}

func TestTheShaderCompiles(t *testing.T) {
	_, err := ebiten.NewShader([]byte(kage.Shape()))
	assert.NoError(t, err)
}

func TestEdgesLieOnPixelBoundaries(t *testing.T) {
	for _, scale := range []float32{1, 1.25, 1.5, 2, 3} {
		for _, s := range []scene.Shape{chip(78, 112), chip(10.3, 7.7), {X: 314, Y: 394, W: 438, H: 1, Fill: scene.Hair}, {X: 770.5, Y: 20, W: 1.5, H: 80, Fill: scene.Ink2, Dash: [2]float32{1.5, 4}}} {
			var b batch
			b.shape(&s, grid{scale: scale, snap: true})
			left, top, right, bottom := outer(b.vertices[0])
			for _, edge := range []float32{left, top, right, bottom} {
				assert.InDelta(t, math.Round(float64(edge)), edge, 1e-3, "%+v at %v", s, scale)
			}
			assert.GreaterOrEqual(t, right-left, float32(1), "a hair is not lost")
			assert.GreaterOrEqual(t, bottom-top, float32(1), "a hair is not lost")
		}
	}
}

func TestEqualChipsStayEqualOnTheGrid(t *testing.T) {
	widths := map[float32]bool{}
	for i := range 20 {
		var b batch
		s := chip(float32(i)*60.3, 8)
		b.shape(&s, grid{scale: 1.5, snap: true})
		left, _, right, _ := outer(b.vertices[0])
		widths[right-left] = true
	}
	assert.Len(t, widths, 1)
}

func TestWhatMovesGlidesBetweenPixels(t *testing.T) {
	var b batch
	s := chip(10.3, 8)
	s.Width = 2
	b.shape(&s, grid{scale: 1})
	left, _, _, _ := outer(b.vertices[0])
	assert.InDelta(t, 9.3, left, 1e-3)
}

func TestAShapeWithDifferentCornersTakesFourQuadsThatMeet(t *testing.T) {
	var b batch
	s := chip(78, 112)
	s.Radii = [4]float32{6, 0, 0, 6}
	b.shape(&s, grid{scale: 1, snap: true})
	require.Len(t, b.vertices, 16)
	area := float32(0)
	for i := 0; i < 16; i += 4 {
		area += (b.vertices[i+1].DstX - b.vertices[i].DstX) * (b.vertices[i+2].DstY - b.vertices[i].DstY)
	}
	var whole batch
	s.Radii = round4(6)
	whole.shape(&s, grid{scale: 1, snap: true})
	require.Len(t, whole.vertices, 4)
	v := whole.vertices
	assert.InDelta(t, (v[1].DstX-v[0].DstX)*(v[2].DstY-v[0].DstY), area, 1e-3)
	assert.Equal(t, []float32{b.vertices[0].ColorB, 0, 0, b.vertices[0].ColorB}, []float32{b.vertices[0].ColorB, b.vertices[4].ColorB, b.vertices[8].ColorB, b.vertices[12].ColorB})
}

func TestColoursAndAlphaFitIntoOneFloat(t *testing.T) {
	for fill := range scene.Colors {
		s := scene.Shape{Fill: scene.Color(fill), Stroke: scene.Color(scene.Colors - 1 - fill), Alpha: float32(fill) / 100}
		packed := look(&s)
		n := int(packed)
		assert.Equal(t, packed, float32(n), "no part is lost")
		assert.Equal(t, fill, n%64)
		assert.Equal(t, scene.Colors-1-fill, n/64%64)
	}
	assert.LessOrEqual(t, scene.Colors, 64)
}

// board is a Board that does what a test tells it.
type board struct {
	picture scene.Scene
	changed bool
	moving  bool
	fail    error
	elapsed []time.Duration
	idle    int
	broken  []any
}

func (b *board) Update(elapsed time.Duration) (Picture, bool) {
	b.elapsed = append(b.elapsed, elapsed)
	if b.fail != nil {
		panic(b.fail)
	}
	palette, _ := scene.Theme("light")
	changed := b.changed
	b.changed = false
	return Picture{Scene: &b.picture, Palette: palette, Scale: 1, Moving: b.moving}, changed
}

func (b *board) Idle()                      { b.idle++ }
func (b *board) Broken(cause any, _ []byte) { b.broken = append(b.broken, cause) }

func newGame(t *testing.T) (*game, *board, *ebiten.Image) {
	t.Helper()
	p, err := newPainter()
	require.NoError(t, err)
	b := &board{}
	b.picture.Base.Shapes = []scene.Shape{chip(8, 8)}
	b.picture.Base.Labels = []scene.Label{{X: 34, Y: 28, Text: "foo-2", Size: 14, Color: scene.Ink, Anchor: scene.Middle}}
	return &game{board: b, painter: p}, b, ebiten.NewImage(640, 264)
}

func frame(t *testing.T, g *game, screen *ebiten.Image) {
	t.Helper()
	require.NoError(t, g.Update())
	g.Draw(screen)
}

func TestAGameIsIdleOnceItsPictureStands(t *testing.T) {
	g, b, screen := newGame(t)
	frame(t, g, screen)
	assert.Zero(t, b.idle, "the first picture is only now on the screen")
	assert.False(t, g.stale)
	frame(t, g, screen)
	assert.Equal(t, 1, b.idle)

	b.moving = true
	frame(t, g, screen)
	frame(t, g, screen)
	assert.Equal(t, 1, b.idle, "not while something moves")
	b.moving, b.changed = false, true
	frame(t, g, screen)
	assert.Equal(t, 1, b.idle, "not before the end of the motion is drawn")
	frame(t, g, screen)
	assert.Equal(t, 2, b.idle)
}

func TestTimeSpentParkedIsNotPlayed(t *testing.T) {
	g, b, screen := newGame(t)
	frame(t, g, screen)
	frame(t, g, screen)
	require.Equal(t, 1, b.idle)
	g.last = time.Time{}
	frame(t, g, screen)
	assert.Zero(t, b.elapsed[len(b.elapsed)-1])
	g.last = time.Now().Add(-time.Hour)
	frame(t, g, screen)
	assert.LessOrEqual(t, b.elapsed[len(b.elapsed)-1], longest, "a stall does not jump")
}

func TestWhatBreaksIsToldOnceAndTheLastPictureStays(t *testing.T) {
	g, b, screen := newGame(t)
	frame(t, g, screen)
	b.fail = errors.New("a partition has two owners")
	frame(t, g, screen)
	frame(t, g, screen)
	assert.Equal(t, []any{b.fail}, b.broken)
	assert.Len(t, b.elapsed, 2, "the board is left alone")

	g.Draw(ebiten.NewImage(320, 264))
	assert.False(t, g.stale, "a new size gets the last good picture")
}

func TestAFrameIsLaidOutWithoutAllocating(t *testing.T) {
	p, err := newPainter()
	require.NoError(t, err)
	var s scene.Scene
	for i := range 1000 {
		s.Base.Shapes = append(s.Base.Shapes, chip(float32(i%20)*60, float32(i/20)*36))
		s.Base.Labels = append(s.Base.Labels, scene.Label{X: float32(i), Y: 20, Text: fmt.Sprintf("foo-%d", i), Size: 14, Color: scene.Ink})
	}
	palette, _ := scene.Theme("light")
	pic := Picture{Scene: &s, Palette: palette, Scale: 1}
	p.prepare(&pic)
	assert.Zero(t, testing.AllocsPerRun(10, func() { p.prepare(&pic) }))
}

func TestLabelsOfThePastMakeRoomForThoseOfNow(t *testing.T) {
	p, err := newPainter()
	require.NoError(t, err)
	palette, _ := scene.Theme("light")
	for i := range 400 {
		s := scene.Scene{Base: scene.Layer{Labels: []scene.Label{{Text: fmt.Sprintf("session %d.%03d s of a very long label", i, i), Size: 90, Color: scene.Ink}}}}
		p.prepare(&Picture{Scene: &s, Palette: palette, Scale: 1})
		require.Len(t, p.base.labels.vertices, 4, "label %d is drawn", i)
	}
}
