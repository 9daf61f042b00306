package scenario

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/core/client"
)

func readReference(t *testing.T) string {
	t.Helper()
	src, err := os.ReadFile("../../scenarios/README.md")
	require.NoError(t, err)
	return string(src)
}

// TestTheExamplesOfTheReferenceRun so that they cannot drift from the program.
func TestTheExamplesOfTheReferenceRun(t *testing.T) {
	examples := strings.Split(readReference(t), "```yaml\n")[1:]
	require.Len(t, examples, 3)
	for _, rest := range examples {
		example, _, _ := strings.Cut(rest, "```")
		sc, faults := Parse("example.yaml", []byte(example))
		require.Empty(t, faults)
		for _, rules := range sc.Rules {
			outcome, err := Run(sc, rules)
			require.NoError(t, err)
			assert.True(t, outcome.Passed(), "%v %v", outcome.Unmet, outcome.Refusal)
		}
	}
}

func TestTheReferenceNamesEveryKeyAndWord(t *testing.T) {
	reference := readReference(t)
	words := slices.Concat(topKeys, topicKeys, configKeys(false), configKeys(true), memberKeys(false), memberKeys(true),
		topologyKeys, subtopologyKeys, restoreKeys, stepKeys, clockKeys, allActions(), expectKeys, responseKeys,
		groupKeys, expectMemberKeys, expectClientKeys, ruleSets, groupTypes(), groupStates(true), memberStates(false), memberStates(true), clientStates, invariants(), quirkNames(""), callbacks(),
		streamsResponseKeys, streamsGroupKeys, streamsMemberKeys, streamsClientKeys, statuses(), protocols)
	for _, a := range actions {
		words = append(words, a.params...)
	}
	for _, f := range slices.Concat(requestFields, streamsRequestFields) {
		words = append(words, f.name)
	}
	for _, word := range words {
		in := slices.ContainsFunc([]string{"`" + word + "`", "`" + word + ": ", ": " + word + "`", "{" + word + ": ", ", " + word + ": "},
			func(s string) bool { return strings.Contains(reference, s) })
		assert.True(t, in, word)
	}
}

func TestTheReferenceSaysWhichClientsHaveAQuirk(t *testing.T) {
	reference, of := readReference(t), map[client.Kind]string{client.AnyKind: "both", client.ConsumerKind: "`consumer`", client.StreamsKind: "`streams`"}
	for _, q := range client.Quirks() {
		assert.Contains(t, reference, "| `"+q.Name+"` | "+q.Says+" | "+of[q.Of]+" |\n")
	}
}

// allActions are the actions of files of either protocol.
func allActions() []string { return (&reader{world: world{loose: true}}).actionKeys() }

func TestTheReferenceNamesTheLimits(t *testing.T) {
	reference := readReference(t)
	for _, limit := range []int{MaxPartitions, MaxTopics, MaxMembers, MaxSteps, MaxHeartbeats, MaxPolls} {
		assert.Contains(t, reference, grouped(limit))
	}
}
