package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// tempFile writes a scenario in which A and B share foo.
func tempFile(t *testing.T, quirk string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "pair.yaml")
	require.NoError(t, os.WriteFile(file, []byte(`groupscope: 1
title: A pair
rules: kafka
topics: {foo: 3}
members:
  A: {subscribe: [foo], revoke-time: 8s`+quirk+`}
  B: {subscribe: [foo]}
steps:
  - join: A
  - join: B
`), 0o644))
	return file
}

func TestAWorldInWhichNothingBreaksIsWalkedToItsEnd(t *testing.T) {
	out, problems, code := groupscope("explore", tempFile(t, ""))
	assert.Equal(t, exitOK, code, problems)
	assert.Regexp(t, `^A pair
under Kafka 4.4, at most 1 fault
at any moment, in this order: join: A; join: B
[\d,]+ states, [\d,]+ moves, depth \d+, [\d.]+ s, [\d,]+ states a second
that is all that may happen: no invariant is broken, and from every state the group comes to rest
$`, out)
}

func TestWhatIsFoundIsWrittenAsAScenarioThatPasses(t *testing.T) {
	file := tempFile(t, ", quirks: [acknowledges-before-revoking]")
	way := filepath.Join(t.TempDir(), "way.yaml")
	for _, rules := range []string{"kip", "kafka"} {
		out, problems, code := groupscope("explore", "-rules", rules, "-faults", "0", "-o", way, file)
		assert.Equal(t, exitFailed, code, problems)
		assert.Contains(t, out, "\nbroken: one reader: foo-2 is read by two members at once: A, B.\n")
		assert.Contains(t, out, "the way there is in "+way)
		out, _, code = groupscope("check", way)
		assert.Equal(t, exitOK, code, out)
	}
	out, _, _ := groupscope("explore", "-faults", "0", file)
	text, err := os.ReadFile(way)
	require.NoError(t, err)
	assert.Contains(t, out, string(text))
}

// TestTheGalleryShowsWhatTheWalkFinds: the counter-example in the gallery is
// found anew from its own file.
func TestTheGalleryShowsWhatTheWalkFinds(t *testing.T) {
	for _, rules := range []string{"kip", "kafka"} {
		out, _, code := groupscope("explore", "-rules", rules, "-faults", "0", filepath.Join(gallery, "given-up-too-early.yaml"))
		assert.Equal(t, exitFailed, code)
		assert.Contains(t, out, "broken: one reader: foo-2 is read by two members at once: A, B.")
	}
}

// TestExploreFindsTheInputThatTwoTopologiesRead: the hazard of KAFKA-20170 needs
// a topology update, so it is one of the KIP's text alone.
func TestExploreFindsTheInputThatTwoTopologiesRead(t *testing.T) {
	file := filepath.Join(gallery, "one-input-two-topologies.yaml")
	out, _, code := groupscope("explore", "-rules", "kip", "-faults", "0", file)
	assert.Equal(t, exitFailed, code)
	assert.Contains(t, out, "broken: one input: orders-0 is read by two active tasks: 0_0 of A and 2_0 of B.\n")
	out, _, code = groupscope("explore", "-rules", "kafka", "-faults", "0", file)
	assert.Equal(t, exitOK, code, out)
	assert.Contains(t, out, "no invariant is broken")
}

func TestWhatIsExceptedIsNamedWithTheNumberOfItsStates(t *testing.T) {
	file := tempFile(t, ", quirks: [acknowledges-before-revoking]")
	out, problems, code := groupscope("explore", "-faults", "0", "-except", "one reader, no gap", file)
	assert.Equal(t, exitOK, code, problems)
	assert.Regexp(t, `\nexcepted: one reader, broken in [1-9]\d* states
excepted: no gap, broken in 0 states
that is all that may happen: nothing else is broken, and from every state the group comes to rest\n$`, out)

	out, _, code = groupscope("explore", "-faults", "0", "-except", "settles,no gap", file)
	assert.Equal(t, exitFailed, code)
	assert.Contains(t, out, "\nexcepted: no gap, broken in 0 states\nbroken: one reader: ")
	assert.NotContains(t, out, "excepted: settles", "the walk ended before anybody looked")

	out, _, code = groupscope("explore", "-faults", "0", "-except", "settles,one reader", file)
	assert.Equal(t, exitOK, code)
	assert.Regexp(t, `excepted: settles, broken in 0 states\nexcepted: one reader, .*\nthat is all that may happen: nothing else is broken\n$`, out)
}

func TestALimitThatEndsTheWalkIsNamed(t *testing.T) {
	out, _, code := groupscope("explore", "-depth", "4", tempFile(t, ""))
	assert.Equal(t, exitOK, code)
	assert.Regexp(t, `no invariant is broken up to this depth \(-depth\); \d+ states were left\n$`, out)
	out, _, code = groupscope("explore", "-states", "50", tempFile(t, ""))
	assert.Equal(t, exitOK, code)
	assert.Regexp(t, `the limit of states \(-states\) ended the walk, \d+ states were left\n$`, out)
}

func TestFlagsOfExploreThatMakeNoSenseAreNamed(t *testing.T) {
	file := tempFile(t, "")
	for want, args := range map[string][]string{
		"no such kind of fault: rain":                           {"-kinds", "lose,rain"},
		"-late: soon is not a duration":                         {"-late", "soon"},
		"-late is above 0":                                      {"-late", "0"},
		"-faults is from 0 to 100":                              {"-faults", "-1"},
		"-depth is 0 or more":                                   {"-depth", "-1"},
		"-states is 1 or more":                                  {"-states", "0"},
		"no such invariant: two readers. There are one owner, ": {"-except", "two readers"},
		"has no step K1":                                        {"-from", "K1"},
		"no such rule set: raft":                                {"-rules", "raft"},
	} {
		_, problems, code := groupscope(append(append([]string{"explore"}, args...), file)...)
		assert.Equal(t, exitUsage, code, want)
		assert.Contains(t, problems, want)
	}
}
