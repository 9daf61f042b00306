package sim_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"groupscope/core/canon"
	"groupscope/core/protocol"
	"groupscope/core/rules"
	"groupscope/core/sim"
)

func state(w *sim.World) string {
	return string(w.AppendState(&canon.Writer{Back: second, Ahead: protocol.Hour}, nil))
}

// TestAGroupAtRestComesBackToTheSameState: nothing that only counts what
// happened is part of it.
func TestAGroupAtRestComesBackToTheSameState(t *testing.T) {
	for _, r := range rules.All() {
		w := settledExample(t, r)
		before := state(w)
		must(t, w, sim.Run{For: 5 * second})
		require.Equal(t, before, state(w), r.Name)
	}
}

func TestACloneIsInTheSameStateUntilOneGoesOn(t *testing.T) {
	everyWorld(t, 100, func(t *testing.T, c *chaos) {
		w := c.world(t)
		c.live(w, 10)
		clone := w.Clone()
		before := state(w)
		require.Equal(t, before, state(clone))
		c.live(clone, 10)
		require.Equal(t, before, state(w))
	})
}

func TestTheOrderOfWhatIsOnItsWayCounts(t *testing.T) {
	one, other := open(t, rules.Kafka()), open(t, rules.Kafka())
	require.Equal(t, state(one), state(other))
	one.Take(sim.Choice{Kind: sim.Deliver, Member: 0})
	other.Take(sim.Choice{Kind: sim.Deliver, Member: 1})
	require.NotEqual(t, state(one), state(other))
}
