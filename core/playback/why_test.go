package playback_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/core/playback"
	"groupscope/core/protocol"
)

// TestTheInspectorSaysWhatIsWaitedFor: each sentence names what really ends
// the wait.
func TestTheInspectorSaysWhatIsWaitedFor(t *testing.T) {
	for _, c := range []struct{ scenario, step, rules, thing, says string }{
		// The timer computes the first target, no heartbeat does.
		{"the-first-thread-takes-all", "first", "kafka", "member/A",
			"The group is at epoch 2, its target still at 1: the next one is computed when the initial rebalance delay ends, in 3 s."},
		{"the-first-thread-takes-all", "others", "kafka", "member/C",
			"The group is at epoch 4, its target still at 1: the next one is computed when the initial rebalance delay ends, in 2 s."},
		{"an-empty-group-waits-again", "first", "kafka", "group",
			"Assigning: the group is at epoch 6, its target still at 5: the next one is computed when the initial rebalance delay ends, in 3 s."},
		// A heartbeat does, but not yet.
		{"the-target-waits-a-second", "second", "kafka", "member/B",
			"The group is at epoch 3, its target still at 2: the assignment interval lets a heartbeat compute the next one in 1 s at the earliest."},
		// It never got in.
		{"an-old-build-joins", "behind", "kip", "member/B", "B is not in the group: its join was refused with STREAMS_TOPOLOGY_FENCED."},
		{"an-old-build-joins", "later", "kip", "member/B", "B is not in the group: its join was refused with STREAMS_TOPOLOGY_FENCED."},
		{"a-rolling-topology-upgrade", "upgrade", "kafka", "member/B", "B is not in the group: its join was refused with INVALID_REQUEST."},
		{"a-rolling-topology-upgrade", "stale", "kafka", "member/A", "A is at epoch 4 and has all that the target gives it."},
		// It never speaks again, so it is the session that decides.
		{"one-list-is-not-enough", "partial", "kip", "member/A",
			"A gave up after INVALID_REQUEST and is silent for good; the coordinator finds out in 45 s."},
		{"warm-up-and-hand-over", "warming.1", "kip", "member/B", "B is at epoch 3, has 0_1 as warm-up and waits for A to give it up."},
	} {
		p := gallery(t, c.scenario, c.rules)
		require.NoError(t, p.SeekStep(c.step))
		assert.Equal(t, c.says, why(t, p, c.thing), "%s, %s, %s", c.scenario, c.step, c.rules)
	}
}

func TestATaskThatWaitsToBecomeActiveIsToldFromItsWarmUp(t *testing.T) {
	p := gallery(t, "warm-up-and-hand-over", "kip")
	require.NoError(t, p.SeekStep("warming.1"))
	in, err := p.Inspect("member/B")
	require.NoError(t, err)
	rows := map[string]string{}
	for _, r := range in.Rows {
		rows[r.Name] = r.Value
	}
	assert.Equal(t, "0_1", rows["Warm-up"])
	assert.Equal(t, "0_1 as active", rows["Waits for"])
}

// TestATimerCountsDownInWholeSeconds: the second that has begun counts, and
// from a thousand on it is minutes.
func TestATimerCountsDownInWholeSeconds(t *testing.T) {
	for left, want := range map[protocol.Duration]string{
		-1: "0 s", 0: "0 s", 1: "1 s", 1000: "1 s", 43_001: "44 s", 43_000: "43 s", 999_000: "999 s", 999_001: "17 min", 1_800_000: "30 min",
	} {
		assert.Equal(t, want, playback.Left(left), fmt.Sprint(int64(left)))
	}
}
