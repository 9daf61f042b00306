package client

import (
	"slices"

	"groupscope/core/protocol"
)

// application is the thread that polls, subscribes and runs callbacks.
type application struct {
	running    callback   // next is nowhere: none
	background []callback // what the network thread asked for, in order
	calls      []callOf   // of the application, waiting for the end of a callback
	waiting    wait
	pollAt     protocol.Instant // with a PollInterval: inside poll() at this instant
	inside     bool             // without: it has been inside poll() since the last input
	paused     bool
	throws     [callbackKinds]int // the next callbacks of that kind throw
	polled     bool               `canon:"-"` // a poll was handed in during this act ...
	polledAt   uint32             `canon:"-"` // ... at this version
}

// wait is what the application is blocked in, callbacks aside.
type wait uint8

const (
	free wait = iota
	inUnsubscribe
	inCloseCallbacks
	inClose
)

// callback is a method of the listener to be run, and where the network
// thread goes on afterwards; or an error to be thrown.
type callback struct {
	what       CallbackKind
	partitions protocol.Assignment
	tasks      localAssignment // of a streams client, in place of partitions
	next       continuation
	raise      protocol.ErrorCode
}

// told is what the application is told when it begins.
func (b *callback) told() Callback {
	if b.what.streams() {
		return Callback{
			What: b.what, Partitions: b.tasks.partitions,
			Standby: b.tasks.standby, Warmup: b.tasks.warmup, Ready: b.tasks.ready,
		}
	}
	return Callback{What: b.what, Partitions: b.partitions}
}

type continuation uint8

const (
	nowhere continuation = iota
	assignNext
	acknowledge
	leaveGroup
	rejoinFenced
	joinGeneration
	releaseStale
	releaseFatal
	leaveOnClose
	throw
)

// event is what the application thread tells the network thread.
type event struct {
	kind   eventKind
	next   continuation
	failed bool
}

type eventKind uint8

const (
	pollEntered eventKind = iota
	subscriptionChanged
	unsubscribeCalled
	closeCalled
	callbackReturned
)

// polling reports whether the application is inside poll() and able to act.
func (c *Client) polling(now protocol.Instant) bool {
	return c.app.running.next == nowhere && c.app.waiting == free && !c.app.paused &&
		(c.cfg.PollInterval == 0 || c.app.pollAt == now)
}

// Poll is one poll() of an application with a PollInterval.
func (c *Client) Poll(now protocol.Instant) []Output {
	c.begin()
	if c.app.running.next == nowhere && c.app.waiting == free && !c.app.paused {
		c.app.pollAt = now
	}
	return c.act(now)
}

// Pause keeps the application out of poll(), after a last one; Resume lets it
// poll again.
func (c *Client) Pause(now protocol.Instant) []Output {
	c.begin()
	out := c.act(now)
	if c.app.inside {
		c.pollDeadline = now.Add(c.cfg.MaxPollInterval)
	}
	c.app.paused, c.app.inside = true, false
	return out
}

// Resume ends a Pause.
func (c *Client) Resume(now protocol.Instant) []Output {
	c.begin()
	c.app.paused = false
	return c.act(now)
}

// Paused reports whether the application is kept out of poll().
func (c *Client) Paused() bool { return c.app.paused }

// CallbackReturned ends the running callback, that many milliseconds after it
// began as its Callback said, or at any time.
func (c *Client) CallbackReturned(now protocol.Instant) []Output {
	c.begin()
	done := c.app.running
	failed := c.app.throws[done.what] > 0
	if failed {
		c.app.throws[done.what]--
	}
	c.app.running = callback{}
	c.took(now, done, failed)
	returned := done.told()
	returned.Done, returned.Failed = true, failed
	c.emit(returned)
	if done.next == leaveOnClose {
		c.app.waiting = inClose
		c.events = append(c.events, event{kind: closeCalled})
	} else {
		c.events = append(c.events, event{kind: callbackReturned, next: done.next, failed: failed})
	}
	if failed {
		c.app.pollAt = 0 // the exception ends poll()
	}
	return c.act(now)
}

