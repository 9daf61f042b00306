package board

import (
	"groupscope/core/coordinator"
	"groupscope/core/protocol"
	"groupscope/core/sim"
	"groupscope/render/scene"
)

// role is what a member does with a task: the body of its chip says it, and
// the edge and the right end say the stage. Partitions have one role.
type role uint8

const (
	active role = iota
	standby
	warmup
)

var roleNames = [...]string{"active", "standby", "warm-up"}

// roleForm are the sizes of what tells roles apart.
type roleForm struct {
	end         float32 // width of the hatched right end of what is being revoked
	inset, line float32 // of the two lines of a standby that is wanted
	bar         float32 // height of a warm-up's bar
	foot        float32 // from the bar to the lower edge; the lines are one more from theirs
}

// lowChip is a height under which marks keep to the edges, clear of the label.
const lowChip = 26

func (d *drawing) roleForm() roleForm {
	if d.l.chipW >= 64 {
		return roleForm{end: 18, inset: 5, line: 1.5, bar: 4, foot: 3}
	}
	end := float32(14)
	if d.l.chipW < 48 {
		end = 10
	}
	if d.l.chipH < lowChip {
		return roleForm{end: end, inset: 4, line: 1.5, bar: 3, foot: 1.75}
	}
	return roleForm{end: end, inset: 4, line: 1.5, bar: 4, foot: 3}
}

// body draws what a member does with a task, in a box; label says where its
// label stands and in which colour.
func (d *drawing) body(p pen, box scene.Shape, c chip) (ink scene.Color) {
	edge := scene.Epoch(c.epoch, scene.Edge)
	box.Stroke, box.Width = edge, 1.5
	switch c.role {
	case standby:
		box.Fill, box.Pattern = scene.Paper, scene.Stripes
		p.shape(box)
		return scene.Ink
	case warmup:
		whole := box
		box.Fill = scene.Paper
		p.shape(box)
		f := d.roleForm()
		if done := (whole.W - 1.5) * c.part; done >= 1 {
			wash := scene.Shape{X: whole.X + 0.75, Y: whole.Y + 0.75, W: done, H: whole.H - 1.5, Fill: scene.Epoch(c.epoch, scene.Wash)}
			wash.Radii = whole.Radii
			if c.part < 1 {
				wash.Radii[1], wash.Radii[2] = 0, 0
			}
			p.shape(wash)
			p.rect(whole.X+3, whole.Y+whole.H-f.foot-f.bar, max(2, (whole.W-6)*c.part), f.bar, 1, edge)
		}
		box.Fill = scene.NoColor
		p.shape(box)
		return scene.Ink
	}
	box.Fill = scene.Epoch(c.epoch, scene.Fill)
	p.shape(box)
	return scene.Epoch(c.epoch, scene.On)
}

// wantedMarks are what a standby or a warm-up that is only wanted has in its
// outline.
func (d *drawing) wantedMarks(p pen, c chip) {
	l, f := &d.l, d.roleForm()
	edge := scene.Epoch(c.epoch, scene.Edge)
	switch c.role {
	case standby:
		p.across(c.x+f.inset, c.x+l.chipW-f.inset, c.y+f.foot+1, f.line, edge)
		p.across(c.x+f.inset, c.x+l.chipW-f.inset, c.y+l.chipH-f.foot-1, f.line, edge)
	case warmup: // the bar of no progress
		p.shape(scene.Shape{
			X: c.x + f.inset, Y: c.y + l.chipH - f.foot - f.bar - 0.5, W: l.chipW - 2*f.inset, H: f.bar + 0.5,
			Radii: round(1.5), Stroke: edge, Width: 1,
		})
	}
}

// restoring is the bar of an active task whose state has not caught up: it
// processes nothing before.
func (d *drawing) restoring(p pen, c chip) {
	l, f := &d.l, d.roleForm()
	on := scene.Epoch(c.epoch, scene.On)
	x, y, w := c.x+3, c.y+l.chipH-f.foot-f.bar, l.chipW-6
	p.faded(0.35*p.alpha1()).rect(x, y, w, f.bar, 1, on)
	p.rect(x, y, max(2, w*c.part), f.bar, 1, on)
}

// onItsWay marks what a member has in one role and is to have in another: the
// edge is that of the stage, dashed, with a lock while another holds it.
func (d *drawing) onItsWay(p pen, c chip, box scene.Shape) {
	p.shape(scene.Shape{X: box.X, Y: box.Y, W: box.W, H: box.H, Radii: box.Radii, Stroke: c.under, Width: 2, Dash: [2]float32{3, 5}})
	if c.next == waiting {
		d.lockAtEdge(p, c)
	}
}

