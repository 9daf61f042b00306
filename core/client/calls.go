package client

import (
	"slices"

	"groupscope/core/protocol"
)

// callOf is a call of the application that waits its turn.
type callOf struct {
	kind         callKind
	subscription Subscription
	option       LeaveOption
}

type callKind uint8

const (
	subscribe callKind = iota
	unsubscribe
	closeClient
)

// Subscribe is the application's subscribe().
func (c *Client) Subscribe(now protocol.Instant, s Subscription) []Output {
	return c.callFrom(now, callOf{kind: subscribe, subscription: s})
}

// Unsubscribe is the application's unsubscribe().
func (c *Client) Unsubscribe(now protocol.Instant) []Output {
	return c.callFrom(now, callOf{kind: unsubscribe})
}

// Close is the application's close().
func (c *Client) Close(now protocol.Instant, option LeaveOption) []Output {
	return c.callFrom(now, callOf{kind: closeClient, option: option})
}

func (c *Client) callFrom(now protocol.Instant, call callOf) []Output {
	c.begin()
	c.app.calls = append(c.app.calls, call)
	c.startCalls()
	return c.act(now)
}

// Closing reports whether close() was called and has not returned.
func (c *Client) Closing() bool { return c.app.waiting == inCloseCallbacks || c.app.waiting == inClose }

// startCalls begins the calls that the application wanted to make, unless it
// is in a callback or another call.
func (c *Client) startCalls() {
	for len(c.app.calls) > 0 && c.app.running.next == nowhere && c.app.waiting == free && c.state != Closed {
		call := c.app.calls[0]
		c.app.calls = slices.Delete(c.app.calls, 0, 1)
		c.version++
		switch call.kind {
		case subscribe:
			c.subscribed = call.subscription
			c.events = append(c.events, event{kind: subscriptionChanged})
		case unsubscribe:
			c.app.waiting = inUnsubscribe
			c.events = append(c.events, event{kind: unsubscribeCalled})
		case closeClient:
			c.startClose(call.option)
		}
	}
}

// startClose runs the callback of close() in the application's own thread.
func (c *Client) startClose(option LeaveOption) {
	c.leaveOption = option
	if c.cfg.Streams != nil {
		c.startStreamsClose()
		return
	}
	if len(c.owned) == 0 {
		c.app.waiting = inClose
		c.events = append(c.events, event{kind: closeCalled})
		return
	}
	what := PartitionsLost
	if c.epoch > 0 {
		what = PartitionsRevoked
	}
	c.app.waiting = inCloseCallbacks
	c.app.running = callback{what: what, partitions: c.owned, next: leaveOnClose}
	c.emit(c.entered())
}

// finishWaiting ends unsubscribe() and close() once the leave is over.
func (c *Client) finishWaiting(now protocol.Instant) {
	if c.app.running.next != nowhere || c.app.waiting != inUnsubscribe && c.app.waiting != inClose ||
		len(c.events) > 0 || c.leaving && now < c.leaveDeadline {
		return
	}
	was := c.app.waiting
	c.app.waiting = free
	c.version++
	if was == inClose {
		c.transition(Closed)
	}
}
