package board

import (
	"groupscope/core/protocol"
	"groupscope/core/record"
	"groupscope/render/scene"
)

// aggregates draws a group of more than 64 members as counts: four figures,
// members by epoch and state, partitions by who holds them, how evenly they
// are spread, and who holds the group back.
func (d *drawing) aggregates() {
	d.bigFrame()
	s := d.summary()
	g := &d.grid
	panel := len(d.s.Base.Shapes)
	p := d.base()
	p.panel(g.left, d.l.panelTop, g.right-g.left, 0, 12) // its height comes last
	d.bigHeader(p)
	y := d.figuresRow(p, s, g.headY+20)
	y = d.membersBar(p, s, y+34)
	y = d.partitionsBar(p, s, y+36)
	half := floor((g.target - g.name - 56) * 0.45)
	if d.v.Width < wideFrom {
		y = d.spread(p, s, g.name, g.target-g.name, y+36)
		y = d.holders(p, s, g.name, y+36)
	} else {
		y = max(d.spread(p, s, g.name, half, y+36), d.holders(p, s, g.name+half+56, y+36))
	}
	d.panelBottom = y + 20
	d.s.Base.Shapes[panel].H = d.panelBottom - d.l.panelTop
	p.text(g.name, d.panelBottom+36, d.w.cut(s.worst, 20, scene.Medium, g.target-g.name, true), 20, scene.Medium, scene.Ink)
	d.s.Height = max(d.v.Height, d.panelBottom+56)
}

// figuresRow are the four big figures.
func (d *drawing) figuresRow(p pen, s *summary, y float32) float32 {
	g := &d.grid
	across := 4
	if d.v.Width < mediumFrom {
		across = 2
	}
	pitch := floor((g.target - g.name + 16) / float32(across))
	n := nounOf(d.streams)
	longest, whose := "0 s", "every "+n.one+" has one"
	if s.longest.Since > 0 {
		longest, whose = d.w.tenths(d.f.Now.Sub(s.longest.Since)), s.longestText
	} else if s.nobody > 0 {
		whose = "none had one before"
	}
	figure := func(i int, value, first, second string) {
		x := g.name + float32(i%across)*pitch
		top := y + float32(i/across)*100
		p.text(x, top+10, d.w.cut(value, 40, scene.Medium, pitch-8, false), 40, scene.Medium, scene.Ink)
		p.text(x, top+35, d.w.cut(first, 16, scene.Regular, pitch-12, false), 16, scene.Regular, scene.Ink2)
		p.text(x, top+55, d.w.cut(second, 16, scene.Regular, pitch-12, true), 16, scene.Regular, scene.Ink2)
	}
	figure(0, d.w.thousands(s.atTarget), d.w.outOf(s.members, " members"), "at the target epoch")
	figure(1, d.w.thousands(s.settled), d.w.outOf(s.total, " "+n.many), "settled")
	figure(2, d.w.thousands(s.nobody), n.many, "owned by nobody")
	figure(3, longest, "longest without owner", whose)
	return y + float32((4/across)-1)*100 + 55
}

// share is one part of a bar.
type share struct {
	n     int
	look  look
	epoch int32
	text  string
}

func (d *drawing) membersBar(p pen, s *summary, y float32) float32 {
	at := "at target, stable"
	if s.waiting > 0 && s.stable > 0 {
		at = d.w.split(s.stable, s.waiting)
	} else if s.waiting > 0 {
		at = "at target, waiting for release"
	}
	shares := [...]share{
		{s.atTarget, owned, d.targetEpoch(), at},
		{s.revoking, pending, s.oldest, "being asked to revoke"},
		{s.unheard, owned, s.oldest, "not heard from since the target"},
	}
	return d.shares(p, "Members by epoch and state", y, shares[:])
}

func (d *drawing) partitionsBar(p pen, s *summary, y float32) float32 {
	shares := [...]share{
		{s.settled - s.behind, owned, d.targetEpoch(), "with the right owner"},
		{s.behind, owned, s.oldest, "with the right owner, behind"},
		{s.unasked, target, s.oldest, "to be revoked, not asked yet"},
		{s.asked, pending, s.oldest, "being revoked"},
		{s.nobody, nobody, 0, "owned by nobody"},
	}
	return d.shares(p, d.w.headed(d.streams, " by who holds them"), y, shares[:])
}

