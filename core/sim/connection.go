package sim

import (
	"slices"

	"groupscope/core/client"
	"groupscope/core/coordinator"
	"groupscope/core/protocol"
)

// DefaultLatency is the one-way latency of a member without one of its own.
const DefaultLatency = 5 * protocol.Millisecond

// send puts a request on its way.
func (w *World) send(m *member, s client.Send) {
	request := s.Request
	if s.Streams != nil {
		request = requestInCommon(s.Streams)
	}
	lost := takeOne(&m.faults.loseRequests) || w.cut(m)
	if s.Classic != nil {
		w.lead(m, s.Classic)
		request = classicInCommon(s.Classic, m)
	}
	event := w.emit(Sent{Member: m.setup.Name, Request: request, Streams: s.Streams, Classic: s.Classic, Lost: lost})
	w.waitFor(m, sent{s.ID, event, slot{w.now.Add(max(s.Timeout, m.client.RequestTimeout())), w.next()}})
	extra, _ := m.faults.delayRequests.take()
	p := &parcel{id: s.ID, lost: lost, event: event, request: &request}
	if s.Streams != nil {
		p.streams = &StreamsExchange{Request: s.Streams}
	}
	if s.Classic != nil {
		p.classic = &ClassicExchange{Request: s.Classic}
	}
	if !lost {
		p.after, p.twice = m.faults.duplicates.take()
	}
	w.post(m, &m.up, p, extra)
}

// post puts a message on its way. Latencies count while clients live by
// themselves.
func (w *World) post(m *member, c *connection, p *parcel, extra protocol.Duration) {
	p.at, p.held = w.now.Add(extra), extra > 0
	if w.live {
		p.at = p.at.Add(max(c.latency(*m.setup.Latency), c.crowd(w.now)))
	}
	if !p.lost {
		p.at = max(p.at, c.arrives)
		c.arrives = p.at
	}
	p.order, p.sentAt = w.next(), w.now
	p.member, p.life = m.index, m.life
	w.queue.push(p)
}

// reconnect starts the order of messages anew: what is sent from now on does
// not wait for what was sent before.
func (m *member) reconnect() { m.up.arrives, m.down.arrives = 0, 0 }

// arrive handles a message at its end of the connection. It reports whether
// anything came of it.
func (w *World) arrive(p *parcel) bool {
	m := &w.members[p.member]
	w.view.stale = true
	if p.lost {
		return false
	}
	if p.response {
		return w.answer(m, p)
	}
	w.handle(m, p)
	return true
}

// handle has the coordinator handle a request.
func (w *World) handle(m *member, p *parcel) {
	got := w.serve(p)
	w.cause = p.event
	event := w.served(m, p, got)
	w.createInternal(got.streams, event)
	w.complete(got.result.Completed, event)
	w.awaitRegexes()
}

// serving is what the coordinator made of a request.
type serving struct {
	result  coordinator.Result
	streams *StreamsExchange
	classic *ClassicExchange
	ticket  int64 // of a request that has to wait for its answer, else 0
	late    bool  // it is the answer to a request that had to wait
}

// serve has the coordinator answer a request.
func (w *World) serve(p *parcel) serving {
	result, broken := w.refused()
	switch {
	case p.streams != nil:
		var out serving
		out.result, out.streams = w.serveStreams(p, result, broken)
		return out
	case p.classic != nil:
		return w.serveClassic(p, result, broken)
	case !broken:
		result = w.broker().Heartbeat(w.now, *p.request)
	}
	return serving{result: result}
}

// served tells of a request that was handled, or answered at last, and puts
// the answer on its way. It returns the event's number.
func (w *World) served(m *member, p *parcel, got serving) uint64 {
	alive := p.life == m.life && m.running() && !p.again
	waits := got.ticket != 0
	lost := p.again || alive && !waits && (takeOne(&m.faults.loseResponses) || w.cut(m))
	r := got.result
	told := m.heard(got.streams)
	again := r.Response.Error == m.refused && m.refused != protocol.None && w.live
	m.refused = r.Response.Error
	event := w.emit(Handled{
		Member: m.setup.Name, Request: *p.request, Response: r.Response,
		Records: r.Records, Decisions: r.Decisions,
		Streams: got.streams, Classic: got.classic,
		Idle: len(r.Records) == 0 && (r.Response.Error == protocol.None || again) &&
			r.Response.Assignment == nil && !p.twice && told && !waits && !got.late,
		ResponseLost: lost, Again: p.again, Waits: waits, Late: got.late,
	})
	w.wrote(r.Records, event)
	if p.twice && !got.late {
		again := *p
		again.at, again.order, again.twice, again.again = w.now.Add(p.after), w.next(), false, true
		w.queue.push(&again)
	}
	switch {
	case waits && alive:
		w.waiting = append(slices.Clip(w.waiting), ticket{got.ticket, p})
	case alive:
		answer := r.Response
		extra, _ := m.faults.delayResponses.take()
		w.post(m, &m.down, &parcel{
			id: p.id, response: true, lost: lost, event: event, request: p.request, answer: &answer, streams: got.streams, classic: got.classic,
		}, extra)
	}
	return event
}

// answer hands a client its answer.
func (w *World) answer(m *member, p *parcel) bool {
	if p.life != m.life || !m.running() {
		return false
	}
	w.answered(m, p.id)
	w.cause = p.event
	if p.streams != nil {
		w.cause = w.emit(Received{Member: m.setup.Name, Response: *p.answer, Streams: p.streams.Response})
		w.react(m, w.own(m).AnswerStreams(w.now, p.id, *p.streams.Response))
		return true
	}
	w.cause = w.emit(Received{Member: m.setup.Name, Response: *p.answer, Classic: p.classic})
	if p.classic != nil {
		w.react(m, w.own(m).AnswerClassic(w.now, p.id, p.classic.Response))
		return true
	}
	if p.answer.Error == protocol.None {
		m.raised = protocol.None
	}
	w.react(m, w.own(m).Answer(w.now, p.id, *p.answer))
	return true
}

// breakConnection ends a member's connection: what is on its way is lost, and
// everything without an answer fails at once at the client.
func (w *World) breakConnection(m *member, failure string) {
	if len(m.sent) == 0 {
		return
	}
	if !m.running() { // a client that is closed has stopped waiting
		m.sent, w.agendas[m.index].timeout = nil, slot{}
		return
	}
	w.queue.drop(func(p *parcel) bool { return p.member == m.index && p.life == m.life })
	ids := make([]uint32, len(m.sent))
	cause, last := w.cause, uint64(0)
	for i, s := range m.sent {
		ids[i] = s.id
		w.cause = s.event
		last = w.emit(Received{Member: m.setup.Name, Failure: failure})
	}
	m.reconnect()
	m.sent = nil
	w.agendas[m.index].timeout = slot{}
	w.cause = last
	w.react(m, w.own(m).Failed(w.now, ids...))
	w.cause = cause
}
