package coordinator

import (
	"groupscope/core/protocol"
	"groupscope/core/streamsgroup"
)

// startStreamsSession starts the session timer anew: a member that is silent
// for the whole session timeout is removed.
func (c *Coordinator) startStreamsSession(now protocol.Instant, group, member string) {
	c.timers.start(timerKey{SessionTimer, group, member}, now.Add(c.streamsSession(group)), 0)
	c.touch(group, member)
}

func (c *Coordinator) streamsSession(group string) protocol.Duration {
	return c.groupDuration(group, "streams.session.timeout.ms", c.cfg.Streams.SessionTimeout)
}

// startStreamsRebalance gives a member that must revoke its rebalance timeout
// to get past the epoch it is at.
func (c *Coordinator) startStreamsRebalance(now protocol.Instant, group string, m *streamsgroup.Member) {
	timeout := protocol.Duration(m.Meta.RebalanceTimeoutMs)
	c.timers.start(timerKey{RebalanceTimer, group, m.ID}, now.Add(timeout), m.Epoch())
	c.touch(group, m.ID)
}

func (g *streamsGroup) fire(c *Coordinator, t timer) Expiry {
	o := streamsOperation{operation: operation{c: c, now: t.deadline}, group: g}
	rule := t.key.kind.rule()
	if t.key.kind == InitialRebalanceTimer {
		o.endDelay()
		return o.expiry(t)
	}
	m := g.Member(t.key.member)
	switch {
	case m == nil:
		o.say(idle, rule, textTimerOfNobody(t.key.member))
	case t.key.kind == RebalanceTimer && m.Epoch() != t.epoch:
		o.say(idle, rule, textTimerTooLate(whoRuns(m), t.epoch))
	default:
		o.say(final, rule, o.textExpired(t.key.kind, m))
		o.remove(m)
		c.write(o.records)
	}
	return o.expiry(t)
}

// endDelay computes the first target of a group that waited for members,
// with the assignment configs of its last epoch.
func (o *streamsOperation) endDelay() {
	g := o.group
	g.view.changed()
	switch {
	case g.Size() == 0:
		o.say(idle, ruleDelay, "The initial rebalance delay ends. Nobody is in group "+g.ID+".")
		return
	case g.configured == nil:
		o.say(idle, ruleDelay, "The initial rebalance delay ends. The topology is not configured yet, so the next heartbeat computes the target.")
		return
	}
	_, refused := o.compute(&streamsgroup.Computation{
		StandbyReplicas: storedStandbys(g.LastAssignmentConfigs), StaleBelow: o.staleLimit(g.Topology),
	}, g.Epoch)
	if refused != nil {
		o.records = nil
		return
	}
	o.c.write(o.records)
}
