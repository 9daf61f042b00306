package coordinator

import (
	"slices"

	"groupscope/core/consumergroup"
	"groupscope/core/protocol"
	"groupscope/core/record"
)

// leave handles the epochs -1 (for good) and -2 (a static member that means
// to come back).
func (o *operation) leave(req *protocol.ConsumerGroupHeartbeatRequest) Result {
	if o.group == nil {
		return o.noGroup(req)
	}
	m := o.group.Member(req.MemberID)
	if req.InstanceID != nil {
		m = o.group.StaticMember(*req.InstanceID)
	}
	if m == nil {
		return o.refuse(protocol.UnknownMemberID, ruleMember, textUnknown(req.GroupID, req.MemberID, req.InstanceID))
	}
	if m.ID != req.MemberID {
		return o.refuse(protocol.FencedInstanceID, ruleStatic, textFencedInstance(whoReads(m), req.MemberID))
	}
	if req.MemberEpoch == protocol.EpochStaticAbsent {
		o.put(record.CurrentMemberAssignment, m.ID, absent(&m.Current))
		o.say(final, ruleStatic, textAbsent(whoReads(m)))
		o.c.write(o.records)
	} else {
		o.say(final, ruleLeave, textLeaves(m, o.group.Epoch+1))
		o.remove(m)
	}
	return Result{
		Response:  protocol.ConsumerGroupHeartbeatResponse{MemberID: m.ID, MemberEpoch: req.MemberEpoch},
		Records:   o.records,
		Decisions: o.decisions(),
	}
}

// absent is the current assignment of a static member that left for a while:
// it keeps its partitions, but none of its old commits can be told from a
// newer owner's, so their assignment epochs are 0.
func absent(current *record.CurrentMemberAssignmentValue) record.CurrentMemberAssignmentValue {
	next := *current
	next.MemberEpoch = protocol.EpochStaticAbsent
	next.PendingRevocation = nil
	next.Assigned = slices.Clone(current.Assigned)
	for i := range next.Assigned {
		next.Assigned[i].AssignmentEpoch = 0
	}
	return next
}

// remove takes members out of the group and writes that: their tombstones,
// one new group epoch, and no timer of them left. Nobody gets their
// partitions yet: the next heartbeat of another member computes a target. If
// only classic members are left the group becomes a classic group.
func (o *operation) remove(gone ...*consumergroup.Member) {
	if o.leavesClassic(gone...) {
		o.downgrade(gone, nil, true)
		return
	}
	for _, m := range gone {
		o.tombstones(m.ID)
	}
	counts := o.group.CountsWith(nil, nil)
	for _, m := range gone {
		counts.Replace(m, nil)
	}
	for _, regex := range counts.Unused() {
		o.records = append(o.records, tombstone(record.Key{Type: record.RegularExpression, Group: o.group.ID, Regex: regex}))
	}
	epoch := o.group.Epoch + 1
	o.put(record.GroupMetadata, "", record.GroupMetadataValue{Epoch: epoch, MetadataHash: counts.Hash(o.c.meta)})
	if o.group.Size() == len(gone) {
		o.put(record.TargetAssignmentMetadata, "", record.TargetAssignmentMetadataValue{AssignmentEpoch: epoch})
	}
	for _, m := range gone {
		for _, kind := range []TimerKind{SessionTimer, RebalanceTimer, JoinTimer, SyncTimer} {
			o.c.timers.cancel(timerKey{kind, o.group.ID, m.ID})
		}
	}
	o.c.write(o.records)
}

func (o *operation) noGroup(req *protocol.ConsumerGroupHeartbeatRequest) Result {
	return o.refuse(protocol.GroupIDNotFound, ruleLookup, "There is no group "+req.GroupID+".")
}
