package board

import (
	"slices"

	"groupscope/render/scene"
)

// draw draws what was placed and returns the height it needs.
func (t *plan) draw(p pen) float32 {
	left, right := t.edges()
	t.title(p, left, right)
	if t.topology == nil {
		y := t.form.top + 12
		p.text(left, y, t.w.cut("The first member that joins brings it.", 16, scene.Regular, right-left, false), 16, scene.Regular, scene.Ink2)
		return y + 40
	}
	for i := range t.parts {
		t.panel(p, &t.parts[i])
	}
	for i := range t.parts {
		b := &t.parts[i]
		if t.form.inputs {
			t.inputs(p, b)
			t.sinks(p, i)
		}
		if t.form.stores {
			t.stores(p, b)
		}
	}
	return t.foot(p)
}

// titleText names the topology.
func (t *plan) titleText() string {
	if t.topology == nil {
		return "Topology of group " + t.f.State.GroupID
	}
	return "Topology " + itoa(t.topology.Epoch) + " of group " + t.f.State.GroupID
}

// note sums the topology up.
func (t *plan) note() string {
	if t.topology == nil {
		return "none yet"
	}
	total := 0
	for i := range t.parts {
		if t.parts[i].former < 0 {
			total += len(t.parts[i].tasks)
		}
	}
	note := "not validated"
	if t.streams.ValidatedTopologyEpoch == t.topology.Epoch {
		note = "validated"
	}
	return note + ", " + t.counted() + ", " + aTask.count(total)
}

// counted is how many subtopologies the group's topology has.
func (t *plan) counted() string {
	n := len(t.topology.Subtopologies)
	if n == 1 {
		return "1 subtopology"
	}
	return itoa(int32(n)) + " subtopologies"
}

func (t *plan) noteSize() float32 { return min(16, t.form.title-2) }

// titleFits: the sum stands beside the title.
func (t *plan) titleFits(left, right float32) bool {
	return left+t.w.width(t.titleText(), t.form.title, scene.Medium)+20+t.w.width(t.note(), t.noteSize(), scene.Regular) <= right
}

func (t *plan) title(p pen, left, right float32) {
	f := &t.form
	text := t.w.cut(t.titleText(), f.title, scene.Medium, right-left, false)
	p.text(left, f.titleY, text, f.title, scene.Medium, scene.Ink)
	x, y := left+t.w.width(text, f.title, scene.Medium)+20, f.titleY
	fits := t.titleFits(left, right)
	if !fits {
		x, y = left, f.titleY+25
	}
	if fits || !f.brief {
		p.text(x, y, t.w.cut(t.note(), t.noteSize(), scene.Regular, right-x, false), t.noteSize(), scene.Regular, scene.Ink2)
	}
	t.region(regionKey{kind: groupRegion}, left-4, f.titleY-22, right-left+8, y-f.titleY+30)
}

// inputs draws a subtopology's topics and the lines into its panel.
func (t *plan) inputs(p pen, b *part) {
	for i := range b.inputs {
		t.topic(p, &b.inputs[i])
	}
	if t.bracketed(b) {
		t.together(p, b)
	}
	if !t.form.columns {
		for i := range b.inputs {
			x := b.inputs[i].x + floor(b.inputs[i].w/2)
			t.arrowDown(p, x, b.inputs[i].y+t.form.topicH, b.y, scene.Ink)
		}
		return
	}
	for i := range b.inputs {
		in := &b.inputs[i]
		y := in.y + t.form.topicH/2
		to := y
		if len(b.inputs) > 1 {
			to = b.y + floor(b.h/2)
		}
		t.arrowRight(p, in.x+in.w, y, b.x, to, scene.Ink)
	}
}

// arrowRight goes from x0, y0 right, down or up half way, and right to x1, y1.
func (t *plan) arrowRight(p pen, x0, y0, x1, y1 float32, c scene.Color) {
	mid := floor((x0 + x1) / 2)
	p.across(x0, mid+0.75, y0, 1.5, c)
	p.down(mid, y0, y1, 1.5, c)
	p.across(mid-0.75, x1-8, y1, 1.5, c)
	p.mark(scene.TriangleRight, x1-9, y1-4.5, 9, 9, c)
}

func (t *plan) arrowDown(p pen, x, y0, y1 float32, c scene.Color) {
	p.down(x, y0, y1-8, 1.5, c)
	p.mark(scene.TriangleDown, x-4.5, y1-9, 9, 9, c)
}

