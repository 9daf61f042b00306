package board

import (
	"groupscope/render/scene"
)

// The sizes of a topology board.
const (
	topicHeight  = 64
	inputGap     = 24
	taskPitch    = 42
	taskPitchLow = 32
	tableTop     = 92 // from a panel's top to its first task
	storeDrop    = 48 // from a panel to its changelogs
	leastPanel   = 284
	leastTopic   = 150
	tileGap      = 12
	tileLine     = 20
	mostTasks    = 12 // rows of a panel; of more the others are counted
)

// margins are where the picture begins and ends.
func (t *plan) margins() (left, right float32) {
	if t.v.Width < mediumFrom || t.low {
		return 12, t.v.Width - 12
	}
	return 32, t.v.Width - 32
}

// draw draws the board and returns the height it needs.
func (t *plan) draw() float32 {
	p := t.base()
	left, right := t.margins()
	y := t.title(p, left, right)
	if t.topology == nil {
		p.text(left, y+24, t.w.cut("The first member that joins brings it.", 16, scene.Regular, right-left, false), 16, scene.Regular, scene.Ink2)
		t.s.Height = max(t.v.Height, y+64)
		return y + 64
	}
	n := float32(len(t.layers))
	switch {
	case !t.low && n*(leastPanel+leastTopic)+(2*n-1)*40+20 <= right-left:
		y = t.columns(p, left, right, y) + 24
	case t.low:
		y = t.tiles(p, left, right, y-14) + 10
	default:
		y = t.tiles(p, left, right, y) + 24
	}
	y = t.trouble(p, left, right, y)
	y = t.versions(p, left, right, y) + 16
	if t.low {
		y -= 16
	}
	t.s.Height = max(t.v.Height, y)
	return y
}

// title names the topology and sums it up; it returns the y below it.
func (t *plan) title(p pen, left, right float32) float32 {
	size := float32(22)
	if t.v.Width < mediumFrom {
		size = 18
	}
	text := "Topology of group " + t.f.State.GroupID
	if t.topology != nil {
		text = "Topology " + itoa(t.topology.Epoch) + " of group " + t.f.State.GroupID
	}
	text = t.w.cut(text, size, scene.Medium, right-left, false)
	p.text(left, 48, text, size, scene.Medium, scene.Ink)
	note := "none yet"
	if t.topology != nil {
		total := int32(0)
		for i := range t.parts {
			total += t.parts[i].tasks
		}
		note = "not validated"
		if t.streams.ValidatedTopologyEpoch == t.topology.Epoch {
			note = "validated"
		}
		subs := itoa(int32(len(t.parts))) + " subtopologies"
		if len(t.parts) == 1 {
			subs = "1 subtopology"
		}
		note += ", " + subs + ", " + aTask.count(int(total))
	}
	x, y := left+t.w.width(text, size, scene.Medium)+24, float32(48)
	if x+t.w.width(note, 16, scene.Regular) > right {
		x, y = left, 74
	}
	p.text(x, y, t.w.cut(note, 16, scene.Regular, right-x, false), 16, scene.Regular, scene.Ink2)
	t.region(regionKey{kind: groupRegion}, left-4, 24, right-left+8, y-16)
	return y + 30
}

// columns draws the topology from left to right.
func (t *plan) columns(p pen, left, right, top float32) float32 {
	n := float32(len(t.layers))
	left += 16 // for the bracket of copartitioned topics
	room := right - left
	topicW := min(200, max(leastTopic, floor(room*0.16)))
	gap := float32(40)
	panelW := min(340, floor((room-n*topicW-(2*n-1)*gap)/n))
	gap = min(72, floor((room-n*(topicW+panelW))/(2*n-1)))
	bottom := top
	for k, layer := range t.layers {
		x := left + float32(k)*(topicW+panelW+2*gap)
		y := top + 24
		for _, i := range layer {
			b := &t.parts[i]
			b.x, b.y = x+topicW+gap, y
			b.h = t.panelHeight(b)
			t.placeInputs(b, x, topicW)
			t.panel(p, b, panelW)
			below := t.stores(p, b, panelW, topicW)
			for _, in := range b.inputs {
				below = max(below, in.y+topicHeight)
			}
			y = below + 32
			bottom = max(bottom, below)
		}
	}
	for i := range t.parts {
		t.inputs(p, &t.parts[i], topicW)
	}
	for i := range t.parts {
		t.sinks(p, i, panelW)
	}
	return bottom
}

func (t *plan) panelHeight(b *part) float32 {
	n := min(int(b.tasks), mostTasks)
	h := float32(tableTop) + float32(max(n, 1))*t.taskPitch(b) + 8
	if int(b.tasks) > mostTasks {
		h += 24
	}
	return h
}

func (t *plan) taskPitch(b *part) float32 {
	if b.tasks > 6 || t.low {
		return taskPitchLow
	}
	return taskPitch
}

