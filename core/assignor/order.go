package assignor

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"groupscope/core/protocol"
)

// StringHash is the hash of a string in Java: the sum of c*31^(n-1-i) over
// its UTF-16 code units.
func StringHash(s string) uint32 {
	const pow2, pow4 = 31 * 31, 31 * 31 * 31 * 31
	var h uint32
	// Eight or four at once: they do not wait for one another.
	for len(s) >= 8 && s[0]|s[1]|s[2]|s[3]|s[4]|s[5]|s[6]|s[7] < utf8.RuneSelf {
		high := (uint32(s[0])*31+uint32(s[1]))*pow2 + uint32(s[2])*31 + uint32(s[3])
		low := (uint32(s[4])*31+uint32(s[5]))*pow2 + uint32(s[6])*31 + uint32(s[7])
		h = h*(pow4*pow4&math.MaxUint32) + high*pow4 + low
		s = s[8:]
	}
	if len(s) >= 4 && s[0]|s[1]|s[2]|s[3] < utf8.RuneSelf {
		h = h*pow4 + (uint32(s[0])*31+uint32(s[1]))*pow2 + uint32(s[2])*31 + uint32(s[3])
		s = s[4:]
	}
	for _, r := range s {
		if r < 0x10000 {
			h = h*31 + uint32(r)
			continue
		}
		r -= 0x10000
		h = h*31 + uint32(0xD800+r>>10)
		h = h*31 + uint32(0xDC00+r&0x3FF)
	}
	return h
}

// uuidHash folds the two halves of a UUID.
func uuidHash(id [16]byte) uint32 {
	folded := binary.BigEndian.Uint64(id[:8]) ^ binary.BigEndian.Uint64(id[8:])
	return uint32(folded>>32) ^ uint32(folded)
}

// hashOrder sorts keys as a Java HashMap walks them: by bucket, and by
// insertion inside a bucket. One that is kept reuses its memory.
type hashOrder struct {
	room []int32 // for all that of needs
}

// of sorts n keys, given in the order of their insertion, and returns their
// indices. The result is good until the next call.
func (o *hashOrder) of(n int, hash func(i int) uint32) []int32 {
	capacity := 16
	for n*4 > capacity*3 {
		capacity *= 2
	}
	o.room = sized(o.room, 2*n+capacity)
	order, bucket, start := o.room[:n:n], o.room[n:2*n:2*n], o.room[2*n:]
	clear(start)
	for i := range bucket {
		h := hash(i)
		b := (h ^ h>>16) & uint32(capacity-1)
		bucket[i] = int32(b)
		start[b]++
	}
	sum := int32(0) // start becomes where each bucket begins
	for b, count := range start {
		start[b] = sum
		sum += count
	}
	for i, b := range bucket {
		order[start[b]] = int32(i)
		start[b]++
	}
	return order
}

// sized is a slice of that length whose content is of no account.
func sized[E any](s []E, n int) []E {
	if n > cap(s) {
		return make([]E, n)
	}
	return s[:n]
}

// HashOrder sorts n strings, given in the order of their insertion, as a Java
// HashMap of them is walked. It returns their indices.
func HashOrder(n int, key func(i int) string) []int32 {
	var order hashOrder
	return order.of(n, func(i int) uint32 { return StringHash(key(i)) })
}

// members numbers the members as the assignor walks them.
func (o *hashOrder) members(members []Member) []int32 {
	return o.of(len(members), func(i int) uint32 { return StringHash(members[i].ID) })
}

// topics puts topics, given by their ranks, in the order of a hash table of
// their ids into which they were put in the order given. Topics without a
// UUID stand in the order of their ids: a fixed order, since there is no hash
// to go by.
func (o *hashOrder) topics(topics []protocol.Topic, ranks []int32) {
	if slices.ContainsFunc(ranks, func(t int32) bool { return topics[t].UUID == [16]byte{} }) {
		slices.Sort(ranks)
		return
	}
	o.permute(ranks, func(i int) uint32 { return uuidHash(topics[ranks[i]].UUID) })
}

// names puts topics in the order in which subscribed topics are put into a
// table of ids: as a hash table of their names is walked.
func (o *hashOrder) names(topics []protocol.Topic, ranks []int32) {
	o.permute(ranks, func(i int) uint32 { return StringHash(topics[ranks[i]].Name) })
}

func (o *hashOrder) permute(ranks []int32, hash func(i int) uint32) {
	if len(ranks) < 2 {
		return
	}
	order := o.of(len(ranks), hash)
	for i, j := range order {
		order[i] = ranks[j]
	}
	copy(ranks, order)
}

// compareTopicIDs orders topics as Kafka compares their UUIDs: two signed
// halves, the high one first; by id where a UUID is missing.
func compareTopicIDs(a, b *protocol.Topic) int {
	high := cmp.Compare(int64(binary.BigEndian.Uint64(a.UUID[:8])), int64(binary.BigEndian.Uint64(b.UUID[:8])))
	low := cmp.Compare(int64(binary.BigEndian.Uint64(a.UUID[8:])), int64(binary.BigEndian.Uint64(b.UUID[8:])))
	return cmp.Or(high, low, strings.Compare(string(a.ID), string(b.ID)))
}
