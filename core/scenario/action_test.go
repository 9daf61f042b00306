package scenario_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/core/scenario"
	"groupscope/core/sim"
)

func TestAnActionIsReadAsItIsWritten(t *testing.T) {
	for _, a := range everyAction {
		line := scenario.EncodeAction(a)
		again, faults := scenario.DecodeAction([]byte(line))
		require.Empty(t, faults, line)
		assert.Equal(t, a, again, line)
		assert.NotContains(t, line, "\n")
	}
}

func TestAnActionReadsAsAPersonWouldWriteIt(t *testing.T) {
	assert.Equal(t, "crash: A", scenario.EncodeAction(sim.Crash{Member: "A"}))
	assert.Equal(t, "at: 20.4s", scenario.EncodeAction(sim.Until{At: 20_400}))
	assert.Equal(t, "{lose-response: B, count: 2}", scenario.EncodeAction(sim.LoseResponse{Member: "B", Count: 2}))
	assert.Equal(t, "{heartbeat: A, with: {memberEpoch: 1}}",
		scenario.EncodeAction(sim.Heartbeat{Member: "A", With: []sim.Override{{Field: "memberEpoch", Value: int32(1)}}}))
}

func TestWhatIsNoActionIsRefused(t *testing.T) {
	for src, want := range map[string]string{
		"":                           "the file is empty",
		"crash":                      `not "crash": an action is a mapping, such as crash: A`,
		"crsh: A":                    "no such step: crsh",
		"{crash: A, leave: B}":       "a step does one thing, and crash stands here already",
		"{run: 5s, crash: A}":        "two actions: one at a time",
		"{step: K5, crash: A}":       "step belongs to a step of a file, not to an action",
		"pause: true":                "pause belongs to a step of a file, not to an action",
		"{}":                         "no action",
		"heartbeat: {member: A}":     "not a mapping: the name of a member belongs here",
		"{heartbeat: A, with: 3}":    "not the number 3: with is a mapping from fields of the request, {memberEpoch: 1}",
		"{heartbeat: A, count: two}": "count belongs to lose-request, lose-response, delay, duplicate or fail-callback",
	} {
		a, faults := scenario.DecodeAction([]byte(src))
		assert.Nil(t, a, src)
		require.NotEmpty(t, faults, src)
		assert.Equal(t, want, faults[0].Message, src)
	}
}

func TestAnActionThatNoFileCanSayIsABrokenInvariant(t *testing.T) {
	assert.PanicsWithValue(t, "scenario: an action that no file can say: <nil>", func() { scenario.EncodeAction(nil) })
}
