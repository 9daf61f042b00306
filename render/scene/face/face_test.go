package face_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"

	"groupscope/render/scene/face"
)

// outline is how a font draws a character: the number of its segments, its
// width, and its kerning with an "o".
func outline(t *testing.T, ttf []byte, r rune) (segments int, advance, kern fixed.Int26_6) {
	t.Helper()
	f, err := sfnt.Parse(ttf)
	require.NoError(t, err)
	var buf sfnt.Buffer
	g, err := f.GlyphIndex(&buf, r)
	require.NoError(t, err)
	o, err := f.GlyphIndex(&buf, 'o')
	require.NoError(t, err)
	advance, err = f.GlyphAdvance(&buf, g, fixed.I(1000), font.HintingNone)
	require.NoError(t, err)
	kern, _ = f.Kern(&buf, g, o, fixed.I(1000), font.HintingNone)
	s, err := f.LoadGlyph(&buf, g, fixed.I(1000), nil)
	require.NoError(t, err)
	return len(s), advance, kern
}

func TestACutFontDrawsWhatItKeepsAsTheWholeOne(t *testing.T) {
	keep := []rune("01ATfoé≤…")
	for _, whole := range [][]byte{face.Regular, face.Medium} {
		cut, err := face.Cut(whole, keep)
		require.NoError(t, err)
		assert.Less(t, len(cut), len(whole)*2/3)
		for _, r := range keep {
			s, a, k := outline(t, cut, r)
			ws, wa, wk := outline(t, whole, r)
			assert.Equal(t, []any{ws, wa, wk}, []any{s, a, k}, "%c", r)
			assert.Positive(t, s)
		}
		s, _, _ := outline(t, cut, 'Q')
		assert.Zero(t, s, "what is not kept is empty")
	}
}

func TestWhatIsNoFontIsRefused(t *testing.T) {
	for _, junk := range [][]byte{nil, []byte("junk"), make([]byte, 100), face.Regular[:200]} {
		_, err := face.Cut(junk, []rune("a"))
		assert.Error(t, err)
	}
}
