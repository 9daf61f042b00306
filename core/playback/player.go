package playback

import (
	"slices"
	"strings"

	"groupscope/core/protocol"
	"groupscope/core/sim"
)

// The pace of playing, in milliseconds of the viewer's time at speed 1.
const (
	// Motion is how long anything moves after a stop was entered.
	Motion protocol.Duration = 640
	// PulseTime is how long an idle heartbeat is seen.
	PulseTime protocol.Duration = 600

	shortDwell   = 900  // at a stop without the author's words
	leastDwell   = 1600 // at one with a few words
	mostDwell    = 4000 // at one with many
	startDwell   = 700  // where playing begins
	dwellALetter = 30   // for each letter beyond the few
	fewLetters   = 30

	leastTravel   = 200  // between two stops, for a moment of virtual time
	mostTravel    = 1200 // for however long
	travelASecond = 25   // for each virtual second beyond the moment

	mostAdvance = 100 // what one call takes in of a gap

	// Above this speed nothing moves, since the next stop comes too soon.
	mostMovingSpeed = 4
)

// The speeds a player runs at.
const (
	LeastSpeed = 0.25
	MostSpeed  = 8
)

// Player is a viewer's place in a recording. Not for concurrent use.
type Player struct {
	rec     *Recording
	branch  *branch
	playing bool
	speed   float64
	dwell   float64 // left at this stop, viewer's ms at speed 1
	journey journey

	cursor cursor
	frame  Frame
	// released remembers ReleasedAt's answers for the current stop.
	released map[protocol.Partition]string
}

// cursor is a world of the player's own, at a tick of a track, so that going
// forward continues where the last frame stood.
type cursor struct {
	track *track
	tick  int
	world *sim.World
}

// NewPlayer stands at the recording's first stop.
func NewPlayer(rec *Recording) *Player {
	p := &Player{rec: rec, branch: rec.branches[0], speed: 1}
	p.frame.Rules = rec.Rules
	p.frame.LabelAt = p.labelAt
	p.frame.ReleasedAt = p.releasedAt
	p.enter(0, false)
	return p
}

// Recording is what is played.
func (p *Player) Recording() *Recording { return p.rec }

// Branch is the id of the branch that is played.
func (p *Player) Branch() string { return p.branch.id }

// Branches lists the recording's branches.
func (p *Player) Branches() []Branch { return p.rec.Branches() }

// Stops lists the stops of the branch that is played.
func (p *Player) Stops() []Stop { return p.branch.track.allStops() }

// Len is the number of stops of the branch that is played.
func (p *Player) Len() int { return p.branch.track.len() }

// Stop is the index of the stop on screen.
func (p *Player) Stop() int { return p.frame.Stop.Index }

// Playing reports whether the player goes on by itself.
func (p *Player) Playing() bool { return p.playing }

// Speed is the factor on the pace of playing.
func (p *Player) Speed() float64 { return p.speed }

// AtEnd reports whether the last stop is on screen.
func (p *Player) AtEnd() bool { return p.Stop() == p.Len()-1 }

// Moving reports whether the frame will change by itself.
func (p *Player) Moving() bool {
	return p.playing || p.frame.Age < Settled || len(p.frame.Pulses) > 0
}

// Frame is what is on screen. It is the player's own and changes with it;
// what it points to does not.
func (p *Player) Frame() *Frame { return &p.frame }

// Play goes on from where it stands; from the last stop it starts again.
func (p *Player) Play() {
	if p.playing {
		return
	}
	if p.AtEnd() {
		p.enter(0, false)
	}
	p.playing = true
	p.dwell = min(p.dwell, startDwell) // its words were there to read before
	if !p.journey.on && p.dwell <= 0 {
		p.depart()
	}
}

// Pause stands still, between two stops if need be.
func (p *Player) Pause() { p.playing = false }

// SetSpeed changes the pace, within LeastSpeed and MostSpeed.
func (p *Player) SetSpeed(x float64) error {
	if !(x >= LeastSpeed && x <= MostSpeed) {
		return refuse("The speed is between %v and %v.", LeastSpeed, MostSpeed)
	}
	p.speed = x
	return nil
}

// Seek jumps to a stop; nothing moves. Playing goes on from there.
func (p *Player) Seek(stop int) error {
	if stop < 0 || stop >= p.Len() {
		return refuse("There is no stop %d: the first is 0, the last %d.", stop, p.Len()-1)
	}
	p.enter(stop, false)
	return nil
}

// SeekStep jumps to the stop with that step's name or label.
func (p *Player) SeekStep(name string) error {
	t := p.branch.track
	for i := range t.len() {
		if t.stop(i).Step == name && name != "" {
			return p.Seek(i)
		}
	}
	for i := range t.len() {
		if t.stop(i).Label == name {
			return p.Seek(i)
		}
	}
	return refuse("There is no step %q here. The steps are %s.", name, p.stepNames())
}

func (p *Player) stepNames() string {
	var names []string
	for _, s := range p.Stops() {
		if s.Step != "" {
			names = append(names, s.Step)
		} else if s.Index == 0 || strings.HasPrefix(s.Label, "+") {
			names = append(names, s.Label)
		}
	}
	const most = 20
	if n := len(names); n > most {
		names = append(names[:most/2], append([]string{"…"}, names[n-most/2:]...)...)
	}
	return strings.Join(names, ", ")
}

// StepBy goes on or back by that many stops, as far as there are any, and
// pauses. One step forward moves, all else jumps. Between two stops the first
// step back leads to the one before.
func (p *Player) StepBy(n int) {
	p.playing = false
	if p.journey.on && n < 0 {
		n++
	}
	to := min(max(p.Stop()+n, 0), p.Len()-1)
	if to == p.Stop() && !p.journey.on {
		return
	}
	p.enter(to, n == 1 && to > p.Stop())
}

// Home jumps to the first stop.
func (p *Player) Home() { p.enter(0, false) }

// violatedSince names the stop since which something is broken that broke at
// an instant: of several at that instant, the first one that shows it.
func (p *Player) violatedSince(at protocol.Instant) string {
	t, first := p.branch.track, p.Stop()
	for first > 0 && t.stop(first-1).Violated && t.stop(first-1).At >= at {
		first--
	}
	return t.stop(first).Label
}

// labelAt is Frame.LabelAt.
func (p *Player) labelAt(at protocol.Instant) string {
	t := p.branch.track
	lo, hi := 0, p.Stop()
	for lo < hi {
		mid := (lo + hi) / 2
		if t.stop(mid).At < at {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return t.stop(lo).Label
}

// releasedAt is Frame.ReleasedAt.
func (p *Player) releasedAt(part protocol.Partition) string {
	if label, ok := p.released[part]; ok {
		return label
	}
	t, label := p.branch.track, ""
	for i := p.Stop(); i > 0 && label == ""; i-- {
		if slices.Contains(t.mark(i).released, part) {
			label = t.stop(i).Label
		}
	}
	if p.released == nil {
		p.released = map[protocol.Partition]string{}
	}
	p.released[part] = label
	return label
}
