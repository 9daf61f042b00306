package board

import (
	"strconv"
	"strings"

	"groupscope/core/protocol"
	"groupscope/core/sim"
	"groupscope/render/scene"
)

// messageText is what an arrow says.
type messageText struct{ request, response, failure string }

// findMessages gives each row the last heartbeat of this step and its answer.
// One that changed nothing is a pulse, not an arrow.
func (d *drawing) findMessages() {
	for i := range d.f.Events {
		e := &d.f.Events[i]
		switch what := e.What.(type) {
		case sim.Sent:
			if r := d.rowNamed(what.Member); r != nil && (what.Lost || d.flying(e.Seq) != nil) {
				r.request, r.response = e, nil
			}
		case sim.Handled:
			r := d.rowNamed(what.Member)
			if r == nil {
				continue
			}
			if what.Idle && !what.ResponseLost {
				if r.response == nil {
					r.request = nil
				}
				continue
			}
			r.request, r.response = e, e
		}
	}
}

func (d *drawing) rowNamed(name string) *row {
	for i := range d.rows {
		if d.rows[i].client != nil && d.rows[i].name == name {
			return &d.rows[i]
		}
	}
	return nil
}

// flying is the message on its way that an event made.
func (d *drawing) flying(seq uint64) *sim.Message {
	for i := range d.f.State.Flying {
		if m := &d.f.State.Flying[i]; m.Event == seq {
			return m
		}
	}
	return nil
}

// messages draws the row's arrows in the gutter: the request above, its
// answer below.
func (d *drawing) messages(p pen, r *row) {
	l := &d.l
	if l.arrow[1] == 0 || r.request == nil {
		return
	}
	mid := r.y + floor(d.rowHeight()/2)
	text := d.w.message(r)
	t := d.progress(0, arrowTime)
	switch what := r.request.What.(type) {
	case sim.Sent:
		d.request(p, r, mid, t, what.Lost, what.Request.MemberEpoch, text.request)
	case sim.Handled:
		d.request(p, r, mid, t, false, what.Request.MemberEpoch, text.request)
	}
	if r.response != nil {
		d.response(p, r, mid, d.progress(fadeTime, arrowTime), r.response.What.(sim.Handled), text)
	}
}

func (d *drawing) request(p pen, r *row, mid, t float32, lost bool, epoch int32, words string) {
	l := &d.l
	y := mid - 9
	from, to := l.arrow[0], l.arrow[1]
	if m := d.flying(r.request.Seq); m != nil {
		d.partway(p, from, to, y, m)
	} else if lost {
		d.lost(p, from, to, y, t)
	} else {
		tip := from + (to-from)*t
		p.across(from, max(from, tip-8), y, 1.5, scene.Ink)
		p.mark(scene.TriangleRight, tip-9, y-4.5, 9, 9, scene.Ink)
	}
	d.messageRegion(r.request, false, y)
	if l.words {
		d.arrowWords(p.faded(t), mid-39, mid-23, epoch, words, lost)
	}
}

func (d *drawing) response(p pen, r *row, mid, t float32, h sim.Handled, text messageText) {
	l := &d.l
	y := mid + 9
	from, to := l.arrow[1], l.arrow[0]
	refused := h.Response.Error != protocol.None
	switch m := d.flying(r.response.Seq); {
	case h.ResponseLost:
		d.lost(p, from, to, y, t)
	case m != nil:
		d.partway(p, from, to, y, m)
	case t > 0:
		color, width := scene.Ink, float32(1.5)
		if refused {
			color, width = scene.Alert, 2
		}
		tip := from + (to-from)*t
		p.across(from, min(from, tip+8), y, width, color)
		p.mark(scene.TriangleLeft, tip, y-4.5, 9, 9, color)
	}
	d.messageRegion(r.response, true, y)
	switch {
	case refused && l.words:
		p.faded(t).textEnd(l.panel[0]-10, mid+34, text.failure, l.small, scene.Medium, scene.Alert)
	case refused:
		if l.stateDY > 0 {
			room := l.panel[0] - 4 - l.own
			p.faded(t).text(l.own, r.y+d.more()+l.stateDY, d.w.cut(text.failure, l.small, scene.Medium, room, false), l.small, scene.Medium, scene.Alert)
		}
	case l.words:
		d.arrowWords(p.faded(t), mid+17, mid+33, h.Response.MemberEpoch, text.response, h.ResponseLost)
	}
}

