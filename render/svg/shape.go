package svg

import (
	"fmt"
	"strings"

	"groupscope/render/scene"
)

// shapes writes the shapes of a layer; neighbours that look alike become one
// path.
func (p *printer) shapes(ss []scene.Shape) {
	for i := 0; i < len(ss); {
		s := &ss[i]
		if s.Mark != scene.NoMark {
			p.mark(s)
			i++
			continue
		}
		if s.Dash[0] > 0 && s.Stroke == scene.NoColor {
			p.dashes(s)
			i++
			continue
		}
		look := p.look(s)
		p.b.WriteString("<path" + look + ` d="`)
		j := i
		for ; j < len(ss) && p.joins(s, &ss[j], j > i); j++ {
			p.outline(&ss[j])
		}
		p.b.WriteString(`"/>`)
		i = j
	}
}

// joins reports that b may go into a's path: both look alike, and nothing of
// b would have to cover a stroke of a.
func (p *printer) joins(a, b *scene.Shape, next bool) bool {
	if !next {
		return true
	}
	return b.Mark == scene.NoMark && a.Fill == b.Fill && a.Stroke == b.Stroke && a.Width == b.Width && a.Dash == b.Dash &&
		a.Pattern == b.Pattern && a.Alpha == b.Alpha && (a.Stroke == scene.NoColor && a.Dash[0] == 0 || apart(a, b))
}

// apart is true of two shapes that stand in one line without touching, as
// neighbouring chips do.
func apart(a, b *scene.Shape) bool {
	return b.X > a.X+a.W+a.Width && b.Y == a.Y
}

// look is the shape's paint as attributes.
func (p *printer) look(s *scene.Shape) string {
	var b strings.Builder
	switch {
	case s.Pattern != scene.Plain:
		b.WriteString(` fill="url(#` + p.pattern(s) + `)"`)
	case s.Fill != scene.NoColor:
		b.WriteString(` fill="` + p.paint(s.Fill) + `"`)
	default:
		b.WriteString(` fill="none"`)
	}
	if s.Stroke != scene.NoColor && s.Width > 0 {
		b.WriteString(` stroke="` + p.paint(s.Stroke) + `"`)
		if s.Width != 1 {
			b.WriteString(` stroke-width="` + number(s.Width) + `"`)
		}
		if s.Dash[0] > 0 {
			fmt.Fprintf(&b, ` stroke-dasharray="%s %s"`, number(s.Dash[0]), number(s.Dash[1]))
		}
	}
	return b.String() + opacity(s.Alpha)
}

// outline adds a rounded rectangle to the path being written.
func (p *printer) outline(s *scene.Shape) {
	x, y, w, h := s.X, s.Y, s.W, s.H
	if s.Radii == [4]float32{} {
		fmt.Fprintf(&p.b, "M%s %sh%sv%sh%sz", number(x), number(y), number(w), number(h), number(-w))
		return
	}
	var r [4]float32
	for i := range r {
		r[i] = min(s.Radii[i], w/2, h/2)
	}
	fmt.Fprintf(&p.b, "M%s %s", number(x+r[0]), number(y))
	line := func(letter string, length float32) {
		if t := number(length); t != "0" {
			p.b.WriteString(letter + t)
		}
	}
	arc := func(r, dx, dy float32) {
		if r > 0 {
			fmt.Fprintf(&p.b, "a%s %s 0 0 1 %s %s", number(r), number(r), number(dx), number(dy))
		}
	}
	line("h", w-r[0]-r[1])
	arc(r[1], r[1], r[1])
	line("v", h-r[1]-r[2])
	arc(r[2], -r[2], r[2])
	line("h", -(w - r[2] - r[3]))
	arc(r[3], -r[3], -r[3])
	line("v", -(h - r[3] - r[0]))
	arc(r[0], r[0], -r[0])
	p.b.WriteString("z")
}

