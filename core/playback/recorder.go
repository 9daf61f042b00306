package playback

import (
	"fmt"

	"groupscope/core/protocol"
	"groupscope/core/record"
	"groupscope/core/sim"
)

// Limits of one recording, from its start to the end of a branch. A scenario
// that needs more has no reader.
const (
	MaxEvents = 200_000
	MaxStops  = 20_000
)

// A LimitError says that a run is longer than a recording may be.
type LimitError struct {
	What string // "events" or "stops"
	Most int
	At   protocol.Duration // since the start
}

// Error says what to do about it.
func (e *LimitError) Error() string {
	return fmt.Sprintf("more than %d %s by %s: a recording ends there. Let the clients run for a shorter time, or have fewer of them", e.Most, e.What, e.At)
}

// recorder carries out actions on a world and writes a segment. Nothing that
// others see changes before the segment is handed over, so a refused action
// leaves no trace.
type recorder struct {
	segment
	world *sim.World
	start protocol.Instant
	from  int    // stops before the segment
	first uint64 // the last event before the segment
	label labeller

	state   *sim.State // at the last stop
	seq     uint64     // of the last event
	weight  int        // of the events since the last snapshot
	size    int        // see snapshotWhenDue
	idles   int        // idle heartbeats since the last stop
	quiet   map[uint64]bool
	open    *pending
	foreign bool // the file's words were written for other rules
	unsaid  bool // the coordinator decided something since the last stop, outside of a run
}

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

func newRecorder(w *sim.World, tick int) *recorder {
	r := &recorder{world: w, quiet: map[uint64]bool{}}
	r.end = tick
	r.state = w.State()
	r.start, r.first = r.state.Start, r.state.Seq
	r.seq = r.state.Seq
	r.events = r.seq
	r.size = sizeOf(r.state)
	return r
}

// sizeOf is what a world's copy costs, counted in things.
func sizeOf(s *sim.State) int {
	n := len(s.Clients)
	for _, t := range s.Topics {
		n += int(t.Partitions)
	}
	return n
}

// leastSpacing is the least weight of events between two snapshots, and
// heartbeatWeight that of a heartbeat, which is handled in about the time that
// it takes to work out a target for a few partitions. Repeating leastSpacing
// takes about a millisecond, natively.
const (
	leastSpacing    = 1024
	heartbeatWeight = 4
)

// snapshotWhenDue keeps a copy of the world once as many things have changed
// as the copy has parts, but no sooner than after leastSpacing. So the copies
// together hold a bounded number of parts for each change, however many
// members there are, and going to any place repeats a bounded amount of work.
func (r *recorder) snapshotWhenDue() {
	if r.weight < max(leastSpacing, r.size) {
		return
	}
	r.weight = 0
	r.snapshots = append(r.snapshots, snapshot{r.end, r.seq, r.world.Clone()})
}

// weightOf counts what an event changed: itself, and the partitions that its
// records name. A new target for everybody weighs as much as the group. A
// heartbeat is one thing: its handling and its answer come with the request.
func weightOf(e sim.Event) int {
	records, _ := writes(e)
	n := 1
	switch e.What.(type) {
	case sim.Sent:
		n = heartbeatWeight
	case sim.Handled, sim.Received:
		n = 0
	}
	for _, r := range records {
		switch v := r.Value.(type) {
		case record.TargetAssignmentMemberValue:
			n += 1 + v.TopicPartitions.Len()
		case record.CurrentMemberAssignmentValue:
			n += 1 + len(v.Assigned) + len(v.PendingRevocation)
		default:
			n++
		}
	}
	return n
}

// do carries out one action and lets everything happen that follows up to its
// horizon. step is the scripted step it belongs to, or live.
func (r *recorder) do(a sim.Action, step, line int) error {
	at := r.world.State().At
	timed := passesTime(a)
	if timed && r.unsaid {
		// What steps of no name did before the clock moves on would drown in
		// the first moment of the run.
		if err := r.finish(max(step-1, live), Stop{Line: line}, true); err != nil {
			return err
		}
	}
	events, err := r.world.Do(a)
	if err != nil {
		return err
	}
	r.commands = append(r.commands, command{tick: r.end, at: at, action: a, step: step})
	more := true
	for {
		r.end++
		if err := r.note(events, timed, step, line); err != nil {
			return err
		}
		r.snapshotWhenDue()
		if !more {
			return nil
		}
		events, more = r.world.Step()
	}
}

// passesTime reports whether the clock moves under an action.
func passesTime(a sim.Action) bool {
	switch a.(type) {
	case sim.Run, sim.Until, sim.Advance:
		return true
	}
	return false
}

// note takes in the events of one tick.
func (r *recorder) note(events []sim.Event, timed bool, step, line int) error {
	if len(events) == 0 {
		return nil
	}
	for _, e := range events {
		if e.Seq != r.seq+1 {
			panic(fmt.Sprintf("playback: event %d follows event %d", e.Seq, r.seq))
		}
		r.seq = e.Seq
		r.keep(e, timed)
		r.weight += weightOf(e)
	}
	r.events = r.seq
	if r.seq > MaxEvents {
		return &LimitError{"events", MaxEvents, events[0].At.Sub(r.start)}
	}
	if !timed {
		r.unsaid = r.unsaid || classify(events).decision
		return nil
	}
	return r.stopInside(events, step, line)
}

// keep stores an event, unless it belongs to a heartbeat that changed nothing
// while the clients lived by themselves: there are many of those, they can be
// repeated, and their number is all that anybody asks for.
func (r *recorder) keep(e sim.Event, timed bool) {
	switch what := e.What.(type) {
	case sim.Handled:
		if !timed || !what.Idle || what.ResponseLost {
			break
		}
		r.forget(e.Cause)
		r.quiet[e.Seq] = true
		r.idled(e)
		return
	case sim.Received:
		if r.quiet[e.Cause] && what.Failure == "" {
			delete(r.quiet, e.Cause)
			return
		}
	}
	r.kept = append(r.kept, e)
}

// forget drops the request of an idle heartbeat; it is among the last events.
func (r *recorder) forget(seq uint64) {
	for i := len(r.kept) - 1; i >= 0 && r.kept[i].Seq >= seq; i-- {
		if r.kept[i].Seq == seq {
			r.kept = append(r.kept[:i], r.kept[i+1:]...)
			return
		}
	}
}

// idled counts an idle heartbeat in the last run of them, or in a new one if
// anything but a request still on its way came in between.
func (r *recorder) idled(e sim.Event) {
	r.idles++
	if n := len(r.idle); n > 0 {
		last := &r.idle[n-1]
		apart := false
		for i := len(r.kept) - 1; i >= 0 && r.kept[i].Seq > last.last; i-- {
			_, sent := r.kept[i].What.(sim.Sent)
			apart = apart || !sent
		}
		if !apart {
			last.count++
			last.last, last.to = e.Seq, e.At
			return
		}
	}
	r.idle = append(r.idle, idleRun{seq: e.Seq, last: e.Seq, from: e.At, to: e.At, count: 1})
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
			if len(what.Records) > 0 || what.Response.Error != protocol.None || what.ResponseLost {
				s.worth, s.decision = true, true
			}
		case sim.Expired:
			s.worth, s.decision = true, true
		case sim.Received:
			s.worth = s.worth || what.Failure != ""
		case sim.ClientChanged:
			s.worth = s.worth || what.Client.State == "FENCED"
		case sim.Called:
			s.worth = s.worth || what.Done && len(what.Partitions) > 0
		case sim.FailedOver, sim.TopicsChanged, sim.Violated:
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
	r.state, r.size = s, sizeOf(s)
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
