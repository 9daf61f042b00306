package assignor

import (
	"cmp"
	"encoding/binary"
	"slices"
	"strings"

	"groupscope/core/protocol"
)

// StringHash is the hash of a string in Java: the sum of c*31^(n-1-i).
func StringHash(s string) uint32 {
	var h uint32
	for _, c := range utf16(s) {
		h = h*31 + uint32(c)
	}
	return h
}

// utf16 is the string in the code units that Java hashes.
func utf16(s string) []uint16 {
	out := make([]uint16, 0, len(s))
	for _, r := range s {
		if r < 0x10000 {
			out = append(out, uint16(r))
			continue
		}
		r -= 0x10000
		out = append(out, uint16(0xD800+r>>10), uint16(0xDC00+r&0x3FF))
	}
	return out
}

// uuidHash folds the two halves of a UUID.
func uuidHash(id [16]byte) uint32 {
	folded := binary.BigEndian.Uint64(id[:8]) ^ binary.BigEndian.Uint64(id[8:])
	return uint32(folded>>32) ^ uint32(folded)
}

// hashOrder sorts n keys, given in the order of their insertion, as a Java
// HashMap walks them: by bucket, and by insertion inside a bucket. It returns
// their indices.
func hashOrder(n int, hash func(i int) uint32) []int {
	capacity := uint32(16)
	for n*4 > int(capacity)*3 {
		capacity *= 2
	}
	order := make([]int, n)
	bucket := make([]uint32, n)
	for i := range order {
		h := hash(i)
		order[i], bucket[i] = i, (h^h>>16)&(capacity-1)
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(bucket[a], bucket[b]) })
	return order
}

// memberOrder numbers the members as the assignor walks them.
func memberOrder(members []Member) []int {
	return hashOrder(len(members), func(i int) uint32 { return StringHash(members[i].ID) })
}

// topicOrder is the order of topics in a hash table of their ids into which
// they were put in the order given. Topics without a UUID stand in the order
// of their ids: a fixed order, since there is no hash to go by.
func topicOrder(topics []*protocol.Topic) []*protocol.Topic {
	out := make([]*protocol.Topic, len(topics))
	if slices.ContainsFunc(topics, func(t *protocol.Topic) bool { return t.UUID == [16]byte{} }) {
		copy(out, topics)
		slices.SortFunc(out, func(a, b *protocol.Topic) int { return strings.Compare(string(a.ID), string(b.ID)) })
		return out
	}
	for i, j := range hashOrder(len(topics), func(i int) uint32 { return uuidHash(topics[i].UUID) }) {
		out[i] = topics[j]
	}
	return out
}

// nameOrder is the order in which subscribed topics are put into a table of
// ids: as a hash table of their names is walked.
func nameOrder(topics []*protocol.Topic) []*protocol.Topic {
	out := make([]*protocol.Topic, len(topics))
	for i, j := range hashOrder(len(topics), func(i int) uint32 { return StringHash(topics[i].Name) }) {
		out[i] = topics[j]
	}
	return out
}

// compareTopicIDs orders topics as Kafka compares their UUIDs: two signed
// halves, the high one first; by id where a UUID is missing.
func compareTopicIDs(a, b *protocol.Topic) int {
	high := cmp.Compare(int64(binary.BigEndian.Uint64(a.UUID[:8])), int64(binary.BigEndian.Uint64(b.UUID[:8])))
	low := cmp.Compare(int64(binary.BigEndian.Uint64(a.UUID[8:])), int64(binary.BigEndian.Uint64(b.UUID[8:])))
	return cmp.Or(high, low, strings.Compare(string(a.ID), string(b.ID)))
}
