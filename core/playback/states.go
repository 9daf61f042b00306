package playback

import (
	"slices"

	"groupscope/core/protocol"
	"groupscope/core/sim"
)

// last is the last snapshot of the line that is not past a place.
func (t *track) last(past func(snapshot) bool) snapshot {
	limit := t.end
	for ; ; t = t.parent {
		for _, s := range slices.Backward(t.snapshots) {
			if s.tick <= limit && !past(s) || s.tick == 0 {
				return s
			}
		}
		limit = t.tick
	}
}

// stateAt is the state after the tick that brought the event seq.
func (t *track) stateAt(seq uint64) *sim.State {
	s := t.last(func(s snapshot) bool { return s.seq > seq })
	w, at := s.world.Clone(), s.seq
	for tick := s.tick; tick < t.end && at < seq; tick++ {
		if events := t.once(w, tick); len(events) > 0 {
			at = events[len(events)-1].Seq
		}
	}
	return w.State()
}

// stateWhen is the state after the last event that is not later than an
// instant.
func (t *track) stateWhen(at protocol.Instant) *sim.State {
	s := t.last(func(s snapshot) bool { return s.world.State().At > at })
	w, seq := s.world.Clone(), s.seq
	for tick := s.tick; tick < t.end; tick++ {
		events := t.once(w, tick)
		if len(events) == 0 {
			continue
		}
		if events[0].At > at {
			break
		}
		seq = events[len(events)-1].Seq
	}
	return t.stateAt(seq)
}
