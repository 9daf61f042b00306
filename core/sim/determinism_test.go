package sim_test

import (
	"fmt"
	"hash/fnv"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/core/protocol"
	"groupscope/core/rules"
	"groupscope/core/sim"
)

// story is everything that happens in a random world, in words.
func story(t testing.TB, seed uint64, r rules.Rules) string {
	c := newChaos(seed, r)
	w := c.world(t)
	tr := transcript{start: sim.DefaultStart}
	for range 40 {
		if events, err := w.Do(c.action()); err == nil {
			tr.add(events)
			tr.add(w.Settle())
		}
	}
	return tr.text.String()
}

// TestTheSameSeedGivesTheSameTraceOnEveryPlatform holds stories against
// hashes that were committed. It is run natively and in WASM.
func TestTheSameSeedGivesTheSameTraceOnEveryPlatform(t *testing.T) {
	var got strings.Builder
	for _, r := range rules.All() {
		for seed := range uint64(25) {
			hash := fnv.New64a()
			text := story(t, seed, r)
			_, _ = hash.Write([]byte(text))
			fmt.Fprintf(&got, "%s %d %016x %d\n", r.Name, seed, hash.Sum64(), strings.Count(text, "\n"))
		}
	}
	const file = "testdata/hashes.txt"
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(got.String()), 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, string(want), got.String(), "rule set, seed, hash and number of events; -update accepts them")
}

func TestAnotherSeedGivesAnotherTrace(t *testing.T) {
	run := func(seed uint64) []sim.Event {
		c := newChaos(3, rules.Kafka())
		c.setup.Seed = seed
		c.setup.Members[0].Latency = &sim.Range{Min: 1, Max: 1000}
		w, err := sim.New(c.setup)
		require.NoError(t, err)
		return must(t, w, sim.Join{Member: "m0"}, sim.Run{For: 20 * protocol.Second})
	}
	assert.Equal(t, run(1), run(1))
	assert.NotEqual(t, run(1), run(2))
}

// TestARunInPiecesIsTheSameRun: where a run is cut does not matter, so a
// viewer may stop anywhere and go on.
func TestARunInPiecesIsTheSameRun(t *testing.T) {
	everyWorld(t, 60, func(t *testing.T, c *chaos) {
		whole := c.world(t)
		pieces := whole.Clone()
		want := strip(must(t, whole, sim.Run{For: 60 * protocol.Second}))
		var got []sim.Event
		for left := 60 * protocol.Second; left > 0; {
			d := min(left, protocol.Duration(1+c.Int64N(7000)))
			got = append(got, strip(must(t, pieces, sim.Run{For: d}))...)
			left -= d
		}
		require.Equal(t, want, got)
	})
}

// strip leaves out what a cut adds: the actions, and the numbers of events.
func strip(events []sim.Event) []sim.Event {
	var out []sim.Event
	for _, e := range events {
		if _, acted := e.What.(sim.Acted); !acted {
			e.Seq, e.Cause = 0, 0
			out = append(out, e)
		}
	}
	return out
}

func TestEventsAreNumberedWithoutGapsTimeNeverFallsAndCausesComeFirst(t *testing.T) {
	everyWorld(t, 40, func(t *testing.T, c *chaos) {
		w := c.world(t)
		last := sim.Event{Seq: w.State().Seq, At: w.State().At}
		for range 40 {
			events, err := w.Do(c.action())
			if err != nil {
				continue
			}
			for _, e := range append(events, w.Settle()...) {
				require.Equal(t, last.Seq+1, e.Seq)
				require.GreaterOrEqual(t, e.At, last.At)
				require.Less(t, e.Cause, e.Seq)
				last = e
			}
			require.Equal(t, last.Seq, w.State().Seq)
		}
	})
}
