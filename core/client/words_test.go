package client_test

import (
	"groupscope/core/client"
	"groupscope/core/protocol"
)

// start is where the clock of a test stands at first.
const start protocol.Instant = 1_000_000

func topicIDs(names []string) []protocol.TopicID {
	out := make([]protocol.TopicID, len(names))
	for i, n := range names {
		out[i] = protocol.TopicID(n)
	}
	return out
}

// assignment is all partitions of topics that are named.
func assignment(m map[string][]int32) protocol.Assignment {
	var ps []protocol.Partition
	for topic, numbers := range m {
		for _, n := range numbers {
			ps = append(ps, protocol.Partition{Topic: protocol.TopicID(topic), Number: n})
		}
	}
	return protocol.NewAssignment(ps)
}

func task(subtopology string, number int32) protocol.Partition {
	return protocol.Partition{Topic: protocol.TopicID(subtopology), Number: number}
}

// calledText is what a callback is told.
func calledText(c client.Callback) string {
	if c.What != client.TasksAssigned {
		return c.Partitions.String()
	}
	text := "active " + c.Partitions.String() + ", standby " + c.Standby.String() + ", warm-up " + c.Warmup.String()
	if c.Ready {
		return text + ", ready"
	}
	return text
}
