package playback

import (
	"fmt"

	"groupscope/core/protocol"
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

	state    *sim.State // at the last stop
	seq      uint64     // of the last event
	weight   int        // of the events since the last snapshot
	measures measures
	idles    int // idle heartbeats since the last stop
	quiet    map[uint64]bool
	open     *pending
	rules    string // the rule set's name
	foreign  bool   // the file's words were written for other rules
	unsaid   bool   // the coordinator decided something since the last stop, outside of a run
}

func newRecorder(w *sim.World, tick int) *recorder {
	r := &recorder{world: w, quiet: map[uint64]bool{}}
	r.end = tick
	r.state = w.State()
	r.start, r.first = r.state.Start, r.state.Seq
	r.seq = r.state.Seq
	r.events = r.seq
	r.measures = measure(r.state)
	return r
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
		r.weight += r.measures.weightOf(e)
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
	case sim.Raised:
		if what.Again {
			return
		}
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
