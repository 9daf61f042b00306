package playback

import (
	"groupscope/core/protocol"
	"groupscope/core/sim"
)

// pending is a stop inside run and at that may still grow by what happens at
// the same instant: the answer that a decision brings about, for instance.
type pending struct {
	mark
	seq   uint64
	at    protocol.Instant
	state *sim.State
	// decided: it has its decision; the next one is a stop of its own.
	decided bool
	// closed: somebody started something new since.
	closed bool
}

// stopInside finds the moments inside run and at that are worth a stop.
func (r *recorder) stopInside(events []sim.Event, step, line int) error {
	at := events[0].At
	seen := classify(events)
	if p := r.open; p != nil && (at > p.at || seen.decision && p.decided || seen.worth && p.closed) {
		if err := r.flush(step, line); err != nil {
			return err
		}
	}
	switch p := r.open; {
	case p == nil && seen.worth:
		r.open = &pending{mark: mark{step: step, inside: true}, at: at, decided: seen.decision}
	case p == nil || p.closed:
		return nil
	case seen.started && p.decided:
		p.closed = true
		return nil
	}
	r.open.decided = r.open.decided || seen.decision
	r.open.tick, r.open.seq, r.open.idle = r.end, r.seq, r.idles
	r.open.state = r.world.State()
	return nil
}

// sight is what a tick's events are to somebody who looks for stops.
type sight struct {
	worth    bool // something changed
	decision bool // the coordinator decided something
	started  bool // a client started something new
}

func classify(events []sim.Event) sight {
	var s sight
	for _, e := range events {
		switch what := e.What.(type) {
		case sim.Sent:
			s.started = true
			s.worth = s.worth || what.Lost
		case sim.Handled:
			if len(what.Records) > 0 || what.Response.Error != protocol.None && !what.Idle || what.ResponseLost || what.Waits || what.Late {
				s.worth, s.decision = true, true
			}
		case sim.Expired, sim.Operated:
			s.worth, s.decision = true, true
		case sim.Received:
			s.worth = s.worth || what.Failure != ""
		case sim.ClientChanged:
			s.worth = s.worth || what.Client.State == "FENCED"
		case sim.Called:
			s.worth = s.worth || what.Done && len(what.Partitions) > 0 || what.Failed
		case sim.Raised:
			s.worth = s.worth || !what.Again
		case sim.FailedOver, sim.TopicsChanged, sim.TopicsLearnt, sim.Violated:
			s.worth = true
		}
	}
	return s
}

// flush makes a stop of what is pending.
func (r *recorder) flush(step, line int) error {
	p := r.open
	if p == nil {
		return nil
	}
	r.open = nil
	return r.add(p.mark, p.state, Stop{Event: p.seq, At: p.at, Line: line})
}

// add appends a stop that stands in the given world state.
func (r *recorder) add(m mark, s *sim.State, stop Stop) error {
	if r.from+len(r.stops) >= MaxStops {
		return &LimitError{"stops", MaxStops, stop.At.Sub(r.start)}
	}
	stop.Index = r.from + len(r.stops)
	stop.Label = r.label.next(stop.Step, stop.Index == 0)
	setEpochs(&stop, s)
	m.authored = m.authored || stop.Say != ""
	if !m.authored {
		now := moment{before: r.before(), after: s, events: r.eventsTo(stop.Event), idle: m.idle}
		stop.Say = now.say()
	}
	changes := Diff(r.state, s, nil)
	for _, p := range changes.Partitions {
		if p.Released() && p.To == "" {
			m.released = append(m.released, p.Partition)
		}
	}
	r.stops = append(r.stops, stop)
	r.marks = append(r.marks, m)
	r.idles -= m.idle
	r.unsaid = false
	r.state, r.measures = s, measure(s)
	return nil
}

// finish ends a step: with a stop of its own if it deserves one, which takes
// in what was pending at the same instant.
func (r *recorder) finish(step int, stop Stop, deserved bool) error {
	s := r.world.State()
	if p := r.open; p != nil && !(deserved && p.at == s.At && !p.closed) {
		if err := r.flush(step, stop.Line); err != nil {
			return err
		}
	}
	r.open = nil
	if !deserved {
		return nil
	}
	stop.Event, stop.At = r.seq, s.At
	return r.add(mark{tick: r.end, step: step, idle: r.idles}, s, stop)
}

// before is the state at the last stop, nil if this is the first.
func (r *recorder) before() *sim.State {
	if r.from+len(r.stops) == 0 {
		return nil
	}
	return r.state
}

// eventsTo are the kept events since the last stop.
func (r *recorder) eventsTo(seq uint64) []sim.Event {
	after := r.first
	if n := len(r.stops); n > 0 {
		after = r.stops[n-1].Event
	}
	return slice(r.kept, after, seq)
}

// setEpochs fills in what the ladder shows of a state.
func setEpochs(stop *Stop, s *sim.State) {
	stop.GroupEpoch, stop.AssignmentEpoch, stop.MinMemberEpoch, stop.MaxMemberEpoch = -1, -1, -1, -1
	stop.Violated = len(s.Violations) > 0
	if s.Group == nil {
		return
	}
	stop.GroupEpoch, stop.AssignmentEpoch = s.Group.GroupEpoch, s.Group.AssignmentEpoch
	for i, m := range s.Group.Members {
		epoch := max(m.MemberEpoch, 0)
		if i == 0 {
			stop.MinMemberEpoch, stop.MaxMemberEpoch = epoch, epoch
		}
		stop.MinMemberEpoch = min(stop.MinMemberEpoch, epoch)
		stop.MaxMemberEpoch = max(stop.MaxMemberEpoch, epoch)
	}
}
