package scene_test

import (
	"encoding/json"
	"flag"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/render/scene"
)

var update = flag.Bool("update", false, "write the generated files anew")

const tokensCSS = "../../web/tokens.css"

func TestTokensCSSOfThePageIsTheGeneratedOne(t *testing.T) {
	if *update {
		require.NoError(t, os.WriteFile(tokensCSS, []byte(scene.CSS()), 0o644))
	}
	have, err := os.ReadFile(tokensCSS)
	require.NoError(t, err)
	assert.Equal(t, scene.CSS(), string(have), "run: go test ./render/scene -run TokensCSS -update")
}

// tokens are the themes of the design tokens.
type tokens struct {
	Themes map[string]struct {
		Paper, Panel, Raised, Ink, Ink2, Line, Hair, Alert, AlertWash string

		Epoch0 epochTokens
		Epochs []epochTokens
	}
}

type epochTokens struct{ Fill, On, Edge, Wash string }

func TestEveryPaletteHasTheValuesOfTheDesignTokens(t *testing.T) {
	src, err := os.ReadFile("testdata/tokens.json")
	require.NoError(t, err)
	var want tokens
	require.NoError(t, json.Unmarshal(src, &want))
	require.Len(t, want.Themes, len(scene.Themes))
	for _, name := range scene.Themes {
		p, ok := scene.Theme(name)
		require.True(t, ok, name)
		w := want.Themes[name]
		edge := w.Panel // the panel is told from the paper by its colour, or by a line
		if w.Panel == w.Paper {
			edge = w.Ink
		}
		require.Len(t, w.Epochs, scene.EpochColors)
		for color, value := range map[scene.Color]string{
			scene.Paper: w.Paper, scene.Panel: w.Panel, scene.PanelEdge: edge, scene.Raised: w.Raised,
			scene.Ink: w.Ink, scene.Ink2: w.Ink2, scene.Line: w.Line, scene.Hair: w.Hair,
			scene.Alert: w.Alert, scene.AlertWash: w.AlertWash,
		} {
			assert.Equal(t, value, p.Hex(color), "%s %s", name, color.Variable())
		}
		for e := int32(-2); e <= 2*scene.EpochColors; e++ {
			v := w.Epoch0
			if e > 0 {
				v = w.Epochs[(e-1)%scene.EpochColors]
			}
			for tone, value := range map[scene.Tone]string{
				scene.Fill: v.Fill, scene.On: v.On, scene.Edge: v.Edge, scene.Wash: v.Wash,
			} {
				assert.Equal(t, value, p.Hex(scene.Epoch(e, tone)), "%s epoch %d tone %d", name, e, tone)
			}
		}
	}
}

func TestAnUnknownThemeIsRefused(t *testing.T) {
	_, ok := scene.Theme("sepia")
	assert.False(t, ok)
}

func TestAColourOfAnEpochIsNamedByItsPlaceInTheRamp(t *testing.T) {
	assert.Equal(t, "--gs-e1-fill", scene.Epoch(1, scene.Fill).Variable())
	assert.Equal(t, "--gs-e8-wash", scene.Epoch(16, scene.Wash).Variable())
	assert.Equal(t, "--gs-e0-edge", scene.Epoch(-2, scene.Edge).Variable())
	assert.Equal(t, "--gs-alert-wash", scene.AlertWash.Variable())
}