// entered is the start of the running callback.
func (c *Client) entered() Callback {
	out := c.app.running.told()
	out.Takes = *c.cfg.callbackTime(out.What)
	return out
}

// SetCallbackTime changes how long callbacks of a kind take, from the next
// one on.
func (c *Client) SetCallbackTime(what CallbackKind, takes protocol.Duration) {
	*c.cfg.callbackTime(what) = takes
}

// FailCallbacks makes the next callbacks of a kind throw, at their end: so
// many more than so far.
func (c *Client) FailCallbacks(what CallbackKind, count int) { c.app.throws[what] += count }

// call has the application run a callback; without partitions there is
// nothing to tell it, but for an assignment.
func (c *Client) call(now protocol.Instant, what CallbackKind, partitions protocol.Assignment, next continuation) {
	c.version++
	if len(partitions) == 0 && what != PartitionsAssigned {
		c.continueAt(now, next, false)
		return
	}
	c.app.background = append(c.app.background, callback{what: what, partitions: partitions, next: next})
}

func (c *Client) raise(code protocol.ErrorCode) {
	c.version++
	c.app.background = append(c.app.background, callback{raise: code, next: throw})
}

// applicationPass hands in a poll and runs what waits, up to the first
// callback: that blocks the thread until CallbackReturned.
func (c *Client) applicationPass(now protocol.Instant) {
	c.finishWaiting(now)
	if c.state == Closed {
		return
	}
	c.startCalls()
	if c.polling(now) && (!c.app.polled || c.app.polledAt != c.version) {
		c.app.polled, c.app.polledAt = true, c.version
		c.events = append(c.events, event{kind: pollEntered})
	}
	for len(c.app.background) > 0 && c.runsCallbacks(now) {
		next := c.app.background[0]
		c.app.background = slices.Delete(c.app.background, 0, 1)
		if next.next == throw {
			c.emit(Raised{next.raise})
			c.app.pollAt = 0
			continue
		}
		if next.next == acknowledge && !next.what.streams() {
			c.apply()
		}
		c.app.running = next
		c.emit(c.entered())
	}
	c.heedStatus(now)
}

func (c *Client) runsCallbacks(now protocol.Instant) bool {
	return c.polling(now) || c.app.running.next == nowhere && c.app.waiting == inUnsubscribe
}

// process is the network thread's reaction to the application.
func (c *Client) process(now protocol.Instant, e event) {
	switch e.kind {
	case pollEntered:
		c.reconcile(now, true)
		c.polled()
		if now >= c.pollDeadline {
			c.rejoinStale()
		}
		c.pollDeadline = now.Add(c.cfg.MaxPollInterval)
	case subscriptionChanged:
		c.subscriptionNew = true
		c.version++
	case unsubscribeCalled:
		c.version++
		c.leave(now, true)
	case closeCalled:
		c.version++
		c.leave(now, false)
	case callbackReturned:
		c.version++
		c.continueAt(now, e.next, e.failed)
	}
}

// continueAt is where the network thread goes on after a callback.
func (c *Client) continueAt(now protocol.Instant, next continuation, failed bool) {
	switch next {
	case assignNext:
		if failed {
			c.reconciliation = reconciliation{}
			return
		}
		if c.cfg.Streams != nil {
			c.assignTasks()
		} else {
			c.assign(now)
		}
	case acknowledge:
		if failed {
			c.reconciliation = reconciliation{}
			return
		}
		c.finishReconciliation()
	case leaveGroup:
		c.leaveReleased(now)
	case rejoinFenced:
		if c.state == Fenced {
			c.clearAssignment()
			c.join()
		}
	case joinGeneration:
		c.joinsGeneration()
	case releaseStale:
		c.clearAssignment()
		c.staleReleased = true
		if c.rejoinReleased {
			c.join()
		}
	case releaseFatal:
		c.clearAssignment()
	}
}
