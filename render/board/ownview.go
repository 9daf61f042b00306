package board

import "groupscope/render/scene"

// own draws the client's own view.
func (d *drawing) own(p pen, i int) {
	r, l := &d.rows[i], &d.l
	if r.client == nil {
		p.text(l.clientBadge, d.wordsY(r.y), d.cutOwn("its client is gone"), l.small, scene.Regular, scene.Ink2)
		return
	}
	if gone(r.client.State) {
		color := scene.Ink2
		if r.client.State == "CRASHED" {
			color = scene.Ink
		}
		p.text(l.clientBadge, d.wordsY(r.y), d.cutOwn(clientWord(r.client)), l.small, scene.Regular, color)
		return
	}
	d.clientBadge(p, r, l.clientBadge, d.badgeY(r.y))
	d.ownChips(p, i, scene.Paper)
	d.ownWords(p, i)
}

// clientBadge is the epoch that the client believes to be at.
func (d *drawing) clientBadge(p pen, r *row, x, y float32) {
	was := r.client.Epoch
	if r.wasClient != nil {
		was = r.wasClient.Epoch
	}
	changed := r.moved.Epoch && r.wasClient != nil && !gone(r.wasClient.State)
	right := d.epoch(p, x, y, d.l.rowBadge, changed, was, r.client.Epoch)
	if d.marked(r) {
		d.statusMark(p, right-1, y+2)
	}
}

func (d *drawing) ownChips(p pen, i int, under scene.Color) {
	r, l := &d.rows[i], &d.l
	cells := d.cellsOf(i)
	for s := range d.slots {
		sl := &d.slots[s]
		x, y := d.slotAt(l.own, r.y, sl)
		k := chip{
			x: x, y: y, look: cells[s].own, epoch: r.client.Epoch, under: under,
			role: cells[s].ownRole, part: cells[s].ownPart, next: cells[s].ownNext, restores: cells[s].ownRestores,
		}
		d.chip(p, sl, k)
		d.chipRegion(sl, r, ownColumn, k)
		if cells[s].ownAlert {
			d.alarm(p, x, y, l.chipW, l.chipH, l.radius)
		}
	}
	d.ringRun(p, l.own, r.y, d.slots, func(s int) bool { return cells[s].ownRing && !cells[s].ownAlert })
}

// gone: there is no client to show a view of.
func gone(state string) bool { return state == "ABSENT" || state == "CRASHED" || state == "CLOSED" }

func (d *drawing) cutOwn(text string) string {
	return d.w.cut(text, d.l.small, scene.Regular, d.l.own+d.l.column-d.l.clientBadge, false)
}

// ownWords says under the chips what the client is doing.
func (d *drawing) ownWords(p pen, i int) {
	r, l := &d.rows[i], &d.l
	if l.stateDY == 0 {
		return
	}
	room := l.column
	if d.streams && !l.words && !l.titleless {
		room = l.panel[0] - 10 - l.own
	}
	if text := d.refusal(r); text != "" && l.words {
		room = l.panel[0] - 10 - d.w.width(text, l.small, scene.Medium) - 14 - l.own
	} else if text != "" && l.arrow[1] > 0 {
		return // the refusal stands here
	}
	if d.streams && d.streamsWords(p, r) {
		return
	}
	if at, ok := d.readTwice(p, i); ok {
		room = min(room, at-8-l.own)
	}
	words := d.w.clientWords(r)
	for _, text := range [...]string{words.full, words.busy, clientWord(r.client)} {
		if text != "" && d.w.width(text, l.small, scene.Regular) <= room {
			p.text(l.own, r.y+d.more()+l.stateDY, text, l.small, scene.Regular, scene.Ink2)
			return
		}
	}
}
