package playback_test

import (
	"testing"

	"groupscope/core/playback"
	"groupscope/core/protocol"
	"groupscope/core/scenario"
)

// twentyThousand is a run of about 20,000 events.
func twentyThousand(b testing.TB) *playback.Recording {
	b.Helper()
	return record(b, crowd(100, 1000, 5*protocol.Minute), "kip")
}

func BenchmarkSeekAnywhere(b *testing.B) {
	for name, rec := range map[string]*playback.Recording{
		"example":                example(b),
		"100 members, a crowd":   twentyThousand(b),
		"10 members for an hour": record(b, crowd(10, 100, 55*protocol.Minute), "kip"),
	} {
		p := playback.NewPlayer(rec)
		events, _ := p.Totals()
		b.Run(name, func(b *testing.B) {
			b.ReportMetric(float64(events), "events")
			b.ReportMetric(float64(p.Len()), "stops")
			b.ReportMetric(float64(playback.Snapshots(rec)), "snapshots")
			for i := range b.N {
				// From the end to the beginning: no seek can go on from the last.
				if err := p.Seek(p.Len() - 1 - i*13%p.Len()); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(name+", any event", func(b *testing.B) {
			for i := range b.N {
				if _, err := rec.StateAt(playback.Main, uint64(i*7919%events)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkRecord(b *testing.B) {
	sc, mistakes := scenario.Parse("x.yaml", []byte(crowd(100, 1000, 5*protocol.Minute)))
	if len(mistakes) > 0 {
		b.Fatal(mistakes)
	}
	for b.Loop() {
		if _, err := playback.Record(sc, "kip"); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkFrame(b *testing.B) {
	p := playback.NewPlayer(twentyThousand(b))
	p.Play()
	b.ReportAllocs()
	for b.Loop() {
		p.Advance(16)
		if !p.Playing() {
			p.Play()
		}
	}
}
