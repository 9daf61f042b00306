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
	all := make(protocol.Assignment, s.left)
	for i := range order {
		m, n := order[i].member, 0
		if s.left > 0 {
			for _, i := range s.of(m) {
				share := &s.shares[i]
				if run := share.take(p.count); len(run) > 0 {
					for _, id := range share.topics {
						set(&all[n], id, run)
						n++
					}
				}
			}
		}
		s.left -= n
		out[m], all = all[:n:n], all[n:]
	}
	return out, nil
}

// rangeShares are the partitions not yet given out.
type rangeShares struct {
	spec   *Spec
	ranks  ranks
	shares []rangeShare
	common []int32 // the indices of the shares, for members that share in all of them
	left   int     // how many topics members are yet to get, counted for each
}

// rangeShare is what is left of topics that have the same subscribers and
// equally many partitions, so that a member gets the same run of each. The
// first n mod m of m subscribers get one of n partitions more than the others.
type rangeShare struct {
	topics            []protocol.TopicID
	each, extra, from int32
}

// take gives the next subscriber its run of all partitions.
func (s *rangeShare) take(all []int32) []int32 {
	from, to := s.from, s.from+s.each
	if s.extra > 0 {
		s.extra--
		to++
	}
	s.from = to
	return all[from:to:to]
}

func newRangeShares(spec *Spec, order []nameTag) *rangeShares {
	s := &rangeShares{spec: spec, ranks: newRanks(spec.Topics)}
	switch {
	case len(order) == 0:
	case spec.Homogeneous:
		s.together(s.ranks.all(spec.Members[order[0].member].Topics), int32(len(order)))
	default:
		s.apart(order)
	}
	return s
}

// together makes the shares of a group that is said to be homogeneous: the
// first member's topics are everybody's, and those of one size that follow one
// another are a share.
func (s *rangeShares) together(topics []int32, members int32) {
	ids := make([]protocol.TopicID, len(topics))
	for i, t := range topics {
		ids[i] = s.spec.Topics[t].ID
	}
	size := func(i int) int32 { return s.spec.Topics[topics[i]].Partitions }
	for from, to := 0, 0; from < len(topics); from = to {
		for to = from; to < len(topics) && size(to) == size(from); {
			to++
		}
		s.common = append(s.common, int32(len(s.shares)))
		s.add(ids[from:to], size(from), members)
	}
}

// apart makes a share of each topic, by rank.
func (s *rangeShares) apart(order []nameTag) {
	subscribers := make([]int32, len(s.spec.Topics))
	for i := range order {
		for _, t := range s.ranks.all(s.spec.Members[order[i].member].Topics) {
			subscribers[t]++
		}
	}
	ids := make([]protocol.TopicID, len(s.spec.Topics))
	for t := range s.spec.Topics {
		ids[t] = s.spec.Topics[t].ID
		s.add(ids[t:t+1], s.spec.Topics[t].Partitions, subscribers[t])
	}
}

func (s *rangeShares) add(topics []protocol.TopicID, partitions, subscribers int32) {
	share := rangeShare{topics: topics}
	if subscribers > 0 {
		share.each, share.extra = partitions/subscribers, partitions%subscribers
		s.left += len(topics) * int(min(partitions, subscribers))
	}
	s.shares = append(s.shares, share)
}

// of are the indices of the shares that a member has a part in.
func (s *rangeShares) of(m int32) []int32 {
	if s.spec.Homogeneous {
		return s.common
	}
	return s.ranks.all(s.spec.Members[m].Topics)
}

// rangeOrder puts static members first, by instance id, then dynamic members
// by member id.
func rangeOrder(members []Member) []nameTag {
	room := make([]nameTag, 2*len(members))
	tags, spare := room[:len(members)], room[len(members):]
	static, dynamic := 0, len(members)
	for i := range members {
		if members[i].InstanceID != "" {
			tags[static].member = int32(i)
			static++
		} else {
			dynamic--
			tags[dynamic].member = int32(i)
		}
	}
	sortTags(members, tags[:static], spare[:static])
	sortTags(members, tags[static:], spare[static:])
	return tags
}
