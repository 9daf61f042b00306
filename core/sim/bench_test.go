package sim_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"groupscope/core/coordinator"
	"groupscope/core/protocol"
	"groupscope/core/rules"
	"groupscope/core/sim"
)

// crowd is a settled group of 100 members that share 1,000 partitions.
func crowd(b testing.TB) *sim.World {
	s := sim.Setup{
		Seed: 1, GroupID: "group", Config: coordinator.DefaultConfig(rules.Kafka()),
		Topics: []protocol.Topic{{Name: "foo", Partitions: 1000}},
	}
	for i := range 100 {
		s.Members = append(s.Members, sim.MemberSetup{
			Name: fmt.Sprintf("m%02d", i), Subscribe: []string{"foo"}, Latency: &sim.Range{Min: 1, Max: 20},
		})
	}
	w, err := sim.New(s)
	require.NoError(b, err)
	for _, m := range s.Members {
		must(b, w, sim.Join{Member: m.Name}, sim.Run{For: 37})
	}
	must(b, w, sim.Run{For: 60 * protocol.Second})
	requireSettledB(b, w)
	return w
}

func requireSettledB(b testing.TB, w *sim.World) {
	require.Equal(b, coordinator.Stable, w.State().Group.State)
	require.Empty(b, w.State().Unowned)
}

// BenchmarkStepIdle is heartbeats that change nothing.
func BenchmarkStepIdle(b *testing.B) {
	benchmarkSteps(b, func(*testing.B, *sim.World) {}, false)
}

// BenchmarkStepRebalancing is a rebalance: one member crashes and another
// joins each minute.
func BenchmarkStepRebalancing(b *testing.B) {
	n := 0
	benchmarkSteps(b, func(b *testing.B, w *sim.World) {
		m := fmt.Sprintf("m%02d", n%100)
		n++
		must(b, w, sim.Crash{Member: m}, sim.Restart{Member: m})
	}, false)
}

// BenchmarkStepWithState makes the read model after each step, as a recording
// does.
func BenchmarkStepWithState(b *testing.B) {
	benchmarkSteps(b, func(*testing.B, *sim.World) {}, true)
}

func benchmarkSteps(b *testing.B, each func(*testing.B, *sim.World), state bool) {
	w := crowd(b)
	b.ReportAllocs()
	b.ResetTimer()
	steps, events := 0, 0
	for steps < b.N {
		each(b, w)
		_, err := w.Do(sim.Run{For: 60 * protocol.Second})
		require.NoError(b, err)
		for {
			out, more := w.Step()
			events += len(out)
			if !more {
				break
			}
			if steps++; steps >= b.N {
				break
			}
			if state {
				w.State()
			}
		}
	}
	b.ReportMetric(float64(events)/float64(steps), "events/step")
}

func BenchmarkClone(b *testing.B) {
	w := crowd(b)
	b.ReportAllocs()
	for b.Loop() {
		w.Clone()
	}
}

func BenchmarkCheck(b *testing.B) {
	w := crowd(b)
	for b.Loop() {
		w.Check()
	}
}
