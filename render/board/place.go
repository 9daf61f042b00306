package board

import (
	"groupscope/render/scene"
)

// arrange decides the places of a board of chips: which line and column a
// slot has, how wide chips are and what they say, and where rows stand.
func (d *drawing) arrange() {
	lines := d.inLines()
	d.l = pick(d.v.Width, d.v.Presentation, lines, d.streams)
	if d.l.tasks && !d.hasEndpoints() {
		d.l.w -= endpointsColumn
		d.l.target -= endpointsColumn
		d.l.panel[1] -= endpointsColumn
	}
	columns := max(d.total, 3)
	if lines {
		columns = d.lineUp(min(6, d.l.perLine(d.v.Width)))
		if d.l.chipW > 44 && !d.l.tasks {
			d.l.chipW, d.l.chipH, d.l.gap = 44, 26, 4
			d.l.lineH = 32
		}
	} else {
		for i := range d.slots {
			d.slots[i].col = i
		}
	}
	d.l.fit(d.v.Width, columns)
	d.chooseLabels()
	d.chooseNames()
	d.stack(1)
}

// inLines: each topic has lines of its own.
func (d *drawing) inLines() bool { return d.total > 6 || d.streams }

// endpointsColumn is how much room the endpoints take.
const endpointsColumn = 100

// linesFor is how many lines the topics take with so many slots a line.
func (d *drawing) linesFor(perLine int) int {
	n := 0
	for i := range d.topics {
		n += (d.topics[i].n + min(perLine, 6) - 1) / min(perLine, 6)
	}
	return n
}

// lineUp gives each topic its own lines, evenly filled, and returns the
// length of the longest.
func (d *drawing) lineUp(perLine int) (longest int) {
	line := 0
	for ti := range d.topics {
		t := &d.topics[ti]
		if t.n == 0 {
			continue
		}
		n := (t.n + perLine - 1) / perLine
		each := (t.n + n - 1) / n
		for i := range t.n {
			sl := &d.slots[t.first+i]
			sl.line, sl.col = line+i/each, i%each
		}
		line += n
		longest = max(longest, each)
	}
	return longest
}

func (d *drawing) lineCount() int {
	if len(d.slots) == 0 {
		return 1
	}
	return d.slots[len(d.slots)-1].line + 1
}

// chooseLabels writes the slots' labels, all in one way: the partition's name
// at the layout's size or smaller, else a prefix of the topic and the number.
func (d *drawing) chooseLabels() {
	pad := float32(10)
	if d.l.chipW < 64 {
		pad = 4
	}
	if d.streams {
		d.labelTasks()
		return
	}
	fits := func(dash bool, size float32) bool {
		for i := range d.slots {
			sl := &d.slots[i]
			prefix := d.topics[sl.topic].prefix
			if dash {
				prefix = string(sl.p.Topic)
			}
			if d.w.width(d.w.label(prefix, dash, sl.p.Number), size, scene.Medium) > d.l.chipW-pad {
				return false
			}
		}
		return true
	}
	dash := true
	switch {
	case d.total <= 6 && fits(true, d.l.chip):
	case d.total <= 6 && fits(true, 14):
		d.l.chip = 14
	case fits(false, d.l.chip):
		dash = false
	default:
		dash, d.l.chip = false, 14
	}
	for i := range d.slots {
		sl := &d.slots[i]
		prefix := d.topics[sl.topic].prefix
		if dash {
			prefix = string(sl.p.Topic)
		}
		sl.label = d.w.cut(d.w.label(prefix, dash, sl.p.Number), d.l.chip, scene.Medium, d.l.chipW-2, true)
		sl.width = d.w.width(sl.label, d.l.chip, scene.Medium)
	}
	d.short = !dash
}

// labelTasks names the tasks as Kafka Streams does, "0_2".
func (d *drawing) labelTasks() {
	d.l.chip = 14
	d.short = false
	for i := range d.slots {
		sl := &d.slots[i]
		sl.label = d.w.cut(d.w.taskIn(sl.p, d.l.chip, d.l.chipW-2), d.l.chip, scene.Medium, d.l.chipW-2, true)
		sl.width = d.w.width(sl.label, d.l.chip, scene.Medium)
	}
}

// chooseNames finds the size at which all names stand before the badges; if
// there is none they get a line of their own above the chips.
func (d *drawing) chooseNames() {
	d.nameIntoMargin()
	room := d.nameRoom()
	for _, size := range [...]float32{d.l.nameSize, 24, 20, 18, 16} {
		if size > d.l.nameSize {
			continue
		}
		fits := true
		for i := range d.rows {
			fits = fits && d.w.width(d.rows[i].name, size, scene.Medium) <= room
		}
		if fits {
			d.l.nameSize = size
			return
		}
	}
	d.l.nameSize = 16
	d.above = 22
	d.l.rowY += d.above
	d.l.rowH += d.above
	d.l.minRowH += d.above
}

// nameIntoMargin moves the names to the left, where there is more room than
// the layout needs and names of tasks' threads do not fit.
func (d *drawing) nameIntoMargin() {
	if !d.streams || d.l.tasks || !d.l.ownView {
		return
	}
	widest := float32(0)
	for i := range d.rows {
		widest = max(widest, d.w.width(d.rows[i].name, 16, scene.Medium))
	}
	if lack := ceil(widest - d.nameRoom()); lack > 0 && d.l.name-lack >= 16 {
		d.l.name -= lack
	}
}

func (d *drawing) nameRoom() float32 {
	if d.l.ownView {
		return d.l.clientBadge - d.l.name - 6
	}
	return d.l.badge - d.l.name - 6
}
