package sim

import (
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
	event := w.emit(Sent{Member: m.setup.Name, Request: request, Streams: s.Streams, Lost: lost})
	w.waitFor(m, sent{s.ID, event, slot{w.now.Add(m.client.RequestTimeout()), w.next()}})
	extra, _ := m.faults.delayRequests.take()
	p := &parcel{id: s.ID, lost: lost, event: event, request: &request}
	if s.Streams != nil {
		p.streams = &StreamsExchange{Request: s.Streams}
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
	result, streams := w.serve(p)
	alive := p.life == m.life && m.running() && !p.again
	lost := p.again || alive && (takeOne(&m.faults.loseResponses) || w.cut(m))
	told := m.heard(streams)
	again := result.Response.Error == m.refused && m.refused != protocol.None && w.live
	m.refused = result.Response.Error
	w.cause = p.event
	event := w.emit(Handled{
		Member: m.setup.Name, Request: *p.request, Response: result.Response,
		Records: result.Records, Decisions: result.Decisions,
		Streams: streams,
		Idle: len(result.Records) == 0 && (result.Response.Error == protocol.None || again) &&
			result.Response.Assignment == nil && !p.twice && told,
		ResponseLost: lost, Again: p.again,
	})
	w.wrote(result.Records, event)
	if p.twice {
		again := *p
		again.at, again.order, again.twice, again.again = w.now.Add(p.after), w.next(), false, true
		w.queue.push(&again)
	}
	if alive {
		answer := result.Response
		extra, _ := m.faults.delayResponses.take()
		w.post(m, &m.down, &parcel{id: p.id, response: true, lost: lost, event: event, request: p.request, answer: &answer, streams: streams}, extra)
	}
	w.createInternal(streams, event)
	w.awaitRegexes()
}

// serve has the coordinator answer a request.
func (w *World) serve(p *parcel) (coordinator.Result, *StreamsExchange) {
	result, broken := w.refused()
	switch {
	case p.streams != nil:
		return w.serveStreams(p, result, broken)
	case !broken:
		result = w.broker().Heartbeat(w.now, *p.request)
	}
	return result, nil
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
	w.cause = w.emit(Received{Member: m.setup.Name, Response: *p.answer})
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
