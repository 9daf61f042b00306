package atlas_test

import (
	"fmt"
	"image"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/render/scene"
	"groupscope/render/scene/face"
	"groupscope/render/screen/atlas"
)

func newAtlas(t *testing.T) *atlas.Atlas {
	t.Helper()
	a, err := atlas.New(face.Regular, face.Medium)
	require.NoError(t, err)
	a.Dirty()
	return a
}

// ink counts the pixels of a part of the page that hold any.
func ink(page *image.Alpha, r image.Rectangle) (n int) {
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			if page.AlphaAt(x, y).A > 0 {
				n++
			}
		}
	}
	return n
}

func TestALabelIsDrawnOnce(t *testing.T) {
	a := newAtlas(t)
	first, ok := a.Label("foo-2", 16, scene.Medium)
	require.True(t, ok)
	assert.Positive(t, ink(a.Page(), first.Box))
	assert.Equal(t, first.Box, a.Dirty(), "only the label's own box is to be uploaded")
	again, ok := a.Label("foo-2", 16, scene.Medium)
	require.True(t, ok)
	assert.Equal(t, first, again)
	assert.True(t, a.Dirty().Empty())
}

// TestOnlyWhatHasLabelsIsUploaded: the page is large, and at the start mostly
// blank, as a new texture is.
func TestOnlyWhatHasLabelsIsUploaded(t *testing.T) {
	a, err := atlas.New(face.Regular, face.Medium)
	require.NoError(t, err)
	a.Reset() // a size of screen that is not the assumed one
	assert.True(t, a.Dirty().Empty())
	assert.True(t, a.Used().Empty())
	l, ok := a.Label("foo-2", 16, scene.Medium)
	require.True(t, ok)
	assert.Equal(t, l.Box, a.Dirty())
	assert.Equal(t, l.Box.Max.Y, a.Used().Max.Y)
	a.Reset()
	assert.Equal(t, a.Page().Rect, a.Dirty(), "what lay there is to vanish")
	assert.Zero(t, ink(a.Page(), a.Page().Rect))
}

func TestSizeAndWeightMakeAnotherLabel(t *testing.T) {
	a := newAtlas(t)
	medium, _ := a.Label("A", 24, scene.Medium)
	regular, _ := a.Label("A", 24, scene.Regular)
	large, _ := a.Label("A", 48, scene.Medium)
	assert.NotEqual(t, medium.Box, regular.Box)
	assert.Greater(t, large.Box.Dy(), medium.Box.Dy())
	assert.Greater(t, ink(a.Page(), medium.Box), ink(a.Page(), regular.Box))
}

func TestALabelIsAsWideAsTheLayoutMeasuredIt(t *testing.T) {
	a := newAtlas(t)
	for _, text := range []string{"foo-2", "reconciling: revokes foo-2", "AV To 45.0 s", "Group example"} {
		for _, size := range []float32{14, 16, 22, 45} {
			l, ok := a.Label(text, size, scene.Regular)
			require.True(t, ok)
			assert.InDelta(t, scene.Measure(text, size, scene.Regular), l.Advance, float64(len(text))/64+0.1, "%s at %v", text, size)
		}
	}
}

func TestLabelsDoNotOverlapWhileThePageGrows(t *testing.T) {
	a := newAtlas(t)
	kept, _ := a.Label("kept", 14, scene.Regular)
	before := ink(a.Page(), kept.Box)
	var boxes []image.Rectangle
	for i := range 2000 {
		l, ok := a.Label(fmt.Sprintf("orders-%d", i), 14, scene.Regular)
		require.True(t, ok)
		boxes = append(boxes, l.Box)
	}
	assert.Greater(t, a.Page().Rect.Dy(), 256, "it has grown")
	assert.Equal(t, before, ink(a.Page(), kept.Box), "what was there is there")
	for i, b := range boxes {
		require.True(t, b.In(a.Page().Rect))
		for _, other := range boxes[max(0, i-100):i] {
			require.False(t, b.Overlaps(other), "%v and %v", b, other)
		}
	}
}

func TestAFullPageSaysSoAndBeginsAnewWhenReset(t *testing.T) {
	a := newAtlas(t)
	full := false
	for i := 0; i < 2000 && !full; i++ {
		_, ok := a.Label(fmt.Sprintf("a long label that fills the page, number %d", i), 90, scene.Medium)
		full = !ok
	}
	require.True(t, full)
	a.Reset()
	_, ok := a.Label("foo-2", 90, scene.Medium)
	assert.True(t, ok)
}

func TestAFileThatIsNoFaceIsRefused(t *testing.T) {
	_, err := atlas.New(face.Regular, []byte("no face"))
	assert.ErrorContains(t, err, "face 1")
}
