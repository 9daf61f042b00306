package board

import "groupscope/render/scene"

// legends explain the cells of a matrix.
var legends = [...]struct {
	look     look
	unwanted bool
	text     string
}{
	{owned, false, "owned"},
	{owned, true, "to be revoked, not asked yet"},
	{pending, false, "being revoked"},
	{waiting, false, "waiting for release"},
	{free, false, "free to take"},
	{nobody, false, "nobody"},
}

const legendLine = 24

// legendHeight is the room under the panel: the legend, and how far the group
// is.
func (d *drawing) legendHeight() float32 {
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
	x, line := g.name, 0
	for i := range legends {
		w := 16 + d.w.width(legends[i].text, 14, scene.Regular)
		if x+w > g.right-g.pad && x > g.name {
			x = g.name
			line++
		}
		at(i, x, float32(line)*legendLine)
		x += w + 26
	}
	return line + 1
}

func (d *drawing) legend(p pen) {
	top := d.panelBottom + 17
	epoch := d.targetEpoch()
	saved := d.grid.cellW
	d.grid.cellW = 8
	lines := d.legendLines(func(i int, x, y float32) {
		e := epoch
		if legends[i].unwanted || legends[i].look == pending {
			e = max(1, epoch-1)
		}
		d.cell(p, x, top+y, legends[i].look, e, legends[i].unwanted)
		p.text(x+16, top+y+12, legends[i].text, 14, scene.Regular, scene.Ink2)
	})
	d.grid.cellW = saved
	if d.v.Width < mediumFrom {
		return
	}
	room := d.grid.right - d.grid.pad - d.grid.name
	y := top + float32(lines)*legendLine + 24
	p.text(d.grid.name, y, d.w.cut(d.summary().sentence, 18, scene.Medium, room, false), 18, scene.Medium, scene.Ink)
}
