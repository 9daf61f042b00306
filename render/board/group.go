package board

import (
	"groupscope/core/coordinator"
	"groupscope/core/record"
	"groupscope/render/scene"
)

// chips draws a small group: a row a member, a chip a partition.
func (d *drawing) chips() {
	d.findMessages()
	d.arrange()
	l := &d.l
	p := d.base()
	p.panel(l.panel[0], l.panelTop, l.panel[1]-l.panel[0], d.panelBottom-l.panelTop, l.panelRadius)
	d.header(p)
	d.heads(p)
	for i := range d.rows {
		if d.rows[i].shown {
			d.row(p, i)
		}
	}
	d.lane(p)
	d.chipLegend(p)
	if d.lineCount() == 1 && l.target-l.current-l.column >= 24 {
		d.links(p)
	}
	d.fly()
}

// header says which group this is, its state and its epoch.
func (d *drawing) header(p pen) {
	l := &d.l
	g := d.f.State.Group
	end := d.groupEpoch(p, g, l.panel[1]-l.panelPad)
	x := l.name
	if l.ownView {
		x = l.badge
		p.text(l.left(), l.titleY, "Members", l.title, scene.Medium, scene.Ink)
		if d.scroll != "" {
			at := l.name + d.w.width("Members", l.title, scene.Medium) + 12
			room := min(l.own+l.column, l.panel[0]-8) - at
			p.text(at, l.titleY, d.w.cut(d.scroll, l.small, scene.Regular, room, false), l.small, scene.Regular, scene.Ink2)
		}
	}
	word := d.stateName(g)
	wordWidth := d.w.width(word, l.state, scene.Medium)
	if !l.titleless {
		room := end - 16 - x - 29 - 22 - wordWidth
		title := d.w.cut(d.w.group(d.f.State.GroupID), l.title, scene.Medium, max(room, 40), false)
		p.text(x, l.titleY, title, l.title, scene.Medium, scene.Ink)
		x += d.w.width(title, l.title, scene.Medium) + 14
		if l.title >= 22 {
			x += 15
		}
	}
	drop := float32(12)
	if l.state > 14 {
		drop = 13
	}
	d.stateGlyph(p, g, x, l.stateY-drop)
	d.stateText(p, g, x+22, end-8)
	d.topologyWords(p, g, x+22+wordWidth+24, end-16)
	d.region(regionKey{kind: groupRegion}, l.panel[0], l.panelTop, l.panel[1]-l.panel[0], l.groupBadge.y+l.groupBadge.h+4-l.panelTop)
}

// stateName is the group's state in Kafka's word.
func (d *drawing) stateName(g *coordinator.Group) string {
	switch other := d.f.State.Other; {
	case g != nil:
	case other != nil:
		return "a " + other.Type.String() + " group has the id"
	default:
		return "no group yet"
	}
	if g.Classic != nil {
		return d.w.classicState(g.Classic.State)
	}
	return g.State.String()
}

// stateText writes the group's state from x on, up to end.
func (d *drawing) stateText(p pen, g *coordinator.Group, x, end float32) {
	l := &d.l
	was, is := d.crossfade(d.f.Changes != nil && d.f.Changes.GroupState && d.f.Before != nil && d.f.Before.Group != nil)
	if was > 0 {
		p.faded(was).text(x, l.stateY, d.stateName(d.f.Before.Group), l.state, scene.Medium, scene.Ink)
	}
	color := scene.Ink
	if g == nil {
		color = scene.Ink2
	}
	p.faded(is).text(x, l.stateY, d.w.cut(d.stateName(g), l.state, scene.Medium, end-x, false), l.state, scene.Medium, color)
}

// groupEpoch draws the badge at the right and returns the x where its words
// begin.
func (d *drawing) groupEpoch(p pen, g *coordinator.Group, right float32) float32 {
	if g == nil {
		return right
	}
	l := &d.l
	words, was, is := "group epoch", before(d).GroupEpoch, g.GroupEpoch
	if g.Classic != nil {
		words, was, is = "generation", g.Classic.Generation, g.Classic.Generation
	}
	x := d.epochAt(p, right, l.groupBadge, d.f.Changes != nil && d.f.Changes.GroupEpoch, was, is)
	size := l.small
	if l.title >= 22 && l.small < 16 {
		size = 16
	}
	gap := float32(8)
	if d.f.Changes != nil && d.f.Changes.GroupEpoch {
		gap = 12
	}
	p.textEnd(x-gap, l.titleY-titleDrop(l), words, size, scene.Regular, scene.Ink2)
	return x - gap - d.w.width(words, size, scene.Regular)
}

// titleDrop is how much higher the small words of the header stand.
func titleDrop(l *layout) float32 {
	if l.title >= 22 {
		return 2
	}
	return 0
}

// before is the group before this step, or an empty one.
func before(d *drawing) *coordinator.Group {
	if d.f.Before == nil || d.f.Before.Group == nil {
		return &noGroup
	}
	return d.f.Before.Group
}

var noGroup coordinator.Group

