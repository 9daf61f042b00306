package board

import (
	"groupscope/core/playback"
	"groupscope/core/protocol"
	"groupscope/render/scene"
)

// defaultSession is Kafka's group.consumer.session.timeout.ms, for a state
// that does not say.
const defaultSession = 45 * protocol.Second

// timer is one running timer of a member.
type timer struct {
	name     string
	left, of protocol.Duration
}

// part is how much of it is left.
func (t timer) part() float32 {
	if t.of <= 0 {
		return 0
	}
	return min(1, float32(t.left)/float32(t.of))
}

// late: the last tenth has begun.
func (t timer) late() bool { return t.part() <= 0.1 }

func (d *drawing) session(r *row) (timer, bool) {
	m := r.member
	of := d.f.State.SessionTimeout
	if of == 0 {
		of = defaultSession
	}
	return timer{"session", max(0, m.SessionDeadline.Sub(d.f.Now)), of}, m.SessionDeadline > 0
}

func (d *drawing) rebalance(r *row) (timer, bool) {
	m := r.member
	return timer{"revoke", max(0, m.RebalanceDeadline.Sub(d.f.Now)), m.RebalanceTimeout}, m.RebalanceDeadline > 0
}

// timers draws the member's running timers in the layout's form.
func (d *drawing) timers(p pen, r *row) {
	l := &d.l
	session, hasSession := d.session(r)
	revoke, hasRevoke := d.rebalance(r)
	y := r.y + d.more() + l.stateDY
	switch l.timer {
	case twoTimers:
		if hasSession {
			d.timerLine(p, y, session)
		}
		if hasRevoke {
			d.timerLine(p, y+20, revoke)
		}
	case oneTimer:
		if hasRevoke {
			session, hasSession = revoke, true
		}
		if !hasSession {
			return
		}
		if l.words {
			d.timerLine(p, y, session)
			return
		}
		if l.tasks {
			p.text(l.current, y, session.name, l.small, scene.Regular, scene.Ink2)
			d.bar(p, l.current+58, y-8, 88, session)
			d.timerValue(p, l.current+154, y, session, scene.Start)
			return
		}
		x := l.current + 86
		d.bar(p, x, y-8, 48, session)
		d.timerValue(p, x+54, y, session, scene.Start)
	case timerColumn:
		d.timerBox(p, r, session, hasSession, revoke, hasRevoke)
	}
}

// timerLine is a name, a bar and the seconds, ending where the column does.
func (d *drawing) timerLine(p pen, y float32, t timer) {
	end := d.l.current + d.l.column
	d.bar(p, end-98, y-8, 52, t)
	d.timerValue(p, end, y, t, scene.End)
	if d.l.column >= 248 {
		p.text(end-160, y, t.name, d.l.small, scene.Regular, scene.Ink2)
	}
}

// timerBox is for rows without room beside the chips: a bar alone, or with
// name and value when there is something to see.
func (d *drawing) timerBox(p pen, r *row, session timer, hasSession bool, revoke timer, hasRevoke bool) {
	t, says := session, session.part() < 0.4
	if hasRevoke {
		t, says = revoke, true
	} else if !hasSession {
		return
	}
	x := d.l.current + d.l.column + 24
	mid := r.y + floor(d.rowHeight()/2)
	if !says || d.rowHeight() < 50 {
		d.bar(p, x, mid-2, 48, t)
		return
	}
	d.bar(p, x, mid-2, 48, t)
	p.text(x, mid-9, t.name, d.l.small, scene.Regular, scene.Ink2)
	d.timerValue(p, x, mid+23, t, scene.Start)
}

// bar drains to the left.
func (d *drawing) bar(p pen, x, y, w float32, t timer) {
	p.rect(x, y, w, 6, 3, scene.Hair)
	color := scene.Ink2
	if t.late() {
		color = scene.Alert
	}
	if t.left > 0 {
		p.rect(x, y, max(6, w*t.part()), 6, 3, color)
	}
}

func (d *drawing) timerValue(p pen, x, y float32, t timer, at scene.Anchor) {
	weight, color := scene.Regular, scene.Ink
	if at == scene.Start && d.l.timer == oneTimer {
		color = scene.Ink2
	}
	if t.late() {
		weight, color = scene.Medium, scene.Alert
	}
	p.label(scene.Label{X: x, Y: y, Text: d.w.seconds(t.left), Size: d.l.small, Weight: weight, Color: color, Anchor: at})
}

// seconds is a duration for a timer: whole seconds, from 1000 on minutes.
func (w *words) seconds(left protocol.Duration) string {
	n, unit := playback.CountDown(left)
	w.line = append(w.line[:0], w.number(int32(n))...)
	w.line = append(append(w.line, ' '), unit...)
	return w.intern(w.line)
}
