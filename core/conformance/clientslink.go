package conformance

import (
	"slices"

	"groupscope/core/client"
	"groupscope/core/protocol"
)

// link is a client's connection to the coordinator, and what will happen to
// messages on it.
type link struct {
	latency  protocol.Duration
	up, down lane
	flying   []*letter        // requests without an answer, the oldest first
	sent     int              // number of requests so far
	cutUntil protocol.Instant // whatever is sent until then is lost

	loseRequests, loseResponses int
	duplicates                  int
	duplicateAfter              protocol.Duration
}

// lane is one direction of a connection: messages keep their order.
type lane struct {
	last    protocol.Instant // arrival of the last message
	delayed int              // that many messages take longer ...
	extra   protocol.Duration
}

func (l *lane) arrival(now protocol.Instant, latency protocol.Duration) protocol.Instant {
	if l.delayed > 0 {
		l.delayed--
		latency += l.extra
	}
	l.last = max(l.last, now.Add(latency))
	return l.last
}

// letter is a request and what becomes of it.
type letter struct {
	client.Send
	number   int     // of the client's requests, 0 the first
	words    object  // its event
	broken   bool    // the connection broke: nothing of it arrives any more
	answered *answer // under way to the client
}

func takeOne(n *int) bool {
	if *n == 0 {
		return false
	}
	*n--
	return true
}

func (r *liveRun) cut(c *liveClient) bool { return r.now < c.cutUntil }

// closeTimeout is how long close() waits for the answer to its heartbeat.
const closeTimeout = 30 * protocol.Second

// send puts a request on its way. close() looks at the clock before the
// request itself times out.
func (r *liveRun) send(c *liveClient, s client.Send) {
	l := &letter{Send: s, number: c.sent, words: r.tell("request", c, object{"request": RequestWords(&s)})}
	c.sent++
	if leaves(&s) && c.Closing() {
		r.at(r.now.Add(closeTimeout), func() { r.did(c, c.Wake(r.now)) })
	}
	c.flying = append(c.flying, l)
	r.at(r.now.Add(c.RequestTimeout()), func() {
		if slices.Contains(c.flying, l) {
			r.fail(c, "timeout")
		}
	})
	if takeOne(&c.loseRequests) || r.cut(c) {
		l.words["lost"] = "request"
		return
	}
	arrival := c.up.arrival(r.now, c.latency)
	r.at(arrival, func() { r.arrive(c, l) })
	if takeOne(&c.duplicates) {
		l.words["duplicated"] = true
		r.at(arrival.Add(c.duplicateAfter), func() { r.again(c, l) })
	}
}

// leaves reports whether a heartbeat leaves the group.
func leaves(s *client.Send) bool {
	if s.Streams != nil {
		return s.Streams.MemberEpoch < 0
	}
	return s.Request.MemberEpoch < 0
}

// arrive has the coordinator handle a request.
func (r *liveRun) arrive(c *liveClient, l *letter) {
	if l.broken {
		return
	}
	l.words["arriveMs"] = int64(r.now - RunStart)
	a := r.answer(c, l)
	r.answers.tellGroup(r)
	if a == nil {
		return
	}
	if !c.lives() || takeOne(&c.loseResponses) || r.cut(c) {
		l.lose(a)
		return
	}
	r.at(c.down.arrival(r.now, c.latency), func() { r.deliver(c, l, a) })
	l.answered = a
}

// lose notes that the answer to a request gets lost.
func (l *letter) lose(a *answer) { l.words["lost"], l.words["answer"] = "response", a.words() }

func (r *liveRun) answer(c *liveClient, l *letter) *answer {
	if r.now < r.outage.until {
		return failed(r.outage.code, l.Streams != nil)
	}
	return r.answers.answer(r, c, l)
}

// again has the coordinator handle a request for the second time; that answer
// goes nowhere.
func (r *liveRun) again(c *liveClient, l *letter) {
	if a := r.answer(c, l); a != nil {
		words := a.words()
		words["duplicate"] = true
		r.tell("deliver", c, words)
	}
	r.answers.tellGroup(r)
}

// deliver hands a client its answer.
func (r *liveRun) deliver(c *liveClient, l *letter, a *answer) {
	if l.broken {
		return
	}
	if !c.lives() {
		l.lose(a)
		return
	}
	c.flying = slices.DeleteFunc(c.flying, func(o *letter) bool { return o == l })
	r.tell("response", c, a.words())
	if a.streams != nil {
		r.did(c, c.AnswerStreams(r.now, l.ID, *a.streams))
	} else {
		r.did(c, c.Answer(r.now, l.ID, a.consumer))
	}
}

// fail breaks a client's connection: everything in flight fails at once.
func (r *liveRun) fail(c *liveClient, failure string) {
	if len(c.flying) == 0 || !c.lives() {
		return
	}
	var ids []uint32
	for _, l := range c.flying {
		ids = append(ids, l.ID)
		l.broken = true
		switch {
		case l.words["lost"] != nil:
		case l.answered != nil:
			l.lose(l.answered)
		default:
			l.words["lost"] = "request"
		}
		r.tell("response", c, object{"failure": failure})
	}
	c.flying, c.up.last, c.down.last = nil, 0, 0
	r.did(c, c.Failed(r.now, ids...))
}

// find has the client look for the coordinator.
func (r *liveRun) find(c *liveClient) {
	r.tell("find", c, object{"phase": "request"})
	if r.cut(c) {
		r.at(r.now.Add(c.RequestTimeout()), func() { r.found(c, "TIMEOUT") })
		return
	}
	r.at(r.now.Add(c.member.Find), func() {
		if code := r.outage.findCode; r.now < r.outage.until && code != protocol.None {
			r.found(c, code.String())
		} else {
			r.found(c, "")
		}
	})
}

func (r *liveRun) found(c *liveClient, failure string) {
	if !c.lives() {
		return
	}
	words := object{"phase": "response"}
	if failure != "" {
		words["error"] = failure
	}
	r.tell("find", c, words)
	r.did(c, c.Found(r.now, failure != ""))
}
