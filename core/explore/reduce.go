package explore

import "groupscope/core/sim"

// reduce finds moves that may stand for all of them, nil if there are none.
//
// An answer that arrives changes its client only, and whatever that client
// sends then waits for a move of its own. So it makes no difference whether
// other moves come before or after, as long as none of them is about the same
// client, nor about all, and nobody can see it: what the client reads stays the
// same. Then only the orders in which it comes first are walked: a partial-order
// reduction with ample sets. Time does not pass while an answer is on its way,
// so no move is put off for ever.
func (x *Explorer) reduce(e *entry, list []offer) []offer {
	if x.whole || e.faults < x.options.Faults && (x.strikes[Disconnect] || x.strikes[Crash] || x.strikes[FailOver]) {
		return nil
	}
	for i, o := range list {
		if o.kind != deliver || !o.response || x.about(e, o.member) {
			continue
		}
		next, _ := x.make(&e.situation, o)
		list[i].made = &next // whatever comes of it, it is not made again
		m := int(o.member)
		if !e.world.Counted(m).Equal(next.world.Counted(m)) {
			continue
		}
		x.ample = append(x.ample[:0], list[i])
		for _, other := range list {
			if other.kind == lose && other.response && other.member == o.member {
				x.ample = append(x.ample, other)
			}
		}
		return x.ample
	}
	return nil
}

// about reports whether the next deed may be about a member.
func (x *Explorer) about(e *entry, member uint8) bool {
	if e.deeds == len(x.deeds) {
		return false
	}
	about := sim.MemberOf(x.deeds[e.deeds])
	return about == "" || about == x.names[member]
}
