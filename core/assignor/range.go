package assignor

import "groupscope/core/protocol"

// Range gives each topic's partitions out in consecutive runs, in the order
// of instance ids, then member ids. Topics with equally many partitions and
// the same subscribers are co-partitioned. The previous target is ignored.
type Range struct{}

// Name implements Assignor.
func (Range) Name() string { return "range" }

// Assign implements Assignor.
func (Range) Assign(spec Spec) ([]protocol.Assignment, error) {
	order := rangeOrder(spec.Members)
	s := newRangeShares(&spec, order)
	p := newPress(spec.Topics)
	out := make([]protocol.Assignment, len(spec.Members))
	all := make(protocol.Assignment, s.entries())
	for _, m := range order {
		n := 0
		if s.left > 0 {
			for _, t := range s.topicsOf(m) {
				share := &s.topics[t]
				if run := share.take(p.count); len(run) > 0 {
					s.left -= len(run)
					set(&all[n], share.id, run)
					n++
				}
			}
		}
		out[m], all = all[:n:n], all[n:]
	}
	return out, nil
}

// rangeShares are the partitions not yet given out.
type rangeShares struct {
	spec   *Spec
	first  int32 // of the members
	ranks  ranks
	topics []rangeShare // by rank
	left   int          // partitions
}

// rangeShare is what is left of a topic. The first n mod m of its m
// subscribers get one of its n partitions more than the others.
type rangeShare struct {
	id                             protocol.TopicID
	subscribers, each, extra, from int32
}

// take gives the next subscriber of the topic its run of all partitions.
func (s *rangeShare) take(all []int32) []int32 {
	from, to := s.from, s.from+s.each
	if s.extra > 0 {
		s.extra--
		to++
	}
	s.from = to
	return all[from:to:to]
}

func newRangeShares(spec *Spec, order []int32) *rangeShares {
	s := &rangeShares{spec: spec, ranks: newRanks(spec.Topics), topics: make([]rangeShare, len(spec.Topics))}
	if len(order) == 0 {
		return s
	}
	s.first = order[0]
	if spec.Homogeneous {
		for _, t := range s.topicsOf(s.first) {
			s.topics[t].subscribers = int32(len(order))
		}
	} else {
		for _, m := range order {
			for _, t := range s.topicsOf(m) {
				s.topics[t].subscribers++
			}
		}
	}
	for t := range s.topics {
		share := &s.topics[t]
		share.id = spec.Topics[t].ID
		if n := spec.Topics[t].Partitions; share.subscribers > 0 {
			share.each, share.extra = n/share.subscribers, n%share.subscribers
			s.left += int(n)
		}
	}
	return s
}

// entries is how many topics all members get, each counted for itself.
func (s *rangeShares) entries() int {
	n := 0
	for i := range s.topics {
		if share := &s.topics[i]; share.each > 0 {
			n += int(share.subscribers)
		} else {
			n += int(share.extra)
		}
	}
	return n
}

// topicsOf are the ranks of the topics that a member shares in. In a group
// that is said to be homogeneous the first member's topics are everybody's.
func (s *rangeShares) topicsOf(m int32) []int32 {
	if s.spec.Homogeneous {
		m = s.first
	}
	return s.ranks.all(s.spec.Members[m].Topics)
}

// rangeOrder puts static members first, by instance id, then dynamic members
// by member id.
func rangeOrder(members []Member) []int32 {
	room := make([]nameTag, 2*len(members))
	tags, spare := room[:0:len(members)], room[len(members):]
	for i := range members {
		if members[i].InstanceID != "" {
			tags = append(tags, nameTag{member: int32(i)})
		}
	}
	static := len(tags)
	for i := range members {
		if members[i].InstanceID == "" {
			tags = append(tags, nameTag{member: int32(i)})
		}
	}
	sortTags(members, tags[:static], spare[:static])
	sortTags(members, tags[static:], spare[static:])
	order := make([]int32, len(tags))
	for i := range tags {
		order[i] = tags[i].member
	}
	return order
}
