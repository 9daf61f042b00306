package main

import (
	"fmt"
	"runtime"

	"groupscope/core/playback"
	"groupscope/core/scenario"
)

// recordingRows compares what an hour in which nothing changes costs with an
// hour of twenty times as many members.
func recordingRows() ([]row, error) {
	var rows []row
	for _, size := range []struct{ members, partitions, minutes int }{{3, 30, 60}, {100, 1000, 5}} {
		sc, mistakes := scenario.Parse("crowd.yaml", []byte(crowd(size.members, size.partitions, size.minutes)))
		if len(mistakes) > 0 {
			return nil, fmt.Errorf("%v", mistakes[0])
		}
		before := heap()
		rec, err := playback.Record(sc, "kip")
		if err != nil {
			return nil, err
		}
		grown := heap() - before
		events, records := playback.NewPlayer(rec).Totals()
		rows = append(rows, row{
			what:     fmt.Sprintf("recording, %d members x %d partitions, %d min", size.members, size.partitions, size.minutes),
			budget:   "grows with what changed",
			measured: fmt.Sprintf("%d events, %d records: %.1f MB, %.0f bytes an event", events, records, grown/1e6, grown/float64(events)),
		})
		runtime.KeepAlive(rec)
	}
	return rows, nil
}

func heap() float64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc)
}
