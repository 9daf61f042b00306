package assignor

import (
	"cmp"
	"slices"

	"groupscope/core/protocol"
)

// ladder walks a topic's subscribers by load from both ends. Members of the
// lowest level form a range at the front, those of the highest a range at the
// back; each walk visits its range once a level, then the level moves by one
// and takes in the members that already stand there.
type ladder struct {
	sorted []int // member numbers by load, then number
	load   []int // load of sorted[i] at the start

	leastEnd, leastLevel, leastNext int // range [0, leastEnd)

	mostStart, mostEnd, mostLevel, mostNext int // range [mostStart, mostEnd)
}

func (h *heterogeneous) ladder(topic protocol.TopicID) *ladder {
	sorted := slices.Clone(h.subscribers[topic])
	slices.SortFunc(sorted, func(a, b int) int { return cmp.Or(cmp.Compare(h.size[a], h.size[b]), cmp.Compare(a, b)) })
	load := make([]int, len(sorted))
	for i, m := range sorted {
		load[i] = h.size[m]
	}
	last := len(sorted)
	l := &ladder{
		sorted: sorted, load: load,
		leastLevel: load[0],
		mostStart:  last, mostEnd: last, mostLevel: load[last-1],
	}
	l.growLeast()
	l.growMost()
	l.mostNext = l.mostEnd - 1
	return l
}

// level reports whether the two ends differ by no more than one.
func (l *ladder) level() bool { return l.mostLevel-l.leastLevel <= 1 }

func (l *ladder) growLeast() {
	for l.leastEnd < len(l.sorted) && l.load[l.leastEnd] == l.leastLevel {
		l.leastEnd++
	}
}

func (l *ladder) growMost() {
	for l.mostStart > 0 && l.load[l.mostStart-1] == l.mostLevel {
		l.mostStart--
	}
}

// nextLeast is the next of the least loaded members.
func (l *ladder) nextLeast() int {
	if l.leastNext == l.leastEnd {
		l.leastLevel++
		l.growLeast()
		l.leastNext = 0
	}
	m := l.sorted[l.leastNext]
	l.leastNext++
	return m
}

// nextMost is the next of the most loaded members that can give. Those that
// cannot leave the range by changing places with its last member.
func (l *ladder) nextMost(canGive func(member int) bool) (int, bool) {
	for {
		if l.mostNext < l.mostStart {
			if !l.lowerMost() {
				return 0, false
			}
		}
		at := l.mostNext
		l.mostNext--
		if m := l.sorted[at]; canGive(m) {
			return m, true
		}
		l.mostEnd--
		l.sorted[at], l.sorted[l.mostEnd] = l.sorted[l.mostEnd], l.sorted[at]
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
		l.mostLevel = l.load[l.mostStart-1]
	}
	l.growMost()
	l.mostNext = l.mostEnd - 1
	return true
}