// task draws what a member has or gives up of a task, and returns where the
// label's middle is, from the chip's, and its colour.
func (d *drawing) task(p pen, sl *slot, c chip, box scene.Shape) (shift float32, ink scene.Color) {
	ink = d.body(p, box, c)
	if c.look == pending {
		f := d.roleForm()
		end := scene.Shape{
			X: c.x + d.l.chipW - f.end, Y: c.y, W: f.end, H: d.l.chipH, Radii: [4]float32{0, box.Radii[1], box.Radii[2], 0},
			Fill: scene.Paper, Stroke: scene.Epoch(c.epoch, scene.Edge), Width: 1.5, Pattern: scene.Hatch,
		}
		p.shape(end)
		shift = -f.end / 2
	}
	if c.role == standby {
		d.plateAt(p, sl, c, shift)
	}
	if c.restores {
		d.restoring(p, c)
	}
	if c.next != empty {
		d.onItsWay(p, c, box)
	}
	return shift, ink
}

// progressOf is how far a task is restored, by the offsets reported.
func progressOf(offsets, ends []protocol.TaskOffset, task protocol.Partition) float32 {
	at, end := offsetOf(offsets, task), offsetOf(ends, task)
	if end <= 0 {
		return 0
	}
	return min(1, max(0, float32(at)/float32(end)))
}

func offsetOf(list []protocol.TaskOffset, task protocol.Partition) int64 {
	for i := range list {
		if list[i].Task == task {
			return list[i].Offset
		}
	}
	return 0
}

// clientProgress is how far a client has restored a task's state; behind says
// that it has not caught up.
func clientProgress(c *sim.StreamsClient, task protocol.Partition) (part float32, behind bool) {
	for i := range c.Progress {
		if p := &c.Progress[i]; p.Task == task && p.End > 0 {
			return min(1, max(0, float32(p.Offset)/float32(p.End))), p.Offset < p.End
		}
	}
	return 0, false
}

// opensAs is as what a client was given a task that it has not taken up yet,
// besides as an active one.
func opensAs(c *sim.StreamsClient, task protocol.Partition) (look, role) {
	switch {
	case c == nil:
	case c.AddingStandby.Contains(task):
		return free, standby
	case c.AddingWarmup.Contains(task):
		return free, warmup
	}
	return empty, active
}

// bookedAs is what a member of the books does with a task besides being its
// active owner.
func bookedAs(m *coordinator.Member, task protocol.Partition) (look, role) {
	if m == nil || m.Streams == nil {
		return empty, active
	}
	s := m.Streams
	switch {
	case s.PendingStandby.Contains(task):
		return pending, standby
	case s.PendingWarmup.Contains(task):
		return pending, warmup
	case s.Standby.Contains(task):
		return owned, standby
	case s.Warmup.Contains(task):
		return owned, warmup
	}
	return empty, active
}

// runsAs is the same of what a client believes.
func runsAs(c *sim.ClientState, task protocol.Partition) (look, role) {
	if c == nil || c.Streams == nil {
		return empty, active
	}
	s := c.Streams
	switch {
	case s.RevokingStandby.Contains(task):
		return pending, standby
	case s.RevokingWarmup.Contains(task):
		return pending, warmup
	case s.Standby.Contains(task):
		return owned, standby
	case s.Warmup.Contains(task):
		return owned, warmup
	}
	return empty, active
}

// taskTitle says what a task's chip means.
func taskTitle(k *regionKey) string {
	task, in := protocol.TaskName(k.p), roleNames[k.role]
	if k.role != active {
		in = "a " + in
	} else {
		in = "active"
	}
	if k.next != empty {
		has := task + ": " + k.name + " has it, " + in
		switch {
		case k.column == ownColumn:
			return has + ", and opens it in another role"
		case k.next == waiting:
			return has + ", and waits to have it in another role"
		}
		return has + ", and may take it in another role with its next heartbeat"
	}
	if k.restores && k.column != ownColumn {
		return task + ": " + k.name + " has it, " + in + ", and restores its state before it runs"
	}
	if k.column == ownColumn {
		switch k.look {
		case free:
			return task + ": given to " + k.name + ", which is opening it, " + in
		case pending:
			return task + ": " + k.name + " is closing it, " + in
		case fenced:
			return task + ": lost by " + k.name + ", which was fenced"
		}
		if k.restores {
			return task + ": " + k.name + " has opened it, " + in + ", and restores its state before it runs, at epoch " + itoa(k.epoch)
		}
		return task + ": " + k.name + " runs it, " + in + ", at epoch " + itoa(k.epoch)
	}
	switch k.look {
	case pending:
		return task + ": " + k.name + " holds it, " + in + ", and is asked to give it up"
	case waiting:
		return task + ": " + k.name + " waits to have it, " + in
	case free:
		return task + ": released, " + k.name + " may take it with its next heartbeat"
	case target:
		return task + ": the target of epoch " + itoa(k.epoch) + " gives it to " + k.name + ", " + in
	case nobody:
		return task + ": nobody runs it"
	case fresh:
		return task + ": nobody has run it yet"
	}
	return task + ": " + k.name + " has it, " + in + ", at member epoch " + itoa(k.epoch)
}
