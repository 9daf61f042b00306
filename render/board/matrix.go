package board

import (
	"groupscope/core/coordinator"
	"groupscope/render/scene"
)

// matrix draws a group of up to 64 members: a row a member, a column a
// partition.
func (d *drawing) matrix() {
	d.gridUp()
	g := &d.grid
	p := d.base()
	p.panel(g.left, d.l.panelTop, g.right-g.left, d.panelBottom-d.l.panelTop, 12)
	d.bigHeader(p)
	d.axis(p)
	d.guides(p)
	d.rail(p)
	for i := g.firstRow; i < g.firstRow+g.rowCount; i++ {
		d.matrixRow(p, i)
	}
	d.matrixLane(p)
	d.matrixRings()
	d.legend(p)
	d.flyCells()
}

// axis names the topics and numbers their partitions.
func (d *drawing) axis(p pen) {
	g := &d.grid
	p.text(g.name, g.tickY, d.cutName("member"), 14, scene.Regular, scene.Ink2)
	d.countHeads(p)
	note, end, free := "", g.target, g.has-30
	if g.columns < d.total {
		note = d.w.window(g.first, g.columns, d.total)
		end = d.l.columns.X - keysGap
		free = end - d.w.width(note, 14, scene.Regular) - 10
	}
	short := d.shortHeads(free)
	if left := g.left + g.pad; short && d.w.width("subtopology", 14, scene.Regular) <= g.x-12-left {
		p.text(left, g.headY, "subtopology", 14, scene.Regular, scene.Ink2)
	}
	for s := range d.slots {
		sl := &d.slots[s]
		x := d.columnX(s)
		if s == 0 || d.slots[s-1].topic != sl.topic {
			p.text(x, g.headY, d.w.cut(d.head(sl.p.Topic, short), 16, scene.Medium, d.headRoom(s, free), true), 16, scene.Medium, scene.Ink)
		}
		if sl.p.Number%tickEvery == 0 || s == 0 {
			if next := int(sl.p.Number) + tickEvery - int(sl.p.Number)%tickEvery; s == 0 && sl.p.Number%tickEvery != 0 && next-int(sl.p.Number) < 4 {
				continue // the next number would touch it
			}
			p.label(scene.Label{X: x + g.cellW/2, Y: g.tickY, Text: d.w.number(sl.p.Number), Size: 14, Color: scene.Ink2, Anchor: scene.Middle})
			p.rect(x+g.cellW/2-0.5, g.tickY+6, 1, 6, 0, scene.Line)
		}
	}
	if note != "" {
		p.textEnd(end, g.headY, note, 14, scene.Regular, scene.Ink2)
	}
}

func (d *drawing) cutName(text string) string {
	return d.w.cut(text, 14, scene.Regular, d.grid.epoch-d.grid.name, false)
}

// guides are hair lines that lead the eye along a row.
func (d *drawing) guides(p pen) {
	g := &d.grid
	end := g.end
	if len(d.slots) > 0 {
		end = min(end, d.columnX(len(d.slots)-1)+g.cellW+4)
	}
	if d.streams {
		d.processLines(p)
		return
	}
	for i := guideEvery; i <= g.rowCount; i += guideEvery {
		p.rect(g.x, g.y+float32(i)*g.pitchY-3, end-g.x, 1, 0, scene.Hair)
	}
}

// rail shows the member epochs: neighbours at the same epoch share a bar.
func (d *drawing) rail(p pen) {
	g := &d.grid
	last := g.firstRow + g.rowCount
	for i := g.firstRow; i < last; {
		m := d.rows[i].member
		j := i + 1
		for j < last && sameEpoch(m, d.rows[j].member) && !(d.streams && d.rows[j].first) {
			j++
		}
		if m != nil {
			e := m.MemberEpoch
			h := float32(j-i)*g.pitchY - 3
			p.shape(scene.Shape{X: g.rail, Y: d.rows[i].y - 1, W: 10, H: h, Radii: round(5),
				Fill: scene.Epoch(e, scene.Fill), Stroke: scene.Epoch(e, scene.Edge), Width: 1.5})
		}
		i = j
	}
}

