package board

import (
	"strconv"
	"strings"

	"groupscope/render/scene"
)

// lane is the last row under Current: the partitions that nobody owns.
func (d *drawing) lane(p pen) {
	l := &d.l
	line := d.laneY - l.laneGap + l.laneLine
	if l.stateDY > 0 { // not through the last row's words
		line = max(line, d.laneY-l.laneGap-d.pitch+l.stateDY+d.above+9)
	}
	if l.ownView && l.titleless {
		p.across(l.name, l.own+l.column, line+0.5, 1, scene.Hair)
	}
	from := l.badge
	if !l.ownView {
		from = l.name
	}
	p.across(from, l.panel[1]-l.panelPad, line+0.5, 1, scene.Hair)
	y := middle(d.laneY, d.rowHeight(), l.small)
	switch end := l.current - 14; {
	case l.titleless, l.timer == timerColumn:
		x := l.name
		if l.timer == timerColumn {
			x = l.badge
		}
		p.text(x, y, "nobody", l.small, scene.Regular, scene.Ink2)
	default:
		if l.gap < 12 {
			end = l.current - 9
		}
		p.textEnd(end, y, "nobody", l.small, scene.Regular, scene.Ink2)
	}
	d.laneChips(p)
	if l.titleless {
		return
	}
	weight, color := scene.Regular, scene.Ink2
	text, bad := d.laneSentence(l.column - l.rows.keysRoom())
	if bad {
		weight, color = scene.Medium, scene.Ink
	}
	p.text(l.target, y, text, l.small, weight, color)
}

func (d *drawing) laneChips(p pen) {
	for s := range d.slots {
		d.laneSlot(p, &d.slots[s])
	}
	d.ringRun(p, d.l.current, d.laneY, d.slots, func(s int) bool {
		sl := &d.slots[s]
		return sl.ring && (d.still || d.travel(sl).landed > 0)
	})
}

func (d *drawing) laneSlot(p pen, sl *slot) {
	x, y := d.slotAt(d.l.current, d.laneY, sl)
	look := d.laneLook(sl)
	if look != empty && d.travel(sl).moving {
		look = empty
	}
	d.chip(p, sl, chip{x: x, y: y, look: look, under: scene.Panel})
	if look != empty {
		d.chipRegion(sl, nil, laneColumn, chip{x: x, y: y, look: look})
	}
}

// classic: the books are those of a classic group, which do not say who has
// what.
func (d *drawing) classic() bool { return d.f.State.Group != nil && d.f.State.Group.Classic != nil }

// laneLook is what the nobody lane shows of a partition.
func (d *drawing) laneLook(sl *slot) look {
	switch {
	case d.classic():
		return empty
	case sl.holder >= 0 || d.f.State.Group == nil && sl.never && !d.subscribed():
		return empty
	case sl.never:
		return fresh
	}
	return nobody
}

// subscribed: somebody is there to want partitions.
func (d *drawing) subscribed() bool {
	for i := range d.rows {
		if !d.rows[i].absent() {
			return true
		}
	}
	return false
}

// fly draws the chips that are on their way, above all else.
func (d *drawing) fly() {
	if d.still {
		return
	}
	for s := range d.slots {
		sl := &d.slots[s]
		j := d.travel(sl)
		if !j.flying {
			continue
		}
		cx, _ := d.slotAt(d.l.current, 0, sl)
		cy := j.y + float32(sl.line)*d.l.lineH
		p := d.over()
		if j.filled < 1 {
			epoch := int32(0)
			if to := d.rowOf(sl.change.To); to != nil && to.member != nil {
				epoch = to.member.MemberEpoch
			}
			d.chip(p, sl, chip{x: cx, y: cy, look: nobody})
			d.chip(p.faded(j.filled), sl, chip{x: cx, y: cy, look: owned, epoch: epoch})
			continue
		}
		d.chip(p, sl, chip{x: cx, y: cy, look: j.look})
	}
}

// laneSentence says who has no owner and since when.
func (d *drawing) laneSentence(width float32) (text string, bad bool) {
	n, never := 0, 0
	for i := range d.slots {
		if sl := &d.slots[i]; sl.holder < 0 {
			n++
			if sl.never {
				never++
			}
		}
	}
	if d.classic() {
		return d.firstFit(width, scene.Regular, "in a classic group the leader knows who has what", "the leader knows who has what", "the leader knows"), false
	}
	if n == 0 {
		if len(d.slots) == 0 {
			return "", false
		}
		return d.firstFit(width, scene.Regular, d.w.everyOwned(d.streams), "all owned"), false
	}
	k := laneKey{d.f.State, width}
	text, ok := d.w.lane[k]
	if !ok {
		text = d.unownedSentence(n, never, width)
		if len(d.w.lane) > 1000 {
			clear(d.w.lane)
		}
		d.w.lane[k] = text
	}
	return text, never < n
}

func (d *drawing) unownedSentence(n, never int, width float32) string {
	if never == len(d.slots) {
		return d.firstFit(width, scene.Regular, "no "+nounOf(d.streams).one+" has an owner yet", "no owner yet")
	}
	var lone []*slot
	for i := range d.slots {
		if sl := &d.slots[i]; sl.holder < 0 && (!sl.never || never == n) {
			lone = append(lone, sl)
		}
	}
	weight := scene.Medium
	if never == n {
		weight = scene.Regular
	}
	yet := ""
	if never == n {
		yet = " yet"
	}
	count, few := nounOf(d.streams).count(len(lone))+" have no owner"+yet, strconv.Itoa(len(lone))+" have no owner"+yet
	switch len(lone) {
	case 1:
		name := nounOf(d.streams).name(lone[0].p)
		if since := d.sinceWhen(lone[0]); since != "" {
			return d.firstFit(width, weight, name+" has no owner since "+since, name+": nobody since "+since, name+" has no owner", "no owner")
		}
		return d.firstFit(width, weight, name+" has no owner yet", "no owner yet")
	case 2:
		return d.firstFit(width, weight, nounOf(d.streams).name(lone[0].p)+" and "+nounOf(d.streams).name(lone[1].p)+" have no owner"+yet, few)
	}
	return d.firstFit(width, weight, count, few)
}

// sinceWhen names the stop at which a partition lost its last owner. A label
// that is a word of its own stands in quotes.
func (d *drawing) sinceWhen(sl *slot) string {
	at := ""
	if sl.never {
		return at
	}
	if d.f.ReleasedAt != nil {
		at = d.f.ReleasedAt(sl.p)
	}
	if at == "" && d.f.LabelAt != nil && sl.since > 0 {
		at = d.f.LabelAt(sl.since)
	}
	if at != "" && !strings.ContainsAny(at, "0123456789") {
		return strconv.Quote(at)
	}
	return at
}

// firstFit is the first of some texts that fits a width, or the last, cut.
func (d *drawing) firstFit(width float32, weight scene.Weight, texts ...string) string {
	for _, t := range texts {
		if d.w.width(t, d.l.small, weight) <= width {
			return t
		}
	}
	return d.w.cut(texts[len(texts)-1], d.l.small, weight, width, false)
}
