package assignor

import (
	"cmp"
	"slices"
)

// ladder walks a topic's subscribers by load from both ends. Members of the
// lowest level form a range at the front, those of the highest a range at the
// back; each walk visits its range once a level, then the level moves by one
// and takes in the members that already stand there.
type ladder struct {
	sorted []rung // by load at the start, then number

	leastEnd, leastNext int // range [0, leastEnd)
	leastLevel          int32

	mostStart, mostEnd, mostNext int // range [mostStart, mostEnd)
	mostLevel                    int32
}

// rung is where a member stood at the start. Members that leave the range at
// the back change places, the loads stay.
type rung struct{ load, member int32 }

// start sets the ladder up for a topic's subscribers, of which there is one at
// least.
func (l *ladder) start(subscribers, size []int32) {
	l.sorted = l.sorted[:0]
	for _, m := range subscribers {
		l.sorted = append(l.sorted, rung{size[m], m})
	}
	slices.SortFunc(l.sorted, func(a, b rung) int { return cmp.Or(cmp.Compare(a.load, b.load), cmp.Compare(a.member, b.member)) })
	last := len(l.sorted)
	l.leastEnd, l.leastNext, l.leastLevel = 0, 0, l.sorted[0].load
	l.mostStart, l.mostEnd, l.mostLevel = last, last, l.sorted[last-1].load
	l.growLeast()
	l.growMost()
	l.mostNext = l.mostEnd - 1
}

// level reports whether the two ends differ by no more than one.
func (l *ladder) level() bool { return l.mostLevel-l.leastLevel <= 1 }

func (l *ladder) growLeast() {
	for l.leastEnd < len(l.sorted) && l.sorted[l.leastEnd].load == l.leastLevel {
		l.leastEnd++
	}
}

func (l *ladder) growMost() {
	for l.mostStart > 0 && l.sorted[l.mostStart-1].load == l.mostLevel {
		l.mostStart--
	}
}

// nextLeast is the next of the least loaded members.
func (l *ladder) nextLeast() int32 {
	if l.leastNext == l.leastEnd {
		l.leastLevel++
		l.growLeast()
		l.leastNext = 0
	}
	m := l.sorted[l.leastNext].member
	l.leastNext++
	return m
}

// nextMost is the next of the most loaded members that can give. Those that
// cannot leave the range by changing places with its last member.
func (l *ladder) nextMost(held *heldStacks) (int32, bool) {
	for {
		if l.mostNext < l.mostStart {
			if !l.lowerMost() {
				return 0, false
			}
		}
		at := l.mostNext
		l.mostNext--
		if m := l.sorted[at].member; !held.empty(m) {
			return m, true
		}
		l.mostEnd--
		l.sorted[at].member, l.sorted[l.mostEnd].member = l.sorted[l.mostEnd].member, l.sorted[at].member
	}
}

// lowerMost begins the next level; a range that got empty restarts at the
// load of the next lower member.
func (l *ladder) lowerMost() bool {
	switch {
	case l.mostStart < l.mostEnd:
		l.mostLevel--
	case l.mostStart == 0:
		return false
	default:
		l.mostLevel = l.sorted[l.mostStart-1].load
	}
	l.growMost()
	l.mostNext = l.mostEnd - 1
	return true
}

// heldStacks holds the partitions that each member has of one topic, the
// highest on top.
type heldStacks struct {
	numbers []int32
	bottom  []int32 // of each member's stack, in numbers
	top     []int32
}

func (h *heldStacks) fill(owners []int32, members int) {
	h.bottom = append(h.bottom[:0], make([]int32, members+1)...)
	for _, owner := range owners {
		if owner != nobody {
			h.bottom[owner+1]++
		}
	}
	for m := range members {
		h.bottom[m+1] += h.bottom[m]
	}
	h.top = append(h.top[:0], h.bottom[:members]...)
	h.numbers = append(h.numbers[:0], make([]int32, len(owners))...)
	for n, owner := range owners {
		if owner != nobody {
			h.numbers[h.top[owner]] = int32(n)
			h.top[owner]++
		}
	}
}

func (h *heldStacks) empty(member int32) bool { return h.top[member] == h.bottom[member] }

func (h *heldStacks) pop(member int32) int32 {
	h.top[member]--
	return h.numbers[h.top[member]]
}