func sameEpoch(a, b *coordinator.Member) bool {
	return a != nil && b != nil && a.MemberEpoch == b.MemberEpoch
}

func (d *drawing) matrixRow(p pen, i int) {
	g, r := &d.grid, &d.rows[i]
	y := r.y + floor(g.cellH/2) + 6
	d.region(regionKey{kind: memberRegion, name: r.name, client: r.client, member: r.member}, g.left+6, r.y-2, g.right-g.left-12, g.pitchY)
	color := scene.Ink
	if r.member == nil {
		color = scene.Ink2
	}
	name := d.w.cut(r.name, 14, scene.Regular, g.nameW, true)
	p.text(g.name, y, name, 14, scene.Regular, color)
	if d.selectedMember(r.name) {
		d.brackets(p, g.name, r.y+4, d.w.width(name, 14, scene.Regular), 8)
	}
	if r.member == nil {
		text := d.noMember(r)
		if r.client != nil && gone(r.client.State) {
			text = clientWord(r.client)
		}
		p.text(g.x, y, text, 14, scene.Regular, scene.Ink2)
		return
	}
	d.pulse(r, g.rail+5, r.y+g.cellH/2, 9)
	p.textEnd(g.epoch, y, d.w.number(r.member.MemberEpoch), 14, scene.Medium, scene.Ink)
	d.matrixCells(p, i)
	if d.streams {
		d.roleCount(p, r.member, y)
		return
	}
	has, aim := int32(len(r.member.Assigned)+len(r.member.PendingRevocation)), int32(r.member.Target.Len())
	aimColor := scene.Ink2
	if has != aim {
		aimColor = scene.Ink
	}
	p.textEnd(g.has, y, d.w.number(has), 14, scene.Regular, scene.Ink)
	p.textEnd(g.target, y, d.w.number(aim), 14, scene.Regular, aimColor)
}

func (d *drawing) matrixCells(p pen, i int) {
	r := &d.rows[i]
	cells := d.cellsOf(i)
	for s := range d.slots {
		sl := &d.slots[s]
		look := cells[s].current
		if look == empty {
			continue
		}
		x := d.columnX(s)
		shown := look
		if sl.holder == i && sl.change.Granted() && d.travel(sl).moving {
			shown = free
		}
		if d.streams {
			d.taskCell(p, x, r.y, chip{look: shown, epoch: r.member.MemberEpoch, role: cells[s].currentRole, part: cells[s].currentPart})
		} else {
			d.cell(p, x, r.y, shown, r.member.MemberEpoch, !cells[s].target)
		}
		d.cellRegion(sl, r, look, cells[s].currentRole, r.member.MemberEpoch, x, r.y)
		if cells[s].currentAlert {
			d.over().outline(x-2, r.y-2, d.grid.cellW+4, d.grid.cellH+4, 2, 2, scene.Alert)
		}
	}
}

func (d *drawing) cellRegion(sl *slot, r *row, look look, role role, epoch int32, x, y float32) {
	k := regionKey{kind: chipRegion, column: currentColumn, look: look, epoch: epoch, p: sl.p, task: d.streams, role: role}
	if r == nil {
		k.column = laneColumn
	} else {
		k.name = r.name
	}
	d.region(k, x-1, y-2, d.grid.pitchX, d.grid.pitchY)
	if d.v.Selected != "" && d.selects(d.s.Regions[len(d.s.Regions)-1].ID) {
		d.over().outline(x-3, y-3, d.grid.cellW+6, d.grid.cellH+6, 0, 1.5, scene.Ink)
	}
}

