package playback

import (
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
	src := scenario.Branch(r.Scenario, r.Rules, steps, acts, r.Scenario.Title+": "+b.name)
	if _, mistakes := scenario.Parse(r.Scenario.File, src); len(mistakes) > 0 {
		return nil, refuse("This branch is more than a scenario file may hold: %s.", mistakes[0].Text())
	}
	return src, nil
}

// script is the number of scripted steps that the track has whole, and the
// actions that follow them.
func (t *track) script() (steps int, acts []sim.Action) {
	if t.parent == nil {
		return t.marks[len(t.marks)-1].step + 1, nil
	}
	steps, acts = t.parent.scriptTo(t.fork - 1)
	for _, c := range t.commands {
		acts = append(acts, c.action)
	}
	return steps, merged(acts)
}

// merged joins what was cut in two: time that passes in one way and goes on
// in the same way is one action.
func merged(acts []sim.Action) []sim.Action {
	var out []sim.Action
	for _, a := range acts {
		var last sim.Action
		if len(out) > 0 {
			last = out[len(out)-1]
		}
		switch a := a.(type) {
		case sim.Until:
			switch last.(type) {
			case sim.Run, sim.Until:
				out = out[:len(out)-1]
			}
		case sim.Run:
			switch last := last.(type) {
			case sim.Run:
				out[len(out)-1] = sim.Run{For: last.For + a.For}
				continue
			case sim.Until:
				out[len(out)-1] = sim.Until{At: last.At + a.For}
				continue
			}
		case sim.Advance:
			if last, ok := last.(sim.Advance); ok {
				out[len(out)-1] = sim.Advance{For: last.For + a.For}
				continue
			}
		}
		out = append(out, a)
	}
	return out
}

// scriptTo is the same up to one of the track's own stops. A run that goes on
// after the stop is cut there; what is left of it is not part of the branch
// but for the instant itself, which the branch's first action ends.
func (t *track) scriptTo(stop int) (steps int, acts []sim.Action) {
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
		if i == len(all)-1 && m.inside {
			acts = append(acts, cut(c.action, c.at, s.At, t.start()))
		} else {
			acts = append(acts, c.action)
		}
	}
	return steps, acts
}
