package playback

import (
	"groupscope/core/protocol"
	"groupscope/core/sim"
)

// journey is the way from one stop to the next: virtual time passes, timers
// drain, idle heartbeats pulse.
type journey struct {
	on       bool
	gone, of float64 // the viewer's ms at speed 1
	from, to protocol.Instant
}

// enter puts a stop on screen. moving lets what changed there move.
func (p *Player) enter(stop int, moving bool) {
	t := p.branch.track
	var before *sim.State
	if stop > 0 {
		p.goTo(t, t.mark(stop-1).tick)
		before = p.cursor.world.State()
	}
	p.frame.Pulses = p.frame.Pulses[:0]
	idle := p.goTo(t, t.mark(stop).tick)
	p.journey = journey{}
	p.released = nil

	f, s := &p.frame, t.stop(stop)
	f.Before, f.State = before, p.cursor.world.State()
	f.Stop, f.Events = *s, t.eventsOf(stop)
	f.Changes = Diff(f.Before, f.State, f.Events)
	f.Now, f.Age = s.At, Settled
	p.dwell = dwellAt(s, t.mark(stop).authored)
	if moving && !(p.playing && p.speed > mostMovingSpeed) {
		f.Age = 0
		for _, e := range idle {
			if e.At == s.At {
				p.pulse(e)
			}
		}
	}
	if p.AtEnd() || s.Pause && moving {
		p.playing = false
	}
}

// goTo brings the player's own world to a tick of a track: onward from where
// it is if that is the shorter way, else from a snapshot. It returns the last
// idle heartbeats on the way.
func (p *Player) goTo(t *track, tick int) []sim.Event {
	c := &p.cursor
	start := t.nearest(tick)
	if c.world == nil || !t.passes(c.track, c.tick) || c.tick > tick || c.tick < start.tick {
		c.world, c.tick = start.world.Clone(), start.tick
	}
	c.track = t
	// If something in here breaks, no half-done world is left behind.
	world := c.world
	c.world = nil
	var idle []sim.Event
	for ; c.tick < tick; c.tick++ {
		for _, e := range t.once(world, c.tick) {
			if isIdle(e) {
				if len(idle) > 0 && idle[0].At != e.At {
					idle = idle[:0]
				}
				idle = append(idle, e)
			}
		}
	}
	c.world = world
	return idle
}

// passes reports whether a tick of another track is on the line from the root
// to this track's end.
func (t *track) passes(o *track, tick int) bool {
	for ; t != nil; t = t.parent {
		if t == o {
			return true
		}
		if tick > t.tick {
			return false
		}
	}
	return false
}

func isIdle(e sim.Event) bool {
	h, ok := e.What.(sim.Handled)
	return ok && h.Idle
}

func (p *Player) pulse(e sim.Event) {
	h, ok := e.What.(sim.Handled)
	if !ok {
		return
	}
	for i := range p.frame.Pulses {
		if p.frame.Pulses[i].Member == h.Member {
			p.frame.Pulses[i].Age = 0
			return
		}
	}
	p.frame.Pulses = append(p.frame.Pulses, Pulse{Member: h.Member})
}

// dwellAt is how long playing stays at a stop: as long as its words need.
func dwellAt(s *Stop, authored bool) float64 {
	if !authored {
		return shortDwell
	}
	beyond := max(0, len([]rune(s.Say))-fewLetters)
	return float64(min(leastDwell+dwellALetter*beyond, mostDwell))
}

// Advance lets the viewer's clock move on by that many milliseconds. A longer
// gap than a tenth of a second, as after a page slept, counts as that much.
func (p *Player) Advance(wall protocol.Duration) {
	wall = min(max(wall, 0), mostAdvance)
	p.age(wall)
	if !p.playing {
		return
	}
	for left := float64(wall) * p.speed; left > 0 && p.playing; {
		if !p.journey.on {
			use := min(left, p.dwell)
			p.dwell -= use
			left -= use
			if p.dwell <= 0 {
				p.depart()
			}
			continue
		}
		use := min(left, p.journey.of-p.journey.gone)
		p.journey.gone += use
		left -= use
		if p.journey.gone >= p.journey.of {
			p.enter(p.Stop()+1, true)
			continue
		}
		p.travel()
	}
}

// age lets motion and pulses grow older, until they are over.
func (p *Player) age(wall protocol.Duration) {
	f := &p.frame
	if f.Age < Settled {
		if f.Age += wall; f.Age >= Motion {
			f.Age = Settled
		}
	}
	kept := f.Pulses[:0]
	for _, pulse := range f.Pulses {
		if pulse.Age += wall; pulse.Age < PulseTime {
			kept = append(kept, pulse)
		}
	}
	f.Pulses = kept
}

// depart begins the way to the next stop; without time between them it is
// there already.
func (p *Player) depart() {
	from, to := p.frame.Stop.At, p.branch.track.stop(p.Stop()+1).At
	if to == from {
		p.enter(p.Stop()+1, true)
		return
	}
	of := leastTravel + travelASecond*float64(to.Sub(from))/float64(protocol.Second)
	p.journey = journey{on: true, from: from, to: to, of: min(of, mostTravel)}
}

// travel shows the instant that the journey has come to.
func (p *Player) travel() {
	j, t, c := &p.journey, p.branch.track, &p.cursor
	now := j.from.Add(protocol.Duration(float64(j.to.Sub(j.from)) * j.gone / j.of))
	limit := t.mark(p.Stop() + 1).tick
	moved := false
	for c.tick < limit && t.due(c.world, c.tick, now) {
		for _, e := range t.once(c.world, c.tick) {
			if isIdle(e) {
				p.pulse(e)
			}
		}
		c.tick++
		moved = true
	}
	if moved {
		p.frame.State = c.world.State()
	}
	p.frame.Now = now
}

// due reports whether a tick lies at or before an instant.
func (t *track) due(w *sim.World, tick int, now protocol.Instant) bool {
	if c, ok := t.command(tick); ok {
		return c.at <= now
	}
	if at, ok := w.Next(); ok {
		return at <= now
	}
	// The clock goes on to the end of its run, which is where the next
	// action stands.
	c, ok := t.command(tick + 1)
	return ok && c.at <= now
}

// here lists the commands from the stop on screen to the instant on screen.
func (p *Player) here() []command {
	return p.branch.track.between(p.Stop(), p.cursor.tick, p.frame.Now)
}