// epochAt draws an epoch badge that ends at right, with a ring and a
// cross-fade when it changed, and returns its left edge.
func (d *drawing) epochAt(p pen, right float32, b badgeForm, changed bool, was, is int32) float32 {
	_, w := p.badge(b, is)
	x := right - w
	d.epoch(p, x, b.y, b, changed, was, is)
	return x
}

// epoch draws an epoch badge at x, y and returns its right edge.
func (d *drawing) epoch(p pen, x, y float32, b badgeForm, changed bool, was, is int32) float32 {
	old, now := d.crossfade(changed && was != is)
	if old > 0 {
		p.faded(old).figures(x, y, b, was)
	}
	if changed {
		_, w := p.badge(b, is)
		d.ringAround(p.faded(now), x, y, w, b.h, round(b.h/2))
	}
	return p.faded(now).figures(x, y, b, is)
}

// stateGlyph is the group's state as a sign of 14 by 14.
func (d *drawing) stateGlyph(p pen, g *coordinator.Group, x, y float32) {
	cx, cy := x+7, y+7
	switch {
	case g == nil:
		p.circle(cx, cy, 6, 1.5, scene.Ink2)
	case g.State == coordinator.Assigning:
		p.shape(scene.Shape{X: x + 1, Y: y + 1, W: 12, H: 12, Radii: round(6), Stroke: scene.Ink, Width: 1.5, Dash: [2]float32{3, 2}})
		p.disc(cx, cy, 2, scene.Ink)
	case g.State == coordinator.Reconciling:
		p.circle(cx, cy, 6, 1.5, scene.Ink)
		p.mark(scene.HalfDisc, x+1, y+1, 12, 12, scene.Ink)
	case g.State == coordinator.Stable:
		p.disc(cx, cy, 6.75, scene.Ink)
	default:
		p.circle(cx, cy, 6, 1.5, scene.Ink)
	}
}

// heads names the columns; the assignment epoch lives on the target's.
func (d *drawing) heads(p pen) {
	l := &d.l
	weight, color := scene.Medium, scene.Ink
	if l.titleless {
		weight, color = scene.Regular, scene.Ink2
	}
	if l.ownView {
		p.text(l.own, l.headY, "Own view", l.head, weight, color)
	}
	p.text(l.current, l.headY, "Current", l.head, weight, color)
	p.text(l.target, l.headY, "Target", l.head, weight, color)
	if l.timer == timerColumn {
		p.text(l.current+l.column+24, l.headY, "Timer", l.head, weight, color)
	}
	if d.scroll != "" && !l.ownView {
		p.text(l.name, l.headY, d.w.cut(d.scroll, l.small, scene.Regular, l.current-l.name-6, false), l.small, scene.Regular, scene.Ink2)
	}
	d.topicKey(p)
	d.endpointsHead(p)
	d.assignmentEpoch(p)
	if l.rule > 0 {
		end := l.target + l.column
		if l.ownView {
			p.across(l.left(), l.own+l.column, l.rule+0.5, 1, scene.Hair)
		}
		p.across(l.badge, l.current+l.column, l.rule+0.5, 1, scene.Hair)
		p.across(l.target, end, l.rule+0.5, 1, scene.Hair)
	}
}

func (d *drawing) assignmentEpoch(p pen) {
	g := d.f.State.Group
	if g == nil || g.Classic != nil {
		return
	}
	l := &d.l
	changed := d.f.Changes != nil && d.f.Changes.AssignmentEpoch
	if l.titleless {
		x := l.target + d.w.width("Target", l.head, scene.Regular) + 7
		d.epoch(p, x, l.headBadge.y, l.headBadge, changed, before(d).AssignmentEpoch, g.AssignmentEpoch)
		return
	}
	x := d.epochAt(p, l.target+l.column, l.headBadge, changed, before(d).AssignmentEpoch, g.AssignmentEpoch)
	gap := float32(8)
	if changed {
		gap = 12
	}
	room := x - gap - l.target - d.w.width("Target", l.head, scene.Medium) - 8
	words := l.forEpoch
	if d.w.width(words, l.small, scene.Regular) > room {
		words = "for epoch"
	}
	if d.w.width(words, l.small, scene.Regular) <= room {
		p.textEnd(x-gap, l.headY, words, l.small, scene.Regular, scene.Ink2)
	}
}

// topicKey explains the prefixes on the chips.
func (d *drawing) topicKey(p pen) {
	if !d.short || len(d.topics) == 0 {
		return
	}
	l := &d.l
	column, head := l.own, "Own view"
	if !l.ownView {
		column, head = l.current, "Current"
	}
	room := l.column - d.w.width(head, l.head, scene.Medium) - 12
	key := d.w.topicKey(d.topics)
	p.textEnd(column+l.column, l.headY, d.w.cut(key, l.small, scene.Regular, room, false), l.small, scene.Regular, scene.Ink2)
}

// stateWord is a member's state without its suffix.
func stateWord(s record.MemberState) string {
	switch s {
	case record.UnrevokedPartitions:
		return "Unrevoked"
	case record.UnreleasedPartitions:
		return "Unreleased"
	}
	return "Stable"
}

// targetEpoch is the hue of the target column.
func (d *drawing) targetEpoch() int32 {
	if g := d.f.State.Group; g != nil {
		return g.AssignmentEpoch
	}
	return 0
}