// shares draws a bar in parts, and under it what each is.
func (d *drawing) shares(p pen, title string, y float32, parts []share) float32 {
	g := &d.grid
	p.text(g.name, y, title, 16, scene.Medium, scene.Ink)
	total, shown := 0, 0
	for _, s := range parts {
		if total += s.n; s.n > 0 {
			shown++
		}
	}
	const gap, least = 2, 8
	room := g.target - g.name - 2 - float32(max(shown-1, 0))*gap - float32(shown)*least
	x, top := g.name+1, y+12
	lx, ly := g.name, y+64
	for _, s := range parts {
		if s.n == 0 {
			continue
		}
		w := least + room*float32(s.n)/float32(total)
		box := scene.Shape{X: x, Y: top, W: w, H: 28, Radii: round(3), Stroke: scene.Epoch(s.epoch, scene.Edge), Width: 1.5}
		switch s.look {
		case owned:
			box.Fill = scene.Epoch(s.epoch, scene.Fill)
		case pending:
			box.Fill, box.Pattern = scene.Paper, scene.Hatch
		case nobody:
			box.Fill, box.Stroke = scene.Paper, scene.Ink
		}
		p.shape(box)
		x += w + gap
		lx, ly = d.shareLegend(p, s, lx, ly)
	}
	return ly
}

func (d *drawing) shareLegend(p pen, s share, x, y float32) (float32, float32) {
	g := &d.grid
	count := d.w.thousands(s.n)
	badge := badgeForm{w: 30, h: 22, size: 14}
	w := d.w.width(count, 14, scene.Medium) + 8 + d.w.width(s.text, 14, scene.Regular)
	if s.look != nobody {
		_, b := p.badge(badge, s.epoch)
		w += b + 8
	}
	if x+w > g.target && x > g.name {
		x, y = g.name, y+28
	}
	at := x
	if s.look != nobody {
		at = p.figures(at, y-16, badge, s.epoch) + 8
	}
	p.text(at, y, count, 14, scene.Medium, scene.Ink)
	at += d.w.width(count, 14, scene.Medium) + 8
	p.text(at, y, d.w.cut(s.text, 14, scene.Regular, g.target-at, false), 14, scene.Regular, scene.Ink2)
	return x + w + 36, y
}

// spread is the histogram of partitions a member: solid now, outline target.
func (d *drawing) spread(p pen, s *summary, x, w, y float32) float32 {
	title := d.w.headed(d.streams, " a member")
	p.text(x, y, title, 16, scene.Medium, scene.Ink)
	note := x + d.w.width(title, 16, scene.Medium) + 14
	if d.w.width("solid now, outline target", 14, scene.Regular) <= x+w-note {
		p.text(note, y, "solid now, outline target", 14, scene.Regular, scene.Ink2)
	}
	const height = 100
	n := (s.most-s.least)/s.perBucket + 1
	pitch := min(64, floor(w/float32(n)))
	highest := 1
	for i := range n {
		highest = max(highest, s.has[i], s.aim[i])
	}
	base := y + 34 + height
	width := min(44, pitch-8)
	epoch := d.targetEpoch()
	for i := range n {
		left := x + float32(i)*pitch + (pitch-width)/2
		tall := func(n int) float32 { return floor(float32(n) * height / float32(highest)) }
		if s.has[i] > 0 {
			h := max(tall(s.has[i]), 1)
			p.shape(scene.Shape{X: left, Y: base - h, W: width, H: h, Fill: scene.Epoch(epoch, scene.Fill), Stroke: scene.Epoch(epoch, scene.Edge), Width: 1})
			p.label(scene.Label{X: left + width/2, Y: base - max(h, tall(s.aim[i])) - 8, Text: d.w.number(int32(s.has[i])), Size: 14, Color: scene.Ink, Anchor: scene.Middle})
		}
		if s.aim[i] > 0 {
			h := max(tall(s.aim[i]), 1)
			p.outline(left-3, base-h, width+6, h, 0, 1.5, scene.Epoch(epoch, scene.Edge))
		}
		p.label(scene.Label{X: left + width/2, Y: base + 20, Text: d.w.number(int32(s.least + i*s.perBucket)), Size: 14, Color: scene.Ink2, Anchor: scene.Middle})
	}
	p.rect(x, base, min(w, float32(n)*pitch), 1, 0, scene.Line)
	return base + 20
}

