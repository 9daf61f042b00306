package coordinator_test

import (
	"fmt"
	"runtime"
	"testing"

	"groupscope/core/coordinator"
	"groupscope/core/protocol"
	"groupscope/core/rules"
)

// streamsWorld is a coordinator with the topics of some stateful
// subtopologies of 100 tasks each, and their topology.
func streamsWorld(r rules.Rules, subtopologies, warmups int) (*coordinator.Coordinator, *protocol.Topology) {
	cfg := coordinator.DefaultConfig(r)
	cfg.Streams.AssignmentInterval, cfg.Streams.InitialRebalanceDelay, cfg.Streams.WarmupReplicas = 0, 0, warmups
	c := coordinator.New(cfg)
	var topics []protocol.Topic
	t := &protocol.Topology{}
	for i := range subtopologies {
		in, log := fmt.Sprintf("in%d", i), fmt.Sprintf("log%d", i)
		topics = append(topics, topic(in, 100), topic(log, 100))
		t.Subtopologies = append(t.Subtopologies, protocol.Subtopology{
			ID: fmt.Sprint(i), SourceTopics: []string{in}, StateChangelogTopics: []protocol.TopicInfo{{Name: log}},
		})
	}
	c.SetTopics(start, topics)
	return c, t
}

// converge joins members and has them heartbeat until the group is stable.
func converge(c *coordinator.Coordinator, t *protocol.Topology, members int) error {
	requests := make([]protocol.StreamsGroupHeartbeatRequest, members)
	for i := range requests {
		join := streamsJoin(fmt.Sprintf("m%04d", i), t)
		result := c.StreamsHeartbeat(start, join)
		requests[i] = protocol.StreamsGroupHeartbeatRequest{
			GroupID: "g", MemberID: join.MemberID, RebalanceTimeoutMs: -1, MemberEpoch: result.Response.MemberEpoch, Owned: result.Response.Tasks,
		}
	}
	for range 30 {
		for i := range requests {
			answer := c.StreamsHeartbeat(start, requests[i]).Response
			requests[i].MemberEpoch = answer.MemberEpoch
			if answer.Tasks.Present() {
				requests[i].Owned = answer.Tasks
			}
		}
		if g, _ := c.Group("g"); g.State == coordinator.Stable {
			return nil
		}
	}
	return fmt.Errorf("the group did not settle")
}

func BenchmarkStreamsConverge(b *testing.B) {
	for _, members := range []int{100, 300} {
		b.Run(fmt.Sprintf("members=%d", members), func(b *testing.B) {
			for b.Loop() {
				c, t := streamsWorld(rules.Kafka(), 10, 2)
				if err := converge(c, t, members); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkStreamsHeartbeatSteady(b *testing.B) {
	for _, r := range rules.All() {
		for _, warmups := range []int{0, 2} {
			b.Run(fmt.Sprintf("rules=%s/warmups=%d", r.Name, warmups), func(b *testing.B) {
				c, t := streamsWorld(r, 10, warmups)
				steady := make([]protocol.StreamsGroupHeartbeatRequest, 1000)
				for i := range steady {
					join := streamsJoin(fmt.Sprintf("m%04d", i), t)
					steady[i] = protocol.StreamsGroupHeartbeatRequest{GroupID: "g", MemberID: join.MemberID, RebalanceTimeoutMs: -1}
				}
				if err := converge(c, t, len(steady)); err != nil {
					b.Fatal(err)
				}
				g, _ := c.Group("g")
				for i := range steady {
					steady[i].MemberEpoch = g.Members[i].MemberEpoch
					steady[i].EndpointInformationEpoch = g.Streams.EndpointInformationEpoch
				}
				for i := range steady {
					c.StreamsHeartbeat(start, steady[i]) // what is said and kept the first time
				}
				runtime.GC() // what it took to get there is not theirs
				b.ReportAllocs()
				for i := 0; b.Loop(); i++ {
					c.StreamsHeartbeat(start.Add(protocol.Duration(i)), steady[i%len(steady)])
				}
			})
		}
	}
}
