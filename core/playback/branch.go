package playback

import (
	"fmt"
	"slices"
	"strings"

	"groupscope/core/protocol"
	"groupscope/core/sim"
)

// Main is the id of the branch that is the scenario itself.
const Main = "main"

// Branch is what a list of branches shows of one.
type Branch struct {
	ID, Name string
	// Parent is the id of the branch it leaves, at that branch's stop Fork;
	// "" and 0 for main.
	Parent string
	Fork   int
	Stops  int // from the scenario's start to the branch's end
}

type branch struct {
	id, name string
	track    *track
}

// A RefusedError says in a sentence why nothing was done.
type RefusedError struct{ Reason string }

// Error is the sentence.
func (e *RefusedError) Error() string { return e.Reason }

func refuse(format string, args ...any) error {
	return &RefusedError{fmt.Sprintf(format, args...)}
}

func (r *Recording) find(id string) (*branch, error) {
	for _, b := range r.branches {
		if b.id == id {
			return b, nil
		}
	}
	return nil, refuse("There is no branch %q. The branches are %s.", id, r.ids())
}

func (r *Recording) ids() string {
	var out []string
	for _, b := range r.branches {
		out = append(out, b.id)
	}
	return strings.Join(out, ", ")
}

// Branches lists main, then the others in the order in which they were made.
// A branch whose parent was deleted hangs on the nearest one that is left.
func (r *Recording) Branches() []Branch {
	out := make([]Branch, 0, len(r.branches))
	for _, b := range r.branches {
		view := Branch{ID: b.id, Name: b.name, Stops: b.track.len()}
		fork := b.track.fork
		for t := b.track.parent; t != nil; t = t.parent {
			i := slices.IndexFunc(r.branches, func(o *branch) bool { return o.track == t })
			if i >= 0 {
				view.Parent, view.Fork = r.branches[i].id, fork-1
				break
			}
			fork = min(fork, t.fork)
		}
		out = append(out, view)
	}
	return out
}

// Stops lists a branch's stops from the scenario's start on.
func (r *Recording) Stops(id string) ([]Stop, error) {
	b, err := r.find(id)
	if err != nil {
		return nil, err
	}
	return b.track.allStops(), nil
}

// Rename gives a branch another name.
func (r *Recording) Rename(id, name string) error {
	b, err := r.find(id)
	if err != nil {
		return err
	}
	name = strings.TrimSpace(name)
	switch {
	case id == Main:
		return refuse("Main cannot be renamed: it is the scenario itself.")
	case name == "":
		return refuse("A branch needs a name.")
	case slices.ContainsFunc(r.branches, func(o *branch) bool { return o != b && o.name == name }):
		return refuse("There is a branch called %q already.", name)
	}
	b.name = name
	return nil
}

// Delete takes a branch off the list. Branches that leave it stay whole.
func (r *Recording) Delete(id string) error {
	b, err := r.find(id)
	if err != nil {
		return err
	}
	if id == Main {
		return refuse("Main cannot be deleted: it is the scenario itself.")
	}
	r.branches = slices.DeleteFunc(r.branches, func(o *branch) bool { return o == b })
	return nil
}

// Act carries out an action at a stop of a branch. At the head of a branch
// other than main it goes on there, anywhere else it opens a branch that is
// named after the act. It returns the branch's id; the action's stop is its
// last one. On an error nothing has changed.
func (r *Recording) Act(id string, stop int, a sim.Action) (string, error) {
	b, err := r.find(id)
	if err != nil {
		return "", err
	}
	if stop < 0 || stop >= b.track.len() {
		return "", refuse("There is no stop %d: the branch has %d.", stop, b.track.len())
	}
	return r.act(b, stop, b.track.between(stop, b.track.mark(stop).tick, b.track.stop(stop).At), a)
}

