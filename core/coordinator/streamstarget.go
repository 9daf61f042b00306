package coordinator

import (
	"groupscope/core/assignor"
	"groupscope/core/protocol"
	"groupscope/core/record"
	"groupscope/core/streamsgroup"
)

// frozen reports whether members are reconciled towards a refined assignment
// that is kept (the rule FrozenRefinement, which needs warm-ups switched on).
func (o *streamsOperation) frozen() bool {
	return o.c.cfg.Rules.FrozenRefinement && o.warmupReplicas() > 0
}

// refine looks at the refined assignment where nothing else happens: in a
// stable group it is the target again, and a member that settled on less
// than its part makes a new epoch for it.
func (h *streamsHeartbeat) refine() {
	g := h.group
	if !h.frozen() || !g.Stable() {
		return
	}
	if r := &g.refined; !r.made || !r.stored || r.epoch != g.AssignmentEpoch {
		*r = refined{made: true, epoch: g.AssignmentEpoch, stored: true}
		g.view.towardsChanged()
	}
	if part, _ := g.Target(h.after.ID); !h.after.Has(part) {
		h.refines = true
		h.reason(ruleRefined, textRefines(h.after.ID))
	}
}

// updateTarget computes a new target if the group epoch is ahead of the
// target's and nothing forbids it; otherwise the member goes on with the old
// one. It leaves what the member is reconciled towards in h.part.
func (h *streamsHeartbeat) updateTarget() *StreamsResult {
	g := h.group
	switch {
	case h.c.timers.deadline(timerKey{kind: InitialRebalanceTimer, group: g.ID}) != 0:
		h.delayed = true
		h.towards(&streamsgroup.Target{})
		if !h.delayStarts { // else that was said
			h.say(rare, ruleDelay, textWaitsForOthers(g.ID))
		}
		return nil
	case h.groupEpoch <= h.targetEpoch:
	case h.refines:
		h.targetEpoch = h.groupEpoch
		h.put(record.StreamsTargetAssignmentMetadata, "", record.StreamsTargetAssignmentMetadataValue{
			AssignmentEpoch: h.groupEpoch, AssignmentTimestamp: g.AssignmentTimestamp,
		})
	case h.now < h.targetDue():
		h.delayed = true
		h.say(effect, ruleInterval, textInterval(h.targetEpoch, h.groupEpoch, h.targetDue().Sub(h.now)))
	default:
		target, refused := h.compute(&streamsgroup.Computation{
			StandbyReplicas: h.standbyReplicas(), Updated: h.after, Replaces: h.replaces, StaleBelow: h.staleBelow(),
		}, h.groupEpoch)
		if refused != nil {
			return refused
		}
		h.targetEpoch = h.groupEpoch
		h.towards(&target)
		return nil
	}
	h.towardsStored()
	return nil
}

// targetDue is when the next target may be computed. A timestamp of 0 says
// that the group never had one, or lost its members.
func (h *streamsHeartbeat) targetDue() protocol.Instant { return h.group.targetDue(h.c) }

func (g *streamsGroup) targetDue(c *Coordinator) protocol.Instant {
	if g.AssignmentTimestamp == 0 {
		return 0
	}
	return g.AssignmentTimestamp.Add(c.groupDuration(g.ID, "streams.assignment.interval.ms", c.cfg.Streams.AssignmentInterval))
}

// compute makes a new target for a group epoch and puts its records.
func (o *streamsOperation) compute(c *streamsgroup.Computation, epoch int32) (streamsgroup.Target, *StreamsResult) {
	name := o.c.streamsAssignorName(o.group.ID)
	chosen, ok := o.c.cfg.Streams.assignor(name)
	if !ok {
		return streamsgroup.Target{}, o.refuse(protocol.UnknownServerError, ruleStreamsTarget, "There is no assignor "+name+".")
	}
	c.Assignor, c.Topology, c.Offsets = chosen, o.group.configured, o.group.reported
	c.Warmups, c.RecoveryLag = -1, o.recoveryLag()
	if o.c.cfg.Rules.WarmupTasks {
		c.Warmups = o.warmupReplicas()
	}
	target, err := o.group.NewTarget(c)
	if err != nil {
		return streamsgroup.Target{}, o.refuse(protocol.UnknownServerError, ruleStreamsTarget, "The assignor "+name+" failed: "+err.Error())
	}
	for _, part := range target.Changed {
		o.put(record.StreamsTargetAssignmentMember, part.Member, record.StreamsTargetAssignmentMemberValue{Tasks: part.Tasks})
	}
	o.put(record.StreamsTargetAssignmentMetadata, "", record.StreamsTargetAssignmentMetadataValue{
		AssignmentEpoch: epoch, AssignmentTimestamp: o.now,
	})
	o.say(targetWeight(len(target.Changed)), ruleStreamsTarget, textStreamsTarget(epoch, name, o.group.configured.Ready(), &target))
	return target, nil
}

// assignor finds a streams assignor by the name it has in the config.
func (c *StreamsConfig) assignor(name string) (assignor.StreamsAssignor, bool) {
	for _, a := range c.Custom {
		if a.Name() == name {
			return a, true
		}
	}
	return assignor.StreamsByName(name)
}

// towards reconciles the member towards a target that is not stored.
func (h *streamsHeartbeat) towards(target *streamsgroup.Target) {
	if !h.frozen() {
		h.part = target.Of(h.after.ID)
		return
	}
	if r := &h.group.refined; !r.made || r.epoch != h.targetEpoch {
		*r = refined{made: true, epoch: h.targetEpoch, tasks: target.ByMember()}
		h.group.view.towardsChanged()
	}
	h.part, _ = h.group.refined.of(h.group.Group, h.after.ID)
}

// towardsStored reconciles the member towards the stored target, in which the
// part of a replaced static member belongs to the one that takes its place.
func (h *streamsHeartbeat) towardsStored() {
	g := h.group
	if !h.frozen() {
		h.part, _ = g.StoredTarget(h.after.ID, h.after, h.replaces)
		return
	}
	if r := &g.refined; !r.made || r.epoch != h.targetEpoch {
		*r = refined{made: true, epoch: h.targetEpoch, stored: h.replaces == ""}
		if h.replaces != "" {
			r.tasks = g.TargetWith(h.after.ID, h.replaces)
		}
		g.view.towardsChanged()
	}
	h.part, _ = g.refined.of(g.Group, h.after.ID)
}

// reconcile brings this one member nearer to its target.
func (h *streamsHeartbeat) reconcile() *StreamsResult {
	out := h.group.Reconcile(h.after, &streamsgroup.Facts{
		TargetEpoch: h.targetEpoch, Target: h.part, Owned: h.req.Owned,
		StepEpoch: h.c.cfg.Rules.RevokeAgainStepsEpoch, BrokenRule: h.c.cfg.Streams.BrokenRule,
	})
	if out.Step == streamsgroup.Lost {
		return h.refuse(protocol.FencedMemberEpoch, ruleStreamsReconcile, textLost(h.after.ID))
	}
	if out.Changed {
		h.put(record.StreamsCurrentMemberAssignment, h.after.ID, out.Next)
		if next := h.after.WithCurrent(out.Next); out.Next.State == record.UnrevokedPartitions {
			h.c.startStreamsRebalance(h.now, h.req.GroupID, next)
		} else {
			h.c.timers.cancel(timerKey{RebalanceTimer, h.req.GroupID, h.after.ID})
		}
	}
	h.sayOutcome(&out)
	if out.Changed {
		h.after = h.after.WithCurrent(out.Next)
	}
	return nil
}
