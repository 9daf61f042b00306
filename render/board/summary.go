package board

import (
	"strconv"
	"strings"

	"groupscope/core/coordinator"
	"groupscope/core/sim"
)

// summary counts what a group has to do before its target is reached. It is
// made once a state.
type summary struct {
	state *sim.State

	total                  int // partitions
	settled, behind        int // held by whom the target names; those of them at an older epoch
	nobody, asked, unasked int // not settled: without owner, asked for, not asked for yet

	members, atTarget            int
	stable, waiting              int // of those at the target
	revoking, unheard            int // of those behind it
	oldest                       int32
	longest                      sim.Unowned // who is without owner for longest, zero for nobody
	holders                      [5]holder   // who holds most for others, most first
	has, aim                     [buckets]int
	least, most                  int // partitions of a member, of any of the two
	perBucket                    int
	sentence, worst, longestText string
}

// holder is a member that holds partitions which the target gives to others.
type holder struct {
	member *coordinator.Member
	n      int
}

// buckets is how many bars the histogram has at most.
const buckets = 12

// summary is that of the frame's state.
func (d *drawing) summary() *summary {
	if s := &d.w.summary; s.state == d.f.State && s.total == d.total {
		return s
	}
	d.w.summary = summary{state: d.f.State, total: d.total, perBucket: 1}
	s := &d.w.summary
	if g := d.f.State.Group; g != nil {
		s.count(g)
		s.histogram(g)
	} else {
		s.nobody = s.total
	}
	for _, u := range d.f.State.Unowned {
		if !u.Never && (s.longest.Since == 0 || u.Since < s.longest.Since) {
			s.longest = u
		}
	}
	s.sentence, s.worst = s.settling(), s.holding(d.f.State)
	s.longestText = nounOf(s.state.Streams()).name(s.longest.Partition)
	return s
}

func (s *summary) count(g *coordinator.Group) {
	held := 0
	s.members = len(g.Members)
	s.oldest = g.AssignmentEpoch
	for _, m := range g.Members {
		right := 0
		for i := range m.Assigned {
			if m.Target.Contains(m.Assigned[i].Partition) {
				right++
			}
		}
		late := len(m.Assigned) - right
		s.asked += len(m.PendingRevocation)
		s.settled += right
		s.unasked += late
		held += len(m.Assigned) + len(m.PendingRevocation)
		s.place(holder{m, late + len(m.PendingRevocation)})
		if m.MemberEpoch >= g.AssignmentEpoch {
			s.atTarget++
			if len(m.Waiting)+len(m.Free) > 0 {
				s.waiting++
			} else {
				s.stable++
			}
			continue
		}
		s.behind += right
		s.oldest = min(s.oldest, m.MemberEpoch)
		if len(m.PendingRevocation) > 0 {
			s.revoking++
		} else {
			s.unheard++
		}
	}
	s.nobody = max(0, s.total-held)
}

// place keeps the holders sorted, most first.
func (s *summary) place(h holder) {
	for i := range s.holders {
		if h.n > s.holders[i].n {
			s.holders[i], h = h, s.holders[i]
		}
	}
}

// histogram counts members by the number of their partitions, now and in the
// target.
func (s *summary) histogram(g *coordinator.Group) {
	if len(g.Members) == 0 {
		return
	}
	s.least = 1 << 30
	each := func(do func(has, aim int)) {
		for _, m := range g.Members {
			do(len(m.Assigned)+len(m.PendingRevocation), m.Target.Len())
		}
	}
	each(func(has, aim int) {
		s.least = min(s.least, has, aim)
		s.most = max(s.most, has, aim)
	})
	s.perBucket = max(1, (s.most-s.least+buckets)/buckets)
	each(func(has, aim int) {
		s.has[(has-s.least)/s.perBucket]++
		s.aim[(aim-s.least)/s.perBucket]++
	})
}

// settling says how many partitions are not where the target wants them.
func (s *summary) settling() string {
	left, n := s.total-s.settled, nounOf(s.state.Streams())
	if left == 0 {
		return "Every " + n.one + " is where the target wants it."
	}
	text := strconv.Itoa(left) + " of " + strconv.Itoa(s.total) + " " + n.many + " still to settle"
	var parts []string
	for _, p := range []struct {
		n    int
		text string
	}{{s.nobody, "owned by nobody"}, {s.asked, "being revoked"}, {s.unasked, "not asked yet"}} {
		if p.n > 0 {
			parts = append(parts, strconv.Itoa(p.n)+" "+p.text)
		}
	}
	if len(parts) > 0 {
		text += ": " + strings.Join(parts, ", ")
	}
	return text + "."
}

// holding names the member that keeps most from others.
func (s *summary) holding(st *sim.State) string {
	h := s.holders[0]
	if h.n == 0 {
		return s.sentence
	}
	name, n := st.NameOf(h.member.ID), nounOf(st.Streams())
	if h.n == 1 {
		return name + " keeps a " + n.one + " from others."
	}
	return name + " keeps " + strconv.Itoa(h.n) + " " + n.many + " from others."
}