// act does what Act says, after prior, the actions that lead from the stop to
// the place between two stops where the viewer stands.
func (r *Recording) act(b *branch, stop int, prior []command, a sim.Action) (string, error) {
	t := b.track
	added, err := r.extend(t, stop, prior, a)
	if err != nil {
		return "", err
	}
	if b.id != Main && stop == t.len()-1 {
		t.add(added)
		return b.id, nil
	}
	m := t.mark(stop)
	r.made++
	made := &branch{
		id:    fmt.Sprintf("b%d", r.made),
		name:  r.uniqueName(branchName(a, t.stop(stop).Label, len(prior) > 0 && !m.inside)),
		track: &track{parent: t.owner(stop), fork: stop + 1, tick: m.tick, seq: t.stop(stop).Event, segment: added},
	}
	r.branches = append(r.branches, made)
	return made.id, nil
}

// extend records the actions on a copy of the stop's world.
func (r *Recording) extend(t *track, stop int, prior []command, a sim.Action) (segment, error) {
	m, s := t.mark(stop), t.stop(stop)
	world := t.at(m.tick)
	rec := newRecorder(world, m.tick)
	rec.from = stop + 1
	rec.label = labeller{live: true, n: t.acts(stop)}
	rec.weight = int(s.Event - t.nearest(m.tick).seq)
	for _, p := range prior {
		if err := rec.do(p.action, live, 0); err != nil {
			return segment{}, err
		}
		rec.commands[len(rec.commands)-1].origin = p.origin
	}
	if err := rec.do(a, live, 0); err != nil {
		return segment{}, err
	}
	rec.commands[len(rec.commands)-1].origin = byHand
	if err := rec.finish(live, Stop{}, !passesTime(a)); err != nil {
		return segment{}, err
	}
	if rec.trailing() {
		if err := rec.finish(live, Stop{}, true); err != nil {
			return segment{}, err
		}
	}
	return rec.segment, nil
}

// acts is the number of a branch's own stops up to the given one: the number
// in the label of the last act.
func (t *track) acts(stop int) int {
	for t.parent != nil && t.parent.parent != nil {
		t = t.parent
	}
	if t.parent == nil {
		return 0
	}
	return max(0, stop-t.fork+1)
}

// add appends what was recorded at the track's end.
func (t *track) add(s segment) {
	t.commands = append(t.commands, s.commands...)
	t.snapshots = append(t.snapshots, s.snapshots...)
	t.stops = append(t.stops, s.stops...)
	t.marks = append(t.marks, s.marks...)
	t.kept = append(t.kept, s.kept...)
	t.idle = append(t.idle, s.idle...)
	t.end, t.events = s.end, s.events
}

func (r *Recording) uniqueName(name string) string {
	taken := func(n string) bool {
		return slices.ContainsFunc(r.branches, func(b *branch) bool { return b.name == n })
	}
	out := name
	for i := 2; taken(out); i++ {
		out = fmt.Sprintf("%s (%d)", name, i)
	}
	return out
}

// between lists the commands that lead from a stop to a later place before the
// next one: what is left of the run the stop lies in, then whatever steps
// began since, the last one cut at now.
func (t *track) between(stop, tick int, now protocol.Instant) []command {
	m, s := t.mark(stop), t.stop(stop)
	begun := t.commandsIn(m.tick, tick)
	var out []command
	if m.inside {
		until := now
		if len(begun) > 0 {
			until = begun[0].at
		}
		all := t.commandsIn(0, m.tick)
		rest := all[len(all)-1]
		rest.action = cut(rest.action, s.At, until, t.start())
		if rest.origin == byHand {
			rest.origin = byHandBefore
		}
		out = append(out, rest)
	}
	for i, c := range begun {
		until := now
		if i+1 < len(begun) {
			until = begun[i+1].at
		}
		if passesTime(c.action) {
			c.action = cut(c.action, c.at, until, t.start())
		}
		out = append(out, c)
	}
	return out
}

// cut is the part of an action that passes time from one instant to another.
func cut(a sim.Action, from, to, start protocol.Instant) sim.Action {
	switch a.(type) {
	case sim.Advance:
		return sim.Advance{For: to.Sub(from)}
	case sim.Until:
		return sim.Until{At: to.Sub(start)}
	}
	return sim.Run{For: to.Sub(from)}
}

// start is the scenario's instant zero.
func (t *track) start() protocol.Instant {
	for t.parent != nil {
		t = t.parent
	}
	return t.snapshots[0].world.State().Start
}
