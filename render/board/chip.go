package board

import "groupscope/render/scene"

// chip is a partition as it is drawn.
type chip struct {
	x, y  float32
	look  look
	epoch int32 // whose hue it has
	under scene.Color
	role  role    // of a task
	part  float32 // of a warm-up, or of the state of an active task, that is done
	// Of a task that is held: what it is on its way to in another role, and
	// that its state has not caught up.
	next     look
	restores bool
}

// chip draws a partition's chip of the layout's size.
func (d *drawing) chip(p pen, sl *slot, c chip) {
	l := &d.l
	if c.look == empty {
		d.dot(p, c.x, c.y)
		return
	}
	s := scene.Shape{X: c.x, Y: c.y, W: l.chipW, H: l.chipH, Radii: d.corners(sl), Width: 1.5}
	edge, ink := scene.Epoch(c.epoch, scene.Edge), scene.Ink
	s.Stroke = edge
	shift := float32(0)
	if held := c.look == owned || c.look == pending; held && d.streams {
		shift, ink = d.task(p, sl, c, s)
		d.chipLabel(p, sl, c, shift, ink)
		return
	}
	switch c.look {
	case owned:
		s.Fill, ink = scene.Epoch(c.epoch, scene.Fill), scene.Epoch(c.epoch, scene.On)
	case pending:
		s.Fill, s.Pattern = scene.Paper, scene.Hatch
	case waiting, free:
		s.Dash = [2]float32{5, 3}
	case nobody:
		s.Fill, s.Stroke, s.Width = scene.Paper, scene.Ink, 2
	case fresh:
		s.Stroke, s.Dash = scene.Line, [2]float32{1.5, 3}
	case fenced:
		s.Fill, s.Stroke = scene.Paper, scene.Alert
	}
	p.shape(s)
	switch c.look {
	case pending:
		d.plateAt(p, sl, c, 0)
	case waiting:
		d.wantedMarks(p, c)
		shift = d.lock(p, sl, c)
	case target, free:
		d.wantedMarks(p, c)
	case fenced:
		d.over().faded(p.alpha1()).across(c.x+4, c.x+l.chipW-4, c.y+l.chipH/2, 2, scene.Alert)
	}
	d.chipLabel(p, sl, c, shift, ink)
}

// corners tell the topics apart; a task's name begins with its subtopology.
func (d *drawing) corners(sl *slot) [4]float32 {
	if d.streams {
		return round(d.l.radius)
	}
	return corners(sl.topic, d.l.radius)
}

func (d *drawing) chipLabel(p pen, sl *slot, c chip, shift float32, ink scene.Color) {
	l := &d.l
	y := middle(c.y, l.chipH, l.chip)
	if (c.role == warmup || c.restores) && l.chipH < 36 {
		y -= 2.5 // clear of the bar
	}
	p.label(scene.Label{
		X: c.x + l.chipW/2 + shift, Y: y, Text: sl.label, Size: l.chip,
		Weight: scene.Medium, Color: ink, Anchor: scene.Middle,
	})
}

func (p pen) alpha1() float32 {
	if p.alpha == 0 {
		return 1
	}
	return p.alpha
}

// dot marks a slot with nothing in it.
func (d *drawing) dot(p pen, x, y float32) {
	r := float32(2.5)
	if d.l.chipW < 48 {
		r = 2
	}
	p.disc(x+d.l.chipW/2, y+d.l.chipH/2, r, scene.Hair)
}

// plateAt keeps the label of a hatched or striped chip readable.
func (d *drawing) plateAt(p pen, sl *slot, c chip, shift float32) {
	l := &d.l
	w := min(sl.width+8, l.chipW-6+2*shift)
	h := min(l.chip+5, l.chipH-8)
	p.rect(c.x+(l.chipW-w)/2+shift, c.y+(l.chipH-h)/2, w, h, 4, scene.Paper)
}

