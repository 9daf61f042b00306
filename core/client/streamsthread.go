package client

import (
	"slices"

	"groupscope/core/protocol"
)

// thread is what the stream thread above a streams client makes of statuses.
type thread struct {
	status []protocol.Status // that it goes by
	// missingSince is when source topics were missing for the first time, 0
	// while none is. A thread gives up after a time.
	missingSince protocol.Instant
	missing      bool
	ended        bool
}

// missingTopicsPatience is how many heartbeat intervals a stream thread waits
// for source topics that are missing.
const missingTopicsPatience = 2

// Status are the statuses that the client goes by, those of its last answer.
func (c *Client) Status() []protocol.Status { return c.thread.status }

// takeStatus keeps the statuses of an answer.
func (c *Client) takeStatus(status []protocol.Status) {
	if len(status) == 0 && c.has(KeepsOldStatus) {
		return
	}
	c.thread.status = status
}

// heedStatus has the stream thread do what the statuses ask for: it closes its
// client when the application is to shut down, when topics that are joined
// have not equally many partitions, and when source topics are missing for
// too long.
func (c *Client) heedStatus(now protocol.Instant) {
	t := &c.thread
	if c.cfg.Streams == nil || !c.cfg.Streams.HeedsStatus || t.ended || !c.polling(now) {
		return
	}
	if !t.has(protocol.MissingSourceTopics) {
		t.missing = false
	} else if !t.missing {
		t.missing, t.missingSince = true, now
	}
	switch {
	case t.has(protocol.ShutdownApplication):
		c.endThread(protocol.ShutdownApplication)
	case t.has(protocol.IncorrectlyPartitionedTopics):
		c.endThread(protocol.IncorrectlyPartitionedTopics)
	case t.missing && now >= c.patienceEnds():
		c.endThread(protocol.MissingSourceTopics)
	}
}

func (t *thread) has(code protocol.StatusCode) bool {
	return slices.ContainsFunc(t.status, func(s protocol.Status) bool { return s.Code == code })
}

// patienceEnds is when the thread gives up on missing source topics.
func (c *Client) patienceEnds() protocol.Instant {
	return c.thread.missingSince.Add(missingTopicsPatience * c.interval)
}

func (c *Client) endThread(why protocol.StatusCode) {
	c.thread.ended = true
	c.emit(ThreadEnded{why})
	c.app.calls = append(c.app.calls, callOf{kind: closeClient})
}
