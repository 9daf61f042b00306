package board

import "groupscope/render/scene"

// A pen draws on one layer, everything with one opacity.
type pen struct {
	l     *scene.Layer
	w     *words
	alpha float32 // 0 counts as 1
}

func (d *drawing) base() pen { return pen{l: &d.s.Base, w: d.w} }
func (d *drawing) over() pen { return pen{l: &d.s.Over, w: d.w} }

// faded is the same pen with an opacity; 0 draws nothing (see shape, label).
func (p pen) faded(alpha float32) pen {
	if p.alpha = max(alpha, nothing); alpha >= 1 {
		p.alpha = 0
	}
	return p
}

// nothing is an opacity that is not worth drawing.
const nothing = 1.0 / 128

func (p pen) shape(s scene.Shape) {
	if p.alpha == nothing {
		return
	}
	s.Alpha = p.alpha
	p.l.Shapes = append(p.l.Shapes, s)
}

func (p pen) label(l scene.Label) {
	if p.alpha == nothing || l.Text == "" {
		return
	}
	l.Alpha = p.alpha
	p.l.Labels = append(p.l.Labels, l)
}

func (p pen) text(x, y float32, text string, size float32, weight scene.Weight, c scene.Color) {
	p.label(scene.Label{X: x, Y: y, Text: text, Size: size, Weight: weight, Color: c})
}

func (p pen) textEnd(x, y float32, text string, size float32, weight scene.Weight, c scene.Color) {
	p.label(scene.Label{X: x, Y: y, Text: text, Size: size, Weight: weight, Color: c, Anchor: scene.End})
}

func (p pen) rect(x, y, w, h, r float32, fill scene.Color) {
	p.shape(scene.Shape{X: x, Y: y, W: w, H: h, Radii: round(r), Fill: fill})
}

// panel is what the coordinator holds.
func (p pen) panel(x, y, w, h, r float32) {
	p.shape(scene.Shape{X: x, Y: y, W: w, H: h, Radii: round(r), Fill: scene.Panel, Stroke: scene.PanelEdge, Width: 1.5})
}

func (p pen) outline(x, y, w, h, r, width float32, c scene.Color) {
	p.shape(scene.Shape{X: x, Y: y, W: w, H: h, Radii: round(r), Stroke: c, Width: width})
}

func (p pen) disc(cx, cy, r float32, fill scene.Color) {
	p.rect(cx-r, cy-r, 2*r, 2*r, r, fill)
}

func (p pen) circle(cx, cy, r, width float32, c scene.Color) {
	p.outline(cx-r, cy-r, 2*r, 2*r, r, width, c)
}

func (p pen) mark(m scene.Mark, x, y, w, h float32, c scene.Color) {
	p.shape(scene.Shape{X: x, Y: y, W: w, H: h, Fill: c, Mark: m})
}

// across and down are straight lines centred on y and x.
func (p pen) across(x0, x1, y, width float32, c scene.Color) {
	p.rect(min(x0, x1), y-width/2, abs(x1-x0), width, 0, c)
}

func (p pen) down(x, y0, y1, width float32, c scene.Color) {
	p.rect(x-width/2, min(y0, y1), width, abs(y1-y0), 0, c)
}

// dotted are lines that are never a message: links and trails.
func (p pen) dottedAcross(x0, x1, y float32) {
	p.shape(scene.Shape{X: min(x0, x1), Y: y - 0.75, W: abs(x1 - x0), H: 1.5, Fill: scene.Ink2, Dash: dots})
}

func (p pen) dottedDown(x, y0, y1 float32) {
	p.shape(scene.Shape{X: x - 0.75, Y: min(y0, y1), W: 1.5, H: abs(y1 - y0), Fill: scene.Ink2, Dash: dots})
}

var dots = [2]float32{3, 2.5}

// figures is an epoch badge with its left edge at x, and returns its right
// edge: a wide number makes it wider.
func (p pen) figures(x, y float32, b badgeForm, epoch int32) (right float32) {
	text, w := p.badge(b, epoch)
	p.shape(scene.Shape{
		X: x, Y: y, W: w, H: b.h, Radii: round(b.h / 2),
		Fill: scene.Epoch(epoch, scene.Fill), Stroke: scene.Epoch(epoch, scene.Edge), Width: 1.5,
	})
	p.label(scene.Label{
		X: x + w/2, Y: middle(y, b.h, b.size), Text: text, Size: b.size, Weight: scene.Medium,
		Color: scene.Epoch(epoch, scene.On), Anchor: scene.Middle,
	})
	return x + w
}

// badge is what an epoch badge says and how wide it is. A number for which
// there is no room loses its first figures: the last ones tell epochs apart.
func (p pen) badge(b badgeForm, epoch int32) (text string, width float32) {
	text = p.w.number(epoch)
	width = max(b.w, ceil(p.w.width(text, b.size, scene.Medium))+14)
	if b.most == 0 || width <= b.most {
		return text, width
	}
	for short := text; len(short) > 0; short = short[1:] {
		if len(short) < len(text) {
			p.w.line = append(append(p.w.line[:0], scene.Ellipsis...), short...)
			text = p.w.intern(p.w.line)
		}
		if p.w.width(text, b.size, scene.Medium)+6 <= b.most {
			break
		}
	}
	return text, b.most
}

// middle is the baseline of figures that stand in the middle of a box.
func middle(y, h, size float32) float32 { return y + h/2 + size*0.36 }

func round(r float32) [4]float32 { return [4]float32{r, r, r, r} }

func abs(x float32) float32 {
	if x < 0 {
		return -x
	}
	return x
}

// corners are the radii that tell a topic from the others.
func corners(topic int, r float32) [4]float32 {
	switch topic % 4 {
	case 1:
		return [4]float32{}
	case 2:
		return [4]float32{r, 0, 0, r}
	case 3:
		return [4]float32{0, r, r, 0}
	}
	return round(r)
}
