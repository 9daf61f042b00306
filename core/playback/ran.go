package playback

import (
	"fmt"
	"slices"
	"strings"

	"groupscope/core/protocol"
	"groupscope/core/sim"
)

// A step that ends a run mostly stands where nothing happens any more: what it
// is about happened on the way, at stops of no name. Its caption then tells
// what has changed since the last stop that has one.

// ran is a run as the step at its end tells it.
type ran struct {
	took   protocol.Duration
	before *sim.State // at the stop that the run began at
	after  *sim.State
	events []sim.Event // since then
}

// ran finds the run that the stop on screen ends; nil if it ends none, if there
// is nothing on the way, or if the stop itself has more to say.
func (p *Player) ran(own *moment) *ran {
	t, stop := p.branch.track, p.Stop()
	if t.mark(stop).inside || own.decides() || !t.endsRun(stop) {
		return nil
	}
	from := stop - 1
	for from > 0 && t.onTheWay(from) {
		from--
	}
	if from < 0 || from == stop-1 {
		return nil
	}
	out := &ran{took: p.frame.Stop.At.Sub(t.stop(from).At), before: t.at(t.mark(from).tick).State(), after: p.frame.State}
	for i := from + 1; i <= stop; i++ {
		out.events = append(out.events, t.eventsOf(i)...)
	}
	return out
}

// endsRun reports whether the last thing done up to a stop was to let time pass.
func (t *track) endsRun(stop int) bool {
	for i := stop; i > 0; i-- {
		for _, e := range slices.Backward(t.eventsOf(i)) {
			if a, ok := e.What.(sim.Acted); ok {
				return passesTime(a.Action)
			}
		}
	}
	return false
}

// onTheWay reports whether a stop is none that the author, or somebody who
// acted, meant to be seen.
func (t *track) onTheWay(stop int) bool {
	m := t.mark(stop)
	return m.inside || m.step != live && !m.authored && t.stop(stop).Step == ""
}

// main is the operation that explains best what came of the run, the last of
// equals. If nothing changed in the run's own time it is the last one before;
// nil without any.
func (r *ran) main() *sim.Event {
	const least = 1
	began := r.began()
	var best *sim.Event
	most, late := 0, false
	l := newLedger(r.before)
	for i := range r.events {
		e := &r.events[i]
		w := r.worth(*e, l)
		led := i < began && (w > least || best == nil) // to it
		if w > 0 && (led || i >= began && (!late || w >= most)) {
			best, most, late = e, w, i >= began
		}
	}
	return best
}

// began is where the time after the last thing that was done begins.
func (r *ran) began() int {
	at, done := 0, true
	for i, e := range r.events {
		a, ok := e.What.(sim.Acted)
		switch {
		case ok && !passesTime(a.Action):
			at, done = i, true
		case ok && done:
			at, done = i, false
		}
	}
	return at
}

// worth ranks operations by what they changed, 0 for nothing, and takes them
// into account. That somebody is refused counts for more if it was in the group
// before, or is in the end.
func (r *ran) worth(e sim.Event, l *ledger) int {
	records, _ := writes(e)
	effect := effectOf(records)
	var own move
	refused, inside := false, false
	switch what := e.What.(type) {
	case sim.Handled:
		if effect.current != nil {
			before, had := l.current[what.Request.MemberID]
			own = moveOf(before, *effect.current, had)
		}
		refused = what.Response.Error != protocol.None && !what.Idle && what.Classic == nil
		inside = inGroup(r.before, what.Member) || inGroup(r.after, what.Member)
	case sim.Expired, sim.Operated:
	default:
		return 0
	}
	for _, w := range records {
		l.tell(w)
	}
	for rank, is := range []bool{
		effect.gone, refused && inside, effect.epoch >= 0, effect.target >= 0,
		len(own.gets)+len(own.drops)+len(own.gone) > 0, refused, own.epoch, len(records) > 0,
	} {
		if is {
			return 8 - rank
		}
	}
	return 0
}

// caption tells the run: its cause, and the decisions and records of its main
// operation, with the time.
func (r *ran) caption(out *Caption) {
	main := r.main()
	at := ""
	if main != nil {
		at = fmt.Sprintf("At %.1f s: ", float64(main.At.Sub(r.after.Start))/float64(protocol.Second))
	}
	switch changes := r.changes(); {
	case len(changes) > 0:
		out.Cause = fmt.Sprintf("In the last %s: %s.", Seconds(r.took), strings.Join(changes, "; "))
	case main != nil:
		text, _ := causeOf(*main, nil)
		out.Cause = at + text
	}
	if main == nil {
		return
	}
	out.Decisions, out.Records = nil, nil
	l := newLedger(r.before)
	for _, e := range r.events {
		records, decisions := writes(e)
		for _, w := range records {
			if text := l.tell(w); e.Seq == main.Seq {
				out.Records = append(out.Records, RecordText{w.Short(), text})
			}
		}
		if e.Seq != main.Seq {
			continue
		}
		for _, d := range decisions {
			text := called(r.after, d.Text)
			if d.Main {
				text = at + text
			}
			out.Decisions = append(out.Decisions, RuleText{d.Rule, text, d.Main})
		}
	}
}
