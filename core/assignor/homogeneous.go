package assignor

import (
	"fmt"
	"slices"

	"groupscope/core/protocol"
)

// homogeneous is uniform where all members subscribe to the same topics: each
// gets total/members partitions, and the remainder goes to members that
// already hold one more, as far as there are any.
type homogeneous struct {
	spec       *Spec
	index      map[protocol.TopicID]*protocol.Topic
	subscribed map[protocol.TopicID]bool
	unassigned []protocol.Partition
	out        []holdings
	unfilled   []unfilledMember
}

type unfilledMember struct{ member, quota int }

func assignHomogeneous(spec *Spec) ([]protocol.Assignment, error) {
	order := memberOrder(spec.Members)
	h := &homogeneous{
		spec:       spec,
		index:      spec.topicIndex(),
		subscribed: map[protocol.TopicID]bool{},
		out:        make([]holdings, len(spec.Members)),
	}
	for i := range h.out {
		h.out[i] = holdings{}
	}
	if len(order) > 0 {
		topics := topicsOf(&spec.Members[order[0]], h.index)
		if len(topics) > 0 {
			total := h.collectUnassigned(topics)
			h.keep(order, total)
			if err := h.fill(); err != nil {
				return nil, err
			}
		}
	}
	result := make([]protocol.Assignment, len(h.out))
	for i, held := range h.out {
		result[i] = held.assignment()
	}
	return result, nil
}

// collectUnassigned lists the partitions nobody has in the old target, and
// returns how many partitions there are in all.
func (h *homogeneous) collectUnassigned(topics []*protocol.Topic) int {
	total := 0
	taken := make(map[protocol.TopicID][]bool, len(topics))
	for _, t := range topics {
		h.subscribed[t.ID] = true
		total += int(t.Partitions)
		taken[t.ID] = make([]bool, t.Partitions)
	}
	for i := range h.spec.Members {
		for _, tp := range h.spec.Members[i].Target {
			of := taken[tp.Topic]
			for _, n := range tp.Partitions {
				if int(n) < len(of) {
					of[n] = true
				}
			}
		}
	}
	for _, t := range topics {
		for n, is := range taken[t.ID] {
			if !is {
				h.unassigned = append(h.unassigned, protocol.Partition{Topic: t.ID, Number: int32(n)})
			}
		}
	}
	return total
}

// keep leaves every member its old partitions up to its quota. A member takes
// one of the extra partitions only if it holds it already, or if there are no
// more members than extras left.
func (h *homogeneous) keep(order []int, total int) {
	minQuota, extra := total/len(order), total%len(order)
	for i, m := range order {
		quota := minQuota
		tookExtra := extra > 0
		if tookExtra {
			quota++
		}
		quota = h.keepUpTo(m, quota)
		if quota > 0 && tookExtra && len(order)-i > extra {
			quota--
			tookExtra = false
		}
		if quota > 0 {
			h.unfilled = append(h.unfilled, unfilledMember{m, quota})
		}
		if tookExtra {
			extra--
		}
	}
}

// keepUpTo keeps at most quota old partitions of the member, gives up the
// rest, and returns what is left of the quota.
func (h *homogeneous) keepUpTo(m, quota int) int {
	member := &h.spec.Members[m]
	for _, topic := range h.targetTopics(member) {
		if !h.subscribed[topic] {
			continue
		}
		i := slices.IndexFunc(member.Target, func(tp protocol.TopicPartitions) bool { return tp.Topic == topic })
		held := member.Target[i].Partitions
		kept := min(quota, len(held))
		h.out[m][topic] = append(h.out[m][topic], held[:kept]...)
		for _, n := range held[kept:] {
			h.unassigned = append(h.unassigned, protocol.Partition{Topic: topic, Number: n})
		}
		quota -= kept
	}
	return quota
}

// targetTopics is the order of the topics of a member's old target: the hash
// table of their ids, where the topic that came later stands first inside a
// bucket.
func (h *homogeneous) targetTopics(m *Member) []protocol.TopicID {
	arrival := m.Arrival
	if arrival == nil {
		for _, tp := range m.Target {
			arrival = append(arrival, tp.Topic)
		}
	}
	topics := make([]*protocol.Topic, 0, len(arrival))
	for _, id := range slices.Backward(arrival) {
		if t := h.index[id]; t != nil {
			topics = append(topics, t)
		}
	}
	ids := make([]protocol.TopicID, 0, len(topics))
	for _, t := range topicOrder(topics) {
		ids = append(ids, t.ID)
	}
	return ids
}

// fill hands the unassigned partitions to the members with quota left.
func (h *homogeneous) fill() error {
	next := 0
	for _, u := range h.unfilled {
		for range u.quota {
			if next == len(h.unassigned) {
				return fmt.Errorf("assignor: uniform ran out of partitions for %s", h.spec.Members[u.member].ID)
			}
			h.out[u.member].add(h.unassigned[next])
			next++
		}
	}
	if next < len(h.unassigned) {
		return fmt.Errorf("assignor: uniform left %d partitions without an owner", len(h.unassigned)-next)
	}
	return nil
}
