package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const workedExample = "../../scenarios/kip-848-worked-example.yaml"

func draw(args ...string) (code int, stdout, stderr string) {
	var out, bad bytes.Buffer
	code = dispatch(append([]string{"draw"}, args...), &out, &bad)
	return code, out.String(), bad.String()
}

func TestDrawWritesThePictureOfAStep(t *testing.T) {
	file := filepath.Join(t.TempDir(), "k5.svg")
	code, _, stderr := draw("-step", "K5", "-theme", "dark", "-o", file, workedExample)
	require.Zero(t, code, stderr)
	picture, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Contains(t, string(picture), "at step K5: group example is Reconciling at group epoch 2")
	assert.Contains(t, string(picture), `width="1280"`)
	assert.Contains(t, string(picture), "#97ADFE", "the dark theme's hue of epoch 1")
}

func TestDrawTakesTheLastStepWhenNoneIsNamed(t *testing.T) {
	code, stdout, stderr := draw("-width", "390", "-o", "-", workedExample)
	require.Zero(t, code, stderr)
	assert.Contains(t, stdout, "at step K13")
	assert.Contains(t, stdout, `width="390"`)
}

func TestDrawNamesThePlaceOfAStepThatIsNotPossible(t *testing.T) {
	file := filepath.Join(t.TempDir(), "twice.yaml")
	src := "groupscope: 1\ntitle: t\ntopics: {foo: 1}\nmembers: {A: {subscribe: [foo]}}\nsteps:\n  - join: A\n  - {advance: 1s, join: A}\n"
	require.NoError(t, os.WriteFile(file, []byte(src), 0o644))
	code, _, drawn := draw("-o", "-", file)
	assert.Equal(t, exitFailed, code)
	assert.Contains(t, drawn, "twice.yaml:7:25: not possible now: A runs already")
	assert.Contains(t, drawn, "{advance: 1s, join: A}")
	_, traced, code := groupscope("trace", file)
	assert.Equal(t, exitFailed, code)
	assert.Equal(t, drawn, traced)
}

func TestDrawSaysWhatIsWrong(t *testing.T) {
	for want, args := range map[string][]string{
		"K99":                   {"-step", "K99", "-o", "-", workedExample},
		"-o OUT.svg":            {workedExample},
		"one file is needed":    {"-o", "-"},
		"no board \"ladder\"":   {"-board", "ladder", "-o", "-", workedExample},
		"no theme \"sepia\"":    {"-theme", "sepia", "-o", "-", workedExample},
		"between 320 and 4096":  {"-width", "12", "-o", "-", workedExample},
		"no such rule set: own": {"-rules", "own", "-o", "-", workedExample},
		"no such file":          {"-o", "-", "nowhere.yaml"},
	} {
		code, _, stderr := draw(args...)
		assert.Equal(t, exitUsage, code, want)
		assert.Contains(t, stderr, want)
	}
}