// lock draws the lock of a chip that waits: before the label, or, where there
// is no room, on the chip's left edge. It returns how far the label moves.
func (d *drawing) lock(p pen, sl *slot, c chip) (shift float32) {
	l := &d.l
	k := l.chip / 15
	w, h := 10*k, 12*k
	y := c.y + (l.chipH-h)/2
	if whole := w + 5*k + sl.width; whole+10 <= l.chipW {
		x := c.x + (l.chipW-whole)/2
		p.mark(scene.Lock, x, y, w, h, scene.Ink)
		return x + w + 5*k + sl.width/2 - (c.x + l.chipW/2)
	}
	d.lockAtEdge(p, c)
	return min(3, max(0, (l.chipW-sl.width)/2-3))
}

// lockAtEdge is a lock on the left edge of a chip.
func (d *drawing) lockAtEdge(p pen, c chip) {
	p.rect(c.x-5.5, c.y+d.l.chipH/2-9, 11, 18, 0, c.under)
	p.mark(scene.Lock, c.x-5, c.y+d.l.chipH/2-6, 10, 12, scene.Ink)
}

// ring is what says "changed in this step": around a box, in ink; tight in
// small layouts.
type ring struct{ off, width, grow float32 }

func (d *drawing) ringForm() ring {
	if d.l.chipW >= 64 && d.l.gap >= 12 {
		return ring{4.5, 2.5, 4}
	}
	return ring{3, 2, 2.5}
}

// rings draws the rings of some neighbouring slots of a line, one around
// several where they would touch. at gives the x of a slot and whether it has
// a ring.
func (d *drawing) ringRun(p pen, x, y float32, slots []slot, has func(i int) bool) {
	r := d.ringForm()
	joins := d.l.gap <= 2*r.off+r.width+1
	for i := 0; i < len(slots); i++ {
		if !has(i) {
			continue
		}
		j := i
		for joins && j+1 < len(slots) && slots[j+1].line == slots[i].line && slots[j+1].col == slots[j].col+1 && has(j+1) {
			j++
		}
		x0, y0 := d.slotAt(x, y, &slots[i])
		x1, _ := d.slotAt(x, y, &slots[j])
		d.ringAround(p, x0, y0, x1-x0+d.l.chipW, d.l.chipH, d.corners(&slots[i]))
		i = j
	}
}

func (d *drawing) ringAround(p pen, x, y, w, h float32, radii [4]float32) {
	r := d.ringForm()
	for i := range radii {
		if radii[i] > 0 {
			radii[i] += r.grow
		} else {
			radii[i] = r.off
		}
	}
	p.shape(scene.Shape{X: x - r.off, Y: y - r.off, W: w + 2*r.off, H: h + 2*r.off, Radii: radii, Stroke: scene.Ink, Width: r.width})
}

// alarm is the ring of what is wrong, with a crossed disc at its corner.
func (d *drawing) alarm(p pen, x, y, w, h, radius float32) {
	r := d.ringForm()
	x, y, w, h = x-r.off, y-r.off, w+2*r.off, h+2*r.off
	p.outline(x, y, w, h, radius+r.grow, 2.5, scene.Alert)
	cx, cy := x+w-2, y+2
	q := d.over()
	q.shape(scene.Shape{X: cx - 8, Y: cy - 8, W: 16, H: 16, Radii: round(8), Fill: scene.Paper, Stroke: scene.Alert, Width: 2})
	q.mark(scene.Cross, cx-4, cy-4, 8, 8, scene.Alert)
}

// brackets are the four corners around what is selected.
func (d *drawing) brackets(p pen, x, y, w, h float32) {
	off := float32(5)
	if d.ringForm().off > 4 {
		off = 8
	}
	x, y, w, h = x-off, y-off, w+2*off, h+2*off
	for _, c := range [4][4]float32{{x, y, 1, 1}, {x + w, y, -1, 1}, {x, y + h, 1, -1}, {x + w, y + h, -1, -1}} {
		p.rect(min(c[0], c[0]+c[2]*8), min(c[1], c[1]+c[3]*2), 8, 2, 0, scene.Ink)
		p.rect(min(c[0], c[0]+c[2]*2), min(c[1], c[1]+c[3]*8), 2, 8, 0, scene.Ink)
	}
}

// slotAt is the place of a slot in a column that starts at x, in a row whose
// chips start at y.
func (d *drawing) slotAt(x, y float32, sl *slot) (float32, float32) {
	return x + float32(sl.col)*(d.l.chipW+d.l.gap), y + float32(sl.line)*d.l.lineH
}
