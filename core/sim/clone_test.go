package sim_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"groupscope/core/protocol"
	"groupscope/core/sim"
)

// picture is all that can be seen of a world, written out in full, so that
// memory shared by mistake shows.
func picture(t *testing.T, w *sim.World) string { return deep(t, w.State(), w.Log()) }

func deep(t *testing.T, parts ...any) string {
	text, err := json.MarshalIndent(parts, "", " ")
	require.NoError(t, err)
	return string(text)
}

func (c *chaos) live(w *sim.World, actions int) []sim.Event {
	var out []sim.Event
	for range actions {
		if events, err := w.Do(c.action()); err == nil {
			out = append(append(out, events...), w.Settle()...)
		}
	}
	return out
}

func TestACloneSharesNothing(t *testing.T) {
	everyWorld(t, 200, func(t *testing.T, c *chaos) {
		w := c.world(t)
		c.live(w, 15)
		before := picture(t, w)
		clone := w.Clone()
		require.Equal(t, before, picture(t, clone))
		c.live(clone, 15)
		require.Equal(t, before, picture(t, w), "the original stands still while the copy goes on")
		after := picture(t, clone)
		c.live(w, 15)
		require.Equal(t, after, picture(t, clone), "and the other way round")
	})
}

func TestACloneGoesOnExactlyAsTheOriginal(t *testing.T) {
	everyWorld(t, 200, func(t *testing.T, c *chaos) {
		w := c.world(t)
		c.live(w, 10)
		_, err := w.Do(sim.Run{For: 10 * protocol.Second})
		require.NoError(t, err)
		for range c.IntN(20) { // cut in the middle of a run
			w.Step()
		}
		clone := w.Clone()
		require.Equal(t, w.Settle(), clone.Settle())
		var actions []sim.Action
		for range 15 {
			actions = append(actions, c.action())
		}
		for _, a := range actions {
			events, err := w.Do(a)
			same, sameErr := clone.Do(a)
			require.Equal(t, events, same)
			require.Equal(t, err, sameErr)
			require.Equal(t, w.Settle(), clone.Settle())
		}
		require.Equal(t, picture(t, w), picture(t, clone))
	})
}

func TestAStateIsNeverChangedOnceMade(t *testing.T) {
	everyWorld(t, 100, func(t *testing.T, c *chaos) {
		w := c.world(t)
		var states []*sim.State
		var then []string
		for range 20 {
			s := w.State()
			require.Same(t, s, w.State(), "it is made once while nothing changes")
			states, then = append(states, s), append(then, deep(t, s))
			c.live(w, 1)
		}
		for i, s := range states {
			require.Equal(t, then[i], deep(t, s))
		}
	})
}
