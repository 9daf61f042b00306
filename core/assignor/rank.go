package assignor

import "groupscope/core/protocol"

// ranks finds a spec's topics by id. Inside an assignor a topic is its rank:
// its index in the spec's topics, which are sorted by id, so that ranks sort
// as ids do.
type ranks struct {
	topics []protocol.Topic
	// slots is a hash table with open addressing: 1 + rank, 0 for an empty
	// slot. Assignors look up every topic of every member's old target, which
	// makes the difference to a map.
	slots []int32
	shift int                // leaves as many bits of a hash as the slots need
	ids   []protocol.TopicID // the list resolved last,
	out   []int32            // and what it came to
}

func newRanks(topics []protocol.Topic) ranks {
	bits := 4
	for 1<<bits < 2*len(topics) {
		bits++
	}
	r := ranks{topics: topics, slots: make([]int32, 1<<bits), shift: 64 - bits}
	for i := range topics {
		at := r.slot(topics[i].ID)
		for r.slots[at] != 0 {
			at = (at + 1) & (len(r.slots) - 1)
		}
		r.slots[at] = int32(i) + 1
	}
	return r
}

// slot is where the search for a topic begins.
func (r *ranks) slot(id protocol.TopicID) int {
	return int(spread(string(id)) >> r.shift)
}

// spread is a hash of a text of which the high bits are of use. It takes eight
// bytes at a time and the last eight in any case; StringHash, which goes by
// single ones, is for orders in which Java must be met.
func spread(s string) uint64 {
	const odd = 0x9E3779B97F4A7C15
	h := uint64(len(s))
	if len(s) < 8 {
		for i := range len(s) {
			h = h<<8 | uint64(s[i])
		}
		return h * odd
	}
	for rest := s; len(rest) > 8; rest = rest[8:] {
		h = (h ^ eight(rest)) * odd
		h ^= h >> 29
	}
	return (h ^ eight(s[len(s)-8:])) * odd
}

// eight are the first eight bytes of a text, read as one number.
func eight(s string) uint64 {
	_ = s[7] // one check of the length, so that the compiler makes one load
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// of is a topic's rank; false when the spec does not have it.
func (r *ranks) of(id protocol.TopicID) (int32, bool) {
	for at := r.slot(id); r.slots[at] != 0; at = (at + 1) & (len(r.slots) - 1) {
		if rank := r.slots[at] - 1; r.topics[rank].ID == id {
			return rank, true
		}
	}
	return 0, false
}

// all are the ranks of those ids that the spec has, in the order given. The
// result is good until the next call; members that share one list of topics
// cost no more than one of them.
func (r *ranks) all(ids []protocol.TopicID) []int32 {
	if len(ids) > 0 && len(ids) == len(r.ids) && &ids[0] == &r.ids[0] {
		return r.out
	}
	r.ids, r.out = ids, sized(r.out, len(ids))[:0]
	for _, id := range ids {
		if rank, ok := r.of(id); ok {
			r.out = append(r.out, rank)
		}
	}
	return r.out
}
