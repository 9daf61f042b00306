package board

import (
	"groupscope/core/coordinator"
	"groupscope/core/protocol"
	"groupscope/render/scene"
)

// taskCell draws one cell of a task, 14 by 18: the body says the role, the
// right end or a dot the stage.
func (d *drawing) taskCell(p pen, x, y float32, c chip) {
	g := &d.grid
	edge := scene.Epoch(c.epoch, scene.Edge)
	box := scene.Shape{X: x + 0.75, Y: y + 0.75, W: g.cellW - 1.5, H: g.cellH - 1.5, Fill: scene.Paper, Stroke: edge, Width: 1.5}
	switch c.look {
	case nobody, fresh:
		d.cell(p, x, y, c.look, c.epoch, false)
		return
	case waiting, free, target:
		p.shape(box)
		switch c.role {
		case standby:
			p.rect(x+3.5, y+3.5, g.cellW-7, 1.5, 0, edge)
			p.rect(x+3.5, y+g.cellH-5, g.cellW-7, 1.5, 0, edge)
		case warmup:
			p.rect(x+3, y+g.cellH-5.5, 5, 3, 0, edge)
		}
		if c.look == waiting {
			p.rect(x+g.cellW/2-2, y+g.cellH/2-2, 4, 4, 0, scene.Ink)
		}
		return
	}
	if c.role == active {
		box.Fill = scene.Epoch(c.epoch, scene.Fill)
	}
	p.shape(box)
	switch c.role {
	case standby:
		p.rect(x+1, y+5, g.cellW-2, 2.5, 0, edge)
		p.rect(x+1, y+10.5, g.cellW-2, 2.5, 0, edge)
	case warmup:
		if h := (g.cellH - 2) * c.part; h >= 1 {
			p.rect(x+1, y+g.cellH-1-h, g.cellW-2, h, 0, edge)
		}
	}
	if c.look == pending {
		const end = 5.5
		p.shape(scene.Shape{X: x + g.cellW - end - 0.75, Y: y + 0.75, W: end, H: g.cellH - 1.5, Fill: scene.Paper, Stroke: edge, Width: 1.5, Pattern: scene.Hatch})
	}
}

// roleCounts is the width of the counts at the right: active, standby and
// warm-up, or active alone where there is no room.
func (d *drawing) roleCounts() float32 {
	if d.v.Width < wideFrom {
		return 72
	}
	return 128
}

// processRoom is the width of the brackets with the names before them.
func (d *drawing) processRoom() float32 {
	if d.v.Width < mediumFrom {
		return 0
	}
	names := float32(23)
	for i := range d.rows {
		names = max(names, d.w.width(d.rows[i].process, 16, scene.Medium))
	}
	return bracketRoom + min(ceil(names), max(23, floor(d.v.Width*0.12)))
}

// bracketRoom is what a bracket takes beside the name of its process.
const bracketRoom = 23

// countHeads names the counts at the right.
func (d *drawing) countHeads(p pen) {
	g := &d.grid
	heads := [...]string{"has", "target"}
	if d.streams {
		heads = [...]string{"active", "warm"}
		if d.v.Width < wideFrom {
			heads[1] = "standby"
		}
	}
	p.textEnd(g.has, g.tickY, heads[0], 14, scene.Regular, scene.Ink2)
	p.textEnd(g.target, g.tickY, heads[1], 14, scene.Regular, scene.Ink2)
	if d.streams && d.v.Width >= wideFrom {
		p.textEnd(g.has+68, g.tickY, "standby", 14, scene.Regular, scene.Ink2)
	}
}

// roleCount says how many tasks a member has in each role.
func (d *drawing) roleCount(p pen, m *coordinator.Member, y float32) {
	g := &d.grid
	count := func(x float32, n int) {
		color := scene.Ink
		if n == 0 {
			color = scene.Ink2
		}
		p.textEnd(x, y, d.w.number(int32(n)), 14, scene.Regular, color)
	}
	count(g.has, len(m.Assigned)+len(m.PendingRevocation))
	standbys, warmups := 0, 0
	if s := m.Streams; s != nil {
		standbys = s.Standby.Len() + s.PendingStandby.Len()
		warmups = s.Warmup.Len() + s.PendingWarmup.Len()
	}
	if d.v.Width < wideFrom {
		count(g.target, standbys)
		return
	}
	count(g.has+68, standbys)
	count(g.target, warmups)
}

// processLines part the processes of a matrix and put the brackets in front
// of their members.
func (d *drawing) processLines(p pen) {
	g := &d.grid
	last, room := g.firstRow+g.rowCount, d.processRoom()
	for i := g.firstRow; i < last; {
		j := i + 1
		for j < last && !d.rows[j].first {
			j++
		}
		left := g.left + g.pad
		if room > 0 && d.rows[i].process != "" {
			d.bracket(p, left, left+room-19, d.rows[i].y+1, d.rows[j-1].y+g.cellH-1, d.rows[i].process)
		}
		if j < last {
			p.rect(left, d.rows[j].y-(g.processGap+g.pitchY-g.cellH)/2-0.5, g.target-left, 1, 0, scene.Hair)
		}
		i = j
	}
}

// topicName is how a matrix names a topic or a subtopology.
func (d *drawing) topicName(id protocol.TopicID) string {
	if !d.streams {
		return string(id)
	}
	k := labelKey{prefix: string(id), number: -1, dash: true}
	v, ok := d.w.labels[k]
	if !ok {
		v = "Subtopology " + string(id)
		d.w.labels[k] = v
	}
	return v
}

// head is what stands over a topic's columns; of a subtopology its id alone
// where the word has no room.
func (d *drawing) head(id protocol.TopicID, short bool) string {
	if short {
		return string(id)
	}
	return d.topicName(id)
}

// shortHeads: the word has no room over some subtopology, so it stands over
// none.
func (d *drawing) shortHeads(end float32) bool {
	for s := range d.slots {
		first := s == 0 || d.slots[s-1].topic != d.slots[s].topic
		if d.streams && first && d.w.width(d.topicName(d.slots[s].p.Topic), 16, scene.Medium) > d.headRoom(s, end) {
			return len(d.topics) > 1
		}
	}
	return false
}

// headRoom is the room for the head over the topic that begins with slot s.
func (d *drawing) headRoom(s int, end float32) float32 {
	g, sl := &d.grid, &d.slots[s]
	x := d.columnX(s)
	n := min(d.topics[sl.topic].n-int(sl.p.Number), len(d.slots)-s)
	if s+n == len(d.slots) {
		return end - x
	}
	return min(float32(n)*g.pitchX-2+g.topicGap-10, end-x)
}

// taskCounts are the header's words of a matrix of tasks, longest first.
func (d *drawing) taskCounts(window string) (texts [3]string) {
	w := d.w
	w.line = appendCount(w.line[:0], len(d.rows))
	w.line = append(w.line, " members, "...)
	w.line = appendCount(w.line, d.processes())
	w.line = append(w.line, " processes, "...)
	w.line = appendCount(w.line, d.total)
	w.line = append(w.line, " tasks"...)
	short := w.intern(w.line)
	long := short
	if g := d.f.State.Group; g != nil && g.Streams != nil {
		topology, _ := w.topology(g.Streams)
		w.line = append(append(w.line[:0], short...), "   "...)
		w.line = append(w.line, topology...)
		long = w.intern(w.line)
	}
	if window != "" {
		long = window
	}
	return [3]string{long, short, window}
}
