package assignor

import (
	"cmp"
	"slices"
	"strings"

	"groupscope/core/protocol"
)

// Range gives each topic's partitions out in consecutive runs, in the order
// of instance ids, then member ids. Topics with equally many partitions and
// the same subscribers are co-partitioned. The previous target is ignored.
type Range struct{}

// Name implements Assignor.
func (Range) Name() string { return "range" }

// Assign implements Assignor.
func (Range) Assign(spec Spec) ([]protocol.Assignment, error) {
	out := make([]protocol.Assignment, len(spec.Members))
	for i := range out {
		out[i] = protocol.Assignment{}
	}
	order := make([]int, len(spec.Members))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return compareForRange(&spec.Members[a], &spec.Members[b]) })
	for i := range spec.Topics {
		topic := &spec.Topics[i]
		giveRuns(topic, subscribersForRange(&spec, order, topic.ID), out)
	}
	return out, nil
}

// compareForRange puts static members before dynamic ones.
func compareForRange(a, b *Member) int {
	if (a.InstanceID == "") != (b.InstanceID == "") {
		return cmp.Compare(b.InstanceID, a.InstanceID)
	}
	return cmp.Or(strings.Compare(a.InstanceID, b.InstanceID), strings.Compare(a.ID, b.ID))
}

// subscribersForRange lists who shares the topic. In a group that is said to
// be homogeneous the first member's topics are everybody's.
func subscribersForRange(spec *Spec, order []int, topic protocol.TopicID) []int {
	if spec.Homogeneous && len(order) > 0 {
		if subscribes(&spec.Members[order[0]], topic) {
			return order
		}
		return nil
	}
	var subscribers []int
	for _, m := range order {
		if subscribes(&spec.Members[m], topic) {
			subscribers = append(subscribers, m)
		}
	}
	return subscribers
}

func subscribes(m *Member, topic protocol.TopicID) bool {
	_, ok := slices.BinarySearch(m.Topics, topic)
	return ok
}

// giveRuns appends each subscriber's run of the topic to its assignment; the
// first n mod m of them get one partition more.
func giveRuns(topic *protocol.Topic, subscribers []int, out []protocol.Assignment) {
	if len(subscribers) == 0 {
		return
	}
	each := int(topic.Partitions) / len(subscribers)
	extra := int(topic.Partitions) % len(subscribers)
	next := int32(0)
	for i, m := range subscribers {
		n := each
		if i < extra {
			n++
		}
		if n == 0 {
			return
		}
		run := make([]int32, n)
		for j := range run {
			run[j] = next
			next++
		}
		out[m] = append(out[m], protocol.TopicPartitions{Topic: topic.ID, Partitions: run})
	}
}