// pattern is the id of a pattern of the shape's colours, made on first use.
// Hatches and stripes start at each shape's corner in one backend and at the
// picture's in the other; nobody can tell.
func (p *printer) pattern(s *scene.Shape) string {
	id := fmt.Sprintf("%s-%d-%d-%d", p.prefix, s.Pattern, s.Fill, s.Stroke)
	if p.known[id] {
		return id
	}
	p.known[id] = true
	fill, line := p.paint(s.Fill), p.paint(s.Stroke)
	switch s.Pattern {
	case scene.Hatch:
		fmt.Fprintf(&p.defs, `<pattern id="%s" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">`+
			`<path fill="%s" d="M0 0h7v7H0z"/><path fill="%s" d="M0 0h3v7H0z"/></pattern>`, id, fill, line)
	case scene.Stripes:
		fmt.Fprintf(&p.defs, `<pattern id="%s" width="6" height="6" patternUnits="userSpaceOnUse">`+
			`<path fill="%s" d="M0 0h6v6H0z"/><path fill="%s" d="M0 1.75h6v2.5H0z"/></pattern>`, id, fill, line)
	case scene.Diagonal:
		fmt.Fprintf(&p.defs, `<pattern id="%s" width="1" height="1" patternContentUnits="objectBoundingBox">`+
			`<path fill="%s" d="M0 0h1v1H0z"/><path fill="%s" d="M0 0v1h1z"/></pattern>`, id, fill, line)
	}
	return id
}

// dashes is a fill that is dashed along its longer side: a dotted line.
func (p *printer) dashes(s *scene.Shape) {
	d, width := fmt.Sprintf("M%s %sh%s", number(s.X), number(s.Y+s.H/2), number(s.W)), s.H
	if s.H > s.W {
		d, width = fmt.Sprintf("M%s %sv%s", number(s.X+s.W/2), number(s.Y), number(s.H)), s.W
	}
	fmt.Fprintf(&p.b, `<path fill="none" stroke="%s" stroke-width="%s" stroke-dasharray="%s %s"%s d="%s"/>`,
		p.paint(s.Fill), number(width), number(s.Dash[0]), number(s.Dash[1]), opacity(s.Alpha), d)
}

// mark writes a small glyph.
func (p *printer) mark(s *scene.Shape) {
	at := func(fx, fy float32) string { return number(s.X+s.W*fx) + " " + number(s.Y+s.H*fy) }
	solid := func(d string) {
		fmt.Fprintf(&p.b, `<path fill="%s"%s d="%s"/>`, p.paint(s.Fill), opacity(s.Alpha), d)
	}
	lines := func(part float32, d string) {
		fmt.Fprintf(&p.b, `<path fill="none" stroke="%s" stroke-width="%s" stroke-linecap="round" stroke-linejoin="round"%s d="%s"/>`,
			p.paint(s.Fill), number(s.W*part), opacity(s.Alpha), d)
	}
	switch s.Mark {
	case scene.TriangleLeft:
		solid("M" + at(0, 0.5) + "L" + at(1, 0) + "L" + at(1, 1) + "z")
	case scene.TriangleRight:
		solid("M" + at(1, 0.5) + "L" + at(0, 0) + "L" + at(0, 1) + "z")
	case scene.TriangleDown:
		solid("M" + at(0.5, 1) + "L" + at(0, 0) + "L" + at(1, 0) + "z")
	case scene.Lock:
		k := s.H / 12
		fmt.Fprintf(&p.b, `<path fill="none" stroke="%s" stroke-width="%s"%s d="M%sv%sa%s %s 0 0 1 %s 0v%s"/>`, p.paint(s.Fill), number(1.5*k), opacity(s.Alpha),
			at(0.25, 0.5), number(-2*k), number(2.5*k), number(2.5*k), number(5*k), number(2*k))
		body := scene.Shape{X: s.X + s.W*0.1, Y: s.Y + s.H/2, W: s.W * 0.8, H: s.H / 2, Radii: [4]float32{k, k, k, k}, Fill: s.Fill, Alpha: s.Alpha}
		p.b.WriteString("<path" + p.look(&body) + ` d="`)
		p.outline(&body)
		p.b.WriteString(`"/>`)
	case scene.Cross:
		lines(1.0/6, "M"+at(1.0/12, 1.0/12)+"L"+at(11.0/12, 11.0/12)+"M"+at(11.0/12, 1.0/12)+"L"+at(1.0/12, 11.0/12))
	case scene.Tick:
		lines(1.0/7, "M"+at(0.1, 0.55)+"L"+at(0.375, 0.825)+"L"+at(0.9, 0.2))
	case scene.HalfDisc:
		r := number(s.H / 2)
		solid("M" + at(0.5, 0) + "a" + r + " " + r + " 0 0 1 0 " + number(s.H) + "z")
	}
}
