package assignor

import (
	"cmp"
	"slices"

	"groupscope/core/protocol"
)

// maxBalancePasses bounds the balancing of subscriptions that overlap.
const maxBalancePasses = 16

// heterogeneous is uniform where members subscribe to different topics: keep
// what may be kept, give unowned partitions to the least loaded subscribers,
// then move partitions from the most to the least loaded, topic by topic.
// Members are numbered in the order in which Kafka walks them.
type heterogeneous struct {
	order       []int // number to index in the spec
	topics      []*protocol.Topic
	subscribers map[protocol.TopicID][]int   // by number, ascending
	owners      map[protocol.TopicID][]int32 // partition to number, -1 nobody
	size        []int                        // partitions of each member
}

func assignHeterogeneous(spec *Spec) []protocol.Assignment {
	h := newHeterogeneous(spec)
	h.keep(spec)
	h.fill()
	h.balance()

	out := make([]holdings, len(spec.Members))
	for i := range out {
		out[i] = holdings{}
	}
	for _, t := range h.topics {
		for n, owner := range h.owners[t.ID] {
			if owner >= 0 {
				out[h.order[owner]].add(protocol.Partition{Topic: t.ID, Number: int32(n)})
			}
		}
	}
	result := make([]protocol.Assignment, len(out))
	for i, held := range out {
		result[i] = held.assignment()
	}
	return result
}

func newHeterogeneous(spec *Spec) *heterogeneous {
	h := &heterogeneous{
		order:       memberOrder(spec.Members),
		subscribers: map[protocol.TopicID][]int{},
		owners:      map[protocol.TopicID][]int32{},
		size:        make([]int, len(spec.Members)),
	}
	for number, i := range h.order {
		for _, id := range spec.Members[i].Topics {
			h.subscribers[id] = append(h.subscribers[id], number)
		}
	}
	for i := range spec.Topics {
		t := &spec.Topics[i]
		if len(h.subscribers[t.ID]) == 0 {
			continue
		}
		h.topics = append(h.topics, t)
		owners := make([]int32, t.Partitions)
		for n := range owners {
			owners[n] = -1
		}
		h.owners[t.ID] = owners
	}
	slices.SortFunc(h.topics, h.compareTopics)
	return h
}

// compareTopics puts topics first that load their subscribers most.
func (h *heterogeneous) compareTopics(a, b *protocol.Topic) int {
	na, nb := len(h.subscribers[a.ID]), len(h.subscribers[b.ID])
	return cmp.Or(
		cmp.Compare(float64(b.Partitions)/float64(nb), float64(a.Partitions)/float64(na)),
		cmp.Compare(na, nb),
		compareTopicIDs(a, b),
	)
}

// keep leaves every member the old partitions of topics it still wants.
func (h *heterogeneous) keep(spec *Spec) {
	for number, i := range h.order {
		m := &spec.Members[i]
		for _, tp := range m.Target {
			owners := h.owners[tp.Topic]
			if owners == nil || !subscribes(m, tp.Topic) {
				continue
			}
			for _, n := range tp.Partitions {
				if int(n) < len(owners) && owners[n] < 0 {
					h.give(tp.Topic, n, number)
				}
			}
		}
	}
}

func (h *heterogeneous) give(topic protocol.TopicID, n int32, to int) {
	h.owners[topic][n] = int32(to)
	h.size[to]++
}

// fill hands unowned partitions out, lowest first, to the least loaded
// subscribers.
func (h *heterogeneous) fill() {
	for _, t := range h.topics {
		var least *ladder
		for n, owner := range h.owners[t.ID] {
			if owner >= 0 {
				continue
			}
			if least == nil {
				least = h.ladder(t.ID)
			}
			h.give(t.ID, int32(n), least.nextLeast())
		}
	}
}

// balance goes round the topics until a whole round moves nothing.
func (h *heterogeneous) balance() {
	for range maxBalancePasses {
		moved := false
		for _, t := range h.topics {
			if len(h.subscribers[t.ID]) >= 2 && h.balanceTopic(t.ID) {
				moved = true
			}
		}
		if !moved {
			return
		}
	}
}

// balanceTopic moves partitions of one topic from its most to its least
// loaded subscribers until they differ by at most one, or nobody can give.
func (h *heterogeneous) balanceTopic(topic protocol.TopicID) bool {
	l := h.ladder(topic)
	if l.level() {
		return false
	}
	held := make(map[int][]int32) // what each had when this topic's turn began
	for n, owner := range h.owners[topic] {
		if owner >= 0 {
			held[int(owner)] = append(held[int(owner)], int32(n))
		}
	}
	moved := false
	for {
		from, ok := l.nextMost(func(m int) bool { return len(held[m]) > 0 })
		if !ok || l.level() {
			return moved
		}
		to := l.nextLeast()
		if l.level() {
			return moved
		}
		last := len(held[from]) - 1
		n := held[from][last]
		held[from] = held[from][:last]
		h.size[from]--
		h.give(topic, n, to)
		moved = true
	}
}
