package board

import (
	"groupscope/core/coordinator"
	"groupscope/core/protocol"
	"groupscope/render/scene"
)

// process draws the bracket in front of the members of a process, from the
// row of its first one that is shown.
func (d *drawing) process(p pen, i int) {
	l := &d.l
	if !l.tasks {
		d.processWord(p, i)
		return
	}
	if d.rows[i].process == "" || i > 0 && d.rows[i-1].shown && !d.rows[i].first {
		return
	}
	last := i
	for last+1 < len(d.rows) && !d.rows[last+1].first && d.rows[last+1].shown {
		last++
	}
	d.bracket(p, l.name-52, l.name-18, d.rows[i].y+2, d.rows[last].y+d.rowHeight()-2, d.rows[i].process)
}

// processWord names the process under its first member's name, where there is
// no room for a bracket with a name; a line joins its members.
func (d *drawing) processWord(p pen, i int) {
	l, r := &d.l, &d.rows[i]
	if !d.streams || r.process == "" || !l.ownView || l.titleless {
		return
	}
	if i > 0 && d.rows[i-1].shown && !r.first {
		p.down(l.name-7, d.rows[i-1].y+4, r.y+d.rowHeight()-4, 1.5, scene.Ink2)
		return
	}
	x, _, any := d.tagAt(r)
	switch {
	case d.above > 0: // after the name, which has a line of its own
		at := l.name + d.w.width(d.w.cut(r.name, l.nameSize, scene.Medium, l.own+l.column-l.name, true), l.nameSize, scene.Medium) + 10
		if room := l.own + l.column - at; room >= d.w.width(r.process, l.small, scene.Regular) || room >= 40 {
			p.text(at, r.y-11, d.w.cut(r.process, l.small, scene.Regular, room, true), l.small, scene.Regular, scene.Ink2)
		}
	case l.stateDY > 0 && (!any || x >= l.own):
		text := d.w.cut(r.process, l.small, scene.Regular, l.own-l.name-6, true)
		p.text(l.name, r.y+d.more()+l.stateDY, text, l.small, scene.Regular, scene.Ink2)
	case l.stateDY == 0 && d.rowHeight() >= 40: // between the name and the next one
		text := d.w.cut(r.process, l.small, scene.Regular, l.own-l.name-6, true)
		p.text(l.name, r.y+d.rowHeight()+1, text, l.small, scene.Regular, scene.Ink2)
	}
}

// bracket is a process's: its name, a line down and two short ones.
func (d *drawing) bracket(p pen, nameX, x, y0, y1 float32, name string) {
	p.down(x+0.5, y0, y1, 1.5, scene.Ink2)
	p.across(x, x+8, y0, 1.5, scene.Ink2)
	p.across(x, x+8, y1, 1.5, scene.Ink2)
	p.text(nameX, (y0+y1)/2+5, d.w.cut(name, 16, scene.Medium, x-nameX-4, true), 16, scene.Medium, scene.Ink)
}

// topologyWords says which topology the group has: numbers with a word, never
// a badge, as they are no epochs of the group.
func (d *drawing) topologyWords(p pen, g *coordinator.Group, x, end float32) {
	if g == nil || g.Streams == nil {
		return
	}
	long, short := d.w.topology(g.Streams)
	if l := &d.l; !l.tasks && l.ownView && !l.titleless { // a line of its own
		if _, ok := d.endpointsAt(); !ok && d.hasEndpoints() {
			d.w.line = append(append(append(d.w.line[:0], long...), ", endpoint epoch "...), d.w.number(g.Streams.EndpointInformationEpoch)...)
			long = d.w.intern(d.w.line)
		}
		x, end = l.badge, l.panel[1]-l.panelPad
		p.text(x, l.titleY+22, d.w.cut(long, l.small, scene.Regular, end-x, false), l.small, scene.Regular, scene.Ink2)
		return
	}
	for _, text := range [...]string{long, short} {
		if d.w.width(text, d.l.small, scene.Regular) <= end-x {
			p.text(x, d.l.titleY-titleDrop(&d.l), text, d.l.small, scene.Regular, scene.Ink2)
			return
		}
	}
}

func (w *words) topology(s *coordinator.StreamsGroup) (long, short string) {
	if s.TopologyEpoch < 0 {
		return "no topology yet", "no topology"
	}
	w.line = append(append(w.line[:0], "topology epoch "...), w.number(s.TopologyEpoch)...)
	short = w.intern(w.line)
	switch {
	case s.ValidatedTopologyEpoch < 0:
		w.line = append(w.line, ", not validated"...)
	case s.ValidatedTopologyEpoch == s.TopologyEpoch:
		w.line = append(w.line, ", validated"...)
	default:
		w.line = append(append(w.line, ", validated at "...), w.number(s.ValidatedTopologyEpoch)...)
	}
	return w.intern(w.line), short
}

// hasEndpoints: somebody of the group can be asked.
func (d *drawing) hasEndpoints() bool {
	for i := range d.rows {
		if m := d.rows[i].member; m != nil && m.Streams != nil && m.Streams.UserEndpoint != nil {
			return true
		}
		if c := d.rows[i].client; c != nil && c.Streams != nil && c.Streams.Endpoint != nil {
			return true
		}
	}
	return false
}

