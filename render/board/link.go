package board

import "groupscope/render/scene"

// A link is a dotted line beside the current column, never a message: from a
// chip that waits to the chip it waits for, or along the way that partitions
// took in this step. Partitions that go the same way share one.
type link struct {
	fromY, toY float32 // of the rows
	from, to   *slot   // the rightmost of them
	trail      bool    // it has an arrowhead; else a dot at the holder
	chipFrom   bool    // there is a chip at its beginning, not an empty slot
}

// mostLinks is how many lines fit beside the column and can still be told
// apart; where there are more, the locks say it alone.
const mostLinks = 4

func (d *drawing) links(p pen) {
	var found [mostLinks]link
	links := found[:0]
	for s := range d.slots {
		sl := &d.slots[s]
		k, ok := d.linkOf(sl)
		if !ok {
			continue
		}
		joined := false
		for i := range links {
			if o := &links[i]; o.fromY == k.fromY && o.toY == k.toY && o.trail == k.trail {
				o.from, o.to, joined = sl, sl, true
			}
		}
		if joined {
			continue
		}
		if len(links) == mostLinks {
			return
		}
		links = append(links, k)
	}
	room := d.l.target - d.l.current - d.l.column
	x := d.l.current + d.l.column + floor(room/3)
	step := min(8, (room*2/3-4)/mostLinks)
	for i := range links {
		d.link(p, &links[i], x+float32(i)*step)
	}
}

// linkOf is the line that belongs to a slot's partition.
func (d *drawing) linkOf(sl *slot) (k link, ok bool) {
	k = link{from: sl, to: sl}
	c := &sl.change
	if c.From != c.To {
		from, to := d.rowOf(c.From), d.rowOf(c.To)
		k.trail = true
		k.fromY, k.toY = d.laneY, d.laneY
		if from != nil {
			k.fromY = from.y
		}
		if to != nil {
			k.toY = to.y
		}
		gone := from != nil && !from.shown || to != nil && !to.shown
		return k, !gone && from != to
	}
	if sl.waiter < 0 || sl.holder < 0 || !d.rows[sl.waiter].shown || !d.rows[sl.holder].shown {
		return k, false
	}
	k.chipFrom = true
	k.fromY, k.toY = d.rows[sl.waiter].y, d.rows[sl.holder].y
	return k, true
}

func (d *drawing) link(p pen, k *link, x float32) {
	if k.trail && !d.still {
		j := d.travel(k.to)
		if j.moving {
			return
		}
		p = p.faded(j.landed)
	}
	y0 := d.linkEnd(p, k, k.from, k.fromY, x, false)
	y1 := d.linkEnd(p, k, k.to, k.toY, x, true)
	p.dottedDown(x, y0, y1)
}

// linkEnd draws one end of a line and returns the height at which it meets
// the part beside the column. It runs level with the chips, or above them
// where another chip stands between.
func (d *drawing) linkEnd(p pen, k *link, sl *slot, rowY, x float32, end bool) float32 {
	l := &d.l
	cx, y := d.slotAt(l.current, rowY, sl)
	removed := d.removedRow(rowY)
	chip := end || k.chipFrom
	if d.clearRight(sl, rowY) {
		mid := y + l.chipH/2
		at := cx + l.chipW/2 + 14
		if chip {
			at = cx + l.chipW + 4
		}
		if removed > 0 {
			at = removed
		}
		switch {
		case end && k.trail:
			at = cx + l.chipW + d.ringForm().off + 3.5
			p.mark(scene.TriangleLeft, at, mid-4.5, 8, 9, scene.Ink2)
			at += 8
		case end:
			at = cx + l.chipW + d.ringForm().off + 4.5
			p.disc(at, mid, 3, scene.Ink2)
		}
		if at < x {
			p.dottedAcross(at, x, mid)
		}
		return mid
	}
	over := y - d.ringForm().off*2 - 3
	mid := cx + l.chipW/2
	p.dottedAcross(mid, x, over)
	switch {
	case end && k.trail:
		p.mark(scene.TriangleDown, mid-4, over, 8, 6, scene.Ink2)
	case end:
		p.disc(mid, over, 3, scene.Ink2)
	case !chip:
		p.dottedDown(mid, over, y+l.chipH/2-8)
	default:
		p.dottedDown(mid, over, y-1)
	}
	return over
}

// clearRight: no chip stands to the right of the slot in that row of the
// current column.
func (d *drawing) clearRight(sl *slot, rowY float32) bool {
	for s := range d.slots {
		o := &d.slots[s]
		if o.line != sl.line || o.col <= sl.col {
			continue
		}
		if rowY == d.laneY {
			if d.laneLook(o) != empty {
				return false
			}
			continue
		}
		for i := range d.rows {
			if r := &d.rows[i]; r.shown && r.y == rowY && r.member != nil && d.cellsOf(i)[s].current != empty {
				return false
			}
		}
	}
	return true
}

// removedRow is where the words of a row without a member end, 0 for a row
// with one.
func (d *drawing) removedRow(rowY float32) float32 {
	for i := range d.rows {
		if r := &d.rows[i]; r.shown && r.y == rowY && r.member == nil {
			return d.l.badge + d.w.width("removed from the group", d.l.small, scene.Regular) + 10
		}
	}
	return 0
}
