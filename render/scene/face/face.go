// Package face holds the two weights of the face of the pictures as TrueType.
package face

import (
	_ "embed"

	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// Regular and Medium are "Groupscope Inter", subsets of Inter: see NOTE.md.
// They are not to be changed.
var (
	//go:embed inter-regular.ttf
	Regular []byte
	//go:embed inter-medium.ttf
	Medium []byte
)

// kerned is an opentype.Face that kerns by its size: the Kern of the embedded
// face answers for one fixed size, whatever its own is.
type kerned struct {
	*opentype.Face
	font *sfnt.Font
	size fixed.Int26_6
}

// New returns a face of that many pixels for rasterising labels. What
// font.Drawer draws with it is as wide as scene.Measure says.
func New(ttf []byte, pixels float64) (font.Face, error) {
	f, err := opentype.Parse(ttf)
	if err != nil {
		return nil, err
	}
	drawn, err := opentype.NewFace(f, &opentype.FaceOptions{Size: pixels, DPI: 72, Hinting: font.HintingNone})
	if err != nil {
		return nil, err
	}
	return &kerned{drawn.(*opentype.Face), f, fixed.Int26_6(pixels * 64)}, nil
}

// Kern is the correction between two characters.
func (k *kerned) Kern(a, b rune) fixed.Int26_6 {
	var buf sfnt.Buffer
	x, errA := k.font.GlyphIndex(&buf, a)
	y, errB := k.font.GlyphIndex(&buf, b)
	if errA != nil || errB != nil {
		return 0
	}
	d, err := k.font.Kern(&buf, x, y, k.size, font.HintingNone)
	if err != nil { // no such pair
		return 0
	}
	return d
}
