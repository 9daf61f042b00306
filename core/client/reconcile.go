package client

import (
	"slices"

	"groupscope/core/protocol"
)

// reconciliation is the move from the current assignment to the target. One
// runs at a time; a newer target waits.
type reconciliation struct {
	running  bool
	rejoined bool // the member rejoined while it ran: nothing of it counts
	to       localAssignment
	read     protocol.Assignment // what the application reads of it
	added    protocol.Assignment
	// commitUntil is the end of a commit that never succeeds (a quirk).
	commitUntil protocol.Instant
}

// reconcile starts a reconciliation if one is due. Outside poll() nothing is
// revoked or committed.
func (c *Client) reconcile(now protocol.Instant, inPoll bool) {
	if c.committing(now) || c.state != Reconciling || c.reconciliation.running || c.reconciled() {
		return
	}
	if c.cfg.Streams != nil {
		c.reconcileTasks(now)
		return
	}
	to := c.nextStep()
	c.lacksNames = c.lacksNames || len(c.resolvable(c.target.partitions)) < len(c.target.partitions)
	if c.current.epoch >= 0 && to.partitions.Equal(c.current.partitions) {
		if to.epoch != c.current.epoch || c.acknowledgesAgain() {
			c.current = to
			c.transition(Acknowledging)
		}
		return // or waits for the names of the rest
	}
	revoked := minus(c.owned, to.partitions)
	if !inPoll && (c.cfg.AutoCommit || len(revoked) > 0) {
		return
	}
	read := c.resolvable(to.partitions)
	c.reconciliation = reconciliation{running: true, to: to, read: read, added: minus(read, c.owned)}
	c.version++
	if !c.commits(now, revoked) {
		c.revoke(now, revoked)
	}
}

// revoke has the application give partitions up, and then take the new ones.
func (c *Client) revoke(now protocol.Instant, revoked protocol.Assignment) {
	if len(revoked) == 0 {
		c.assign(now)
		return
	}
	c.call(now, PartitionsRevoked, revoked, assignNext)
	c.acknowledgeEarly(revoked)
}

// aborted ends a reconciliation whose result no longer counts.
func (c *Client) aborted() bool {
	reconciling := c.state == Reconciling || c.has(AcknowledgesBeforeRevoking) && c.state.in(Acknowledging, Stable)
	if reconciling && !c.reconciliation.rejoined {
		return false
	}
	c.reconciliation = reconciliation{}
	return true
}

// assign asks the application to take the new assignment.
func (c *Client) assign(now protocol.Instant) {
	if !c.aborted() {
		c.call(now, PartitionsAssigned, c.reconciliation.added, acknowledge)
	}
}

// apply makes the new assignment the application's, just before
// onPartitionsAssigned.
func (c *Client) apply() {
	before := c.owned
	c.owned = c.reconciliation.read
	if !c.owned.Equal(before) {
		c.tell()
	}
}

func (c *Client) finishReconciliation() {
	if !c.reconciliation.running || c.aborted() {
		return
	}
	c.current = c.reconciliation.to
	c.names = topicsOf(c.current.partitions)
	c.transition(Acknowledging)
	c.reconciliation = reconciliation{}
}

// resolvable is the part of an assignment whose topics the client knows by name.
func (c *Client) resolvable(a protocol.Assignment) protocol.Assignment {
	known := func(t protocol.TopicPartitions) bool {
		return c.exists(t.Topic) || slices.Contains(c.names, t.Topic)
	}
	if !slices.ContainsFunc(a, func(t protocol.TopicPartitions) bool { return !known(t) }) {
		return a
	}
	out := protocol.Assignment{}
	for _, t := range a {
		if known(t) {
			out = append(out, t)
		}
	}
	return out
}

// exists reports whether there is such a topic, as far as the client knows.
func (c *Client) exists(topic protocol.TopicID) bool { return slices.Contains(c.metadata, topic) }

func topicsOf(a protocol.Assignment) []protocol.TopicID {
	out := make([]protocol.TopicID, len(a))
	for i, t := range a {
		out[i] = t.Topic
	}
	return out
}

// minus is what a has and b has not. The application knows topics by name
// only, so a topic that was created anew is the same to it.
func minus(a, b protocol.Assignment) protocol.Assignment {
	out := protocol.Assignment{}
	for _, t := range a {
		var left []int32
		for _, n := range t.Partitions {
			if !holdsByName(b, t.Topic, n) {
				left = append(left, n)
			}
		}
		if left != nil {
			out = append(out, protocol.TopicPartitions{Topic: t.Topic, Partitions: left})
		}
	}
	return out
}

func holdsByName(a protocol.Assignment, topic protocol.TopicID, n int32) bool {
	for _, t := range a {
		if t.Topic == topic || t.Topic.Name() == topic.Name() {
			if _, ok := slices.BinarySearch(t.Partitions, n); ok {
				return true
			}
		}
	}
	return false
}
