package scene

import (
	"sync"
	"unicode/utf8"

	"golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"

	"groupscope/render/scene/face"
)

// Ellipsis ends a label that was cut.
const Ellipsis = "…"

// metrics are the widths of one weight, in units of the font.
type metrics struct {
	font  *sfnt.Font
	units float32
	glyph map[rune]glyph
	none  glyph // of a character that the face lacks
}

type glyph struct {
	index   sfnt.GlyphIndex
	advance float32
}

var widths = [...]func() *metrics{
	Regular: sync.OnceValue(func() *metrics { return load(face.Regular) }),
	Medium:  sync.OnceValue(func() *metrics { return load(face.Medium) }),
}

// load reads the widths of all characters of the face once; its files are our
// own, so a fault in them is a fault of the program.
func load(ttf []byte) *metrics {
	f, err := sfnt.Parse(ttf)
	if err != nil {
		panic("scene: the face does not parse: " + err.Error())
	}
	m := &metrics{font: f, units: float32(f.UnitsPerEm()), glyph: make(map[rune]glyph, 400)}
	var buf sfnt.Buffer
	read := func(i sfnt.GlyphIndex) glyph {
		a, err := f.GlyphAdvance(&buf, i, fixed.I(int(f.UnitsPerEm())), font.HintingNone)
		if err != nil {
			panic("scene: a glyph without a width: " + err.Error())
		}
		return glyph{i, float32(a) / 64}
	}
	m.none = read(0)
	for _, span := range [...][2]rune{{0x20, 0x17F}, {0x2010, 0x203A}, {0x20AC, 0x20AC}, {0x2122, 0x2265}, {0x2713, 0x2717}} {
		for r := span[0]; r <= span[1]; r++ {
			if i, err := f.GlyphIndex(&buf, r); err == nil && i != 0 {
				m.glyph[r] = read(i)
			}
		}
	}
	return m
}

func (m *metrics) of(r rune) glyph {
	if g, ok := m.glyph[r]; ok {
		return g
	}
	return m.none
}

// kern is the correction between two glyphs, in units.
func (m *metrics) kern(a, b glyph) float32 {
	k, err := m.font.Kern(nil, a.index, b.index, fixed.I(int(m.units)), font.HintingNone)
	if err != nil { // no such pair
		return 0
	}
	return float32(k) / 64
}

// Measure is the width of a label in pixels, kerning included, as both
// backends draw it.
func Measure(text string, size float32, w Weight) float32 {
	m := widths[w]()
	var sum float32
	var last glyph
	for i, r := range text {
		g := m.of(r)
		if i > 0 {
			sum += m.kern(last, g)
		}
		sum += g.advance
		last = g
	}
	return sum * size / m.units
}

// Shorten returns the text if it fits a width, else as much of its beginning
// as fits with an ellipsis; an empty string when not even that fits.
func Shorten(text string, size float32, w Weight, width float32) string {
	if Measure(text, size, w) <= width {
		return text
	}
	for end := len(text); end > 0; {
		_, n := utf8.DecodeLastRuneInString(text[:end])
		end -= n
		if cut := text[:end] + Ellipsis; Measure(cut, size, w) <= width {
			return cut
		}
	}
	return ""
}

// ShortenMiddle is Shorten for names whose end tells them apart: it keeps the
// last keep characters and cuts before them.
func ShortenMiddle(text string, size float32, w Weight, width float32, keep int) string {
	if Measure(text, size, w) <= width {
		return text
	}
	start := len(text)
	for range keep {
		_, n := utf8.DecodeLastRuneInString(text[:start])
		start -= n
	}
	tail := Ellipsis + text[start:]
	for end := start; end > 0; {
		_, n := utf8.DecodeLastRuneInString(text[:end])
		end -= n
		if cut := text[:end] + tail; Measure(cut, size, w) <= width {
			return cut
		}
	}
	return Shorten(text, size, w, width)
}
