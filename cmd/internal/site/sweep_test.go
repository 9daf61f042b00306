package site

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func builderIn(dir string) *builder {
	return &builder{Options: Options{Out: dir, Log: io.Discard}, written: map[string]bool{}}
}

func TestAFolderOfSomebodyElsesIsRefused(t *testing.T) {
	dir := t.TempDir()
	assert.NoError(t, builderIn(dir).claim(), "an empty one is fine")
	assert.NoError(t, builderIn(filepath.Join(dir, "new")).claim(), "a new one too")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "thesis.txt"), []byte("x"), 0o644))
	assert.ErrorContains(t, builderIn(dir).claim(), "name another folder")
}

// TestASecondBuildRemovesOnlyWhatTheFirstOneWrote: a file that somebody put
// beside the site stays.
func TestASecondBuildRemovesOnlyWhatTheFirstOneWrote(t *testing.T) {
	dir := t.TempDir()
	first := builderIn(dir)
	for _, name := range []string{"build.json", "stills/a/K1.svg", "gone.js"} {
		require.NoError(t, first.put(name, []byte("x")))
	}
	require.NoError(t, first.sweep())
	require.NoError(t, os.WriteFile(filepath.Join(dir, "CNAME"), []byte("x"), 0o644))

	second := builderIn(dir)
	require.NoError(t, second.claim())
	for _, name := range []string{"build.json", "stills/a/K1.svg"} {
		require.NoError(t, second.put(name, []byte("y")))
	}
	require.NoError(t, second.sweep())

	assert.NoFileExists(t, filepath.Join(dir, "gone.js"))
	for _, name := range []string{"CNAME", "build.json", "stills/a/K1.svg"} {
		assert.FileExists(t, filepath.Join(dir, name))
	}
}

// TestAListingThatPointsOutsideIsNotFollowed: the listing is a file like any
// other, and may have been written by somebody else.
func TestAListingThatPointsOutsideIsNotFollowed(t *testing.T) {
	dir := t.TempDir()
	outside := filepath.Join(dir, "outside.txt")
	require.NoError(t, os.WriteFile(outside, []byte("x"), 0o644))
	out := filepath.Join(dir, "site")
	require.NoError(t, os.MkdirAll(out, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(out, listing), []byte("../outside.txt\n"), 0o644))
	require.NoError(t, builderIn(out).sweep())
	assert.FileExists(t, outside)
}