// placeInputs stacks a subtopology's topics beside the middle of its panel.
func (t *plan) placeInputs(b *part, x, w float32) {
	n := float32(len(b.inputs))
	y := max(b.y, b.y+(b.h-n*topicHeight-(n-1)*inputGap)/2)
	for i := range b.inputs {
		b.inputs[i].x, b.inputs[i].y = x, y
		y += topicHeight + inputGap
	}
}

// inputs draws a subtopology's topics and the lines into its panel.
func (t *plan) inputs(p pen, b *part, w float32) {
	for i := range b.inputs {
		in := &b.inputs[i]
		t.topic(p, in, w)
		y, to := in.y+topicHeight/2, b.y+b.h/2
		if len(b.inputs) == 1 {
			y = in.y + topicHeight/2
			to = y
		}
		mid := floor((in.x + w + b.x) / 2)
		p.across(in.x+w, mid, y, 1.5, scene.Ink)
		p.down(mid, y, to, 1.5, scene.Ink)
		if i == len(b.inputs)-1 {
			p.across(mid-0.75, b.x-8, to, 1.5, scene.Ink)
			p.mark(scene.TriangleRight, b.x-9, to-4.5, 9, 9, scene.Ink)
		}
	}
	if len(b.CopartitionGroups) > 0 && len(b.inputs) > 1 {
		first, last := b.inputs[0], b.inputs[len(b.inputs)-1]
		p.text(first.x, first.y-10, "copartitioned", 14, scene.Regular, scene.Ink2)
		p.down(first.x-15.5, first.y, last.y+topicHeight, 1.5, scene.Ink2)
		p.across(first.x-16, first.x-8, first.y, 1.5, scene.Ink2)
		p.across(first.x-16, first.x-8, last.y+topicHeight, 1.5, scene.Ink2)
	}
}

// sinks draws the lines from a subtopology to the repartition topics it
// writes.
func (t *plan) sinks(p pen, i int, w float32) {
	from := &t.parts[i]
	for j := range t.parts {
		for k := range t.parts[j].inputs {
			in := &t.parts[j].inputs[k]
			if in.kind != "repartition" || !writes(from, in.name) || in.x < from.x+w {
				continue
			}
			y, to := from.y+from.h/2, in.y+topicHeight/2
			mid := floor((from.x + w + in.x) / 2)
			p.across(from.x+w, mid, y, 1.5, scene.Ink)
			p.down(mid, y, to, 1.5, scene.Ink)
			p.across(mid-0.75, in.x-8, to, 1.5, scene.Ink)
			p.mark(scene.TriangleRight, in.x-9, to-4.5, 9, 9, scene.Ink)
		}
	}
}

func writes(b *part, topic string) bool {
	for _, name := range b.RepartitionSinkTopics {
		if name == topic {
			return true
		}
	}
	return false
}

// topic is a box with the topic's name and what it is.
func (t *plan) topic(p pen, b *topicBox, w float32) {
	box := scene.Shape{X: b.x, Y: b.y, W: w, H: topicHeight, Radii: round(6), Fill: scene.Paper, Stroke: scene.Ink, Width: 1.5}
	if b.kind != "source" {
		box.Dash = [2]float32{5, 3}
	}
	name, note := scene.Ink, scene.Ink2
	words := b.kind
	switch {
	case b.missing && b.kind == "source":
		box.Stroke, name, note, words = scene.Alert, scene.Alert, scene.Alert, "source, does not exist"
	case b.missing:
		words += ", to be created"
	case b.kind == "changelog":
		box.Dash = [2]float32{}
	}
	if b.partitions > 0 {
		words += ", " + itoa(b.partitions)
		if t.w.width(words+" partitions", 14, scene.Regular) <= w-24 && !b.missing {
			words += " partitions"
		}
	}
	p.shape(box)
	p.text(b.x+14, b.y+27, t.w.cut(b.name, 16, scene.Medium, w-24, true), 16, scene.Medium, name)
	p.text(b.x+14, b.y+48, t.w.cut(words, 14, scene.Regular, w-24, false), 14, scene.Regular, note)
}

// stores draws the changelogs under a panel and returns the y below them.
func (t *plan) stores(p pen, b *part, panelW, topicW float32) float32 {
	bottom := b.y + b.h
	if len(b.stores) == 0 {
		return bottom
	}
	w := min(topicW+20, panelW)
	x := b.x + floor((panelW-w)/2)
	p.down(x+w/2, bottom, bottom+storeDrop-8, 1.5, scene.Ink2)
	p.mark(scene.TriangleDown, x+w/2-4.5, bottom+storeDrop-9, 9, 9, scene.Ink2)
	y := bottom + storeDrop
	for i := range b.stores {
		s := &b.stores[i]
		s.x, s.y = x, y
		t.topic(p, s, w)
		y += topicHeight + 8
	}
	return y - 8
}
