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
		sl.label = d.w.cut(d.w.task(sl.p), d.l.chip, scene.Medium, d.l.chipW-2, true)
		sl.width = d.w.width(sl.label, d.l.chip, scene.Medium)
	}
}

// chooseNames finds the size at which all names stand before the badges; if
// there is none they get a line of their own above the chips.
func (d *drawing) chooseNames() {
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

func (d *drawing) nameRoom() float32 {
	if d.l.ownView {
		return d.l.clientBadge - d.l.name - 6
	}
	return d.l.badge - d.l.name - 6
}

// stack finds the pitch of the rows for the height there is; blocks is how
// often a row shows all slots, one below the other. Short of height, timers
// go, then state words, then reserved rows; then rows scroll.
func (d *drawing) stack(blocks int) {
	l := &d.l
	more := d.more() * float32(blocks)
	laneH := d.rowHeight()
	d.squeeze(laneH, more)
	full, least := l.rowH+more, l.minRowH+more
	gaps := d.processGaps()
	room := d.v.Height - l.rowY + d.above - l.laneGap - laneH - l.panelBelow - l.below - gaps
	count := len(d.rows)
	if d.v.Height <= 0 {
		room = full * float32(max(count, 1))
	}
	enough := full // where members to come do not need a row
	if l.reserve {
		enough = least
	}
	asked := d.v.Height <= 0 // the height is ours to choose
	if d.dropped = room < enough*float32(count) || asked && !l.reserve; d.dropped {
		count = d.present()
	}
	count = max(count, 1)
	pitch := min(full, floor(room/float32(count)))
	if withState := l.stateDY + 16 + more + d.above; l.stateDY > 0 && pitch < withState {
		l.stateDY, l.timer = 0, noTimer
	}
	if l.timer == twoTimers && pitch < full {
		l.timer = oneTimer
	}
	first := 0
	l.rows = Window{Shown: count, Count: count}
	if pitch < least {
		shown := max(1, int(room/least))
		pitch = min(full, floor(room/float32(shown)))
		pitch = max(pitch, least)
		first = d.firstRow(shown, count)
		d.scroll = d.w.window(first, shown, count)
		l.rows = Window{First: first, Shown: shown, Count: count}
		count = shown
	}
	if d.slack = (pitch - least) * float32(count); d.present() == 0 && !l.reserve {
		d.slack = 0 // the one row that is shown then is of a member to come
	}
	d.putRows(first, count, pitch)
	d.pitch = pitch
	d.laneY = l.rowY + float32(count)*pitch - d.above + l.laneGap + gaps
	bottom := d.laneY + laneH + l.panelBelow
	d.s.Height = max(d.v.Height, bottom+l.below)
	if left := d.s.Height - bottom - l.below; left > 0 && left <= 120 {
		bottom += left
	}
	d.panelBottom = bottom
	if d.form == cards { // under the lane: its chips take the whole width
		l.rows.keysAt(l.panel[1], d.laneY+laneH+4+KeysHeight/2)
	} else {
		l.rows.keysAt(l.panel[1]-l.panelPad, d.laneY+laneH/2)
	}
}

// squeeze takes height from what is around the rows, where that saves the
// state words or a row.
func (d *drawing) squeeze(laneH, more float32) {
	l := &d.l
	rows := float32(d.present())
	if l.reserve {
		rows = float32(len(d.rows))
	}
	room := d.v.Height - l.rowY + d.above - l.laneGap - laneH - l.panelBelow - l.below
	switch {
	case d.v.Height <= 0 || rows == 0:
	case l.panelSlack > 0 && room < rows*(l.stateDY+16+more+d.above):
		l.panelBelow -= l.panelSlack
	case l.titleless && d.step == 0 && room < rows*(l.minRowH+more):
		l.headY -= 4
		l.headBadge.y -= 4
		l.rowY -= 5
		l.chipH -= 2
		l.rowBadge.y--
		l.laneGap = min(l.laneGap, 4)
		l.panelBelow = 8
		l.minRowH = l.chipH + 7 + d.above
	}
}

// processGaps is the room between all processes.
func (d *drawing) processGaps() float32 {
	if d.l.processGap == 0 {
		return 0
	}
	return float32(max(0, d.processes()-1)) * d.l.processGap
}

// present is the number of rows without those of members to come.
func (d *drawing) present() int {
	n := 0
	for i := range d.rows {
		if !d.rows[i].absent() {
			n++
		}
	}
	return n
}

// absent: a member to come.
func (r *row) absent() bool {
	return r.client != nil && r.client.State == "ABSENT" && r.member == nil
}

// firstRow is the first of so many rows shown, such that what changed is.
func (d *drawing) firstRow(shown, count int) int {
	first := min(max(d.v.FirstRow, 0), count-shown)
	if d.v.Held {
		return first
	}
	seen, changed := 0, -1
	for i := range d.rows {
		r := &d.rows[i]
		if d.dropped && r.absent() {
			continue
		}
		if r.request != nil {
			changed = seen
			break
		}
		if changed < 0 && r.change.ID != "" {
			changed = seen
		}
		seen++
	}
	if changed < 0 {
		return first
	}
	return min(max(first, changed-shown+1), changed, count-shown)
}

// putRows gives each shown row its y; the others have none.
func (d *drawing) putRows(first, count int, pitch float32) {
	n, gap := 0, float32(0)
	for i := range d.rows {
		r := &d.rows[i]
		r.shown = false
		if d.dropped && r.absent() {
			continue
		}
		if n >= first && n < first+count {
			r.shown = true
			if r.first && n > first {
				gap += d.l.processGap
			}
			r.y = d.l.rowY + float32(n-first)*pitch + gap
		}
		n++
	}
}