// holders is the table of who keeps most partitions from others.
func (d *drawing) holders(p pen, s *summary, x, y float32) float32 {
	end := d.grid.target
	p.text(x, y, "Holding the group back", 16, scene.Medium, scene.Ink)
	if s.holders[0].n == 0 {
		p.text(x, y+26, "nobody", 14, scene.Regular, scene.Ink2)
		return y + 26
	}
	w := end - x
	name := min(116, floor(w*0.28))
	state := x + name + 72
	value, bars := end-58, w >= 560
	count := end - 60
	if bars {
		count = x + floor(w*0.65)
	}
	p.text(x, y+26, "member", 14, scene.Regular, scene.Ink2)
	p.text(x+name, y+26, "epoch", 14, scene.Regular, scene.Ink2)
	p.text(state, y+26, "state", 14, scene.Regular, scene.Ink2)
	if count-d.w.width("holds for others", 14, scene.Regular) > state+90 {
		p.textEnd(count, y+26, "holds for others", 14, scene.Regular, scene.Ink2)
	} else {
		p.textEnd(count, y+26, "holds", 14, scene.Regular, scene.Ink2)
	}
	if bars {
		p.text(count+30, y+26, "revoke timer", 14, scene.Regular, scene.Ink2)
	}
	p.rect(x, y+40, w, 1, 0, scene.Hair)
	y += 58
	for i := range s.holders {
		h := &s.holders[i]
		if h.n == 0 {
			break
		}
		m := h.member
		called := d.f.State.NameOf(m.ID)
		d.region(regionKey{kind: memberRegion, name: called, member: m}, x-4, y-17, w+8, 24)
		p.text(x, y, d.w.cut(called, 14, scene.Regular, name-12, true), 14, scene.Regular, scene.Ink)
		p.figures(x+name, y-15, badgeForm{w: 34, h: 20, size: 14}, m.MemberEpoch)
		word, weight := stateWord(m.State), scene.Medium
		if m.State == record.Stable {
			word, weight = "not asked yet", scene.Regular
		}
		p.text(state, y, d.w.cut(word, 14, weight, count-40-state, false), 14, weight, scene.Ink)
		p.textEnd(count, y, d.w.number(int32(h.n)), 14, scene.Regular, scene.Ink)
		if t := (timer{"revoke", max(0, m.RebalanceDeadline.Sub(d.f.Now)), m.RebalanceTimeout}); m.RebalanceDeadline > 0 {
			if bars {
				d.bar(p, count+30, y-8, value-count-40, t)
			}
			d.timerValue(p, end, y, t, scene.End)
		}
		y += 24
	}
	return y - 24
}

// tenths is a duration to a tenth of a second.
func (w *words) tenths(t protocol.Duration) string {
	if t >= 100*protocol.Second {
		return w.seconds(t)
	}
	w.line = appendCount(w.line[:0], int(t/protocol.Second))
	w.line = append(w.line, '.', byte('0'+t%protocol.Second/100), ' ', 's')
	return w.intern(w.line)
}

func (w *words) thousands(n int) string {
	w.line = appendCount(w.line[:0], n)
	return w.intern(w.line)
}

func (w *words) outOf(n int, what string) string {
	w.line = append(appendCount(append(w.line[:0], "of "...), n), what...)
	return w.intern(w.line)
}

func (w *words) split(stable, waiting int) string {
	w.line = appendCount(append(w.line[:0], "at target: "...), stable)
	w.line = appendCount(append(w.line, " stable, "...), waiting)
	w.line = append(w.line, " waiting for release"...)
	return w.intern(w.line)
}
