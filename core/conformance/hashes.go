package conformance

import (
	"cmp"
	"slices"
	"strconv"
)

// hash is a metadata hash of ours. The functions differ, so that only
// equality counts: wherever two hashes of a trace are equal ours are, and
// wherever ours are the trace's are.
type hash int64

// hashes collects the hashes of a run, to be judged at its end: only then can
// it be told which of two that contradict each other is the odd one.
type hashes struct {
	now  Difference // the place of the step that is run
	seen []hashPair
}

// hashPair is a hash of the trace and ours in the same place.
type hashPair struct {
	place  Difference
	theirs int64
	ours   hash
}

func (h *hashes) note(field string, theirs int64, ours hash) {
	place := h.now
	place.Field = field
	h.seen = append(h.seen, hashPair{place, theirs, ours})
}

// judge pairs each hash of the trace with one of ours, the pairs that are
// seen most first, and returns the places that have another pair.
func (h *hashes) judge() []Difference {
	type pairing struct {
		theirs int64
		ours   hash
	}
	slices.SortStableFunc(h.seen, func(a, b hashPair) int {
		return cmp.Or(cmp.Compare(a.place.Step, b.place.Step), natural(a.place.Field, b.place.Field))
	})
	count := map[pairing]int{}
	var order []pairing // as first seen
	for _, p := range h.seen {
		pair := pairing{p.theirs, p.ours}
		if count[pair]++; count[pair] == 1 {
			order = append(order, pair)
		}
	}
	slices.SortStableFunc(order, func(a, b pairing) int { return cmp.Compare(count[b], count[a]) })
	ours, theirs := map[int64]hash{}, map[hash]int64{}
	for _, p := range order {
		_, taken := ours[p.theirs]
		if _, too := theirs[p.ours]; !taken && !too {
			ours[p.theirs], theirs[p.ours] = p.ours, p.theirs
		}
	}
	var out []Difference
	for _, p := range h.seen {
		if expected, ok := ours[p.theirs]; ok && expected == p.ours {
			continue
		}
		p.place.Want, p.place.Got = strconv.FormatInt(p.theirs, 10), "another hash"
		if as, ok := theirs[p.ours]; ok {
			p.place.Got = "what elsewhere is " + strconv.FormatInt(as, 10)
		}
		out = append(out, p.place)
	}
	return out
}
