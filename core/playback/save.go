package playback

import (
	"fmt"

	"groupscope/core/scenario"
	"groupscope/core/sim"
)

// Save writes a branch as a scenario file that leads to the same end: the
// file's own steps up to where the branch leaves it, then what was done.
func (r *Recording) Save(id string) ([]byte, error) {
	b, err := r.find(id)
	if err != nil {
		return nil, err
	}
	if b.id == Main {
		return r.Scenario.Source, nil
	}
	steps, acts := b.track.script()
	src := scenario.Branch(r.Scenario, r.Rules, steps, named(r.Scenario, acts), r.Scenario.Title+": "+b.name)
	if _, mistakes := scenario.Parse(r.Scenario.File, src); len(mistakes) > 0 {
		return nil, refuse("This branch is more than a scenario file may hold: %s.", mistakes[0].Text())
	}
	return src, nil
}

// scriptedAct is an action of a branch as its file has it.
type scriptedAct struct {
	action sim.Action
	hand   bool // somebody did it: a step with a name, so that it is a stop
}

// named gives what was done by hand names that the file does not have yet.
func named(sc *scenario.Scenario, acts []scriptedAct) []scenario.Done {
	taken := map[string]bool{}
	for _, s := range sc.Steps {
		taken[s.Name] = true
	}
	n := 0
	next := func() string {
		for {
			n++
			if name := fmt.Sprintf("act-%d", n); !taken[name] {
				return name
			}
		}
	}
	out := make([]scenario.Done, len(acts))
	for i, a := range acts {
		out[i].Do = a.action
		if a.hand {
			out[i].Name = next()
		}
	}
	return out
}

// script is the number of scripted steps that the track has whole, and the
// actions that follow them.
func (t *track) script() (steps int, acts []scriptedAct) {
	if t.parent == nil {
		return t.marks[len(t.marks)-1].step + 1, nil
	}
	steps, acts = t.parent.scriptTo(t.fork - 1)
	for _, c := range t.commands {
		acts = append(acts, scriptedAct{c.action, c.origin == byHand})
	}
	return steps, merged(acts)
}

// merged joins what was cut in two: time that passes in one way and goes on
// in the same way is one action, unless somebody let it go on.
func merged(acts []scriptedAct) []scriptedAct {
	var out []scriptedAct
	for _, a := range acts {
		if len(out) == 0 || a.hand {
			out = append(out, a)
			continue
		}
		last := &out[len(out)-1]
		if whole, ok := joined(last.action, a.action); ok {
			last.action = whole
			continue
		}
		out = append(out, a)
	}
	return out
}

// joined is one action for two that follow each other, if there is one.
func joined(last, a sim.Action) (sim.Action, bool) {
	switch a := a.(type) {
	case sim.Until:
		switch last.(type) {
		case sim.Run, sim.Until:
			return a, true
		}
	case sim.Run:
		switch last := last.(type) {
		case sim.Run:
			return sim.Run{For: last.For + a.For}, true
		case sim.Until:
			return sim.Until{At: last.At + a.For}, true
		}
	case sim.Advance:
		if last, ok := last.(sim.Advance); ok {
			return sim.Advance{For: last.For + a.For}, true
		}
	}
	return nil, false
}

// scriptTo is the same up to one of the track's own stops. A run that goes on
// after the stop is cut there; what is left of it is not part of the branch
// but for the instant itself, which the branch's first action ends.
func (t *track) scriptTo(stop int) (steps int, acts []scriptedAct) {
	m, s := t.mark(stop), t.stop(stop)
	all := t.commands
	for len(all) > 0 && all[len(all)-1].tick >= m.tick {
		all = all[:len(all)-1]
	}
	if t.parent != nil {
		steps, acts = t.parent.scriptTo(t.fork - 1)
	} else {
		steps = m.step + 1
		if m.inside {
			steps = m.step
		}
		for len(all) > 0 && all[0].step < steps {
			all = all[1:]
		}
	}
	for i, c := range all {
		action := c.action
		if i == len(all)-1 && m.inside {
			action = cut(action, c.at, s.At, t.start())
		}
		acts = append(acts, scriptedAct{action, c.origin == byHand})
	}
	return steps, acts
}
