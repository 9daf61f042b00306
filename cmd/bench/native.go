package main

import (
	"fmt"
	"runtime"
	"testing"

	"groupscope/core/coordinator"
	"groupscope/core/playback"
	"groupscope/core/protocol"
	"groupscope/core/rules"
	"groupscope/core/scenario"
)

// nativeRows measures what needs no browser.
func nativeRows() ([]row, error) {
	recording, err := recordingRows()
	if err != nil {
		return nil, err
	}
	return append(recording, operationRows()...), nil
}

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

// operationRows times the coordinator alone.
func operationRows() []row {
	idle := testing.Benchmark(func(b *testing.B) {
		c, now := group(100, 1000)
		req := protocol.ConsumerGroupHeartbeatRequest{GroupID: "g", MemberID: "m050", RebalanceTimeoutMs: -1}
		g, _ := c.Group("g")
		req.MemberEpoch = g.Members[50].MemberEpoch
		b.ReportAllocs()
		for b.Loop() {
			c.Heartbeat(now, req)
		}
	})
	join := testing.Benchmark(func(b *testing.B) {
		c, now := group(100, 1000)
		b.ReportAllocs()
		for b.Loop() {
			c.Heartbeat(now, joining("late"))
			c.Heartbeat(now, protocol.ConsumerGroupHeartbeatRequest{GroupID: "g", MemberID: "late", MemberEpoch: -1, RebalanceTimeoutMs: -1})
			now++
		}
	})
	text := func(r testing.BenchmarkResult) string {
		return fmt.Sprintf("%.1f us, %d allocations", float64(r.NsPerOp())/1000, r.AllocsPerOp())
	}
	return []row{
		{what: "heartbeat that changes nothing, 100 x 1,000, native", budget: "the JVM broker's cost", measured: text(idle)},
		{what: "join with a new target, and leave, 100 x 1,000, native", budget: "the JVM broker's cost", measured: text(join)},
	}
}

func joining(member string) protocol.ConsumerGroupHeartbeatRequest {
	return protocol.ConsumerGroupHeartbeatRequest{
		GroupID: "g", MemberID: member, RebalanceTimeoutMs: 300_000,
		SubscribedTopicNames: []string{"foo"}, TopicPartitions: protocol.Assignment{},
	}
}

// group is a coordinator with a group of that size, all of them settled.
func group(members int, partitions int32) (*coordinator.Coordinator, protocol.Instant) {
	config := coordinator.DefaultConfig(rules.Kafka())
	config.AssignmentInterval = 0
	c := coordinator.New(config)
	now := protocol.Instant(1_000_000)
	c.SetTopics(now, []protocol.Topic{{ID: "foo", Name: "foo", Partitions: partitions}})
	owned := map[string]protocol.Assignment{}
	epochs := map[string]int32{}
	for m := range members {
		id := fmt.Sprintf("m%03d", m)
		r := c.Heartbeat(now, joining(id)).Response
		epochs[id], owned[id] = r.MemberEpoch, r.Assignment
	}
	for range 4 { // revoke, release, take, confirm
		for m := range members {
			id := fmt.Sprintf("m%03d", m)
			r := c.Heartbeat(now, protocol.ConsumerGroupHeartbeatRequest{
				GroupID: "g", MemberID: id, MemberEpoch: epochs[id], RebalanceTimeoutMs: -1, TopicPartitions: owned[id],
			}).Response
			epochs[id] = r.MemberEpoch
			if r.Assignment != nil {
				owned[id] = r.Assignment
			}
		}
	}
	return c, now
}
