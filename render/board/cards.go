package board

import "groupscope/render/scene"

// phone is the layout of cards: a card a member, in it a line each for the
// own view, the current and the target assignment.
var phone = layout{
	w: 390, name: 20, badge: 84, own: 130, current: 130, target: 130, column: 232,
	panel: [2]float32{8, 382}, panelRadius: 10, panelPad: 20,
	chipW: 72, chipH: 30, gap: 8, radius: 6, lineH: 34,
	rowY: 58, rowH: 144, minRowH: 116,
	laneGap: -1, panelBelow: 21, below: 8,
	title: 16, head: 14, small: 14, state: 16, chip: 15, nameSize: 20,
	titleY: 30, stateY: 30, titleless: true,
	groupBadge: badgeForm{w: 38, h: 26, size: 15, y: 12}, rowBadge: badgeForm{w: 32, h: 24, size: 14, y: 3, most: 42},
}

// The pitch of the lines of a card, and its room above and below them.
const (
	cardLine   = 40
	cardTop    = 10
	cardBottom = 8
)

// cards draws a small group for a narrow container.
func (d *drawing) cards() {
	d.findMessages()
	d.arrangeCards()
	p := d.base()
	d.cardHeader(p)
	for i := range d.rows {
		if d.rows[i].shown {
			d.card(p, i)
		}
	}
	d.cardLane(p)
	d.chipLegend(p)
	d.fly()
}

func (d *drawing) arrangeCards() {
	d.l = phone
	l := &d.l
	l.panel[1] = d.v.Width - 8
	l.column = l.panel[1] - l.panelPad - l.own
	columns, perLine := max(d.total, 3), max(1, int((l.column+4)/(d.leastCard()+4)))
	if d.total > 6 || d.streams && columns > perLine {
		columns = d.lineUp(min(6, perLine))
	} else {
		for i := range d.slots {
			d.slots[i].col = i
		}
	}
	l.w = d.v.Width
	l.chipsFor(columns)
	d.chooseLabels()
	for i := range d.rows {
		if d.w.width(d.rows[i].name, l.nameSize, scene.Medium) > 22 {
			d.above = 24
			l.nameSize = 16
			l.rowY += d.above
			l.rowH += d.above
			l.minRowH += d.above
			break
		}
	}
	d.step = cardLine + d.more()
	d.stack(3)
	d.tighten()
}

// leastCard is the width of the narrowest chip of a card: one that holds the
// name of each task, unless that is a long one.
func (d *drawing) leastCard() float32 {
	least := float32(leastChip)
	if d.streams {
		for i := range d.slots {
			least = max(least, min(46, ceil(d.w.width(d.w.task(d.slots[i].p), 14, scene.Medium))+4))
		}
	}
	return least
}

// tighten closes the lines of a card up where it is lower than it would like.
func (d *drawing) tighten() {
	more := d.more()
	if d.pitch >= d.l.rowH+3*more {
		return
	}
	d.step = min(cardLine+more, floor((d.pitch-d.above-18)/3))
	d.l.chipH = min(d.l.chipH, d.step-more-6)
	d.l.rowBadge.y--
}

// cardText is the baseline of small words beside the chips of a line.
func (d *drawing) cardText(y float32) float32 { return y + 20 - floor((phone.chipH-d.l.chipH)/2) }

// chipsFor makes so many chips fit a line of the column.
func (l *layout) chipsFor(columns int) {
	room := func(gap float32) float32 {
		return floor((l.column - float32(columns-1)*gap) / float32(columns))
	}
	if w := room(l.gap); w < leastChip+10 && l.gap > 4 {
		l.gap = 4
		l.chipW = min(44, room(4))
		return
	}
	l.chipW = min(l.chipW, room(l.gap))
}

func (d *drawing) cardHeader(p pen) {
	g := d.f.State.Group
	d.region(regionKey{kind: groupRegion}, 8, 4, d.v.Width-16, 38)
	end := d.groupEpoch(p, g, d.v.Width-16)
	d.stateGlyph(p, g, 16, 18)
	d.stateText(p, g, 38, end-8)
	if d.scroll == "" {
		return
	}
	at := 38 + d.w.width(d.stateName(g), d.l.state, scene.Medium) + 10
	p.text(at, d.l.stateY, d.w.cut(d.scroll, d.l.small, scene.Regular, end-8-at, false), d.l.small, scene.Regular, scene.Ink2)
}