// cell draws one cell; unwanted is one that its member is to lose and has not
// been asked for.
func (d *drawing) cell(p pen, x, y float32, l look, epoch int32, unwanted bool) {
	g := &d.grid
	fill, edge := scene.Epoch(epoch, scene.Fill), scene.Epoch(epoch, scene.Edge)
	outline := scene.Shape{X: x + 0.75, Y: y + 0.75, W: g.cellW - 1.5, H: g.cellH - 1.5, Fill: scene.Paper, Stroke: edge, Width: 1.5}
	switch l {
	case owned:
		p.shape(scene.Shape{X: x + 0.5, Y: y + 0.5, W: g.cellW - 1, H: g.cellH - 1, Fill: fill, Stroke: edge, Width: 1})
		if unwanted {
			p.rect(x+g.cellW/2-1, y+4, 2, 6, 0, scene.Paper)
		}
	case pending:
		outline.Pattern = scene.Diagonal
		p.shape(outline)
	case waiting:
		p.shape(outline)
		p.rect(x+g.cellW/2-1.5, y+5, 3, 4, 0, scene.Ink)
	case free:
		p.shape(outline)
	case nobody:
		outline.Stroke, outline.Width = scene.Ink, 2
		outline.X, outline.Y, outline.W, outline.H = x+1, y+1, g.cellW-2, g.cellH-2
		p.shape(outline)
	case fresh:
		outline.Fill, outline.Stroke, outline.Width, outline.Dash = scene.NoColor, scene.Line, 1.5, [2]float32{1.5, 2}
		p.shape(outline)
	}
}

// matrixLane is the row of the partitions that nobody owns.
func (d *drawing) matrixLane(p pen) {
	g := &d.grid
	line := g.bottom
	p.rect(g.left+g.pad, line+1, g.target-g.left-g.pad, 1.5, 0, scene.Line)
	p.text(g.left+g.pad, d.laneY+13, d.w.cut("nobody", 14, scene.Medium, g.epoch-g.left-g.pad, false), 14, scene.Medium, scene.Ink)
	n, last := int32(0), float32(0)
	for s := range d.slots {
		sl := &d.slots[s]
		look := d.laneLook(sl)
		if look == empty {
			continue
		}
		n++
		x := d.columnX(s)
		last = x + g.cellW
		if !d.travel(sl).moving {
			d.cell(p, x, d.laneY, look, 0, false)
		}
		d.cellRegion(sl, nil, look, active, 0, x, d.laneY)
	}
	if n == 0 {
		return
	}
	p.textEnd(g.has, d.laneY+13, d.w.number(n), 14, scene.Medium, scene.Ink)
	if text, bad := d.laneSentence(g.has - 30 - last - 8); bad && n == 1 {
		p.text(last+8, d.laneY+13, text, 14, scene.Medium, scene.Ink)
	}
}

// matrixRings marks what changed, as long as it is little.
func (d *drawing) matrixRings() {
	changed := 0
	for s := range d.slots {
		if c := &d.slots[s].change; c.From != c.To || c.Asked {
			changed++
		}
	}
	if changed == 0 || changed > ringedCells {
		return
	}
	g, p := &d.grid, d.over()
	ring := func(s int, y float32) {
		if t := d.travel(&d.slots[s]).landed; t > 0 {
			p.faded(t).outline(d.columnX(s)-1.75, y-1.75, g.cellW+3.5, g.cellH+3.5, 2, 1.5, scene.Ink)
		}
	}
	for s := range d.slots {
		for i := g.firstRow; i < g.firstRow+g.rowCount; i++ {
			if c := &d.cellsOf(i)[s]; c.currentRing && (c.current == owned || c.current == pending) {
				ring(s, d.rows[i].y)
			}
		}
		if d.slots[s].ring {
			ring(s, d.laneY)
		}
	}
}

// flyCells draws the cells on their way.
func (d *drawing) flyCells() {
	if d.still {
		return
	}
	p := d.over()
	for s := range d.slots {
		j := d.travel(&d.slots[s])
		if !j.flying {
			continue
		}
		x := d.columnX(s)
		d.cell(p, x, j.y, nobody, 0, false)
		if to := d.rowOf(d.slots[s].change.To); j.filled < 1 && to != nil && to.member != nil {
			d.cell(p.faded(j.filled), x, j.y, owned, to.member.MemberEpoch, false)
		}
	}
}
