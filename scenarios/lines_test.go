package scenarios_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/core/scenario"
	"groupscope/scenarios"
)

// The page that lists the lines of KIP-1071 names scenarios and steps that
// there are, and leaves no line out.
func TestEveryLineOfKIP1071HasAScenario(t *testing.T) {
	page, err := os.ReadFile("../docs/kip-1071-lines.md")
	require.NoError(t, err)
	seen := map[string]bool{}
	for _, row := range strings.Split(string(page), "\n") {
		cells := strings.Split(row, "|")
		if len(cells) != 8 || strings.HasPrefix(cells[1], "-") || strings.TrimSpace(cells[1]) == "Line" {
			continue
		}
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		seen[cells[1]] = true
		src, err := scenarios.Source(cells[3])
		require.NoError(t, err, row)
		sc, ds := scenario.Parse(cells[3], src)
		require.Empty(t, ds, row)
		assert.ElementsMatch(t, []string{"kip", "kafka"}, sc.Rules, "%s runs under both rule sets", cells[3])
		found := false
		for _, step := range sc.Steps {
			found = found || step.Name == cells[4]
		}
		assert.True(t, found, "%s has a step %s", cells[3], cells[4])
	}
	for _, line := range []string{"1", "2.1", "2.1.1", "2.2", "2.2, edge case", "2.3.1", "2.3.2", "2.3.3", "2.3.4", "2.4", "3.1", "3.2", "3.3", "3.4", "3.4, edge case", "3.5", "4", "5", "6", "7"} {
		assert.True(t, seen[line], "line %s", line)
	}
}
