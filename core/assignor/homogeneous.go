package assignor

import (
	"fmt"
	"math/bits"
	"slices"

	"groupscope/core/protocol"
)

// homogeneous is uniform where all members subscribe to the same topics: each
// gets total/members partitions, and the remainder goes to members that
// already hold one more, as far as there are any.
type homogeneous struct {
	spec       *Spec
	ranks      ranks
	press      press
	topics     []topicState // by rank
	total      int          // partitions of the subscribed topics
	order      hashOrder    // of topics
	out        []protocol.Assignment
	members    []holding // by member
	unassigned []span    // in the order in which they are handed out
	kept       []int32   // for reuse
	targets    []int32   // likewise
}

type topicState struct {
	subscribed bool
	taken      []uint64 // a bit for each partition that somebody has
}

// holding is what a member has while the partitions are handed out.
type holding struct {
	held  int32 // partitions of its old target that it may keep
	lacks int32 // how many it gets besides
	other bool  // its old target has topics nobody subscribes to
}

func assignHomogeneous(spec *Spec) ([]protocol.Assignment, error) {
	h := &homogeneous{
		spec:  spec,
		ranks: newRanks(spec.Topics),
		out:   make([]protocol.Assignment, len(spec.Members)),
	}
	var members hashOrder
	order := members.members(spec.Members)
	var topics []int32
	if len(order) > 0 {
		topics = h.subscribe(&spec.Members[order[0]])
	}
	if len(topics) == 0 {
		for i := range h.out {
			h.out[i] = protocol.Assignment{}
		}
		return h.out, nil
	}
	h.press = newPress(spec.Topics)
	h.take()
	h.collectUnassigned(topics)
	if err := h.fill(h.keep(order)); err != nil {
		return nil, err
	}
	return h.out, nil
}

// subscribe makes a member's topics those of the group. They come in the
// order in which a hash table of ids is walked that was filled in the order
// of a hash table of names.
func (h *homogeneous) subscribe(m *Member) []int32 {
	topics := slices.Clone(h.ranks.all(m.Topics))
	h.order.names(h.spec.Topics, topics)
	h.order.topics(h.spec.Topics, topics)
	words := 0
	for _, t := range topics {
		words += int(h.spec.Topics[t].Partitions+63) / 64
	}
	room := make([]uint64, words)
	h.topics = make([]topicState, len(h.spec.Topics))
	for _, t := range topics {
		n := h.spec.Topics[t].Partitions
		words := int(n+63) / 64
		h.topics[t] = topicState{subscribed: true, taken: room[:words]}
		h.total += int(n)
		room = room[words:]
	}
	return topics
}

// take leaves every member its old target and marks what is in it.
func (h *homogeneous) take() {
	h.members = make([]holding, len(h.spec.Members))
	for i := range h.spec.Members {
		target := h.spec.Members[i].Target
		if target == nil {
			target = protocol.Assignment{}
		}
		h.out[i] = target
		m := &h.members[i]
		for _, tp := range target {
			rank, ok := h.ranks.of(tp.Topic)
			if !ok || !h.topics[rank].subscribed {
				m.other = true
				continue
			}
			if len(tp.Partitions) == 0 {
				continue
			}
			m.held += int32(len(tp.Partitions))
			mark(h.topics[rank].taken, h.spec.Topics[rank].Partitions, tp.Partitions)
		}
	}
}

// mark sets the bits of those numbers that lie below the limit.
func mark(taken []uint64, limit int32, numbers []int32) {
	first, last := numbers[0], numbers[len(numbers)-1]
	if int(last-first) == len(numbers)-1 && first/64 == last/64 && last < limit {
		taken[first/64] |= (1<<len(numbers) - 1) << (first % 64) // a run, as most are
		return
	}
	for _, n := range numbers {
		if n < limit {
			taken[n/64] |= 1 << (n % 64)
		}
	}
}

// collectUnassigned lists the partitions nobody has in the old target.
func (h *homogeneous) collectUnassigned(topics []int32) {
	h.unassigned = make([]span, 0, 2*len(topics))
	for _, t := range topics {
		limit := h.spec.Topics[t].Partitions
		for word, taken := range h.topics[t].taken {
			base := int32(word) * 64
			for free := ^taken; free != 0; {
				from := int32(bits.TrailingZeros64(free))
				to := from + int32(bits.TrailingZeros64(^(free >> from)))
				if base+from < limit {
					h.spare(span{t, base + from, min(base+to, limit)})
				}
				free &^= 1<<to - 1
			}
		}
	}
}

