package explore

import (
	"slices"
	"strings"

	"groupscope/core/protocol"
	"groupscope/core/scenario"
	"groupscope/core/sim"
)

// restlessFor is for how long a group that never settles is shown.
const restlessFor = 10 * protocol.Minute

// Script is the way to the finding as actions of a scenario, as few and as
// plain as possible, and what is broken after each. The world is as the
// scenario makes it before them. An error says that no latencies lead to this
// very order.
func (x *Explorer) Script(world *sim.World) ([]scenario.Done, error) {
	t, err := x.schedule(world, x.found.Moves)
	if err != nil {
		return nil, err
	}
	actions := t.actions(world.Now())
	x.shown = nil
	if !x.shows(world, actions) {
		return nil, errTiming
	}
	actions = x.shrink(world, actions)
	if x.found.Violation.Invariant == NeverSettles {
		actions = append(actions, sim.Run{For: restlessFor})
	}
	out := make([]scenario.Done, len(actions))
	w := world.Clone()
	for i, a := range actions {
		play(w, a)
		out[i] = scenario.Done{Do: a, Violations: broken(w)}
	}
	return out, nil
}

// play carries out an action; false if the world refuses it.
func play(w *sim.World, a sim.Action) bool {
	if _, err := w.Do(a); err != nil {
		return false
	}
	w.Settle()
	return true
}

// broken are the names of the invariants that are broken now.
func broken(w *sim.World) []string {
	var out []string
	for _, v := range w.Check() {
		out = append(out, v.Invariant)
	}
	return slices.Compact(out)
}

// actions are the deeds, the faults of messages before they are sent, and the
// time between them.
func (t *timing) actions(start protocol.Instant) []sim.Action {
	list := slices.Clone(t.deeds)
	for _, name := range t.x.names {
		for _, response := range []bool{false, true} {
			list = t.arm(list, line{name, response}, start)
		}
	}
	slices.SortStableFunc(list, func(a, b timed) int { return int(a.at - b.at) })
	var out []sim.Action
	now := start
	for _, d := range list {
		if d.at > now {
			out = append(out, sim.Run{For: d.at.Sub(now)})
			now = d.at
		}
		out = append(out, d.do)
	}
	if end := t.real.Now(); end > now {
		out = append(out, sim.Run{For: end.Sub(now)})
	}
	return out
}

// arm puts the faults of a line's messages where the message before has been
// sent. A message that a deed sends has its fault just before the deed.
func (t *timing) arm(list []timed, on line, start protocol.Instant) []timed {
	before, nth := start, 0
	for i, m := range t.messages[on] {
		if nth++; i == 0 || m.sent != before {
			nth = 1 // of those sent at this instant
		}
		var fault sim.Action
		switch {
		case m.lost && on.response:
			fault = sim.LoseResponse{Member: on.member, Count: 1}
		case m.lost:
			fault = sim.LoseRequest{Member: on.member, Count: 1}
		case m.extra > 0:
			fault = sim.Delay{Member: on.member, By: m.extra, Response: on.response, Count: 1}
		}
		if fault != nil {
			skip := nth
			at := slices.IndexFunc(list, func(d timed) bool {
				if d.at == m.sent && sends(d.do) && sim.MemberOf(d.do) == on.member && !on.response {
					skip--
				}
				return skip == 0
			})
			if at < 0 {
				list = append(list, timed{before, fault})
			} else {
				list = slices.Insert(list, at, timed{m.sent, fault})
			}
		}
		before = m.sent
	}
	return list
}

// shows reports whether actions lead to the finding, and break no more than
// those that were looked at first.
func (x *Explorer) shows(world *sim.World, actions []sim.Action) bool {
	w := world.Clone()
	restless := x.found.Violation.Invariant == NeverSettles
	if restless {
		actions = append(slices.Clip(actions), sim.Run{For: restlessFor})
	}
	for _, a := range actions {
		if !play(w, a) {
			return false
		}
	}
	if restless {
		return x.neverRests(w)
	}
	names := broken(w)
	if x.shown == nil && slices.Contains(names, x.found.Violation.Invariant) {
		x.shown = names
	}
	return x.shown != nil && slices.Equal(names, x.shown)
}

