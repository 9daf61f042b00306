package board

import (
	"groupscope/core/protocol"
	"groupscope/core/record"
	"groupscope/render/scene"
)

// panel is a subtopology and the table of its tasks.
func (t *plan) panel(p pen, b *part) {
	if b.former < 0 {
		p.panel(b.x, b.y, b.w, b.h, 12)
	} else {
		p.shape(scene.Shape{X: b.x + 0.75, Y: b.y + 0.75, W: b.w - 1.5, H: b.h - 1.5, Radii: round(12), Stroke: scene.Line, Width: 1.5, Dash: [2]float32{5, 3}})
	}
	pad := float32(20)
	if b.w < 300 {
		pad = 12
	}
	left, right := b.x+pad, b.x+b.w-pad
	f := &t.form
	count := aTask.count(len(b.tasks))
	switch {
	case b.former >= 0:
		count = "topology " + itoa(b.former)
	case !b.known:
		count = "tasks not known"
	}
	size := min(16, f.nameSize)
	name := t.w.cut("Subtopology "+b.ID, f.nameSize, scene.Medium, right-left, true)
	p.text(left, b.y+f.nameY, name, f.nameSize, scene.Medium, scene.Ink)
	if t.w.width(name, f.nameSize, scene.Medium)+8+t.w.width(count, size, scene.Regular) <= right-left {
		p.textEnd(right, b.y+f.nameY, count, size, scene.Regular, scene.Ink2)
	}
	end := b.y + b.h - f.end - 4
	for i := range b.writes {
		text := "writes " + b.writes[len(b.writes)-1-i]
		p.text(left, end, t.w.cut(text, 14, scene.Regular, right-left, true), 14, scene.Regular, scene.Ink2)
		end -= 20
	}
	if !b.known {
		p.text(left, b.y+f.headY, t.w.cut("no tasks until its topics are right", 14, scene.Regular, right-left, false), 14, scene.Regular, scene.Ink2)
		return
	}
	if n := len(b.tasks) - t.most; n > 0 {
		p.text(left, end, "and "+itoa(int32(n))+" more, on the group board", 14, scene.Regular, scene.Ink2)
	}
	t.table(p, b, left, right)
}

// table lists tasks and who has them.
func (t *plan) table(p pen, b *part, left, right float32) {
	f := &t.form
	roles := roleNames[:]
	if f.brief {
		roles = roleNames[:t.roles()]
	}
	names := min(t.taskW, max(56, right-left-52*float32(len(roles)))) // a long id leaves the chips their room
	step := min(112, floor((right-left-names)/float32(len(roles))))
	t.l.chipW = t.chipWidth(step)
	p.text(left, b.y+f.headY, "task", 14, scene.Regular, scene.Ink2)
	for in, head := range roles {
		x := left + names + float32(in)*step
		if step >= 66 {
			p.text(x, b.y+f.headY, head, 14, scene.Regular, scene.Ink2)
			continue
		}
		if role(in) == warmup {
			head = "warm"
		}
		p.label(scene.Label{X: x + t.l.chipW/2, Y: b.y + f.headY, Text: head, Size: 14, Color: scene.Ink2, Anchor: scene.Middle})
	}
	var memory [4]runner
	for n := range min(len(b.tasks), t.most) {
		task, y := b.tasks[n], b.y+f.table+float32(n)*f.pitch
		p.text(left, middle(y, t.l.chipH, 16), t.w.taskIn(task, 16, names-8), 16, scene.Medium, scene.Ink)
		for in := range roles {
			x := left + names + float32(in)*step
			t.owners(p, task, role(in), t.runners(task, role(in), memory[:0]), x, y, x+step-4)
		}
	}
}

// chipWidth is that of the chips of members: as the widest name needs it.
func (t *plan) chipWidth(step float32) float32 {
	widest := float32(48)
	for i := range t.rows {
		widest = max(widest, ceil(t.w.width(t.rows[i].name, 14, scene.Medium))+16)
	}
	return min(widest, step-4)
}

