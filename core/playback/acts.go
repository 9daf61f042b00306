package playback

import "groupscope/core/sim"

// Act is something done by hand on a branch, or on the branches it came from.
type Act struct {
	// Stop is the index of the stop it was done at, the last one before it,
	// and Label that stop's label.
	Stop  int
	Label string
	// Action is what the branch holds of it: of a run in which the branch
	// leaves its parent, the part up to there.
	Action sim.Action
}

// Acts lists what was done by hand on the branch on screen, in order.
func (p *Player) Acts() []Act { return p.branch.track.doneTo(p.Len() - 1) }

// doneTo lists the acts up to one of the track's own stops.
func (t *track) doneTo(stop int) []Act {
	if t.parent == nil {
		return nil
	}
	out := t.parent.doneTo(t.fork - 1)
	m, s := t.mark(stop), t.stop(stop)
	for i, c := range t.commands {
		if c.tick >= m.tick {
			break
		}
		action := c.action
		if m.inside && (i+1 == len(t.commands) || t.commands[i+1].tick >= m.tick) {
			action = cut(action, c.at, s.At, t.start())
		}
		switch c.origin {
		case byHand:
			at := t.stopBefore(c.tick)
			out = append(out, Act{at.Index, at.Label, action})
		case byHandBefore:
			if whole, ok := joined(out[len(out)-1].Action, action); ok {
				out[len(out)-1].Action = whole
			}
		}
	}
	return out
}

// stopBefore is the last stop that is not past a tick.
func (t *track) stopBefore(tick int) *Stop {
	i := t.len() - 1
	for t.mark(i).tick > tick {
		i--
	}
	return t.stop(i)
}
