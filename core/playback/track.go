package playback

import (
	"fmt"
	"slices"

	"groupscope/core/protocol"
	"groupscope/core/sim"
)

// A run is repeated, not stored: the same setup and the same actions give the
// same world. A track therefore keeps the actions, and worlds only here and
// there to start from. Positions are counted in ticks: each Do and each Step
// of the world is one, whether it brought events or not, so a tick names one
// exact world.
type track struct {
	parent *track
	// fork is the number of stops that the track has in common with its
	// parent; tick and seq are where it leaves it.
	fork int
	tick int
	seq  uint64
	segment
}

// segment is what a track adds to its parent, each list in order.
type segment struct {
	commands  []command
	snapshots []snapshot
	stops     []Stop
	marks     []mark // marks[i] belongs to stops[i]
	kept      []sim.Event
	idle      []idleRun
	end       int    // tick of its end
	events    uint64 // seq of its last event
}

// command is an action, and the tick at which it is carried out.
type command struct {
	tick   int
	at     protocol.Instant
	action sim.Action
	step   int // index of the scripted step, live for none
	origin origin
}

// origin tells what somebody did from what the file says.
type origin int

const (
	ofFile origin = iota
	byHand
	// byHandBefore is the rest of an action done by hand: the stop at which a
	// branch leaves its parent lies inside of it.
	byHandBefore
)

// live is the step of a command that no file holds.
const live = -1

type snapshot struct {
	tick  int
	seq   uint64
	world *sim.World
}

// mark is what is remembered of a stop beside what everybody may see.
type mark struct {
	tick int
	// step is the scripted step that the stop lies in or ends, live for none.
	step int
	// inside: it lies within a run, at or advance that goes on.
	inside bool
	// authored: the words are the scenario's.
	authored bool
	// released are the partitions that lost their owner in this stop.
	released []protocol.Partition
	idle     int // heartbeats since the stop before that changed nothing
}

// idleRun stands for heartbeats that changed nothing and are not kept.
type idleRun struct {
	seq   uint64 // of the first
	last  uint64 // of the last
	from  protocol.Instant
	to    protocol.Instant
	count int
}

// owner is the track of the line from the root to t that has the i-th stop.
func (t *track) owner(i int) *track {
	for t.parent != nil && i < t.fork {
		t = t.parent
	}
	return t
}

// len is the number of stops from the root to the track's end.
func (t *track) len() int { return t.fork + len(t.stops) }

func (t *track) stop(i int) *Stop {
	o := t.owner(i)
	return &o.stops[i-o.fork]
}

func (t *track) mark(i int) *mark {
	o := t.owner(i)
	return &o.marks[i-o.fork]
}

// allStops lists the stops from the root to the track's end.
func (t *track) allStops() []Stop {
	out := make([]Stop, t.len())
	for i := range out {
		out[i] = *t.stop(i)
	}
	return out
}

// command is the action that is carried out at a tick, if any.
func (t *track) command(tick int) (command, bool) {
	for t.parent != nil && tick < t.tick {
		t = t.parent
	}
	i, ok := slices.BinarySearchFunc(t.commands, tick, func(c command, tick int) int { return c.tick - tick })
	if !ok {
		return command{}, false
	}
	return t.commands[i], true
}

// commandsIn lists the commands with from <= tick < to.
func (t *track) commandsIn(from, to int) []command {
	var out []command
	if t.parent != nil && from < t.tick {
		out = t.parent.commandsIn(from, min(to, t.tick))
	}
	for _, c := range t.commands {
		if c.tick >= from && c.tick < to {
			out = append(out, c)
		}
	}
	return out
}

// nearest is the last snapshot at or before a tick.
func (t *track) nearest(tick int) snapshot {
	for ; ; t = t.parent {
		i, ok := slices.BinarySearchFunc(t.snapshots, tick, func(s snapshot, tick int) int { return s.tick - tick })
		if ok {
			return t.snapshots[i]
		}
		if i > 0 {
			return t.snapshots[i-1]
		}
		if t.parent == nil {
			panic(fmt.Sprintf("playback: no snapshot at or before tick %d", tick))
		}
		tick = min(tick, t.tick)
	}
}

// at makes the world of a tick. It belongs to the caller.
func (t *track) at(tick int) *sim.World {
	s := t.nearest(tick)
	w := s.world.Clone()
	t.replay(w, s.tick, tick)
	return w
}

// replay brings a world of this track from one tick to a later one.
func (t *track) replay(w *sim.World, from, to int) {
	for ; from < to; from++ {
		t.once(w, from)
	}
}

// once repeats one tick. What was possible when it was recorded is possible
// now, anything else breaks the promise that equal actions give equal runs.
func (t *track) once(w *sim.World, tick int) []sim.Event {
	c, ok := t.command(tick)
	if !ok {
		events, _ := w.Step()
		return events
	}
	events, err := w.Do(c.action)
	if err != nil {
		panic(fmt.Sprintf("playback: a recorded action is refused in its replay at tick %d: %v", tick, err))
	}
	return events
}

// eventsOf are the kept events of the i-th stop.
func (t *track) eventsOf(i int) []sim.Event {
	if i == 0 {
		return nil
	}
	o := t.owner(i)
	return slice(o.kept, t.stop(i-1).Event, t.stop(i).Event)
}

// slice is the part of sorted events with after < Seq <= to.
func slice(events []sim.Event, after, to uint64) []sim.Event {
	find := func(seq uint64) int {
		i, ok := slices.BinarySearchFunc(events, seq, func(e sim.Event, seq uint64) int {
			return int(int64(e.Seq) - int64(seq))
		})
		if ok {
			return i + 1
		}
		return i
	}
	lo, hi := find(after), find(to)
	return events[lo:hi:hi]
}

// event finds a kept event by its Seq.
func (t *track) event(seq uint64) (sim.Event, bool) {
	for t.parent != nil && seq <= t.seq {
		t = t.parent
	}
	if found := slice(t.kept, seq-1, seq); seq > 0 && len(found) == 1 {
		return found[0], true
	}
	return sim.Event{}, false
}
