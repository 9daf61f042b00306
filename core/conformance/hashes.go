package conformance

import "strconv"

// hash is a metadata hash of ours. The functions differ, so only equality
// counts: between any two hashes of a trace there is the same equality as
// between ours in their places.
type hash int64

// hashes pairs the hashes of a trace with ours, one to one.
type hashes struct {
	ours   map[int64]hash
	theirs map[hash]int64
}

// equal decides whether a hash of ours may stand where the trace has want.
func (h *hashes) equal(want any, ours hash) bool {
	theirs, ok := want.(int64)
	if !ok {
		return false
	}
	paired, known := h.ours[theirs]
	back, taken := h.theirs[ours]
	if known || taken {
		return known && taken && paired == ours && back == theirs
	}
	if h.ours == nil {
		h.ours, h.theirs = map[int64]hash{}, map[hash]int64{}
	}
	h.ours[theirs], h.theirs[ours] = ours, theirs
	return true
}

// text writes a hash of ours as the one that stands for it in the trace.
func (h *hashes) text(ours hash) string {
	if h == nil {
		return "a hash"
	}
	if theirs, ok := h.theirs[ours]; ok {
		return strconv.FormatInt(theirs, 10)
	}
	return "a hash that no record before had"
}
