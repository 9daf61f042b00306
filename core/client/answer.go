package client

import (
	"slices"

	"groupscope/core/protocol"
)

// Answer hands the client the answer to its request id.
func (c *Client) Answer(now protocol.Instant, id uint32, resp protocol.ConsumerGroupHeartbeatResponse) []Output {
	return c.answer(now, id, func() {
		if c.answered(now, resp.Error, resp.HeartbeatIntervalMs) {
			c.takeMemberID(resp.MemberID)
			var assigned *localAssignment
			if resp.Assignment != nil {
				assigned = &localAssignment{partitions: resp.Assignment}
			}
			c.succeeded(resp.MemberEpoch, assigned)
		}
	})
}

func (c *Client) answer(now protocol.Instant, id uint32, take func()) []Output {
	c.begin()
	ignored, ok := c.settle(id)
	if !ok {
		return c.out
	}
	c.version++
	if !ignored {
		take()
	}
	return c.act(now)
}

// Failed tells the client that these requests will get no answer: they timed
// out, or the connection broke.
func (c *Client) Failed(now protocol.Instant, ids ...uint32) []Output {
	c.begin()
	for _, id := range ids {
		ignored, ok := c.settle(id)
		if !ok || ignored {
			continue
		}
		c.lost(now)
		c.coordinator.known = false
		c.failed()
	}
	c.version++
	return c.act(now)
}

// settle takes a request off the list of those without an answer.
func (c *Client) settle(id uint32) (ignored, ok bool) {
	i := slices.IndexFunc(c.outstanding, func(o outstanding) bool { return o.id == id })
	if i < 0 || c.state == Crashed || c.state == Closed {
		return false, false
	}
	ignored = c.outstanding[i].ignored
	c.outstanding = slices.Delete(c.outstanding, i, i+1)
	return ignored, true
}

// retry notes a failure: the interval counts as over, the next heartbeat is a
// full one.
func (c *Client) retry(now protocol.Instant) {
	c.request.failed(now, &c.backoff)
	c.intervalEnd = now
	c.forget()
}

// lost notes that a request came to nothing.
func (c *Client) lost(now protocol.Instant) {
	memory, sent := c.memory, c.sent
	c.retry(now)
	if c.has(BareHeartbeatAfterLostResponse) || c.has(KeepsOldEpochOnRetry) {
		c.memory, c.sent, c.repeat = memory, sent, c.has(KeepsOldEpochOnRetry)
	}
}

// answered takes in what all answers have. It reports whether it is one
// without error.
func (c *Client) answered(now protocol.Instant, code protocol.ErrorCode, intervalMs int32) bool {
	c.lastError, c.repeat = code, false
	if code == protocol.None {
		if interval := protocol.Duration(intervalMs); interval != c.interval {
			c.interval = interval
			c.intervalEnd, c.looked = now.Add(interval), now
		}
		c.request.succeeded(now, &c.backoff)
		return true
	}
	c.retry(now)
	c.failed()
	c.refused(now, code)
	if c.has(RetriesWithoutBackoff) {
		c.request.reset()
	}
	return false
}

// refused is the reaction to an error, by its code.
func (c *Client) refused(now protocol.Instant, code protocol.ErrorCode) {
	switch code {
	case protocol.NotCoordinator, protocol.CoordinatorNotAvailable:
		c.coordinator.known = false
		c.request.reset()
	case protocol.CoordinatorLoadInProgress:
	case protocol.FencedMemberEpoch, protocol.UnknownMemberID:
		c.fence(now)
		c.request.reset()
	case protocol.TopicAuthorizationFailed:
		c.raise(code)
	case protocol.GroupIDNotFound:
		switch {
		case c.state == Unsubscribed && c.cfg.Streams == nil:
		case c.has(RejoinsWhenGroupIsGone):
			c.fence(now)
		default:
			c.fatal(now, code)
		}
	default:
		c.fatal(now, code)
	}
}

// fatal is the reaction to an error that a retry cannot mend.
func (c *Client) fatal(now protocol.Instant, code protocol.ErrorCode) {
	if c.has(RetriesWithoutBackoff) || c.wedged() {
		return
	}
	c.raise(code)
	c.fail(now)
}

// LastError is the error code of the client's last answer.
func (c *Client) LastError() protocol.ErrorCode { return c.lastError }

// lookup is where the coordinator is (CoordinatorRequestManager).
type lookup struct {
	known   bool
	request pacing
}

func (c *Client) lookUp(now protocol.Instant) {
	if c.coordinator.known || c.app.waiting == inClose || !c.coordinator.request.ready(now) {
		return
	}
	c.coordinator.request.inFlight = true
	c.emit(FindCoordinator{})
}

// Found hands the client the answer of its lookup.
func (c *Client) Found(now protocol.Instant, failed bool) []Output {
	c.begin()
	c.version++
	c.coordinator.known = !failed
	if failed {
		c.coordinator.request.failed(now, &c.backoff)
	} else {
		c.coordinator.request.succeeded(now, &c.backoff)
	}
	return c.act(now)
}

// CoordinatorMoved tells the client that the group has another coordinator:
// it has to look for it, and starts afresh there with a full request.
func (c *Client) CoordinatorMoved(now protocol.Instant) []Output {
	c.begin()
	c.version++
	c.coordinator = lookup{}
	c.forget()
	return c.act(now)
}
