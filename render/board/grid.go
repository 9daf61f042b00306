package board

import "groupscope/render/scene"

// grid is where things stand in a matrix of members by partitions.
type grid struct {
	left, right        float32 // of the panel
	pad                float32
	name, rail, epoch  float32 // x of the names and the rail, right edge of the epochs
	nameW              float32
	x, end             float32 // of the cells
	has, target        float32 // right edges of the counts
	headY, tickY       float32 // baselines of the topics and of the numbers
	y, bottom          float32 // of the first row, and under the last one
	pitchX, pitchY     float32
	cellW, cellH       float32
	firstRow, rowCount int
	first, columns     int // partitions shown
	topicGap           float32
	processGap         float32
	bare               bool // no legend: members need its room
}

// The design's matrix: cells of 8 by 14 in a pitch of 10 by 18, that grow
// where there is room.
const (
	leastPitchX, mostPitchX = 10, 18
	pitchY                  = 18
	taskPitchY              = 24 // of the cells of tasks, 14 by 18
	topicGap                = 16
	guideEvery              = 4
	tickEvery               = 8
	ringedCells             = 12 // more changes at once have no rings
	rowsBeforeLegend        = 4  // with fewer members in sight a legend has to go
)

// gridUp works out the grid, and which part of the group it shows.
func (d *drawing) gridUp() {
	g := &d.grid
	d.bigFrame()
	count := float32(72)
	if d.v.Width < wideFrom {
		count = 48
	}
	names, epochs := float32(26), float32(18)
	if d.streams {
		count = d.roleCounts()
		g.name += d.processRoom()
	}
	for i := range d.rows {
		names = max(names, d.w.width(d.rows[i].name, 14, scene.Regular))
		if m := d.rows[i].member; m != nil {
			epochs = max(epochs, d.w.width(d.w.number(m.MemberEpoch), 14, scene.Medium))
		}
	}
	g.nameW = min(ceil(names), floor(d.v.Width*0.2))
	g.rail = g.name + max(g.nameW, d.w.width("nobody", 14, scene.Medium)-20) + 10
	g.epoch = g.rail + 18 + ceil(epochs)
	g.x = g.epoch + 16
	g.has = g.target - count
	g.end = g.has - 40
	g.topicGap = topicGap
	if d.streams {
		g.topicGap, g.processGap = 20, 8
	}
	d.gridColumns()
	d.gridRows()
	d.makeSlots(g.first, g.columns)
	d.fillFrom(g.first)
}

// bigFrame is the frame of a matrix and of aggregates: panel, header and the
// lines below it.
func (d *drawing) bigFrame() {
	g := &d.grid
	*g = grid{left: 16, right: d.v.Width - 16, pad: 24, headY: 98, tickY: 126, y: 148}
	d.l = layout{panelTop: 16, panelPad: 24, title: 22, small: 14, state: 16, titleY: 56, stateY: 55, nameSize: 14,
		groupBadge: badgeForm{w: 40, h: 28, size: 16, y: 36}, headBadge: badgeForm{w: 40, h: 28, size: 16, y: 36}, forEpoch: "assignment", chipW: 8}
	if d.v.Width < wideFrom {
		g.left, g.right, g.pad = 4, d.v.Width-4, 12
		d.l.panelTop, d.l.panelPad, d.l.title, d.l.titleY, d.l.stateY, d.l.state = 8, 12, 18, 38, 38, 14
		d.l.groupBadge, d.l.headBadge = badgeForm{w: 34, h: 26, size: 15, y: 20}, badgeForm{w: 34, h: 26, size: 15, y: 20}
		g.headY, g.tickY, g.y = 86, 108, 124
	}
	if d.v.Width < mediumFrom { // a line more, for the counts
		d.l.headBadge.y = 52
		g.headY, g.tickY, g.y = 112, 132, 148
	}
	g.name = g.left + g.pad
	g.target = g.right - g.pad
}

// gridColumns decides which partitions are shown and how wide they are.
func (d *drawing) gridColumns() {
	g := &d.grid
	room := g.end - g.x - g.topicGap*float32(max(len(d.topics)-1, 0))
	g.pitchX = min(mostPitchX, max(leastPitchX, floor(room/float32(max(d.total, 1)))))
	if d.streams {
		g.pitchX = mostPitchX
	}
	g.first = min(max(d.v.FirstColumn, 0), d.lastWindow())
	g.columns = d.columnsFrom(g.first)
	g.cellW, g.cellH, g.pitchY = g.pitchX-2, 14, pitchY
	if d.streams {
		g.cellW, g.cellH, g.pitchY = 14, 18, taskPitchY
	}
	d.l.columns = Window{First: g.first, Shown: g.columns, Count: d.total}
	d.l.columns.keysAt(g.right-4, g.headY-5)
}

// columnsFrom is how many columns have room from the first-th on: only gaps
// between topics that are in sight take room.
func (d *drawing) columnsFrom(first int) int {
	g, n := &d.grid, 0
	room := g.end - g.x
	for i := range d.topics {
		t := &d.topics[i]
		if n > 0 {
			room -= g.topicGap
		}
		here := t.first + t.n - max(first, t.first)
		if here <= 0 {
			continue
		}
		fit := min(here, max(0, int(room/g.pitchX)))
		n += fit
		room -= float32(fit) * g.pitchX
		if fit < here {
			break
		}
	}
	return min(d.total, max(1, n))
}