// neverRests looks at a world at several instants: a heartbeat that happens to
// be on its way at one of them is no unrest.
func (x *Explorer) neverRests(w *sim.World) bool {
	const looks, apart = 7, 1300 * protocol.Millisecond
	for range looks {
		if x.rests(w) {
			return false
		}
		if _, err := w.Do(sim.Run{For: apart}); err != nil {
			return false
		}
		w.Settle()
	}
	return true
}

// shrink leaves out what is not needed, and rounds times.
func (x *Explorer) shrink(world *sim.World, actions []sim.Action) []sim.Action {
	for again := true; again; {
		again = false
		for i := len(actions) - 1; i >= 0; i-- {
			for _, candidate := range plainer(actions, i) {
				if x.shows(world, candidate) {
					actions, again = candidate, true
					break
				}
			}
			i = min(i, len(actions))
		}
	}
	return actions
}

// plainer are simpler lists of actions, the simplest first: without one of
// them, with it merged into the one before, or with a rounder time.
func plainer(actions []sim.Action, i int) [][]sim.Action {
	var out [][]sim.Action
	with := func(upTo int, a ...sim.Action) {
		out = append(out, slices.Concat(actions[:upTo], a, actions[i+1:]))
	}
	out = append(out, later(slices.Concat(actions[:i], actions[i+1:]), i)...)
	switch a := actions[i].(type) {
	case sim.Run:
		if i > 0 {
			if before, ok := actions[i-1].(sim.Run); ok {
				with(i-1, sim.Run{For: before.For + a.For})
			}
		}
		for _, d := range rounder(a.For) {
			with(i, sim.Run{For: d})
		}
	case sim.Delay:
		for _, d := range rounder(a.By) {
			a.By = d
			with(i, a)
		}
	}
	return out
}

// later is a list of actions, and the same list with more time after the place
// where one was left out, at the end, or both: things come later without it.
func later(actions []sim.Action, at int) [][]sim.Action {
	out := [][]sim.Action{actions}
	vary := func(list []sim.Action, i int) {
		if i < 0 || i >= len(list) {
			return
		}
		if _, runs := list[i].(sim.Run); !runs {
			return
		}
		for _, s := range []protocol.Duration{1, 2, 3, 5, 6, 8, 10, 15, 20, 30, 45, 60} {
			longer := slices.Clone(list)
			longer[i] = sim.Run{For: s * protocol.Second}
			out = append(out, longer)
		}
	}
	vary(actions, len(actions)-1)
	if at < len(actions)-1 {
		vary(actions, at)
		for _, list := range slices.Clone(out[1:]) {
			vary(list, len(actions)-1)
		}
	}
	return out
}

// rounder are rounder durations near one, the roundest first.
func rounder(d protocol.Duration) []protocol.Duration {
	var out []protocol.Duration
	for _, unit := range []protocol.Duration{10 * protocol.Second, protocol.Second, 100, 10} {
		if d%unit == 0 {
			break
		}
		out = append(out, d/unit*unit+unit)
		if d > unit {
			out = append(out, d/unit*unit)
		}
	}
	return out
}

// Scenario writes the finding as a scenario: the file's own text up to and
// including its first keep steps, then what Script has.
func (x *Explorer) Scenario(sc *scenario.Scenario, ruleSet string, keep int, done []scenario.Done) []byte {
	v := x.found.Violation
	done = slices.Clone(done)
	if n := len(done); n > 0 {
		done[n-1].Name, done[n-1].Say = "broken", v.Text
	}
	title := strings.TrimSuffix(v.Text, ".")
	return scenario.Retell(sc, ruleSet, keep, done, title, "Found by groupscope explore: the shortest way there.")
}
