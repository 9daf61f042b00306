package coordinator

import (
	"groupscope/core/consumergroup"
	"groupscope/core/protocol"
	"groupscope/core/record"
)

// updateTarget computes a new target if the group epoch is ahead of the
// target's and the assignment interval lets it; otherwise the member goes on
// with the old one. It leaves the member's part in h.target, unless it is not
// needed.
func (h *heartbeat) updateTarget() *Result {
	holder := h.after.ID
	if h.replaces != "" {
		holder = h.replaces
	}
	if h.groupEpoch <= h.targetEpoch && h.settled() {
		return nil
	}
	h.target, _ = h.group.Target(holder)
	if h.groupEpoch <= h.targetEpoch {
		return nil
	}
	if due := h.targetDue(); h.now < due {
		h.say(effect, ruleInterval, textInterval(h.targetEpoch, h.groupEpoch, due.Sub(h.now)))
		return nil
	}
	name := h.nextAssignor()
	chosen, ok := h.c.cfg.assignor(name)
	if !ok {
		refused := h.refuse(protocol.UnknownServerError, ruleTarget, "There is no assignor "+name+".")
		return &refused
	}
	target, err := h.group.NewTarget(consumergroup.Computation{
		Topics: h.c.meta, Assignor: chosen, Homogeneous: h.homogeneous(),
		Updated: h.after, Replaces: h.replaces,
	})
	if err != nil {
		refused := h.refuse(protocol.UnknownServerError, ruleTarget, "The assignor "+name+" failed: "+err.Error())
		return &refused
	}
	for _, part := range target.Changed {
		h.put(record.TargetAssignmentMember, part.Member, record.TargetAssignmentMemberValue{TopicPartitions: part.Assignment})
	}
	h.targetEpoch = h.groupEpoch
	h.put(record.TargetAssignmentMetadata, "", record.TargetAssignmentMetadataValue{
		AssignmentEpoch: h.targetEpoch, AssignmentTimestamp: h.now,
	})
	h.target = target.Of(h.after.ID)
	h.say(targetWeight(len(target.Changed)), ruleTarget, textTarget(h.targetEpoch, name, &target))
	return nil
}

// targetDue is when the next target may be computed. A timestamp of 0 says
// that the group never had one, or lost its members.
func (h *heartbeat) targetDue() protocol.Instant { return h.group.targetDue(h.c) }

func (g *group) targetDue(c *Coordinator) protocol.Instant {
	if g.AssignmentTimestamp == 0 {
		return 0
	}
	return g.AssignmentTimestamp.Add(c.groupDuration(g.ID, "consumer.assignment.interval.ms", c.cfg.AssignmentInterval))
}

// homogeneous is the hint to the assignor. The broker applies the request
// only if it worked out the hash as well (the rule StaleSubscriptionType).
func (h *heartbeat) homogeneous() bool {
	if h.c.cfg.Rules.StaleSubscriptionType && !h.hashChecked {
		return h.group.Homogeneous()
	}
	counts := h.counts()
	return counts.Homogeneous()
}

// sayIdle says that a member is settled.
func (h *heartbeat) sayIdle(m *consumergroup.Member) {
	if m != h.before || h.isNew || h.replaces != "" {
		h.say(idle, ruleReconcile, textSettled(m.ID, m.Epoch()))
		return
	}
	h.group.idle.say(&h.operation, m, ruleReconcile, m.ID, m.Epoch())
}

// settled reports whether the member has all of the target, and its
// subscription takes nothing from it.
func (h *heartbeat) settled() bool { return h.after.SettledAt(h.targetEpoch) && !h.subscriptionChanged }

// reconcile brings this one member nearer to its target, and returns its
// current assignment afterwards, or the refusal.
func (h *heartbeat) reconcile() (*record.CurrentMemberAssignmentValue, *Result) {
	m := h.after
	if h.isNew && h.classic == nil && h.c.cfg.Rules.TwoStepJoin {
		h.put(record.CurrentMemberAssignment, m.ID, m.Current)
		h.say(effect, ruleJoin, textFirstStep(m.ID, h.targetEpoch))
		return &m.Current, nil
	}
	if h.settled() {
		h.sayIdle(m)
		return &m.Current, nil
	}
	subscription, meta := h.group.Subscription(m), h.c.meta
	subscribes := func(topic protocol.TopicID) bool { return subscription.HasTopic(meta, topic) }
	out := consumergroup.Reconcile(m, &consumergroup.Facts{
		TargetEpoch:         h.targetEpoch,
		Target:              subscription.Restrict(meta, h.target),
		Owned:               h.req.TopicPartitions,
		SubscriptionChanged: h.subscriptionChanged,
		Subscribes:          subscribes,
		SubscribesToNothing: subscription.Empty(),
		Held:                h.group.Held,
		ListWaiting:         h.c.cfg.Rules.ListsWaiting,
	})
	if out.Step == consumergroup.Lost {
		h.records = nil
		return nil, h.fence(textLost(m.ID))
	}
	if out.Changed {
		h.put(record.CurrentMemberAssignment, m.ID, out.Next)
		h.timeRevocation(m.WithCurrent(out.Next))
	}
	h.sayOutcome(&out)
	return &out.Next, nil
}

// timeRevocation starts or ends the time that the member has to revoke. One
// of the classic protocol has its time to join again instead.
func (h *heartbeat) timeRevocation(m *consumergroup.Member) {
	switch {
	case m.Meta.Classic != nil:
	case m.Current.State == record.UnrevokedPartitions:
		h.c.startRebalance(h.now, h.req.GroupID, m)
	default:
		h.c.timers.cancel(timerKey{RebalanceTimer, h.req.GroupID, m.ID})
	}
}
