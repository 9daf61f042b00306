package sim

import (
	"cmp"
	"slices"

	"groupscope/core/canon"
	"groupscope/core/protocol"
)

// Now is the instant that the world has reached.
func (w *World) Now() protocol.Instant { return w.now }

// AppendState appends what decides how the world goes on, as bytes: worlds of
// one setup to which the same actions were done have equal futures, choice by
// choice, if these bytes are equal. How long ago something was counts as far
// as the writer looks back.
func (w *World) AppendState(c *canon.Writer, out []byte) []byte {
	c.Now = w.now
	out = canon.Append(c, out, w)
	var flying []flight
	for _, p := range w.queue {
		if !p.lost {
			flying = append(flying, w.flight(p))
		}
	}
	slices.SortFunc(flying, func(a, b flight) int {
		return cmp.Or(cmp.Compare(a.parcel.member, b.parcel.member), cmp.Compare(truth(a.parcel.response), truth(b.parcel.response)),
			cmp.Compare(a.parcel.order, b.parcel.order))
	})
	return canon.Append(c, out, &flying)
}

// flight is a message on its way as far as it decides anything.
type flight struct {
	parcel *parcel
	age    protocol.Duration
	// asked is the place of its request among those that its client waits for,
	// -1 if nobody waits for it.
	asked int
}

func (w *World) flight(p *parcel) flight {
	m := &w.members[p.member]
	out := flight{p, w.now.Sub(p.sentAt), -1}
	if p.life == m.life {
		out.asked = slices.IndexFunc(m.sent, func(s sent) bool { return s.id == p.id })
	}
	return out
}
