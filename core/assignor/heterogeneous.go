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
	spec        *Spec
	ranks       ranks
	order       []int32   // number to index in the spec
	topics      []int32   // ranks of those with subscribers, in the order of their turns
	subscribers [][]int32 // of each topic, by number, ascending
	owners      [][]int32 // of each topic: partition to number
	size        []int32   // partitions of each member
	ladder      ladder
	held        heldStacks
}

func assignHeterogeneous(spec *Spec) []protocol.Assignment {
	h := newHeterogeneous(spec)
	h.keep()
	h.fill()
	h.balance()
	return h.result()
}

func newHeterogeneous(spec *Spec) *heterogeneous {
	h := &heterogeneous{
		spec:        spec,
		ranks:       newRanks(spec.Topics),
		subscribers: make([][]int32, len(spec.Topics)),
		owners:      make([][]int32, len(spec.Topics)),
		size:        make([]int32, len(spec.Members)),
	}
	var order hashOrder
	h.order = order.members(spec.Members)
	counts := make([]int, len(spec.Topics))
	for i := range spec.Members {
		for _, t := range h.ranks.all(spec.Members[i].Topics) {
			counts[t]++
		}
	}
	for t, n := range counts {
		if n > 0 {
			h.topics = append(h.topics, int32(t))
			h.subscribers[t] = make([]int32, 0, n)
			h.owners[t] = slices.Repeat([]int32{nobody}, int(spec.Topics[t].Partitions))
		}
	}
	for number, i := range h.order {
		for _, t := range h.ranks.all(spec.Members[i].Topics) {
			h.subscribers[t] = append(h.subscribers[t], int32(number))
		}
	}
	slices.SortFunc(h.topics, h.compareTopics)
	return h
}

// compareTopics puts topics first that load their subscribers most.
func (h *heterogeneous) compareTopics(a, b int32) int {
	ta, tb := &h.spec.Topics[a], &h.spec.Topics[b]
	na, nb := len(h.subscribers[a]), len(h.subscribers[b])
	return cmp.Or(
		cmp.Compare(float64(tb.Partitions)/float64(nb), float64(ta.Partitions)/float64(na)),
		cmp.Compare(na, nb),
		compareTopicIDs(ta, tb),
	)
}

// keep leaves every member the old partitions of topics it still wants.
func (h *heterogeneous) keep() {
	for number, i := range h.order {
		m := &h.spec.Members[i]
		for _, tp := range m.Target {
			if _, subscribes := slices.BinarySearch(m.Topics, tp.Topic); !subscribes {
				continue
			}
			t, known := h.ranks.of(tp.Topic)
			if !known {
				continue
			}
			for _, n := range tp.Partitions {
				if int(n) < len(h.owners[t]) && h.owners[t][n] == nobody {
					h.give(t, n, int32(number))
				}
			}
		}
	}
}

func (h *heterogeneous) give(topic, n, to int32) {
	h.owners[topic][n] = to
	h.size[to]++
}

// fill hands unowned partitions out, lowest first, to the least loaded
// subscribers.
func (h *heterogeneous) fill() {
	for _, t := range h.topics {
		climbing := false
		for n, owner := range h.owners[t] {
			if owner != nobody {
				continue
			}
			if !climbing {
				h.ladder.start(h.subscribers[t], h.size)
				climbing = true
			}
			h.give(t, int32(n), h.ladder.nextLeast())
		}
	}
}

// balance goes round the topics until a whole round moves nothing.
func (h *heterogeneous) balance() {
	for range maxBalancePasses {
		moved := false
		for _, t := range h.topics {
			if len(h.subscribers[t]) >= 2 && h.balanceTopic(t) {
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
func (h *heterogeneous) balanceTopic(topic int32) bool {
	l := &h.ladder
	l.start(h.subscribers[topic], h.size)
	if l.level() {
		return false
	}
	h.held.fill(h.owners[topic], len(h.order)) // what each had when this topic's turn began
	moved := false
	for {
		from, ok := l.nextMost(&h.held)
		if !ok || l.level() {
			return moved
		}
		to := l.nextLeast()
		if l.level() {
			return moved
		}
		h.size[from]--
		h.give(topic, h.held.pop(from), to)
		moved = true
	}
}

// result reads the members' parts off the owners.
func (h *heterogeneous) result() []protocol.Assignment {
	slices.Sort(h.topics)
	entries := make([]int32, len(h.size)) // of each member
	last := slices.Repeat([]int32{nobody}, len(h.size))
	for _, t := range h.topics {
		for _, owner := range h.owners[t] {
			if owner != nobody && last[owner] != t {
				last[owner] = t
				entries[owner]++
			}
		}
	}
	p := press{topics: h.spec.Topics}
	out := make([]protocol.Assignment, len(h.size)) // by number
	numbers := make([][]int32, len(h.size))
	for m := range out {
		out[m] = p.room(int(entries[m]))
		numbers[m] = p.list(int(h.size[m]))
	}
	for _, t := range h.topics {
		for n, owner := range h.owners[t] {
			if owner == nobody {
				continue
			}
			numbers[owner] = append(numbers[owner], int32(n))
			tps := out[owner]
			if k := len(tps); k == 0 || tps[k-1].Topic != h.spec.Topics[t].ID {
				out[owner] = append(tps, protocol.TopicPartitions{Topic: h.spec.Topics[t].ID})
				numbers[owner] = numbers[owner][len(numbers[owner])-1:]
			}
			out[owner][len(out[owner])-1].Partitions = numbers[owner][:len(numbers[owner]):len(numbers[owner])]
		}
	}
	byMember := make([]protocol.Assignment, len(out))
	for number, i := range h.order {
		byMember[i] = out[number]
	}
	return byMember
}
