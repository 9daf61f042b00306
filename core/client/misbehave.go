package client

import (
	"fmt"

	"groupscope/core/protocol"
)

// What a client with quirks does differently, where that is more than a
// condition. None of this happens in a client without quirks.

// identity is who the member says it is. Without quirks that never changes.
type identity struct {
	id         string
	identities int                 // how often it took another id
	named      bool                // the broker made its id
	claimed    protocol.Assignment // what it had when it was fenced
}

func (c *Client) has(q Quirk) bool { return c.quirks.has(q) }

// misstate spoils a request.
func (c *Client) misstate(req *protocol.ConsumerGroupHeartbeatRequest) {
	if c.state != Joining {
		return
	}
	if c.has(RejoinsWithOwnedPartitions) && c.claimed != nil {
		req.TopicPartitions = c.claimed
	}
	if c.has(WaitsForBrokerMadeMemberID) && !c.named {
		req.MemberID = ""
	}
}

// wedged: it joins with owned partitions, is told that this is no way to join,
// and tries again.
func (c *Client) wedged() bool {
	return c.has(RejoinsWithOwnedPartitions) && c.claimed != nil && c.lastError == protocol.InvalidRequest
}

// renew is what a fenced client takes into its next life.
func (c *Client) renew() {
	if len(c.current.partitions) > 0 {
		c.claimed = c.current.partitions
	}
	if c.has(NewMemberIDAfterEpochError) {
		c.identities++
		c.id = fmt.Sprintf("%s'%d", c.cfg.MemberID, c.identities+1)
	}
}

// takeMemberID takes the id in an answer for its own.
func (c *Client) takeMemberID(id string) {
	if c.has(WaitsForBrokerMadeMemberID) && id != "" {
		c.id, c.named = id, true
	}
}

// overlooks reports whether an assignment goes unseen.
func (c *Client) overlooks(a protocol.Assignment) bool {
	return len(a) == 0 && len(c.current.partitions) > 0 && c.has(IgnoresEmptyAssignment)
}

// nextStep is what to reconcile to: the target, as far as its topics have names.
func (c *Client) nextStep() localAssignment {
	known := c.resolvable(c.target.partitions)
	switch {
	case len(known) == len(c.target.partitions) && c.has(DropsKnownForLateTopics) && c.current.epoch == c.target.epoch:
		c.target.partitions = minus(known, c.current.partitions)
		known = c.target.partitions
	case c.has(TreatsPartialMetadataAsFull):
		c.target.partitions = known
	case c.has(AcknowledgesUnnamedPartitions):
		known = c.target.partitions
	}
	return localAssignment{epoch: c.target.epoch, partitions: known}
}

// acknowledgesAgain has it say once more what it has said already.
func (c *Client) acknowledgesAgain() bool {
	if !c.has(AcksOnEveryPoll) {
		return false
	}
	c.memory.assignment = localAssignment{epoch: -2}
	return true
}

// acknowledgeEarly reports the partitions as given up that the application has
// only begun to give up.
func (c *Client) acknowledgeEarly(revoked protocol.Assignment) {
	if c.has(AcknowledgesBeforeRevoking) {
		c.current = localAssignment{epoch: c.reconciliation.to.epoch, partitions: minus(c.owned, revoked)}
		c.transition(Acknowledging)
	}
}

// commits reports whether the client begins a commit that never succeeds: of
// offsets of a topic that is no more.
func (c *Client) commits(now protocol.Instant, revoked protocol.Assignment) bool {
	if !c.cfg.AutoCommit || !c.has(RetriesCommitOfDeletedTopic) {
		return false
	}
	for _, t := range revoked {
		if !c.exists(t.Topic) {
			c.reconciliation.commitUntil = now.Add(c.cfg.MaxPollInterval)
			return true
		}
	}
	return false
}

// committing reports whether such a commit goes on. When its time is over the
// reconciliation goes on, if it still counts.
func (c *Client) committing(now protocol.Instant) bool {
	if c.reconciliation.commitUntil == 0 {
		return false
	}
	if c.aborted() {
		return false
	}
	if now < c.reconciliation.commitUntil {
		return true
	}
	c.reconciliation.commitUntil = 0
	c.revoke(now, minus(c.owned, c.reconciliation.to.partitions))
	return true
}
