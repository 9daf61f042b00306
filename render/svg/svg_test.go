package svg_test

import (
	"bytes"
	"encoding/base64"
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/core/playback"
	"groupscope/core/scenario"
	"groupscope/render/board"
	"groupscope/render/scene"
	"groupscope/render/svg"
	"groupscope/scenarios"
)

var update = flag.Bool("update", false, "write the golden pictures anew")

// still draws a step of a scenario of the gallery.
func still(t *testing.T, name, step string, width float32) *scene.Scene {
	t.Helper()
	src, err := scenarios.Source(name)
	require.NoError(t, err)
	sc, ds := scenario.Parse(name, src)
	require.Empty(t, ds)
	rec, err := playback.Record(sc, sc.Rules[0])
	require.NoError(t, err)
	p := playback.NewPlayer(rec)
	require.NoError(t, p.SeekStep(step))
	f := *p.Frame()
	f.Stop.Say = "" // the scenario may say it in other words one day
	var s scene.Scene
	board.Group(&s, &f, &board.View{Width: width})
	return &s
}

func inline(t *testing.T, s *scene.Scene) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, svg.Inline(&b, s))
	return b.String()
}

func standalone(t *testing.T, s *scene.Scene, theme string) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, svg.Standalone(&b, s, theme))
	return b.String()
}

// wellFormed reads the picture as XML.
func wellFormed(t *testing.T, picture string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(picture))
	for {
		_, err := d.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		require.NoError(t, err)
	}
}

func TestStillsLookAsTheyDid(t *testing.T) {
	const example = "kip-848-worked-example"
	for file, s := range map[string]*scene.Scene{
		"k5-wide.svg":   still(t, example, "K5", 1280),
		"k6-medium.svg": still(t, example, "K6", 768),
		"k5-phone.svg":  still(t, example, "K5", 390),
		"shapes.svg":    everything(),
	} {
		path := filepath.Join("testdata", file)
		got := inline(t, s)
		if *update {
			require.NoError(t, os.WriteFile(path, []byte(got), 0o644))
		}
		want, err := os.ReadFile(path)
		require.NoError(t, err)
		assert.Equal(t, string(want), got, "%s differs: look at it, then go test ./render/svg -update", file)
	}
}

// everything has one of each thing a scene can hold.
func everything() *scene.Scene {
	s := &scene.Scene{Width: 400, Height: 120, Background: scene.Paper, Title: `A & B <"all">`}
	x := float32(8)
	for _, sh := range []scene.Shape{
		{Fill: scene.Ink, Radii: [4]float32{6, 6, 6, 6}},
		{Fill: scene.Epoch(1, scene.Fill), Stroke: scene.Epoch(1, scene.Edge), Width: 1.5},
		{Stroke: scene.Epoch(2, scene.Edge), Width: 1.5, Dash: [2]float32{5, 3}, Radii: [4]float32{6, 0, 0, 6}},
		{Fill: scene.Paper, Stroke: scene.Epoch(3, scene.Edge), Width: 1.5, Pattern: scene.Hatch, Radii: [4]float32{0, 6, 6, 0}},
		{Fill: scene.Paper, Stroke: scene.Epoch(4, scene.Edge), Width: 1, Pattern: scene.Stripes},
		{Fill: scene.Paper, Stroke: scene.Epoch(5, scene.Edge), Width: 1.5, Pattern: scene.Diagonal},
		{Fill: scene.Alert, Alpha: 0.5},
		{Fill: scene.Ink2, Dash: [2]float32{3, 2.5}},
	} {
		sh.X, sh.Y, sh.W, sh.H = x, 8, 32, 40
		if sh.Dash[0] > 0 && sh.Stroke == scene.NoColor {
			sh.H = 1.5
		}
		s.Base.Shapes = append(s.Base.Shapes, sh)
		x += 44
	}
	x = 8
	for m := scene.TriangleLeft; m <= scene.HalfDisc; m++ {
		s.Over.Shapes = append(s.Over.Shapes, scene.Shape{X: x, Y: 64, W: 20, H: 24, Fill: scene.Ink, Mark: m})
		x += 32
	}
	for i, a := range []scene.Anchor{scene.Start, scene.Middle, scene.End} {
		s.Over.Labels = append(s.Over.Labels, scene.Label{X: 60 + 120*float32(i), Y: 112, Text: "foo-2 ≤ K6", Size: 14, Weight: scene.Weight(i % 2), Color: scene.Ink, Anchor: a, Alpha: 0.8})
	}
	return s
}

func TestPicturesAreWellFormedAndNameWhatTheyShow(t *testing.T) {
	for _, s := range []*scene.Scene{everything(), still(t, "kip-848-worked-example", "K5", 1280)} {
		for _, picture := range []string{inline(t, s), standalone(t, s, "dark")} {
			wellFormed(t, picture)
			assert.Contains(t, picture, `role="img"`)
			assert.Regexp(t, `<title id="[^"]+">[^<]+</title>`, picture)
		}
	}
	odd := &scene.Scene{Width: 10, Height: 10, Title: "\x00\x1b\xff</title>"}
	odd.Base.Labels = []scene.Label{{Text: "\x01<script>", Size: 14, Color: scene.Ink}}
	wellFormed(t, inline(t, odd))
	assert.NotContains(t, inline(t, odd), "<script>")
}

func TestAnInlinePictureTakesItsColoursFromThePage(t *testing.T) {
	picture := inline(t, still(t, "kip-848-worked-example", "K5", 1280))
	assert.Contains(t, picture, "var(--gs-e1-fill,#24559B)")
	bare := regexp.MustCompile(`var\([^)]*\)`).ReplaceAllString(picture, "")
	assert.NotRegexp(t, `#[0-9A-F]{6}`, bare, "a colour of its own")
	assert.NotContains(t, picture, "<style", "styles would leak into the page")
	assert.NotContains(t, picture, "class=")
	assert.Less(t, len(picture), 20_000)
}

func TestIdsOfTwoPicturesInOnePageDiffer(t *testing.T) {
	id := regexp.MustCompile(`id="([^"]+)"`)
	seen := map[string]int{}
	for i, step := range []string{"K5", "K11"} {
		for _, m := range id.FindAllStringSubmatch(inline(t, still(t, "kip-848-worked-example", step, 1280)), -1) {
			if other, ok := seen[m[1]]; ok {
				assert.Equal(t, i, other, "id %s in both", m[1])
			}
			seen[m[1]] = i
		}
	}
}

func TestAStandalonePictureHasTheValuesOfItsThemeAndItsFace(t *testing.T) {
	s := still(t, "kip-848-worked-example", "K5", 1280)
	for _, theme := range scene.Themes {
		picture := standalone(t, s, theme)
		p, _ := scene.Theme(theme)
		assert.NotContains(t, picture, "var(")
		assert.Contains(t, picture, p.Hex(scene.Epoch(1, scene.Fill)))
		fonts := regexp.MustCompile(`base64,([^)]+)\)`).FindAllStringSubmatch(picture, -1)
		require.Len(t, fonts, 2)
		for _, f := range fonts {
			ttf, err := base64.StdEncoding.DecodeString(f[1])
			require.NoError(t, err)
			assert.Less(t, len(ttf), 25_000)
		}
	}
	assert.ErrorContains(t, svg.Standalone(io.Discard, s, "sepia"), "use light, dark")
}
