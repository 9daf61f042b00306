package board

import (
	"groupscope/core/record"
	"groupscope/render/scene"
)

// row draws one member: at the left what its client believes, in the panel
// what the coordinator holds, and between them their messages.
func (d *drawing) row(p pen, i int) {
	r := &d.rows[i]
	l := &d.l
	top := r.y - 6 - d.above
	d.region(regionKey{kind: memberRegion, name: r.name, client: r.client, member: r.member},
		l.name-6, top, l.panel[1]-6-(l.name-6), d.pitch-6)
	d.name(p, r)
	d.process(p, i)
	if l.ownView {
		d.own(p, i)
	}
	d.coordinator(p, i)
	d.messages(p, r)
}

// name draws the member's name, before the chips or in a line above them.
func (d *drawing) name(p pen, r *row) {
	l := &d.l
	color := scene.Ink
	if r.absent() {
		color = scene.Ink2
	}
	y := middle(r.y, d.rowHeight(), l.nameSize)
	room := d.nameRoom()
	if d.above > 0 {
		y = r.y - 11
		room = l.own + l.column - l.name
		if !l.ownView {
			room = l.current + l.column - l.name
		}
	}
	text := d.w.cut(r.name, l.nameSize, scene.Medium, room, true)
	p.text(l.name, y, text, l.nameSize, scene.Medium, color)
	w := d.w.width(text, l.nameSize, scene.Medium)
	d.pulse(r, l.name+min(w, 24)/2, y-l.nameSize*0.36, max(l.nameSize*0.8, 14))
	if d.v.Selected != "" && d.selectedMember(r.name) {
		d.brackets(p, l.name, y-l.nameSize*0.75, w, l.nameSize*0.8)
	}
}

// rowHeight is that of a row's chips.
func (d *drawing) rowHeight() float32 {
	return float32(d.lineCount()-1)*d.l.lineH + d.l.chipH
}

// badgeY is where a row's epoch badges stand.
func (d *drawing) badgeY(y float32) float32 {
	return y + floor((d.rowHeight()-d.l.rowBadge.h)/2)
}

// wordsY is the baseline of words that stand in place of a row's chips.
func (d *drawing) wordsY(y float32) float32 { return y + d.rowHeight()/2 + 5 }

// more is how much higher than one line of chips a row is.
func (d *drawing) more() float32 { return float32(d.lineCount()-1) * d.l.lineH }

// readTwice joins two clients that read the same partition by an alert line
// with a tag under the upper one; it returns the tag's left edge.
func (d *drawing) readTwice(p pen, i int) (at float32, ok bool) {
	l := &d.l
	cells := d.cellsOf(i)
	for s := range cells {
		if !cells[s].ownAlert {
			continue
		}
		j := d.otherReader(i, s)
		if j < 0 {
			continue
		}
		up, low := min(i, j), max(i, j)
		x, y0 := d.slotAt(l.own, d.rows[up].y, &d.slots[s])
		_, y1 := d.slotAt(l.own, d.rows[low].y, &d.slots[s])
		const w, h = 96, 26
		cx := x + l.chipW/2
		tag := min(cx-w/2, l.own+l.column-w+8)
		p.down(cx, y0+l.chipH+6, y1-6, 2, scene.Alert)
		p.shape(rounded(tag, y0+l.chipH+18, w, h, 4, scene.AlertWash, scene.Alert))
		p.label(scene.Label{X: tag + w/2, Y: middle(y0+l.chipH+18, h, l.small), Text: "read twice", Size: l.small,
			Weight: scene.Medium, Color: scene.Alert, Anchor: scene.Middle})
		if up == i {
			return tag, true
		}
	}
	return 0, false
}

func rounded(x, y, w, h, r float32, fill, stroke scene.Color) scene.Shape {
	return scene.Shape{X: x, Y: y, W: w, H: h, Radii: round(r), Fill: fill, Stroke: stroke, Width: 1.5}
}

// otherReader is another shown row whose client reads the slot's partition.
func (d *drawing) otherReader(i, s int) int {
	for j := range d.rows {
		if c := d.cellsOf(j)[s].own; j != i && d.rows[j].shown && (c == owned || c == pending) {
			return j
		}
	}
	return -1
}

