package assignor

import (
	"slices"

	"groupscope/core/protocol"
)

// Uniform spreads partitions evenly over the members and leaves a partition
// where it is as far as the balance allows.
type Uniform struct{}

// Name implements Assignor.
func (Uniform) Name() string { return "uniform" }

// Assign implements Assignor.
func (Uniform) Assign(spec Spec) ([]protocol.Assignment, error) {
	if spec.Homogeneous {
		return assignHomogeneous(&spec)
	}
	return assignHeterogeneous(&spec), nil
}

// holdings collects a member's new partitions, topic by topic.
type holdings map[protocol.TopicID][]int32

func (h holdings) add(p protocol.Partition) { h[p.Topic] = append(h[p.Topic], p.Number) }

// assignment is what was collected, sorted.
func (h holdings) assignment() protocol.Assignment {
	out := make(protocol.Assignment, 0, len(h))
	for topic, numbers := range h {
		if len(numbers) == 0 {
			continue
		}
		slices.Sort(numbers)
		out = append(out, protocol.TopicPartitions{Topic: topic, Partitions: numbers})
	}
	slices.SortFunc(out, func(a, b protocol.TopicPartitions) int {
		if a.Topic < b.Topic {
			return -1
		}
		return 1
	})
	return out
}

// topicsOf are the known topics of a member in the order given by its
// subscription: as a hash table of ids is walked that was filled in the order
// of names.
func topicsOf(m *Member, index map[protocol.TopicID]*protocol.Topic) []*protocol.Topic {
	topics := make([]*protocol.Topic, 0, len(m.Topics))
	for _, id := range m.Topics {
		if t := index[id]; t != nil {
			topics = append(topics, t)
		}
	}
	return topicOrder(nameOrder(topics))
}
