package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const root = "../.."

// TestThePicturesOfReadmeAreWhatTheProgramDraws: `make pictures` draws them anew.
func TestThePicturesOfReadmeAreWhatTheProgramDraws(t *testing.T) {
	for _, theme := range []string{"light", "dark"} {
		out, problems, code := groupscope("draw", "-step", "K5", "-theme", theme, "-o", "-", filepath.Join(gallery, "kip-848-worked-example.yaml"))
		require.Equal(t, exitOK, code, problems)
		want, err := os.ReadFile(filepath.Join(root, "web", "pictures", "k5-"+theme+".svg"))
		require.NoError(t, err)
		assert.True(t, string(want) == out, "web/pictures/k5-%s.svg is not current: make pictures", theme)
	}
}

func TestTheScenarioInReadmePasses(t *testing.T) {
	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	require.NoError(t, err)
	blocks := regexp.MustCompile("(?s)```yaml\n(.*?)```").FindAllSubmatch(readme, -1)
	require.NotEmpty(t, blocks)
	for _, block := range blocks {
		file := filepath.Join(t.TempDir(), "readme.yaml")
		require.NoError(t, os.WriteFile(file, block[1], 0o644))
		out, problems, code := groupscope("check", file)
		assert.Equal(t, exitOK, code, out+problems)
	}
}

func TestFilesThatReadmeNamesAreThere(t *testing.T) {
	for _, doc := range []string{"README.md", "CONTRIBUTING.md", "scenarios/README.md"} {
		text, err := os.ReadFile(filepath.Join(root, doc))
		require.NoError(t, err)
		for _, m := range regexp.MustCompile(`\]\(([^)#:]+)\)|(?:src|srcset)="([^":]+)"`).FindAllStringSubmatch(string(text), -1) {
			file := m[1] + m[2]
			if strings.HasPrefix(file, "https") {
				continue
			}
			_, err := os.Stat(filepath.Join(root, filepath.Dir(doc), file))
			assert.NoError(t, err, "%s names %s", doc, file)
		}
	}
}
