package scenario_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/core/scenario"
)

// TestManyMistakesAreCut: whoever shows them need not fear their number, nor
// the length of a line.
func TestManyMistakesAreCut(t *testing.T) {
	_, faults := scenario.Parse("bad.yaml", []byte(head+"steps:\n"+strings.Repeat("  - crsh: A\n", 500)))
	require.Len(t, faults, 101)
	assert.Equal(t, "no such step: crsh. Did you mean crash?", faults[99].Text())
	assert.Equal(t, "from here on 400 more mistakes", faults[100].Text())
	assert.Equal(t, 106, faults[100].Line)
}

func TestALongLineIsNotShown(t *testing.T) {
	_, faults := scenario.Parse("bad.yaml", []byte(head+"steps: ["+strings.Repeat("{join: A}, ", 40)+"{crsh: A}]\n"))
	require.Len(t, faults, 1)
	assert.Equal(t, "bad.yaml:5:450: no such step: crsh. Did you mean crash?", faults[0].String())
	assert.Empty(t, faults[0].Source)
	assert.Empty(t, faults[0].Excerpt())
}

func TestTheExcerptPointsWhereTheFileHasTabsOrWideLetters(t *testing.T) {
	_, faults := scenario.Parse("bad.yaml", []byte(head+"steps: [{say: \"ö\tü\", crsh: A}]\n"))
	require.Len(t, faults, 1)
	assert.Equal(t, "  steps: [{say: \"ö\tü\", crsh: A}]\n                  \t    ^^^^\n", faults[0].Excerpt())
}