// lastWindow is the first column of the window that ends with the last one.
func (d *drawing) lastWindow() int {
	g, first := &d.grid, d.total
	room := g.end - g.x
	for i := len(d.topics) - 1; i >= 0; i-- {
		t := &d.topics[i]
		if first < d.total {
			room -= g.topicGap
		}
		fit := min(t.n, max(0, int(room/g.pitchX)))
		first -= fit
		room -= float32(fit) * g.pitchX
		if fit < t.n {
			break
		}
	}
	return max(0, min(first, d.total-1))
}

// gridRows decides which members are shown.
func (d *drawing) gridRows() {
	g := &d.grid
	g.rowCount = d.fittingRows()
	if g.rowCount < min(len(d.rows), rowsBeforeLegend) {
		g.bare = true
		g.rowCount = d.fittingRows()
	}
	g.firstRow = d.firstRow(g.rowCount, len(d.rows))
	gap := float32(0)
	for i := range d.rows {
		d.rows[i].shown = i >= g.firstRow && i < g.firstRow+g.rowCount
		if d.rows[i].shown && d.rows[i].first && i > g.firstRow {
			gap += g.processGap
		}
		d.rows[i].y = g.y + float32(i-g.firstRow)*g.pitchY + gap
	}
	g.bottom = g.y + float32(g.rowCount)*g.pitchY + gap
	d.laneY = g.bottom + 9
	d.l.rows = Window{First: g.firstRow, Shown: g.rowCount, Count: len(d.rows)}
	d.l.rows.keysAt(g.right-4, d.laneY+g.cellH/2)
	d.panelBottom = g.bottom + g.laneHeight()
	d.s.Height = max(d.v.Height, d.panelBottom+d.legendHeight()+8)
}

// fittingRows is how many members have room.
func (d *drawing) fittingRows() int {
	g, n := &d.grid, len(d.rows)
	if d.v.Height <= 0 {
		return n
	}
	room := d.v.Height - g.y - g.laneHeight() - d.legendHeight() - 8
	gaps := d.processes() - 1
	for n > 1 && float32(n)*g.pitchY+float32(max(0, min(gaps, n-1)))*g.processGap > room {
		n--
	}
	return n
}

func (g *grid) laneHeight() float32 { return 44 }

// columnX is where a slot's cells stand.
func (d *drawing) columnX(s int) float32 {
	g := &d.grid
	first := 0
	if len(d.slots) > 0 {
		first = d.slots[0].topic
	}
	return g.x + float32(s)*g.pitchX + float32(d.slots[s].topic-first)*g.topicGap
}

// bigHeader is the header of a matrix and of aggregates.
func (d *drawing) bigHeader(p pen) {
	g, l := &d.grid, &d.l
	group := d.f.State.Group
	right := g.right - g.pad
	d.region(regionKey{kind: groupRegion}, g.left, l.panelTop, g.right-g.left, l.groupBadge.y+l.groupBadge.h-l.panelTop)
	end := right
	if group != nil {
		changed := d.f.Changes != nil && d.f.Changes.AssignmentEpoch
		x := d.epochAt(p, right, l.headBadge, changed, before(d).AssignmentEpoch, group.AssignmentEpoch)
		size := min(l.title-6, 16)
		size = max(size, 14)
		base := l.headBadge.y + 18
		p.textEnd(x-12, base, l.forEpoch, size, scene.Regular, scene.Ink2)
		if l.headBadge.y == l.groupBadge.y {
			end = x - 12 - d.w.width(l.forEpoch, size, scene.Regular) - 42
			if d.v.Width < wideFrom {
				end += 18
			}
		}
		end = d.groupEpoch(p, group, end)
	}
	x := g.left + g.pad
	wordWidth := d.w.width(d.stateName(group), l.state, scene.Medium)
	title := d.w.cut(d.w.group(d.f.State.GroupID), l.title, scene.Medium, end-x-19-22-wordWidth-16, false)
	p.text(x, l.titleY, title, l.title, scene.Medium, scene.Ink)
	if title != "" {
		x += d.w.width(title, l.title, scene.Medium) + 19
	}
	d.stateGlyph(p, group, x, l.stateY-12)
	d.stateText(p, group, x+22, end-8)
	x += 22 + wordWidth + 24
	y := l.titleY
	if l.headBadge.y != l.groupBadge.y {
		x, y = g.left+g.pad, l.headBadge.y+18
		end = right - 34 - 12 - d.w.width(l.forEpoch, 14, scene.Regular)
	}
	size := float32(16)
	if l.title < 22 {
		size = 14
	}
	texts := [...]string{d.w.windows(g, len(d.rows), d.total, nounOf(d.streams)), d.w.rowWindow(g, len(d.rows)), d.w.count(len(d.rows), d.total)}
	if d.streams {
		texts = d.taskCounts(texts[0])
	}
	for _, text := range texts {
		if text != "" && d.w.width(text, size, scene.Regular) <= end-16-x {
			p.text(x, y, text, size, scene.Regular, scene.Ink2)
			return
		}
	}
}
