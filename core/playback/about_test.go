package playback_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/core/playback"
	"groupscope/core/scenario"
	"groupscope/scenarios"
)

// gallery is a scenario of the gallery under a rule set.
func gallery(t *testing.T, name, ruleSet string) *playback.Player {
	t.Helper()
	src, err := scenarios.Source(name)
	require.NoError(t, err)
	sc, mistakes := scenario.Parse(name, []byte(src))
	require.Empty(t, mistakes)
	rec, err := playback.Record(sc, ruleSet)
	require.NoError(t, err)
	return playback.NewPlayer(rec)
}

// told is the main decision of the stop on screen: there is one at most.
func told(t *testing.T, p *playback.Player) playback.RuleText {
	t.Helper()
	var out []playback.RuleText
	for _, d := range p.Caption().Decisions {
		if d.Main {
			out = append(out, d)
		}
	}
	require.LessOrEqual(t, len(out), 1)
	return append(out, playback.RuleText{})[0]
}

// TestTheDecisionIsTheOneThatTheStepIsAbout: what follows from it, and what
// any heartbeat would have been told, stands back.
func TestTheDecisionIsTheOneThatTheStepIsAbout(t *testing.T) {
	const kip1071 = "KIP-1071 heartbeat "
	for _, c := range []struct{ scenario, step, rules, rule, says string }{
		{"what-raises-the-epoch", "timeout", "kip", kip1071 + "4", "A describes itself anew. The group epoch goes"},
		{"what-raises-the-epoch", "timeout", "kafka", "Kafka, static member", "does not change the group epoch"},
		{"where-to-ask", "first", "kip", kip1071 + "7", "A is sent no endpoints yet"},
		{"where-to-ask", "second", "kip", kip1071 + "7", "B is sent no endpoints yet"},
		{"where-to-ask", "settling", "kip", kip1071 + "7", "is sent the endpoints"},
		{"where-to-ask", "first", "kafka", "Kafka, endpoint information", "A is sent the endpoints"},
		{"where-to-ask", "second", "kafka", "Kafka, endpoint information", "B is sent the endpoints"},
		{"where-to-ask", "settling", "kafka", "Kafka, endpoint information", "is sent the endpoints"},
		{"a-rolling-topology-upgrade", "upgrade", "kip", kip1071 + "2.3.4", "B brings topology epoch 1"},
		{"an-old-build-joins", "behind", "kafka", kip1071 + "3.5", "B is told STALE_TOPOLOGY"},
		{"copartitioned-topics-differ", "mismatch", "kip", kip1071 + "5", "must have equally many"},
		{"copartitioned-topics-differ", "mismatch", "kafka", kip1071 + "5", "must have equally many"},
		{"one-topic-sets-the-size-of-the-next", "worked-out", "kafka", kip1071 + "5", "A is told MISSING_INTERNAL_TOPICS"},
		{"warm-up-and-hand-over", "warming.1", "kip", "KIP-1071, warm-up tasks", "B has warmed up 0_1 and can take it over. The group epoch goes"},
		{"a-static-member-restarts", "back", "kafka", "KIP-848, static membership", "A takes the place of A~1"},
	} {
		p := gallery(t, c.scenario, c.rules)
		require.NoError(t, p.SeekStep(c.step))
		d := told(t, p)
		where := fmt.Sprintf("%s, %s, %s", c.scenario, c.step, c.rules)
		assert.Equal(t, c.rule, d.Rule, where)
		assert.Contains(t, d.Text, c.says, where)
	}
}

// TestAStepAtTheEndOfARunTellsTheRun: what has changed since the last step
// with a name, and the decision behind it with its time.
func TestAStepAtTheEndOfARunTellsTheRun(t *testing.T) {
	for _, c := range []struct{ scenario, step, rules, cause, decision string }{
		{"warm-up-and-hand-over", "moved", "kip",
			"In the last 30 s: the group epoch rose from 2 to 3; 0_1 went from A to B.",
			"At 32.0 s: B has warmed up 0_1 and can take it over. The group epoch goes from 2 to 3."},
		{"standbys-are-switched-on", "appear", "kafka",
			"In the last 6 s: the group epoch rose from 3 to 4; A got 0_1 as standby; B got 0_0 as standby.",
			"At 20.0 s: The assignment configs changed to num.standby.replicas 1. The group epoch goes from 3 to 4."},
		{"a-standby-takes-over", "promoted", "kafka", "In the last 20 s: A is gone; the group epoch rose from 4 to 5; 0_0 went from A to B",
			"At 100.0 s: A sent no heartbeat for 45s and is removed."},
		{"a-rolling-topology-upgrade", "stale", "kip", "In the last 12 s: A moved to epoch 4.",
			"At 15.0 s: A runs topology epoch 0, the group is at 1. A is told STALE_TOPOLOGY."},
		{"a-rolling-topology-upgrade", "done", "kafka", "In the last 20 s: A is gone; the group epoch rose from 4 to 5; nobody runs 0_0 and 0_1.",
			"At 24.0 s: A sent topology epoch 1. The group stays at 0: a topology cannot be updated."},
		{"a-thread-nobody-knows", "unknown", "kip", "In the last 17 s: A joined;", "At 75.1 s: Group example has no member A."},
		{"one-member-never-lets-go", "taken", "kafka", "In the last 8 s: B got foo 0, 1 and 2.", "At 305.0 s: foo-0, foo-1 and foo-2 are free now."},
		{"an-old-build-joins", "later", "kip", "4 idle heartbeats.", ""},
	} {
		p := gallery(t, c.scenario, c.rules)
		require.NoError(t, p.SeekStep(c.step))
		where := fmt.Sprintf("%s, %s, %s", c.scenario, c.step, c.rules)
		assert.Truef(t, strings.HasPrefix(p.Caption().Cause, c.cause), "%s: %s", where, p.Caption().Cause)
		d := told(t, p)
		assert.Truef(t, strings.HasPrefix(d.Text, c.decision) && (d.Text == "") == (c.decision == ""), "%s: %s", where, d.Text)
	}
}

// TestIdleHeartbeatsAreCountedWhereNothingChanged: a step at the end of a run
// in which nothing changed counts them; no other one does.
func TestIdleHeartbeatsAreCountedWhereNothingChanged(t *testing.T) {
	for _, name := range scenarios.Names() {
		p := gallery(t, name, "kafka")
		for i, s := range p.Stops() {
			require.NoError(t, p.Seek(i))
			c := p.Caption()
			if i == 0 || s.Step == "" || !strings.Contains(c.Cause, " idle heartbeat") {
				continue
			}
			from := i - 1
			for from > 0 && p.Stops()[from].Step == "" {
				from--
			}
			before, now := p.Stops()[from], p.Stops()[i]
			assert.Equal(t, before.GroupEpoch, now.GroupEpoch, "%s, %s: %s", name, s.Label, c.Cause)
			assert.Equal(t, before.AssignmentEpoch, now.AssignmentEpoch, "%s, %s: %s", name, s.Label, c.Cause)
		}
	}
}
