//go:build browser

package browsertest

import (
	"bytes"
	"encoding/json"
	"image"
	"image/color"
	"image/png"
	"slices"
	"strings"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"groupscope/render/scene"
)

// drawing is a board as it stands on the screen, with the scene it was drawn
// from. Coordinates are the scene's: CSS pixels from the board's corner.
type drawing struct {
	p       *tab
	image   image.Image
	left    float64
	top     float64
	palette *scene.Palette
	scene   scene.Scene
	regions []region
}

type region struct {
	ID         string
	X, Y, W, H float64
}

// idle waits until the board of an element needs no more frames.
func (p *tab) idle(scope string) {
	p.t.Helper()
	p.until(scope + `.state === 'live' && ` + scope + `.player.parked`)
}

// shot is what an element's board looks like now, whatever state it is in.
func (p *tab) shot(scope string) *drawing {
	p.t.Helper()
	shot, err := chromedp.Run(p.ctx, chromedp.CaptureScreenshot())
	require.NoError(p.t, err)
	img, err := png.Decode(bytes.NewReader(shot))
	require.NoError(p.t, err)
	at := eval[struct{ Left, Top float64 }](p, scope+`.shadowRoot.querySelector('[part=board]').getBoundingClientRect().toJSON()`)
	return &drawing{p: p, image: img, left: at.Left, top: at.Top}
}

// draw takes a picture of an element's board once it is at rest, with what it
// was drawn from.
func (p *tab) draw(scope, theme string) *drawing {
	p.t.Helper()
	p.idle(scope)
	d := p.shot(scope)
	palette, ok := scene.Theme(theme)
	require.True(p.t, ok)
	d.palette = palette
	d.scene = eval[scene.Scene](p, scope+`.bridge.scene()`)
	for _, l := range []*scene.Layer{&d.scene.Base, &d.scene.Over} { // nothing is nothing, whether it ever was something
		l.Shapes, l.Labels = append([]scene.Shape{}, l.Shapes...), append([]scene.Label{}, l.Labels...)
	}
	d.regions = eval[[]region](p, scope+`.bridge.regions()`)
	return d
}

// at is the colour at a point of the board.
func (d *drawing) at(x, y float64) color.RGBA {
	return color.RGBAModel.Convert(d.image.At(int(d.left+x), int(d.top+y))).(color.RGBA)
}

// region is the part of the board with an id.
func (d *drawing) region(id string) region {
	d.p.t.Helper()
	i := slices.IndexFunc(d.regions, func(r region) bool { return r.ID == id })
	require.GreaterOrEqual(d.p.t, i, 0, "the board has no %s", id)
	return d.regions[i]
}

// inside is the colour of a chip at a point that its label leaves free.
func (d *drawing) inside(r region) color.RGBA { return d.at(r.X+r.W/2, r.Y+4) }

// share is how much of the line y, from x0 to x1, has the colour.
func (d *drawing) share(c scene.Color, x0, x1, y float64) float64 {
	n, hits := 0.0, 0.0
	for x := x0; x < x1; x++ {
		n++
		if d.at(x, y) == d.palette[c] {
			hits++
		}
	}
	return hits / n
}

// hatched reports whether a chip has both the colour of an epoch's edge and
// paper along a line above its label.
func (d *drawing) hatched(r region, epoch int32) bool {
	lines := d.share(scene.Epoch(epoch, scene.Edge), r.X+6, r.X+r.W-6, r.Y+4)
	paper := d.share(scene.Paper, r.X+6, r.X+r.W-6, r.Y+4)
	return lines > 0.15 && paper > 0.15
}

// outlined reports whether a chip has an edge in that colour and none of it
// inside.
func (d *drawing) outlined(r region, c scene.Color) bool {
	edge := false
	for dx := -2.0; dx <= 2; dx++ {
		edge = edge || d.at(r.X+dx, r.Y+r.H/2) == d.palette[c]
	}
	return edge && d.inside(r) != d.palette[c]
}

// partitions are the chips of the board.
func (d *drawing) partitions() (out []region) {
	for _, r := range d.regions {
		if strings.HasPrefix(r.ID, "partition/") {
			out = append(out, r)
		}
	}
	return out
}

// slots are the dots that stand for empty slots.
func (d *drawing) slots() (out []scene.Shape) {
	for _, s := range d.scene.Base.Shapes {
		if s.Fill == scene.Hair && s.W == 5 && s.H == 5 {
			out = append(out, s)
		}
	}
	return out
}

// same reports whether two drawings have the same pixels on their boards.
func (d *drawing) same(o *drawing) bool {
	w, h := int(d.scene.Width), int(d.scene.Height)
	for y := range h {
		for x := range w {
			if d.at(float64(x), float64(y)) != o.at(float64(x), float64(y)) {
				return false
			}
		}
	}
	return true
}

func text(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(data)
}
