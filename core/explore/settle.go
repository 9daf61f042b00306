package explore

import "groupscope/core/sim"

// patience is how many calm moves a group may take to settle: several times
// what the longest timeouts of a small group take.
const patience = 3_000

// Settle looks, from every state that was visited, whether the group comes to
// rest if nothing goes wrong from there on: no further fault strikes, and no
// further deed is done. The first state from which it does not becomes the
// finding, or all are counted if that is excepted.
func (x *Explorer) Settle() {
	if x.found != nil {
		return
	}
	s := settling{x: x, of: make([]verdict, len(x.nodes)), waiting: map[uint32]*entry{}, beyond: map[uint64]verdict{}}
	for i := range x.frontier {
		s.waiting[x.frontier[i].state] = &x.frontier[i]
	}
	excepted := x.exception(NeverSettles)
	for state := range x.nodes {
		switch {
		case s.judge(uint32(state)) != fails:
		case excepted != nil:
			excepted.States++
		default:
			way := x.way(uint32(state))
			x.found = &Finding{sim.Violation{Invariant: NeverSettles, Text: x.why(way)}, way}
			return
		}
	}
}

// verdict is whether the group settles from a state.
type verdict uint8

const (
	unjudged verdict = iota
	underway
	settles
	fails
)

type settling struct {
	x       *Explorer
	of      []verdict          // by state
	waiting map[uint32]*entry  // states that were not expanded
	beyond  map[uint64]verdict // of states that were not visited, by hash
	path    []uint32
}

// judge follows the calm moves from a state to one whose verdict is known.
func (s *settling) judge(from uint32) verdict {
	s.path = s.path[:0]
	at, out := from, unjudged
	for out == unjudged {
		n := &s.x.nodes[at]
		switch {
		case s.of[at] == underway:
			out = fails // in a circle
		case s.of[at] != unjudged:
			out = s.of[at]
		case n.rests:
			out = settles
		default:
			s.of[at] = underway
			s.path = append(s.path, at)
			if n.calm != calmUnknown {
				at = n.calm
			} else {
				out = s.runOn(at)
			}
		}
	}
	for _, p := range s.path {
		s.of[p] = out
	}
	return out
}

// runOn makes calm moves from a state that was not expanded, up to one whose
// verdict is known.
func (s *settling) runOn(state uint32) verdict {
	e := s.waiting[state]
	if e == nil {
		return fails // expanded, and no calm move is left to it
	}
	now := e.situation
	var passed []uint64
	out := unjudged
	for range patience {
		next, ok := s.x.calmly(&now)
		if !ok {
			break
		}
		now = next
		if s.x.rests(now.world) {
			out = settles
			break
		}
		hash := s.x.hash(&now)
		if known, visited := s.x.table.find(hash); visited {
			out = s.of[known]
			if out == unjudged && s.x.nodes[known].calm != calmUnknown {
				out = s.judgeFrom(known)
			}
		} else {
			out = s.beyond[hash]
			passed = append(passed, hash)
			s.beyond[hash] = underway
		}
		if out != unjudged {
			break
		}
	}
	if out != settles {
		out = fails
	}
	for _, hash := range passed {
		s.beyond[hash] = out
	}
	return out
}

// judgeFrom judges another state on the way; the path so far stays underway.
func (s *settling) judgeFrom(state uint32) verdict {
	path := s.path
	s.path = nil
	out := s.judge(state)
	s.path = path
	return out
}

// calmly makes the move that happens when nothing goes wrong; false if there
// is none.
func (x *Explorer) calmly(s *situation) (situation, bool) {
	x.list = x.offers(s, x.list[:0])
	if len(x.list) == 0 || !x.list[0].calm() {
		return situation{}, false
	}
	next, _ := x.make(s, x.list[0])
	return next, true
}

// why says what keeps the group from settling at the end of a way, when it has
// had all the time it needs and nothing is on its way.
func (x *Explorer) why(way []Move) string {
	s := situation{world: x.root}
	for _, m := range way {
		if next, ok := x.follow(&s, m); ok {
			s = next
		}
	}
	reason := ""
	for range patience {
		next, ok := x.calmly(&s)
		if !ok {
			break
		}
		s = next
		if len(s.world.Choices(x.choices[:0])) == 1 {
			reason = x.unrest(s.world)
		}
	}
	return "The group does not come to rest. " + reason
}

// follow makes a move of a way.
func (x *Explorer) follow(s *situation, m Move) (situation, bool) {
	for _, o := range x.offers(s, nil) {
		if o.Move == m {
			return x.make(s, o)
		}
	}
	return situation{}, false
}