// coordinator draws what the coordinator holds for the member.
func (d *drawing) coordinator(p pen, i int) {
	r, l := &d.rows[i], &d.l
	m := r.member
	if m == nil {
		p.text(l.badge, d.wordsY(r.y), d.noMember(r), l.small, scene.Regular, scene.Ink2)
		return
	}
	badgeY := d.badgeY(r.y)
	if l.atBadge() && m.State != record.Stable {
		badgeY -= 11
	}
	d.memberBadge(p, r, l.badge, badgeY)
	d.held(p, i, r.y, r.y)
	d.endpoint(p, r)
	d.stateUnder(p, r, badgeY)
	d.timers(p, r)
}

// noMember says why the coordinator holds nothing for a row.
func (d *drawing) noMember(r *row) string {
	switch {
	case r.was != nil:
		return "removed from the group"
	case r.absent() && !d.l.ownView:
		return "not in the group yet"
	case !r.absent() && r.client != nil && r.client.State != "CLOSED":
		return "not in the group"
	}
	return ""
}

// memberBadge is the member's epoch in the books.
func (d *drawing) memberBadge(p pen, r *row, x, y float32) {
	m, b := r.member, d.l.rowBadge
	was, is := m.MemberEpoch, m.MemberEpoch
	if r.was != nil {
		was = r.was.MemberEpoch
	}
	if g := d.f.State.Group; g.Classic != nil {
		was, is = g.Classic.Generation, g.Classic.Generation
	}
	right := d.epoch(p, x, y, b, r.change.Epoch && r.was != nil, was, is)
	if !d.l.ownView && d.form == chips && d.marked(r) {
		d.statusMark(p, right-1, y+2)
	}
	if r.wrong {
		d.alarm(p, x, y, right-x, b.h, b.h/2)
	}
}

// held draws the chips of the current and the target column, which start at
// these heights.
func (d *drawing) held(p pen, i int, currentY, targetY float32) {
	r, l := &d.rows[i], &d.l
	m := r.member
	cells := d.cellsOf(i)
	for s := range d.slots {
		sl := &d.slots[s]
		x, y := d.slotAt(l.current, currentY, sl)
		look := cells[s].current
		if sl.holder == i && sl.change.Granted() && sl.change.To == m.ID {
			if j := d.travel(sl); j.moving {
				look = empty
				if sl.change.From == "" {
					look = free
				}
			}
		}
		k := d.heldChip(&cells[s], chip{x: x, y: y, look: look, epoch: m.MemberEpoch, under: scene.Panel})
		d.chip(p, sl, k)
		k.look = cells[s].current
		d.chipRegion(sl, r, currentColumn, k)
		if cells[s].currentAlert {
			d.alarm(p, x, y, l.chipW, l.chipH, l.radius)
		}
		x, y = d.slotAt(l.target, targetY, sl)
		look = empty
		if cells[s].target {
			look = target
		}
		k = chip{x: x, y: y, look: look, epoch: d.targetEpoch(), under: scene.Panel, role: cells[s].targetRole}
		d.chip(p, sl, k)
		d.chipRegion(sl, r, targetColumn, k)
	}
	d.ringRun(p, l.current, currentY, d.slots, func(s int) bool {
		return cells[s].currentRing && !cells[s].currentAlert && (d.still || d.travel(&d.slots[s]).landed > 0)
	})
	d.ringRun(p, l.target, targetY, d.slots, func(s int) bool { return cells[s].targetRing })
}

// heldChip adds what the books say of a task's role. Where clients have no
// place of their own, what they know of its state stands here.
func (d *drawing) heldChip(c *cell, k chip) chip {
	k.role, k.part, k.next = c.currentRole, c.currentPart, c.currentNext
	if !d.l.ownView && d.form == chips && k.look == owned && k.role == active && c.ownRestores {
		k.restores, k.part = true, c.ownPart
	}
	return k
}

// stateUnder is the member's state in words, under its chips or its badge.
func (d *drawing) stateUnder(p pen, r *row, badgeY float32) {
	l := &d.l
	x, y := l.current, r.y+d.more()+l.stateDY
	if l.atBadge() {
		x, y = l.badge, badgeY+l.rowBadge.h+20
	} else if l.stateDY == 0 {
		return
	}
	old, now := d.crossfade(r.change.State && r.was != nil)
	if old > 0 {
		d.stateWordAt(p.faded(old), x, y, r.was.State)
	}
	d.stateWordAt(p.faded(now), x, y, r.member.State)
}

func (d *drawing) stateWordAt(p pen, x, y float32, s record.MemberState) {
	weight, color := scene.Medium, scene.Ink
	if s == record.Stable {
		if d.l.atBadge() {
			return
		}
		weight, color = scene.Regular, scene.Ink2
	}
	p.text(x, y, stateWord(s), d.l.small, weight, color)
}