// spare appends partitions to those that are handed out.
func (h *homogeneous) spare(s span) {
	if last := len(h.unassigned) - 1; last >= 0 && h.unassigned[last].topic == s.topic && h.unassigned[last].to == s.from {
		h.unassigned[last].to = s.to
		return
	}
	h.unassigned = append(h.unassigned, s)
}

// keep leaves every member its old partitions up to its quota. A member takes
// one of the extra partitions only if it holds it already, or if there are no
// more members than extras left. It returns, in order, the members that lack
// something of their quota; they take the place of those given.
func (h *homogeneous) keep(order []int32) []int32 {
	minQuota, extra := h.total/len(order), h.total%len(order)
	unfilled := order[:0]
	for i, n := range order {
		m := &h.members[n]
		quota := int32(minQuota)
		tookExtra := extra > 0
		if tookExtra {
			quota++
		}
		if m.held > quota || m.other {
			h.keepUpTo(n, quota)
		}
		m.lacks = max(quota-m.held, 0)
		if m.lacks > 0 && tookExtra && len(order)-i > extra {
			m.lacks--
			tookExtra = false
		}
		if m.lacks > 0 {
			unfilled = append(unfilled, n)
		}
		if tookExtra {
			extra--
		}
	}
	return unfilled
}

// keepUpTo keeps at most quota old partitions of the member and gives up the
// rest.
func (h *homogeneous) keepUpTo(m, quota int32) {
	member := &h.spec.Members[m]
	kept := slices.Grow(h.kept[:0], len(member.Target))[:len(member.Target)] // of each topic
	clear(kept)
	h.kept = kept
	for _, topic := range h.targetTopics(member) {
		i := slices.IndexFunc(member.Target, func(tp protocol.TopicPartitions) bool { return tp.Topic == h.spec.Topics[topic].ID })
		held := member.Target[i].Partitions
		kept[i] = min(quota, int32(len(held)))
		quota -= kept[i]
		for _, n := range held[kept[i]:] {
			h.spare(span{topic, n, n + 1})
		}
	}
	out := h.press.room(len(kept))
	for i, tp := range member.Target {
		if kept[i] > 0 {
			out = append(out, protocol.TopicPartitions{Topic: tp.Topic, Partitions: tp.Partitions[:kept[i]:kept[i]]})
		}
	}
	h.out[m] = out
}

// targetTopics are the subscribed topics of a member's old target in the
// order of the hash table of their ids, where the topic that came later
// stands first inside a bucket.
func (h *homogeneous) targetTopics(m *Member) []int32 {
	topics := h.targets[:0]
	for i := range m.Target {
		id := m.Target[len(m.Target)-1-i].Topic
		if m.Arrival != nil {
			id = m.Arrival[len(m.Arrival)-1-i]
		}
		if rank, ok := h.ranks.of(id); ok {
			topics = append(topics, rank)
		}
	}
	h.targets = topics
	h.order.topics(h.spec.Topics, topics)
	return slices.DeleteFunc(topics, func(t int32) bool { return !h.topics[t].subscribed })
}

// fill hands the unassigned partitions to the members that lack some.
func (h *homogeneous) fill(unfilled []int32) error {
	room := len(h.unassigned) + len(unfilled) // each member cuts one span in two at most
	for _, m := range unfilled {
		room += len(h.out[m])
	}
	h.press.reserve(room)
	spans := make([]span, 0, 16)
	for _, m := range unfilled {
		spans = spans[:0]
		for lacks := h.members[m].lacks; lacks > 0; {
			if len(h.unassigned) == 0 {
				return fmt.Errorf("assignor: uniform ran out of partitions for %s", h.spec.Members[m].ID)
			}
			first := &h.unassigned[0]
			given := span{first.topic, first.from, min(first.to, first.from+lacks)}
			spans = append(spans, given)
			lacks -= given.len()
			if first.from = given.to; first.from == first.to {
				h.unassigned = h.unassigned[1:]
			}
		}
		h.out[m] = h.press.merge(h.out[m], spans)
	}
	left := int32(0)
	for _, s := range h.unassigned {
		left += s.len()
	}
	if left > 0 {
		return fmt.Errorf("assignor: uniform left %d partitions without an owner", left)
	}
	return nil
}