// together brackets the topics of a subtopology that are read together.
func (t *plan) together(p pen, b *part) {
	first, last := &b.inputs[0], &b.inputs[len(b.inputs)-1]
	const text = "copartitioned"
	if t.form.columns {
		p.text(first.x, first.y-8, text, 14, scene.Regular, scene.Ink2)
		p.down(first.x-15.25, first.y, last.y+t.form.topicH, 1.5, scene.Ink2)
		p.across(first.x-16, first.x-8, first.y+0.75, 1.5, scene.Ink2)
		p.across(first.x-16, first.x-8, last.y+t.form.topicH-0.75, 1.5, scene.Ink2)
		return
	}
	y, x0, x1 := first.y-11, first.x, last.x+last.w
	w := t.w.width(text, 14, scene.Regular)
	mid := floor((x0 + x1) / 2)
	p.across(x0, mid-w/2-6, y, 1.5, scene.Ink2)
	p.across(mid+w/2+6, x1, y, 1.5, scene.Ink2)
	p.down(x0+0.75, y, y+7, 1.5, scene.Ink2)
	p.down(x1-0.75, y, y+7, 1.5, scene.Ink2)
	p.label(scene.Label{X: mid, Y: y + 5, Text: text, Size: 14, Color: scene.Ink2, Anchor: scene.Middle})
}

// sinks draws the lines from a subtopology to the repartition topics it
// writes, as far as they stand next to it.
func (t *plan) sinks(p pen, i int) {
	from := &t.parts[i]
	for _, name := range from.RepartitionSinkTopics {
		if slices.Contains(from.writes, name) {
			continue
		}
		for _, j := range t.readersOf(name) {
			to := &t.parts[j]
			for k := range to.inputs {
				if in := &to.inputs[k]; in.name == name && in.kind == "repartition" {
					t.sink(p, from, to, in)
				}
			}
		}
	}
}

func (t *plan) sink(p pen, from, to *part, in *topicBox) {
	y := in.y + t.form.topicH/2
	switch {
	case t.form.columns && to.layer == from.layer+1:
		t.arrowRight(p, from.x+from.w, from.y+floor(from.h/2), in.x, y, scene.Ink)
	case t.form.columns:
	case to.y == from.y && in.x >= from.x+from.w:
		t.arrowRight(p, from.x+from.w, from.y+20, in.x, y, scene.Ink)
	case to.y > from.y:
		t.arrowDown(p, in.x+floor(in.w/2), from.y+from.h, in.y, scene.Ink)
	}
}

// stores draws the changelogs of a subtopology.
func (t *plan) stores(p pen, b *part) {
	for i := range b.stores {
		s := &b.stores[i]
		t.topic(p, s)
		switch {
		case b.beside:
			t.arrowRight(p, b.x+b.w, b.y+floor(b.h/2), s.x, s.y+t.form.topicH/2, scene.Ink2)
		case s.y == b.stores[0].y:
			t.arrowDown(p, s.x+floor(s.w/2), b.y+b.h, s.y, scene.Ink2)
		}
	}
}

// topic is a box with the topic's name and what it is.
func (t *plan) topic(p pen, b *topicBox) {
	h := t.form.topicH
	box := scene.Shape{X: b.x, Y: b.y, W: b.w, H: h, Radii: round(6), Fill: scene.Paper, Stroke: scene.Ink, Width: 1.5}
	name, note := scene.Ink, scene.Ink2
	if b.kind == "repartition" || b.missing {
		box.Dash = [2]float32{5, 3}
	}
	if b.missing && b.kind == "source" || b.wrong || b.twice {
		box.Stroke, name, note = scene.Alert, scene.Alert, scene.Alert
	}
	p.shape(box)
	pad := float32(14)
	if b.w < 140 {
		pad = 9
	}
	size, first, second := float32(16), b.y+h/2-5, b.y+h/2+16
	if h < 60 {
		size, first, second = 14, b.y+h/2-4, b.y+h/2+15
	}
	p.text(b.x+pad, first, t.w.cut(b.name, size, scene.Medium, b.w-2*pad, true), size, scene.Medium, name)
	p.text(b.x+pad, second, t.firstFit(b.w-2*pad, scene.Regular, b.what()...), 14, scene.Regular, note)
}

// what says what a topic is, the longest way first.
func (b *topicBox) what() []string {
	count := itoa(b.partitions)
	many := aPartition.count(int(b.partitions))
	switch {
	case b.twice:
		return []string{b.kind + ", read twice", "read twice"}
	case b.missing && b.kind == "source":
		return []string{"source, does not exist", "does not exist", "missing"}
	case b.missing && b.partitions > 0:
		return []string{b.kind + ", " + many + ", to be created", b.kind + ", to be created", "to be created, " + count, "to be created"}
	case b.missing:
		return []string{b.kind + ", to be created", "to be created"}
	}
	return []string{b.kind + ", " + many, b.kind + ", " + count, many, count}
}
