package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// traced is the part of a transcript that begins with a step.
func traced(t *testing.T, rules, name, step string) string {
	t.Helper()
	out, errs, code := groupscope("trace", "-rules", rules, filepath.Join(gallery, name+".yaml"))
	require.Equal(t, exitOK, code, errs)
	_, from, found := strings.Cut(out, "\n"+step+"  ")
	require.True(t, found, step)
	part, _, _ := strings.Cut(from, "\n\n")
	return part
}

func TestATraceFoldsNoHeartbeatThatAStepIsAbout(t *testing.T) {
	for rules, rule := range map[string]string{"kip": "KIP-1071 heartbeat 3.4", "kafka": "Kafka, lost-response rule"} {
		accepted := traced(t, rules, "tasks-in-a-lost-answer", "accepted")
		assert.Contains(t, accepted, "request   A: epoch ")
		assert.Contains(t, accepted, "was lost. ("+rule+")")
		assert.NotContains(t, accepted, "idle")
		again := traced(t, rules, "tasks-in-a-lost-answer", "not-repeated")
		assert.Contains(t, again, "Nothing changes.", "done by hand, it is told")
		assert.Contains(t, again, "response  B: epoch ")
	}
}

func TestATraceTellsWhatIsDecidedAgainOnce(t *testing.T) {
	out, _, code := groupscope("trace", "-rules", "kafka", filepath.Join(gallery, "one-member-never-lets-go.yaml"))
	require.Equal(t, exitOK, code)
	assert.Regexp(t, `idle +.*[A-Z] x [2-9]`, out)
	before := ""
	for _, line := range strings.Split(out, "\n") {
		if _, decision, is := strings.Cut(line, "decision  "); is && !strings.Contains(line, "Nothing changes.") {
			assert.NotEqual(t, before, decision)
			before = decision
		}
	}
}

func TestATraceOfAGroupHasItsStatus(t *testing.T) {
	for _, rules := range []string{"kip", "kafka"} {
		assert.Regexp(t, `group +epoch \d, target \d, NotReady, topology 0, status INCORRECTLY_PARTITIONED_TOPICS`,
			traced(t, rules, "copartitioned-topics-differ", "mismatch"))
	}
}

func TestATraceNamesTheEndpointEpochWhereSomebodyHasOne(t *testing.T) {
	out, _, _ := groupscope("trace", filepath.Join(gallery, "where-to-ask.yaml"))
	assert.Contains(t, out, "knows endpoint epoch 1")
	assert.Contains(t, out, "topology 0, endpoint epoch 1\n")
	out, _, _ = groupscope("trace", filepath.Join(gallery, "tasks-in-a-lost-answer.yaml"))
	assert.NotContains(t, out, "endpoint epoch")
}

func TestATopologyGoesByItsNameInWhatIsDone(t *testing.T) {
	file := filepath.Join(gallery, "one-input-two-topologies.yaml")
	out, _, _ := groupscope("trace", file)
	assert.Contains(t, out, "members: {B: {topology: joined}}\n")
	out, _, _ = groupscope("explore", "-rules", "kip", "-faults", "0", file)
	assert.Contains(t, out, "; members: {A: {topology: joined}}; ")
	assert.Contains(t, out, "\n  - members: {B: {topology: joined}}\n")
}

func TestWhatExploreWritesIsAStoryOfItsOwn(t *testing.T) {
	out, _, code := groupscope("explore", filepath.Join(gallery, "tasks-in-a-lost-answer.yaml"))
	assert.Equal(t, exitFailed, code)
	assert.Contains(t, out, "broken: settles: The group does not come to rest. B is assigned 0_1 and runs nothing.\n\ngroupscope: 1\n")
	for _, not := range []string{"# KIP-1071", "\npack:", "\norder:"} {
		assert.NotContains(t, out, not)
	}
}
