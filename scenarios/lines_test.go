package scenarios_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// The page that lists the lines of KIP-1071 names scenarios and steps that
// there are, and leaves no line out.
func TestEveryLineOfKIP1071HasAScenario(t *testing.T) {
	seen := map[string]bool{}
	for _, row := range tableRows(t, "../docs/kip-1071-lines.md", 6) {
		seen[row[0]] = true
		sc := shown(t, row[2], row[3])
		assert.ElementsMatch(t, []string{"kip", "kafka"}, sc.Rules, "%s runs under both rule sets", sc.Name)
	}
	for _, line := range []string{"1", "2.1", "2.1.1", "2.2", "2.2, edge case", "2.3.1", "2.3.2", "2.3.3", "2.3.4", "2.4", "3.1", "3.2", "3.3", "3.4", "3.4, edge case", "3.5", "4", "5", "6", "7"} {
		assert.True(t, seen[line], "line %s", line)
	}
}
