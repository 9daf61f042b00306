package coordinator

import (
	"groupscope/core/consumergroup"
	"groupscope/core/protocol"
)

// startSession starts the session timer anew: a member that is silent for
// the whole session timeout is removed.
func (c *Coordinator) startSession(now protocol.Instant, group string, m *consumergroup.Member) {
	c.timers.start(timerKey{SessionTimer, group, m.ID}, now.Add(c.sessionTimeout(group, m)), 0)
	c.touch(group, m.ID)
}

// sessionTimeout is how long the member may be silent. A member of the
// classic protocol brings its own.
func (c *Coordinator) sessionTimeout(group string, m *consumergroup.Member) protocol.Duration {
	if classic := m.Meta.Classic; classic != nil {
		return protocol.Duration(classic.SessionTimeoutMs)
	}
	return c.groupDuration(group, "consumer.session.timeout.ms", c.cfg.SessionTimeout)
}

// startRebalance gives a member that must revoke its rebalance timeout to
// get past the epoch it is at.
func (c *Coordinator) startRebalance(now protocol.Instant, group string, m *consumergroup.Member) {
	timeout := protocol.Duration(m.Meta.RebalanceTimeoutMs)
	c.timers.start(timerKey{RebalanceTimer, group, m.ID}, now.Add(timeout), m.Epoch())
	c.touch(group, m.ID)
}

// touch notes that a timer of the member changed.
func (c *Coordinator) touch(group, member string) {
	if g := c.groups[group]; g != nil {
		g.touch(member)
	}
}

// NextDeadline is when the next timer fires; false when none runs.
func (c *Coordinator) NextDeadline() (protocol.Instant, bool) { return c.timers.next() }

// Expire fires the timers that are due by now, one at a time, in the order
// of their deadlines; timers of one deadline in the order in which they were
// started. Each acts at its own deadline, on what those before it left.
func (c *Coordinator) Expire(now protocol.Instant) []Expiry {
	var out []Expiry
	for {
		at, ok := c.timers.next()
		if !ok || at > now {
			return out
		}
		out = append(out, c.fire(c.timers.pop()))
	}
}

func (c *Coordinator) fire(t timer) Expiry {
	g := c.groups[t.key.group]
	if g == nil {
		o := operation{c: c, now: t.deadline}
		o.say(idle, t.key.kind.rule(), textTimerOfNoGroup(t.key.group))
		return o.expiry(t)
	}
	g.touch(t.key.member)
	return g.fire(c, t)
}

func (g *group) fire(c *Coordinator, t timer) Expiry {
	o := operation{c: c, now: t.deadline, group: g}
	m := g.Member(t.key.member)
	switch {
	case t.key.kind == HeartbeatTimer || t.key.member == "":
		o.say(idle, t.key.kind.rule(), textTimerOfOldGroup(g.ID))
	case m == nil:
		o.say(idle, t.key.kind.rule(), textTimerOfNobody(t.key.member))
	case t.key.kind == RebalanceTimer && m.Epoch() != t.epoch:
		o.say(idle, t.key.kind.rule(), textTimerTooLate(whoReads(m), t.epoch))
	default:
		o.say(final, t.key.kind.rule(), o.textExpired(t.key.kind, m))
		o.remove(m)
	}
	return o.expiry(t)
}

// expiry is the operation as what a timer did.
func (o *operation) expiry(t timer) Expiry {
	return Expiry{
		Timer: t.key.kind, Group: t.key.group, Member: t.key.member, At: t.deadline,
		Records: o.records, Decisions: o.decisions(),
	}
}
