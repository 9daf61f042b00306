package sim_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"groupscope/core/rules"
	"groupscope/core/sim"
)

// worlds is how many of a number of random worlds are run: with -short, as
// beside the race detector, a quarter.
func worlds(number int) int {
	if testing.Short() {
		return number / 4
	}
	return number
}

// everyWorld runs a claim on many random worlds, half of them under each rule
// set.
func everyWorld(t *testing.T, number int, claim func(t *testing.T, c *chaos)) {
	for _, r := range rules.All() {
		t.Run(r.Name, func(t *testing.T) {
			for seed := range worlds(number) / 2 {
				claim(t, newChaos(uint64(seed), r))
				if t.Failed() {
					t.Fatalf("in the world of seed %d", seed)
				}
			}
		})
	}
}

func TestTheCoordinatorBreaksNoInvariantInAThousandWorlds(t *testing.T) {
	records := 0
	everyWorld(t, 1000, func(t *testing.T, c *chaos) {
		w := c.world(t)
		epoch := int32(0)
		for range 40 {
			a := c.action()
			events, err := w.Do(a)
			if err != nil {
				var refused *sim.Refused
				require.ErrorAs(t, err, &refused)
				continue
			}
			events = append(events, w.Settle()...)
			for _, e := range events {
				if v, ok := e.What.(sim.Violated); ok && !clients(v.Violation) {
					require.Fail(t, "violated", "%+v by %+v", v.Violation, a)
				}
			}
			require.Empty(t, slices.DeleteFunc(w.Check(), clients), "after %s", describe(a))
			if g := w.State().Group; g != nil {
				require.GreaterOrEqual(t, g.GroupEpoch, epoch)
				epoch = g.GroupEpoch
			} else {
				epoch = 0 // it was deleted
			}
		}
		records += len(w.Log())
	})
	require.Greater(t, records, worlds(40_000), "the worlds are lively")
}

// clients reports a violation that is the clients' doing. In these worlds they
// send requests that no client would send, and even a true one reads on where
// it should not: it may take a late answer for the answer to its join, a
// request that arrives a second time joins it again, and a heartbeat that lists
// what it had before its last assignment counts as giving up the rest.
func clients(v sim.Violation) bool { return v.Invariant == "one reader" }

func describe(a sim.Action) string { return fmt.Sprintf("%T%+v", a, a) }