// card draws one member.
func (d *drawing) card(p pen, i int) {
	r, l := &d.rows[i], &d.l
	top := r.y - cardTop - d.above
	h := d.pitch - cardBottom
	if r.absent() {
		name := d.w.cut(r.name, l.nameSize, scene.Medium, l.panel[1]-l.panelPad-l.name, true)
		x, y := l.name+d.w.width(name, l.nameSize, scene.Medium)+12, r.y+20
		if d.above > 0 {
			x = l.name
			p.text(l.name, r.y-8, name, l.nameSize, scene.Medium, scene.Ink2)
		} else {
			p.text(l.name, y, name, l.nameSize, scene.Medium, scene.Ink2)
		}
		p.text(x, y, "not in the group yet", l.small, scene.Regular, scene.Ink2)
		return
	}
	p.panel(l.panel[0], top, l.panel[1]-l.panel[0], h, l.panelRadius)
	d.region(regionKey{kind: memberRegion, name: r.name, client: r.client, member: r.member}, l.panel[0], top, l.panel[1]-l.panel[0], h)
	d.cardName(p, r)
	d.cardOwn(p, i)
	d.cardBooks(p, i)
}

func (d *drawing) cardName(p pen, r *row) {
	l := &d.l
	y, labels := r.y+21, [...]string{"own", "current", "target"}
	x := l.name
	text := r.name
	if d.above > 0 {
		y = r.y - 8
		text = d.w.cut(r.name, l.nameSize, scene.Medium, l.panel[1]-l.panelPad-l.name, true)
	}
	w := d.w.width(text, l.nameSize, scene.Medium)
	p.text(x, y, text, l.nameSize, scene.Medium, scene.Ink)
	d.pulse(r, x+min(w, 20)/2, y-7, 14)
	if d.selectedMember(r.name) {
		d.brackets(p, x, y-l.nameSize*0.75, w, l.nameSize*0.8)
	}
	for n, label := range labels {
		at := x
		if n == 0 && d.above == 0 && d.more() == 0 {
			at += 24
		}
		p.text(at, d.cardText(r.y+float32(n)*d.step)+floor(d.more()/2), label, l.small, scene.Regular, scene.Ink2)
	}
}

func (d *drawing) cardOwn(p pen, i int) {
	r, l := &d.rows[i], &d.l
	if r.client == nil {
		p.text(l.own, d.cardText(r.y), d.w.cut("its client is gone", l.small, scene.Regular, l.column, false), l.small, scene.Regular, scene.Ink2)
		return
	}
	if gone(r.client.State) {
		p.text(l.own, d.cardText(r.y), clientWord(r.client), l.small, scene.Regular, scene.Ink2)
		return
	}
	d.clientBadge(p, r, l.badge, d.badgeY(r.y))
	d.ownChips(p, i, scene.Panel)
}

func (d *drawing) cardBooks(p pen, i int) {
	r, l := &d.rows[i], &d.l
	y := r.y + d.step
	if r.member == nil {
		p.text(l.own, d.cardText(y), d.noMember(r), l.small, scene.Regular, scene.Ink2)
		p.text(l.own, d.cardText(y+d.step), d.w.cut(d.refusal(r), l.small, scene.Medium, l.column, false), l.small, scene.Medium, scene.Alert)
		return
	}
	d.memberBadge(p, r, l.badge, d.badgeY(y))
	g := d.f.State.Group
	d.epoch(p, l.badge, d.badgeY(y+d.step), l.rowBadge, d.f.Changes != nil && d.f.Changes.AssignmentEpoch, before(d).AssignmentEpoch, g.AssignmentEpoch)
	d.held(p, i, y, y+d.step)
}

func (d *drawing) cardLane(p pen) {
	l := &d.l
	p.text(l.name, middle(d.laneY, d.rowHeight(), l.small), "nobody", l.small, scene.Regular, scene.Ink2)
	d.laneChips(p)
	text, bad := d.laneSentence(l.panel[1] - l.own - l.rows.keysRoom())
	if bad {
		p.text(l.own, d.laneY+d.rowHeight()+20, text, l.small, scene.Medium, scene.Ink)
	}
}
