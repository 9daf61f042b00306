package scenario_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/core/scenario"
)

var rewrite = flag.Bool("rewrite", false, "write what is printed now into testdata")

// TestEachMistakeIsNamedWithItsPlace: a bad file and what is said about it
// stand side by side in testdata/err. -rewrite refreshes them all.
func TestEachMistakeIsNamedWithItsPlace(t *testing.T) {
	files, err := filepath.Glob("testdata/err/*.yaml")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			src, err := os.ReadFile(file)
			require.NoError(t, err)
			sc, faults := scenario.Parse(filepath.Base(file), src)
			assert.Nil(t, sc)
			require.NotEmpty(t, faults)
			var b strings.Builder
			for _, d := range faults {
				b.WriteString(d.String() + "\n" + d.Excerpt())
			}
			golden := strings.TrimSuffix(file, ".yaml") + ".out"
			if *rewrite {
				require.NoError(t, os.WriteFile(golden, []byte(b.String()), 0o644))
			}
			want, err := os.ReadFile(golden)
			require.NoError(t, err)
			assert.Equal(t, string(want), b.String())
		})
	}
}
