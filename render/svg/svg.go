// Package svg draws scenes as SVG: the still picture of an embed, the export,
// and the view without WebGL. It draws what the other backend draws, from the
// same values.
package svg

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"io"
	"strconv"
	"strings"

	"groupscope/render/scene"
)

// Inline writes a scene as an element for a page: colours are the page's
// custom properties (web/tokens.css) with the light theme behind them, text is
// in the page's face "Groupscope Inter". Ids carry a prefix of their own, so
// that many can stand in one document.
func Inline(w io.Writer, s *scene.Scene) error {
	light, _ := scene.Theme("light")
	p := newPrinter(s, func(c scene.Color) string { return "var(" + c.Variable() + "," + light.Hex(c) + ")" })
	p.scene()
	return p.flush(w, "", p.prefix)
}

// Standalone writes a scene as a file of its own: colours are those of a
// theme, and the file carries the face, cut down to the characters it uses.
func Standalone(w io.Writer, s *scene.Scene, theme string) error {
	palette, ok := scene.Theme(theme)
	if !ok {
		return fmt.Errorf("there is no theme %q: use %s", theme, strings.Join(scene.Themes[:], ", "))
	}
	p := newPrinter(s, palette.Hex)
	p.scene()
	style, err := embeddedFace(s)
	if err != nil {
		return err
	}
	return p.flush(w, "<style>"+style+"</style>", p.prefix)
}

// printer writes one scene.
type printer struct {
	s      *scene.Scene
	paint  func(scene.Color) string
	prefix string
	b      bytes.Buffer
	defs   bytes.Buffer
	// known are the patterns that defs has.
	known map[string]bool
}

func newPrinter(s *scene.Scene, paint func(scene.Color) string) *printer {
	return &printer{s: s, paint: paint, prefix: prefix(s), known: map[string]bool{}}
}

// prefix tells the ids of one picture from those of others in a document; it
// depends on the picture only.
func prefix(s *scene.Scene) string {
	h := fnv.New32a()
	fmt.Fprint(h, s.Title, s.Width, s.Height, len(s.Base.Shapes), len(s.Base.Labels))
	return "g" + strconv.FormatUint(uint64(h.Sum32()), 36)
}

func (p *printer) flush(w io.Writer, style, prefix string) error {
	var out bytes.Buffer
	width, height := number(p.s.Width), number(p.s.Height)
	fmt.Fprintf(&out, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %s %s" width="%s" height="%s" role="img" aria-labelledby="%s-t"`,
		width, height, width, height, prefix)
	fmt.Fprintf(&out, ` font-family="'Groupscope Inter',Inter,system-ui,sans-serif"><title id="%s-t">%s</title>`, prefix, escape(p.s.Title))
	out.WriteString(style)
	if p.defs.Len() > 0 {
		out.WriteString("<defs>")
		out.Write(p.defs.Bytes())
		out.WriteString("</defs>")
	}
	out.Write(p.b.Bytes())
	out.WriteString("</svg>\n")
	_, err := w.Write(out.Bytes())
	return err
}

func (p *printer) scene() {
	if p.s.Background != scene.NoColor {
		fmt.Fprintf(&p.b, `<path fill="%s" d="M0 0H%sV%sH0z"/>`, p.paint(p.s.Background), number(p.s.Width), number(p.s.Height))
	}
	for _, l := range []*scene.Layer{&p.s.Base, &p.s.Over} {
		p.shapes(l.Shapes)
		p.labels(l.Labels)
	}
}

// labels writes the texts of a layer, those that look alike in one group.
func (p *printer) labels(ls []scene.Label) {
	for i := 0; i < len(ls); {
		j := i + 1
		for j < len(ls) && sameLook(&ls[i], &ls[j]) {
			j++
		}
		p.b.WriteString("<g" + p.labelLook(&ls[i]) + ">")
		for k := i; k < j; k++ {
			fmt.Fprintf(&p.b, `<text x="%s" y="%s">%s</text>`, number(ls[k].X), number(ls[k].Y), escape(ls[k].Text))
		}
		p.b.WriteString("</g>")
		i = j
	}
}

func sameLook(a, b *scene.Label) bool {
	return a.Size == b.Size && a.Weight == b.Weight && a.Color == b.Color && a.Anchor == b.Anchor && a.Alpha == b.Alpha
}

func (p *printer) labelLook(l *scene.Label) string {
	s := ` font-size="` + number(l.Size) + `" fill="` + p.paint(l.Color) + `"`
	if l.Weight == scene.Medium {
		s += ` font-weight="500"`
	}
	switch l.Anchor {
	case scene.Middle:
		s += ` text-anchor="middle"`
	case scene.End:
		s += ` text-anchor="end"`
	}
	return s + opacity(l.Alpha)
}

// opacity is the attribute for an alpha.
func opacity(a float32) string {
	if a == 0 || a >= 1 {
		return ""
	}
	return ` opacity="` + number(a) + `"`
}

// number writes a length with at most two decimals and no needless zeros.
func number(v float32) string {
	s := strconv.FormatFloat(float64(v), 'f', 2, 32)
	s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	if s == "-0" || s == "" {
		return "0"
	}
	if strings.HasPrefix(s, "0.") {
		return s[1:]
	}
	if strings.HasPrefix(s, "-0.") {
		return "-" + s[2:]
	}
	return s
}

var escaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;")

func escape(s string) string {
	// Control characters cannot stand in XML at all.
	s = strings.Map(func(r rune) rune {
		if r < 0x20 && r != '\t' && r != '\n' || r == 0xFFFE || r == 0xFFFF {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
	return escaper.Replace(s)
}
