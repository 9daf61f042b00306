package board

import "groupscope/render/scene"

// entry is one entry of a legend.
type entry struct {
	look     look
	unwanted bool
	role     role
	text     string
}

// legends explain the cells of a matrix.
var legends = []entry{
	{owned, false, active, "owned"},
	{owned, true, active, "to be revoked, not asked yet"},
	{pending, false, active, "being revoked"},
	{waiting, false, active, "waiting for release"},
	{free, false, active, "free to take"},
	{nobody, false, active, "nobody"},
}

// taskLegends explain those of tasks.
var taskLegends = []entry{
	{owned, false, active, "active"},
	{owned, false, standby, "standby"},
	{owned, false, warmup, "warm-up, by progress"},
	{pending, false, active, "active, being revoked"},
	{pending, false, standby, "standby, being revoked"},
	{waiting, false, active, "waits, active"},
	{waiting, false, standby, "waits, standby"},
	{free, false, active, "free to take"},
	{nobody, false, active, "nobody"},
}

func (d *drawing) legendEntries() []entry {
	if d.streams {
		return taskLegends
	}
	return legends
}

const legendLine = 24

// legendHeight is the room under the panel: the legend, and how far the group
// is.
func (d *drawing) legendHeight() float32 {
	if d.grid.bare {
		return 0
	}
	lines := d.legendLines(func(int, float32, float32) {})
	h := float32(lines)*legendLine + 10
	if d.v.Width >= mediumFrom {
		h += 36
	}
	return h
}

// legendLines places the entries in lines, and returns how many it takes.
func (d *drawing) legendLines(at func(i int, x, y float32)) int {
	g := &d.grid
	left := g.left + g.pad
	x, line := left, 0
	entries := d.legendEntries()
	cell := float32(16)
	if d.streams {
		cell = 20
	}
	for i := range entries {
		w := cell + d.w.width(entries[i].text, 14, scene.Regular)
		if x+w > g.right-g.pad && x > left {
			x = left
			line++
		}
		at(i, x, float32(line)*legendLine)
		x += w + 26
	}
	return line + 1
}

func (d *drawing) legend(p pen) {
	if d.grid.bare {
		return
	}
	top := d.panelBottom + 17
	epoch := d.targetEpoch()
	saved := d.grid.cellW
	entries, text := d.legendEntries(), float32(16)
	if d.streams {
		text = 20
	} else {
		d.grid.cellW = 8
	}
	lines := d.legendLines(func(i int, x, y float32) {
		e, k := epoch, &entries[i]
		if k.unwanted || k.look == pending {
			e = max(1, epoch-1)
		}
		switch {
		case d.streams && k.look != nobody:
			d.taskCell(p, x, top+y-3, chip{look: k.look, epoch: e, role: k.role, part: 0.4})
		default:
			d.cell(p, x, top+y, k.look, e, k.unwanted)
		}
		p.text(x+text, top+y+12, k.text, 14, scene.Regular, scene.Ink2)
	})
	d.grid.cellW = saved
	if d.v.Width < mediumFrom {
		return
	}
	left := d.grid.left + d.grid.pad
	room := d.grid.right - d.grid.pad - left
	y := top + float32(lines)*legendLine + 24
	p.text(left, y, d.w.cut(d.summary().sentence, 18, scene.Medium, room, false), 18, scene.Medium, scene.Ink)
}
