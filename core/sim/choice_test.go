package sim_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/core/rules"
	"groupscope/core/sim"
)

// open are A and B joining, with their requests on their way.
func open(t *testing.T, r rules.Rules) *sim.World {
	w := workedExample(t, r)
	for _, m := range []string{"A", "B"} {
		must(t, w, sim.Delay{Member: m, By: second, Count: 1}, join(m))
	}
	_, err := w.Do(sim.Run{For: 60 * second})
	require.NoError(t, err)
	w.Take(sim.Choice{Kind: sim.Pass}) // both look around after what was done by hand
	return w
}

func kinds(choices []sim.Choice) []sim.Choice {
	for i := range choices {
		choices[i].At, choices[i].Arrives = 0, 0
	}
	return choices
}

func TestChoicesAreTheOldestMessageOfEachDirectionAndThePassingOfTime(t *testing.T) {
	w := open(t, rules.Kafka())
	w.Take(sim.Choice{Kind: sim.Deliver, Member: 1})
	assert.Equal(t, []sim.Choice{
		{Kind: sim.Deliver, Member: 0}, {Kind: sim.Lose, Member: 0},
		{Kind: sim.Deliver, Member: 1, Response: true}, {Kind: sim.Lose, Member: 1, Response: true},
		{Kind: sim.Pass},
	}, kinds(w.Choices(nil)))
}

func TestAChosenMessageArrivesAtOnceWhateverItsLatency(t *testing.T) {
	w := open(t, rules.Kafka())
	start := w.State().At
	handled := only[sim.Handled](w.Take(sim.Choice{Kind: sim.Deliver, Member: 1}))
	require.Len(t, handled, 1)
	assert.Equal(t, "B", handled[0].Member, "B overtakes A")
	w.Take(sim.Choice{Kind: sim.Deliver, Member: 1, Response: true})
	assert.Equal(t, int32(2), w.State().Clients[1].Epoch)
	assert.Equal(t, start, w.State().At)
}

func TestAMessageThatIsChosenToGetLostIsMissedAfterTheRequestTimeout(t *testing.T) {
	w := open(t, rules.Kafka())
	start := w.State().At
	assert.Empty(t, w.Take(sim.Choice{Kind: sim.Lose, Member: 0}))
	choices := w.Choices(nil)
	pass := choices[len(choices)-1]
	require.Equal(t, sim.Pass, pass.Kind)
	assert.Equal(t, 30*second, pass.At.Sub(start))
	events := w.Take(pass)
	failed := only[sim.Received](events)
	require.Len(t, failed, 2, "the message of B is as old")
	assert.Equal(t, "timeout", failed[0].Failure)
}

// TestMessagesChosenInTurnSettleTheGroup: the first choice each time, so time
// passes when nothing is on its way.
func TestMessagesChosenInTurnSettleTheGroup(t *testing.T) {
	for _, r := range rules.All() {
		w := open(t, r)
		must(t, w, join("C"))
		_, err := w.Do(sim.Run{})
		require.NoError(t, err)
		for range 60 {
			w.Take(w.Choices(nil)[0])
		}
		requireSettled(t, w)
		assert.Empty(t, w.Check(), r.Name)
	}
}