// arrowWords is the badge and the words of a message.
func (d *drawing) arrowWords(p pen, badgeY, y float32, epoch int32, words string, lost bool) {
	l := &d.l
	x := p.figures(l.arrow[0], badgeY, badgeForm{w: 26, h: 22, size: 14}, epoch) + 7
	if lost {
		p.text(x, y, "lost", l.small, scene.Medium, scene.Alert)
		return
	}
	p.text(x, y, d.w.cut(words, l.small, scene.Regular, l.panel[0]-6-x, false), l.small, scene.Regular, scene.Ink)
}

// lost stops half way at a cross.
func (d *drawing) lost(p pen, from, to, y, t float32) {
	half := from + (to-from)*0.5
	side := float32(1)
	if to < from {
		side = -1
	}
	end := from + (half-14*side-from)*t
	if (end-from)*side > 0 {
		p.across(from, end, y, 2, scene.Alert)
	}
	p.faded(t).mark(scene.Cross, half-6, y-6, 12, 12, scene.Alert)
}

// partway is a message on its way: a line up to a dot.
func (d *drawing) partway(p pen, from, to, y float32, m *sim.Message) {
	part := float32(0.5)
	if whole := m.Arrives.Sub(m.SentAt); whole > 0 {
		part = min(1, max(0, float32(d.f.Now.Sub(m.SentAt))/float32(whole)))
	}
	x := from + (to-from)*part
	p.across(from, x, y, 1.5, scene.Ink)
	p.disc(x, y, 4, scene.Ink)
}

func (d *drawing) messageRegion(e *sim.Event, answer bool, y float32) {
	l := &d.l
	d.region(regionKey{kind: messageRegion, event: e, answer: answer}, l.arrow[0], y-9, l.arrow[1]-l.arrow[0], 18)
}

// refusal is the error that answered the row's heartbeat, "" for none.
func (d *drawing) refusal(r *row) string {
	if r.response == nil {
		return ""
	}
	h := r.response.What.(sim.Handled)
	if h.Response.Error == protocol.None || h.ResponseLost {
		return ""
	}
	return h.Response.Error.String()
}

// message is what a row's arrows say, made once an event.
func (w *words) message(r *row) messageText {
	k := r.request
	if r.response != nil {
		k = r.response
	}
	v, ok := w.messages[k]
	if !ok {
		v = wordsOf(k)
		w.messages[k] = v
	}
	return v
}

func wordsOf(e *sim.Event) messageText {
	switch what := e.What.(type) {
	case sim.Sent:
		if what.Streams != nil {
			return messageText{request: streamsRequestWords(what.Streams)}
		}
		return messageText{request: requestWords(&what.Request)}
	case sim.Handled:
		t := messageText{request: requestWords(&what.Request), response: answerWords(what.Response.Assignment)}
		if q := what.Asked(); q != nil {
			t.request = streamsRequestWords(q)
		}
		if a := what.Answer(); a != nil {
			t.response = streamsAnswerWords(a)
		}
		if what.Response.Error != protocol.None {
			t.failure = what.Response.Error.String()
		}
		return t
	}
	return messageText{}
}

// comesOrGoes is what a request with an epoch that is none says, "" for one
// of who stays.
func comesOrGoes(epoch int32) string {
	switch {
	case epoch == protocol.EpochJoining:
		return "joins"
	case epoch == protocol.EpochStaticAbsent:
		return "leaves, returns"
	case epoch < 0:
		return "leaves"
	}
	return ""
}

func requestWords(q *protocol.ConsumerGroupHeartbeatRequest) string {
	words := comesOrGoes(q.MemberEpoch)
	switch {
	case words != "":
		return words
	case q.TopicPartitions == nil:
		return "heartbeat"
	case q.TopicPartitions.Len() == 0:
		return "owns nothing"
	}
	return "owns " + numbersOf(q.TopicPartitions)
}

func answerWords(a protocol.Assignment) string {
	switch {
	case a == nil:
		return "no change"
	case a.Len() == 0:
		return "nothing"
	case len(a) == 1:
		if text := string(a[0].Topic) + " " + list(a[0].Partitions); len(text) <= 14 {
			return text
		}
	}
	return numbersOf(a)
}

// numbersOf names the partitions of one topic, or counts those of several.
func numbersOf(a protocol.Assignment) string {
	if len(a) == 1 && len(a[0].Partitions) <= 3 {
		return list(a[0].Partitions)
	}
	return strconv.Itoa(a.Len()) + " partitions"
}

func list(ns []int32) string {
	var b strings.Builder
	b.WriteByte('[')
	for i, n := range ns {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(strconv.Itoa(int(n)))
	}
	b.WriteByte(']')
	return b.String()
}