// runner is who has a task, in one role.
type runner struct {
	row   int
	epoch int32
	look  look
	part  float32
	// restores: its application has not caught up, so the task waits.
	restores bool
}

// runners lists who has a task in a role, by member id.
func (t *plan) runners(task protocol.Partition, in role, out []runner) []runner {
	out = out[:0]
	for i := range t.rows {
		m := t.rows[i].member
		if m == nil {
			continue
		}
		is := empty
		switch in {
		case active:
			if contains(m.Assigned, task) {
				is = owned
			} else if contains(m.PendingRevocation, task) {
				is = pending
			}
		default:
			if l, as := bookedAs(m, task); as == in {
				is = l
			}
		}
		if is == empty {
			continue
		}
		n := runner{row: i, epoch: m.MemberEpoch, look: is}
		if in == warmup && m.Streams != nil {
			n.part = progressOf(m.Streams.TaskOffsets, m.Streams.TaskEndOffsets, task)
			if c := t.rows[i].client; n.part == 0 && c != nil && c.ID == m.ID && c.Streams != nil {
				n.part, _ = clientProgress(c.Streams, task)
			}
		}
		if c := t.rows[i].client; in == active && is == owned && c != nil && c.ID == m.ID && c.Streams != nil && c.Owned.Contains(task) {
			n.part, n.restores = clientProgress(c.Streams, task)
		}
		out = append(out, n)
	}
	return out
}

// owners draws who has a task in a role: a chip each, as far as there is
// room, or what is wrong.
func (t *plan) owners(p pen, task protocol.Partition, in role, who []runner, x, y, end float32) {
	l := &t.l
	sl := slot{p: task}
	if len(who) == 0 && in == active {
		p.shape(scene.Shape{X: x, Y: y, W: l.chipW, H: l.chipH, Radii: round(6), Fill: scene.Paper, Stroke: scene.Ink, Width: 2})
		p.label(scene.Label{X: x + l.chipW/2, Y: middle(y, l.chipH, 14), Text: "none", Size: 14, Color: scene.Ink2, Anchor: scene.Middle})
		t.chipRegion(&sl, nil, laneColumn, chip{x: x, y: y, look: nobody})
		return
	}
	if len(who) == 0 {
		p.disc(x+l.chipW/2, y+l.chipH/2, 2, scene.Hair)
		return
	}
	for i, r := range who {
		if i > 0 && x+l.chipW > end {
			p.textEnd(end, y+19, "+"+itoa(int32(len(who)-i)), 14, scene.Regular, scene.Ink2)
			return
		}
		name := t.rows[r.row].name
		sl.label = t.w.cut(name, 14, scene.Medium, l.chipW-6, true)
		sl.width = t.w.width(sl.label, 14, scene.Medium)
		k := chip{x: x, y: y, look: r.look, epoch: r.epoch, under: scene.Panel, role: in, part: r.part, restores: r.restores}
		t.chip(p, &sl, k)
		t.chipRegion(&sl, &t.rows[r.row], currentColumn, k)
		switch {
		case in == active && (len(who) > 1 || t.broken(task)):
			t.alarm(p, x, y, l.chipW, l.chipH, l.radius)
		case t.changed(task, r, in):
			t.ringAround(p, x, y, l.chipW, l.chipH, round(l.radius))
		}
		x += l.chipW + 6
	}
}

// broken: an invariant names the task.
func (t *plan) broken(task protocol.Partition) bool {
	for i := range t.f.State.Violations {
		for _, p := range t.f.State.Violations[i].Partitions {
			if p == task {
				return true
			}
		}
	}
	return false
}

// changed: the member was given the task, or asked to give it up, in this
// step.
func (t *plan) changed(task protocol.Partition, r runner, in role) bool {
	if t.f.Before == nil {
		return false
	}
	was := t.rows[r.row].was
	if was == nil {
		return true
	}
	if in == active {
		return contains(was.Assigned, task) != (r.look == owned)
	}
	look, as := bookedAs(was, task)
	return look != r.look || as != in
}

func contains(held []record.Held, task protocol.Partition) bool {
	for i := range held {
		if held[i].Partition == task {
			return true
		}
	}
	return false
}
