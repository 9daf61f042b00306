package sim

import (
	"cmp"
	"encoding/binary"
	"slices"
	"strconv"
	"strings"

	"groupscope/core/canon"
	"groupscope/core/protocol"
)

// Now is the instant that the world has reached.
func (w *World) Now() protocol.Instant { return w.now }

// LooksBack is how far back into the past the coordinator and the clients look:
// to the last target, to the last answer, to the last resolution of a regex.
func (w *World) LooksBack() protocol.Duration {
	out := max(protocol.Second, w.config.AssignmentInterval, w.config.Streams.AssignmentInterval)
	for _, s := range w.groupConfig {
		if n, err := strconv.Atoi(s.Value); err == nil && strings.HasSuffix(s.Name, ".assignment.interval.ms") {
			out = max(out, protocol.Duration(n))
		}
	}
	for i := range w.members {
		if w.members[i].setup.Regex != "" {
			out = max(out, w.config.RegexRefreshInterval)
		}
	}
	return out
}

// AppendState appends what decides how the world goes on, as bytes: worlds of
// one setup to which the same actions were done have equal futures, choice by
// choice, if these bytes are equal. Writers that look equally far back and
// ahead write the same bytes.
func (w *World) AppendState(c *canon.Writer, out []byte) []byte {
	c.Now = w.now
	out = canon.Append(c, out, w)
	if !w.bytes.upToDate(w.now) {
		w.bytes = stateBytes{canon.Append(c, nil, w.coordinator), w.now}
	}
	out = append(out, w.bytes.known...)
	for i := range w.members {
		m := &w.members[i]
		if m.client != nil && !m.bytes.upToDate(w.now) {
			m.bytes = stateBytes{canon.Append(c, nil, m.client), w.now}
		}
		out = append(binary.AppendUvarint(out, uint64(len(m.bytes.known))), m.bytes.known...)
	}
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

// stateBytes are the bytes of something as they were at an instant. They are
// dropped when it is acted on.
type stateBytes struct {
	known []byte // nil: not known
	at    protocol.Instant
}

func (b *stateBytes) upToDate(now protocol.Instant) bool { return b.known != nil && b.at == now }

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
