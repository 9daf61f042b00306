package sim_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/core/rules"
	"groupscope/core/sim"
)

// ids are the ids of the members that the group has.
func ids(w *sim.World) []string {
	var out []string
	if g := w.State().Group; g != nil {
		for _, m := range g.Members {
			out = append(out, m.ID)
		}
	}
	return out
}

// A's leave is on its way for another 10 s when A is started again.
func TestAMemberThatIsStartedAgainHasLeftBefore(t *testing.T) {
	for _, again := range []sim.Action{sim.Join{Member: "A"}, sim.Restart{Member: "A"}} {
		w := workedExample(t, rules.Kip())
		must(t, w, join("A"), beat("A"), sim.Delay{Member: "A", By: 10 * second, Count: 1}, sim.Leave{Member: "A"})
		require.Len(t, w.State().Flying, 1)
		events := must(t, w, again)
		assert.Equal(t, []string{"A~2"}, ids(w), "%T", again)
		assert.Empty(t, w.State().Flying, "%T", again)

		sent := only[sim.Sent](events)
		require.Len(t, sent, 1)
		for _, e := range events {
			if s, ok := e.What.(sim.Sent); ok {
				assert.Equal(t, events[0].Seq, e.Cause, "%T sends %v, not the leave that came before it", again, s.Request)
			}
		}
	}
}

// What got lost of a leave counts as timed out, so the close is over.
func TestAMemberThatJoinsAfterALostLeaveIsASecondOneOnlyIfTheRequestWasLost(t *testing.T) {
	for _, test := range []struct {
		fault sim.Action
		want  []string
	}{
		{sim.LoseRequest{Member: "A", Count: 1}, []string{"A", "A~2"}},
		{sim.LoseResponse{Member: "A", Count: 1}, []string{"A~2"}},
	} {
		w := workedExample(t, rules.Kip())
		must(t, w, join("A"), beat("A"), test.fault, sim.Leave{Member: "A"})
		require.NoError(t, w.Possible(join("A")))
		must(t, w, join("A"))
		assert.Equal(t, test.want, ids(w), "%T", test.fault)
		assert.Empty(t, w.State().Flying)
	}
}

func TestWhatIsOnItsWayStaysThereForActionsThatSendNothing(t *testing.T) {
	for _, a := range []sim.Action{
		sim.Subscribe{Member: "A", Topics: []string{"bar"}}, sim.Crash{Member: "A"}, sim.Pause{Member: "A", For: second},
		sim.LoseRequest{Member: "A", Count: 1}, sim.Delay{Member: "A", By: second, Count: 1},
	} {
		w := workedExample(t, rules.Kip())
		must(t, w, join("A"), beat("A"), sim.Delay{Member: "A", By: 10 * second, Count: 1}, beat("A"))
		flying := w.State().Flying
		require.Len(t, flying, 1)
		must(t, w, a)
		assert.Equal(t, flying, w.State().Flying, "%T", a)
	}
	for _, a := range []sim.Action{sim.Subscribe{Member: "A"}, sim.Leave{Member: "A"}, beat("A")} {
		w := workedExample(t, rules.Kip())
		must(t, w, join("A"), beat("A"), sim.Delay{Member: "A", By: 10 * second, Count: 1}, beat("A"), a)
		assert.Empty(t, w.State().Flying, "%T", a)
	}
}
