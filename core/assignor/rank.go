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
	ids   []protocol.TopicID // the list resolved last,
	out   []int32            // and what it came to
}

func newRanks(topics []protocol.Topic) ranks {
	size := 16
	for size < 2*len(topics) {
		size *= 2
	}
	r := ranks{topics: topics, slots: make([]int32, size)}
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
	h := StringHash(string(id)) * 0x9E3779B1 // spreads names that differ in their last digits
	return int(h>>16) & (len(r.slots) - 1)
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
