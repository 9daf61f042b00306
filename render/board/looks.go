package board

import (
	"groupscope/core/protocol"
	"groupscope/render/scene"
)

// looksOf are what partitions and tasks look like, for the help.
var (
	looksOfPartitions = []namedLook{
		{chip{look: owned, epoch: 5}, "owned"},
		{chip{look: pending, epoch: 5}, "to be given up"},
		{chip{look: waiting, epoch: 5}, "waits until another gives it up"},
		{chip{look: free, epoch: 5}, "free to take"},
		{chip{look: target, epoch: 5}, "in the target"},
		{chip{look: nobody}, "nobody owns it"},
		{chip{look: fresh}, "has had no owner yet"},
		{chip{look: fenced, epoch: 5}, "lost by being fenced"},
	}
	looksOfTasks = []namedLook{
		{chip{look: owned, epoch: 5}, "active"},
		{chip{look: owned, epoch: 5, role: standby}, "standby"},
		{chip{look: owned, epoch: 5, role: warmup, part: 0.6}, "warm-up, as far as it is"},
		{chip{look: owned, epoch: 5, restores: true, part: 0.5}, "active, still restores its state"},
		{chip{look: pending, epoch: 5}, "to be given up, in its role"},
		{chip{look: waiting, epoch: 5}, "waits until another gives it up"},
		{chip{look: owned, epoch: 5, role: warmup, part: 1, next: waiting}, "warm-up, waits to be active"},
		{chip{look: free, epoch: 5}, "free to take, or being opened"},
		{chip{look: target, epoch: 5}, "in the target, active"},
		{chip{look: target, epoch: 5, role: standby}, "in the target, standby"},
		{chip{look: target, epoch: 5, role: warmup}, "in the target, warm-up"},
		{chip{look: nobody}, "nobody runs it"},
		{chip{look: fresh}, "nobody has run it yet"},
		{chip{look: fenced, epoch: 5}, "lost by being fenced"},
	}
)

// namedLook is a chip and what it means.
type namedLook struct {
	is   chip
	text string
}

// looksPitch is from one line of the legend to the next, looksColumn the least
// width of a column.
const (
	looksPitch  = 38
	looksColumn = 300
)

// Looks draws the legend of all looks into dst, which it resets first: of
// tasks or of partitions, and of what both kinds of groups have. It is as high
// as it needs.
func Looks(dst *scene.Scene, streams bool, width float32) {
	dst.Reset()
	dst.Width, dst.Title = width, "What partitions, epochs, timers and alerts look like."
	entries, label := looksOfPartitions, "foo-2"
	if streams {
		entries, label = looksOfTasks, "0_1"
		dst.Title = "What tasks, epochs, timers and alerts look like."
	}
	var w work
	w.words.fresh()
	d := &drawing{s: dst, v: &View{Width: width}, w: &w.words, streams: streams, still: true, form: chips}
	d.l = layout{chipW: 56, chipH: 30, gap: 8, radius: 6, chip: 14, small: 14, ownView: true, timer: timerColumn}
	p := d.base()
	columns := max(1, int(width/looksColumn))
	each := floor(width / float32(columns))
	n := 0
	next := func() (x, y float32) {
		x, y = float32(n%columns)*each+8, float32(n/columns)*looksPitch+6
		n++
		return x, y
	}
	words := func(x, y float32, text string) {
		p.text(x+76, y+20, d.w.cut(text, 14, scene.Regular, each-86, false), 14, scene.Regular, scene.Ink)
	}
	sl := &slot{label: label, width: d.w.width(label, 14, scene.Medium)}
	for _, k := range entries {
		x, y := next()
		k.is.x, k.is.y, k.is.under = x, y, scene.Raised
		d.chip(p, sl, k.is)
		words(x, y, k.text)
	}
	x, y := next()
	d.chip(p, sl, chip{x: x, y: y, look: owned, epoch: 5})
	d.ringAround(p, x, y, d.l.chipW, d.l.chipH, round(6))
	words(x, y, "changed in this step")
	x, y = next()
	d.chip(p, sl, chip{x: x, y: y, look: owned, epoch: 5})
	d.alarm(p, x, y, d.l.chipW, d.l.chipH, 6)
	words(x, y, "breaks an invariant")
	d.looksOfGroups(p, next, words, streams)
	rows := (n + columns - 1) / columns
	dst.Height = d.looksOfEpochs(p, float32(rows)*looksPitch+6)
}

// looksOfGroups are timers, messages and statuses.
func (d *drawing) looksOfGroups(p pen, next func() (x, y float32), words func(x, y float32, text string), streams bool) {
	x, y := next()
	d.bar(p, x, y+12, 56, timer{left: 7 * protocol.Second, of: 10 * protocol.Second})
	words(x, y, "a timer, and what is left of it")
	x, y = next()
	d.bar(p, x, y+12, 56, timer{left: protocol.Second / 2, of: 10 * protocol.Second})
	words(x, y, "it is about to run out")
	x, y = next()
	p.across(x, x+50, y+15, 2, scene.Ink)
	p.mark(scene.TriangleRight, x+48, y+11, 8, 8, scene.Ink)
	words(x, y, "a heartbeat, or its answer")
	x, y = next()
	p.across(x, x+28, y+15, 2, scene.Ink)
	p.mark(scene.Cross, x+28, y+10, 10, 10, scene.Alert)
	words(x, y, "it is lost")
	if streams {
		x, y = next()
		d.statusMark(p, x+28, y+15)
		words(x, y, "its last answer had a status")
	}
}

// looksOfEpochs are the hues, in which consecutive epochs differ most; it
// returns where they end.
func (d *drawing) looksOfEpochs(p pen, y float32) float32 {
	const pitch = 42
	b := badgeForm{w: 34, h: 26, size: 15}
	x := float32(8)
	for e := range int32(9) {
		if x+b.w > d.v.Width {
			x, y = 8, y+34
		}
		p.figures(x, y, b, e)
		x += pitch
	}
	const text = "A hue is an epoch; after 8 they begin again."
	if x+8+d.w.width(text, 14, scene.Regular) > d.v.Width {
		x, y = 0, y+34
	}
	p.text(x+8, y+18, d.w.cut(text, 14, scene.Regular, d.v.Width-8, false), 14, scene.Regular, scene.Ink)
	return y + 34
}
