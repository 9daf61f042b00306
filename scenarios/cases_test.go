package scenarios_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/core/scenario"
	"groupscope/scenarios"
)

// tableRows are the rows of a page's tables that have so many columns, but for
// the heads of the tables.
func tableRows(t *testing.T, page string, columns int) [][]string {
	t.Helper()
	src, err := os.ReadFile(page)
	require.NoError(t, err)
	var out [][]string
	head := true
	for _, line := range strings.Split(string(src), "\n") {
		cells := strings.Split(strings.Trim(line, "|"), "|")
		if !strings.HasPrefix(line, "|") || len(cells) != columns {
			head = true
			continue
		}
		if head || strings.HasPrefix(cells[0], "-") {
			head = false
			continue
		}
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		out = append(out, cells)
	}
	return out
}

// shown finds the scenario and the step that a row names.
func shown(t *testing.T, name, step string) *scenario.Scenario {
	t.Helper()
	src, err := scenarios.Source(name)
	require.NoError(t, err)
	sc, ds := scenario.Parse(name, src)
	require.Empty(t, ds, name)
	assert.True(t, slices.ContainsFunc(sc.Steps, func(s scenario.Step) bool { return s.Name == step }), "%s has a step %s", name, step)
	return sc
}

// The page that lists what users met names scenarios and steps that there are,
// each fault of a client library among them.
func TestEachCaseOfUsersHasAScenario(t *testing.T) {
	rows := tableRows(t, "../docs/cases.md", 4)
	require.Greater(t, len(rows), 40)
	var listed []string
	for _, row := range rows {
		shown(t, row[2], row[3])
		assert.NotContains(t, listed, row[2])
		listed = append(listed, row[2])
	}
	for _, pack := range scenarios.Gallery() {
		for _, sc := range pack.Scenarios {
			if pack.Title == "Client faults" {
				assert.Contains(t, listed, sc.Name)
			}
		}
	}
}
