package scene_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"

	"groupscope/render/scene"
	"groupscope/render/scene/face"
)

func TestMeasureIsWhatARasteriserDraws(t *testing.T) {
	for weight, ttf := range [][]byte{face.Regular, face.Medium} {
		for _, size := range []float64{14, 16, 24, 40} {
			drawn, err := face.New(ttf, size)
			require.NoError(t, err)
			for _, text := range []string{"foo-0", "Target", "Avery long sentence, with AV, To and r.",
				"foo-2 has no owner since K6", "45 s", "≤ ≠ → … é", ""} {
				want := float64(font.MeasureString(drawn, text)) / 64
				assert.InDelta(t, want, scene.Measure(text, float32(size), scene.Weight(weight)), 0.5, "%q at %v", text, size)
			}
		}
	}
}

func TestFiguresAreTabular(t *testing.T) {
	for _, w := range []scene.Weight{scene.Regular, scene.Medium} {
		for _, digit := range "023456789" {
			assert.InDelta(t, scene.Measure("11111", 14, w), scene.Measure(strings.Repeat(string(digit), 5), 14, w), 0.01)
		}
	}
}

func TestLettersKern(t *testing.T) {
	assert.Less(t, scene.Measure("To", 16, scene.Regular),
		scene.Measure("T", 16, scene.Regular)+scene.Measure("o", 16, scene.Regular))
}

func TestTheFaceHasEveryCharacterOfOurSentences(t *testing.T) {
	hole := scene.Measure("\U0001F600", 2048, scene.Regular)
	for _, r := range "ABCxyz019.,:;-_()[]{}#/'\"≤≠≥→←↑↓…–×é" {
		f, err := opentype.Parse(face.Regular)
		require.NoError(t, err)
		i, err := f.GlyphIndex(nil, r)
		require.NoError(t, err)
		assert.NotZero(t, i, "%c", r)
	}
	assert.Positive(t, hole, "a character the face lacks still takes room")
}

func TestShortenKeepsWhatFits(t *testing.T) {
	name := "consumer-payments-eu-west-1-6f9d8c7b5a-x2x4k"
	for _, width := range []float32{20, 50, 100, 200} {
		cut := scene.Shorten(name, 14, scene.Regular, width)
		assert.LessOrEqual(t, scene.Measure(cut, 14, scene.Regular), width)
		assert.True(t, strings.HasSuffix(cut, scene.Ellipsis))
		mid := scene.ShortenMiddle(name, 14, scene.Regular, width, 5)
		assert.LessOrEqual(t, scene.Measure(mid, 14, scene.Regular), width)
		if width >= 100 {
			assert.True(t, strings.HasSuffix(mid, "…x2x4k"), mid)
		}
	}
	assert.Equal(t, name, scene.Shorten(name, 14, scene.Regular, 1000))
	assert.Empty(t, scene.Shorten(name, 14, scene.Regular, 3))
}
