package board

// stack finds the pitch of the rows for the height there is; blocks is how
// often a row shows all slots, one below the other. Short of height, timers
// go, then state words, then reserved rows; then rows scroll.
func (d *drawing) stack(blocks int) {
	l := &d.l
	d.wordsRoom = 16
	d.dense()
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
	if withState := l.stateDY + d.wordsRoom + more + d.above; l.stateDY > 0 && pitch < withState {
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
	if asked {
		bottom += d.chipLegendHeight()
	}
	d.s.Height = max(d.v.Height, bottom+l.below)
	if left := d.s.Height - bottom - l.below; left > 0 && left <= 120 {
		bottom += left
	} else if left > 120 {
		bottom += d.chipLegendHeight()
	}
	d.panelBottom = bottom
	if d.form == cards { // under the lane: its chips take the whole width
		l.rows.keysAt(l.panel[1], d.laneY+laneH+4+KeysHeight/2)
	} else {
		l.rows.keysAt(l.panel[1]-l.panelPad, d.laneY+laneH/2)
	}
}

// dense makes the lines of tasks lower, where that saves the words under them:
// a status stands there.
func (d *drawing) dense() {
	l := &d.l
	if !d.streams || l.tasks || !l.ownView || l.titleless || d.lineCount() < 2 || d.v.Height <= 0 {
		return
	}
	room := d.v.Height - l.rowY - l.laneGap - d.rowHeight() - l.panelBelow - l.below
	if room >= float32(len(d.rows))*(l.stateDY+d.wordsRoom+d.more()) {
		return
	}
	low := min(6, l.chipH-22)
	l.chipH -= low
	l.lineH = l.chipH + 5
	l.stateDY -= low + 6
	l.minRowH -= low
	l.rowBadge.y -= low / 2
	l.panelBelow, l.panelSlack = 8, 0
	d.wordsRoom = 8
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
	case l.panelSlack > 0 && room < rows*(l.stateDY+d.wordsRoom+more+d.above):
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
