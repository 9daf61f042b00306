package board

import (
	"groupscope/core/protocol"
	"groupscope/core/record"
	"groupscope/render/scene"
)

// panel is a subtopology and the table of its tasks.
func (t *plan) panel(p pen, b *part, w float32) {
	p.panel(b.x, b.y, w, b.h, 12)
	t.table(p, b, b.x+20, b.x+w-20, b.y)
}

// table lists the tasks of a subtopology and who has them.
func (t *plan) table(p pen, b *part, left, right, top float32) {
	count := aTask.count(int(b.tasks))
	if b.tasks == 0 {
		count = "tasks not known"
	}
	p.text(left, top+36, t.w.cut("Subtopology "+b.ID, 18, scene.Medium, right-left-t.w.width(count, 16, scene.Regular)-8, true), 18, scene.Medium, scene.Ink)
	p.textEnd(right, top+36, count, 16, scene.Regular, scene.Ink2)
	columns := [...]float32{left + 56, left + 56 + (right-left-56)*0.34, left + 56 + (right-left-56)*0.67}
	p.text(left, top+72, "task", 14, scene.Regular, scene.Ink2)
	for i, x := range columns {
		p.text(x, top+72, roleNames[i], 14, scene.Regular, scene.Ink2)
	}
	pitch := t.taskPitch(b)
	var memory [4]runner
	for n := range min(int(b.tasks), mostTasks) {
		task := protocol.Partition{Topic: protocol.TopicID(b.ID), Number: int32(n)}
		y := top + tableTop - 8 + float32(n)*pitch
		p.text(left, y+20, t.w.task(task), 16, scene.Medium, scene.Ink)
		for in, x := range columns {
			end := right
			if in+1 < len(columns) {
				end = columns[in+1] - 6
			}
			t.owners(p, task, role(in), t.runners(task, role(in), memory[:0]), x, y, end)
		}
	}
	if int(b.tasks) > mostTasks {
		p.text(left, b.y+b.h-14, "and "+itoa(b.tasks-mostTasks)+" more, on the group board", 14, scene.Regular, scene.Ink2)
	}
}

// owners draws who has a task in a role: a chip each, as far as there is
// room, or what is wrong.
func (t *plan) owners(p pen, task protocol.Partition, in role, who []runner, x, y, end float32) {
	l := &t.l
	if len(who) == 0 {
		if in == active {
			p.shape(scene.Shape{X: x, Y: y, W: l.chipW, H: l.chipH, Radii: round(6), Fill: scene.Paper, Stroke: scene.Ink, Width: 2})
			p.label(scene.Label{X: x + l.chipW/2, Y: middle(y, l.chipH, 14), Text: "none", Size: 14, Color: scene.Ink2, Anchor: scene.Middle})
			return
		}
		p.disc(x+l.chipW/2, y+l.chipH/2, 2, scene.Hair)
		return
	}
	for i, r := range who {
		if i > 0 && x+l.chipW > end {
			p.textEnd(end, y+19, "+"+itoa(int32(len(who)-i)), 14, scene.Regular, scene.Ink2)
			return
		}
		sl := slot{p: task}
		sl.label = t.w.cut(r.name, 14, scene.Medium, l.chipW-4, true)
		sl.width = t.w.width(sl.label, 14, scene.Medium)
		t.chip(p, &sl, chip{x: x, y: y, look: r.look, epoch: r.epoch, under: scene.Panel, role: in, part: r.part})
		t.chipRegion(&sl, r.row, currentColumn, r.look, in, r.epoch, x, y)
		if in == active && len(who) > 1 {
			t.alarm(p, x, y, l.chipW, l.chipH, l.radius)
		}
		x += l.chipW + 6
	}
}

func contains(held []record.Held, task protocol.Partition) bool {
	for i := range held {
		if held[i].Partition == task {
			return true
		}
	}
	return false
}

// tiles draws the subtopologies side by side, as many as there is room for,
// and their topics as words.
func (t *plan) tiles(p pen, left, right, y float32) float32 {
	across, w := t.tileForm(left, right)
	for i := 0; i < len(t.parts); i += across {
		h := t.tileHeight(i, across)
		for k := i; k < min(i+across, len(t.parts)); k++ {
			b := &t.parts[k]
			b.x, b.y, b.h = left+float32(k-i)*(w+tileGap), y, t.panelHeight(b)
			p.panel(b.x, y, w, h, 12)
			t.table(p, b, b.x+16, b.x+w-16, y)
			at := y + t.panelHeight(b) + 12
			for _, line := range t.words(b) {
				color := scene.Ink2
				if line.alert {
					color = scene.Alert
				}
				p.text(b.x+16, at, t.w.cut(line.text, 14, scene.Regular, w-32, false), 14, scene.Regular, color)
				at += tileLine
			}
		}
		y += h + tileGap
	}
	return y - tileGap
}

// tileForm is how many tiles stand side by side, and how wide they are.
func (t *plan) tileForm(left, right float32) (across int, w float32) {
	across = min(max(1, int((right-left+tileGap)/(leastPanel+tileGap))), max(1, len(t.parts)))
	if !t.low { // there is height enough: full width
		across = 1
	}
	return across, floor((right - left - float32(across-1)*tileGap) / float32(across))
}

// tileHeight is that of a row of tiles, from the i-th on.
func (t *plan) tileHeight(i, across int) float32 {
	h := float32(0)
	for k := i; k < min(i+across, len(t.parts)); k++ {
		h = max(h, t.panelHeight(&t.parts[k])+float32(len(t.words(&t.parts[k])))*tileLine+4)
	}
	return h
}

// lowHeight is the height of the low form.
func (t *plan) lowHeight() float32 {
	t.low = true
	defer func() { t.low = false }()
	saved := *t.s
	var scratch scene.Scene
	*t.s = scratch
	h := t.draw()
	*t.s = saved
	return h
}

// line is a line of words under a panel.
type line struct {
	text  string
	alert bool
}

// words say what a subtopology reads, writes and keeps.
func (t *plan) words(b *part) []line {
	var out []line
	for i := range b.inputs {
		in := &b.inputs[i]
		text := "reads " + in.name + ", " + in.kind
		if in.missing && in.kind == "source" {
			text = "reads " + in.name + ", which does not exist"
		} else if in.partitions > 0 {
			text += ", " + itoa(in.partitions) + " partitions"
		}
		out = append(out, line{text, in.missing && in.kind == "source"})
	}
	for _, name := range b.RepartitionSinkTopics {
		out = append(out, line{"writes " + name, false})
	}
	for i := range b.stores {
		out = append(out, line{"keeps " + b.stores[i].name, false})
	}
	return out
}