// endpointsAt is where the column of the endpoints stands, if there is one.
func (d *drawing) endpointsAt() (x float32, ok bool) {
	l := &d.l
	room := l.target - l.current - l.column
	return l.current + l.column + floor((room-110)/2), l.tasks && room >= endpointsFrom && d.hasEndpoints()
}

func (d *drawing) endpointsHead(p pen) {
	x, ok := d.endpointsAt()
	g := d.f.State.Group
	if !ok || g == nil || g.Streams == nil {
		return
	}
	d.w.line = append(append(d.w.line[:0], "Endpoints "...), d.w.number(g.Streams.EndpointInformationEpoch)...)
	p.text(x, d.l.headY, d.w.intern(d.w.line), d.l.head, scene.Medium, scene.Ink)
	p.across(x, x+110, d.l.rule+0.5, 1, scene.Hair)
}

// endpoint says which endpoint information the member reported last that it
// knows. While that is not the group's, every answer to it has the list.
func (d *drawing) endpoint(p pen, r *row) {
	g, m := d.f.State.Group, r.member
	if m == nil || m.Streams == nil || g.Streams == nil {
		return
	}
	x, ok := d.endpointsAt()
	if !ok {
		d.endpointWord(p, r)
		return
	}
	y := d.wordsY(r.y) - 8
	known := m.Streams.EndpointEpoch
	text := "reported none"
	if known >= 0 {
		d.w.line = append(append(d.w.line[:0], "reported "...), d.w.number(known)...)
		text = d.w.intern(d.w.line)
	}
	if known == g.Streams.EndpointInformationEpoch {
		p.text(x, y, text, d.l.small, scene.Regular, scene.Ink2)
		return
	}
	p.text(x, y, text, d.l.small, scene.Medium, scene.Ink)
	p.text(x, y+20, "is sent the list", d.l.small, scene.Regular, scene.Ink2)
}

// endpointWord says the same under the target's chips, where the endpoints
// have no column.
func (d *drawing) endpointWord(p pen, r *row) {
	l := &d.l
	if l.titleless || !l.ownView || l.stateDY == 0 || !d.hasEndpoints() {
		return
	}
	known, now := r.member.Streams.EndpointEpoch, d.f.State.Group.Streams.EndpointInformationEpoch
	text, weight, color := "endpoint epoch: none", scene.Medium, scene.Ink
	if known >= 0 {
		d.w.line = append(append(d.w.line[:0], "endpoint epoch: "...), d.w.number(known)...)
		text = d.w.intern(d.w.line)
	}
	if known == now {
		weight, color = scene.Regular, scene.Ink2
	}
	p.text(l.target, r.y+d.more()+l.stateDY, d.w.cut(text, l.small, weight, l.column, false), l.small, weight, color)
}

// streamsWords writes, under a client's chips, the status of its last answer
// as a tag and its topology. False leaves the place to the client's state.
func (d *drawing) streamsWords(p pen, r *row) bool {
	c, l := r.client, &d.l
	if c == nil || c.Streams == nil {
		return false
	}
	y := r.y + d.more() + l.stateDY
	code, _ := statusOf(c)
	x, end, any := d.tagAt(r)
	switch {
	case any:
		if l.tasks {
			y += 5
		}
		x = d.tag(p, x, y, code, end)
	case c.State != "STABLE" || !l.tasks || d.w.clientWords(r).busy != "":
		return false
	}
	if busy := d.w.clientWords(r).busy; busy != "" && d.w.width(busy, l.small, scene.Regular) <= end-x {
		p.text(x, y, busy, l.small, scene.Regular, scene.Ink2)
		return true
	}
	if d.w.width("topology 0", l.small, scene.Regular) <= end-x {
		d.w.line = append(append(d.w.line[:0], "topology "...), d.w.number(c.Streams.TopologyEpoch)...)
		p.text(x, y, d.w.intern(d.w.line), l.small, scene.Regular, scene.Ink2)
	}
	return true
}

// tagAt is where the status of a client's last answer stands, if it had one:
// under its chips, or further to the left where it is long.
func (d *drawing) tagAt(r *row) (x, end float32, any bool) {
	l := &d.l
	x, end = l.own, l.own+l.column+16
	code, any := statusOf(r.client)
	if wide := d.w.width(code.String(), l.small, scene.Medium) + 16; any && x+wide > end && !l.titleless {
		end = l.panel[0] - 8
		if x+wide > end {
			x = max(l.name-4, end-wide)
		}
	}
	return x, end, any
}

// tag is an outlined status, Kafka's constant.
func (d *drawing) tag(p pen, x, y float32, code protocol.StatusCode, end float32) float32 {
	text := d.w.cut(code.String(), d.l.small, scene.Medium, end-x-16, false)
	w := d.w.width(text, d.l.small, scene.Medium) + 16
	p.outline(x, y-17, w, 24, 4, 1.5, scene.Ink)
	p.text(x+8, y, text, d.l.small, scene.Medium, scene.Ink)
	return x + w + 10
}
