package site

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/scenarios"
)

func TestStillsAreOfEachBoardThatTheGroupHas(t *testing.T) {
	dir := t.TempDir()
	b := builderIn(dir)
	for _, pack := range scenarios.Gallery() {
		for _, sc := range pack.Scenarios {
			if sc.Name == "where-to-ask" || sc.Name == "a-member-leaves" {
				_, err := b.scenario(sc)
				require.NoError(t, err)
			}
		}
	}
	topology, err := os.ReadFile(filepath.Join(dir, "stills/where-to-ask/known-topology-embed.svg"))
	require.NoError(t, err)
	assert.Contains(t, string(topology), "Topology board at step known")
	group, err := os.ReadFile(filepath.Join(dir, "stills/where-to-ask/known-embed.svg"))
	require.NoError(t, err)
	assert.Contains(t, string(group), "Group board at step known")
	others, err := filepath.Glob(filepath.Join(dir, "stills/a-member-leaves/*topology*"))
	require.NoError(t, err)
	assert.Empty(t, others)
}
