package board

import (
	"groupscope/core/playback"
	"groupscope/render/scene"
)

// How long things take, in milliseconds of the viewer's time.
const (
	moveTime   = 240
	settleTime = 120
	fadeTime   = 160
	arrowTime  = 320
	pulseTime  = 600
	mostMoving = 200 // more chips at once do not move
)

// clock finds out how old the step is; motion that is over, unwanted or too
// much is drawn as its end.
func (d *drawing) clock() {
	d.age = 1e9
	d.still = d.v.ReducedMotion || d.f.Age >= playback.Settled || d.f.Before == nil
	if c := d.f.Changes; c != nil && len(c.Partitions) > mostMoving {
		moving := 0
		for i := range c.Partitions {
			if p := &c.Partitions[i]; p.From != p.To {
				moving++
			}
		}
		d.still = d.still || moving > mostMoving
	}
	if !d.still {
		d.age = max(0, float32(d.f.Age))
	}
}

// progress is how far something is that starts at an age and takes so long;
// while it is not over, the scene is moving.
func (d *drawing) progress(from, takes float32) float32 {
	if d.still || d.age >= from+takes {
		return 1
	}
	d.s.Moving = true
	if d.age <= from {
		return 0
	}
	return ease((d.age - from) / takes)
}

// ease is cubic-bezier(0.2, 0, 0, 1): x is time, the result the way gone.
func ease(x float32) float32 {
	lo, hi := float32(0), float32(1)
	for range 20 {
		t := (lo + hi) / 2
		if bezier(t, 0.2, 0) < x {
			lo = t
		} else {
			hi = t
		}
	}
	return bezier((lo+hi)/2, 0, 1)
}

func bezier(t, a, b float32) float32 {
	u := 1 - t
	return 3*u*u*t*a + 3*u*t*t*b + t*t*t
}

// journey is the way of a partition in this step, in the current column.
type journey struct {
	moving bool // it has not arrived, or not taken its owner's hue
	flying bool // it is drawn at y instead of in its slot
	y      float32
	look   look    // of the flying chip
	filled float32 // how much of its new owner's hue it has
	landed float32 // opacity of the ring that says it moved
}

// travel works out the journey of a slot's partition.
func (d *drawing) travel(sl *slot) (j journey) {
	c := &sl.change
	j.filled, j.landed = 1, 1
	if d.still || c.From == c.To {
		return j
	}
	from, to := d.rowOf(c.From), d.rowOf(c.To)
	if from == to || c.From != "" && (from == nil || !from.shown) || c.To != "" && (to == nil || !to.shown) {
		return j // within a row a member came back under another id
	}
	start := float32(0)
	lane, away := d.laneY, d.step // the current line of a card is its second
	at := lane
	j.look = nobody
	if c.From == "" && c.To != "" {
		j.look = fresh
		if d.wasNobody(sl) {
			j.look = nobody
		}
	}
	if from != nil {
		if from.fenced {
			start = fadeTime
			if d.progress(0, start) < 1 {
				return journey{moving: true, flying: true, y: from.y + away, look: fenced, filled: 1}
			}
		}
		t := d.progress(start, moveTime)
		at = from.y + away + (lane-from.y-away)*t
		if t < 1 {
			return journey{moving: true, flying: true, y: at, look: nobody, filled: 1}
		}
		start += moveTime
	}
	if to != nil {
		t := d.progress(start, moveTime)
		at = lane + (to.y+away-lane)*t
		if t < 1 {
			return journey{moving: true, flying: true, y: at, look: j.look, filled: 1}
		}
		start += moveTime
		if j.filled = d.progress(start, settleTime); j.filled < 1 {
			j.moving, j.flying, j.y = true, true, at
		}
	}
	j.landed = d.progress(start, fadeTime)
	return j
}

// wasNobody reports that the partition had an owner earlier.
func (d *drawing) wasNobody(sl *slot) bool {
	for _, u := range d.f.Before.Unowned {
		if u.Partition == sl.p {
			return !u.Never
		}
	}
	return false
}

// rowOf is the row of a member id, now or before this step; nil for none.
func (d *drawing) rowOf(id string) *row {
	if id == "" {
		return nil
	}
	for i := range d.rows {
		if r := &d.rows[i]; r.member != nil && r.member.ID == id {
			return r
		}
	}
	for i := range d.rows {
		if r := &d.rows[i]; r.was != nil && r.was.ID == id {
			return r
		}
	}
	return nil
}

// pulse is the ring around the name of a member whose heartbeat changed
// nothing: it grows and fades.
func (d *drawing) pulse(r *row, cx, cy, radius float32) {
	if d.v.ReducedMotion {
		return
	}
	for i := range d.f.Pulses {
		p := &d.f.Pulses[i]
		if p.Member != r.name || p.Age < 0 || p.Age >= pulseTime {
			continue
		}
		d.s.Moving = true
		t := ease(float32(p.Age) / pulseTime)
		d.over().faded(1-t).circle(cx, cy, radius*(1+0.3*t), 1.5, scene.Ink2)
	}
}

// crossfade gives the opacities of what was and what is.
func (d *drawing) crossfade(changed bool) (was, is float32) {
	if !changed {
		return 0, 1
	}
	t := d.progress(0, fadeTime)
	return 1 - t, t
}
