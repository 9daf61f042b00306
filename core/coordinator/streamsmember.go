package coordinator

import (
	"groupscope/core/protocol"
	"groupscope/core/record"
	"groupscope/core/rules"
	"groupscope/core/streamsgroup"
)

// findMember looks the member up and checks its epoch. It returns the
// refusal, or nil with h.before set. The broker gives a static member's frozen
// tasks to whoever names its instance before it checks who that is.
func (h *streamsHeartbeat) findMember() *StreamsResult {
	if h.req.InstanceID == nil {
		return h.findDynamic()
	}
	stored := h.group.StaticMember(*h.req.InstanceID)
	if stored != nil && stored.ID != h.req.MemberID {
		h.group.refined.rekey(h.group.Group, stored.ID, h.req.MemberID)
		h.group.view.towardsChanged()
	}
	return h.findStatic(stored)
}

func (h *streamsHeartbeat) findDynamic() *StreamsResult {
	stored := h.group.Member(h.req.MemberID)
	if stored != nil {
		return h.accept(stored)
	}
	if !h.joins() {
		return h.unknownMember()
	}
	h.add()
	return nil
}

func (h *streamsHeartbeat) findStatic(stored *streamsgroup.Member) *StreamsResult {
	switch {
	case stored == nil && !h.joins():
		return h.unknownMember()
	case stored == nil:
		if taken := h.group.Member(h.req.MemberID); taken != nil {
			return h.accept(taken)
		}
		h.add()
		return nil
	case h.joins() && stored.Epoch() == protocol.EpochStaticAbsent:
		h.replace(stored)
		return nil
	case h.joins():
		return h.refuse(protocol.UnreleasedInstanceID, ruleStreamsStatic, textUnreleased(whoRuns(stored)))
	case stored.ID != h.req.MemberID:
		return h.refuse(protocol.FencedInstanceID, ruleStreamsStatic, textFencedInstance(whoRuns(stored), h.req.MemberID))
	}
	return h.accept(stored)
}

func (h *streamsHeartbeat) add() {
	h.before = streamsgroup.NewMember(h.req.MemberID)
	h.isNew = true
}

// replace puts the request's member in the place of a static member that was
// away: the same tasks under the new member id, at epoch 0 until this request
// reconciles it.
func (h *streamsHeartbeat) replace(old *streamsgroup.Member) {
	h.before = old.As(h.req.MemberID)
	h.replaces = old.ID
	target, ok := h.group.Target(old.ID)
	if !ok {
		target = protocol.Tasks{Active: protocol.Assignment{}, Standby: protocol.Assignment{}, Warmup: protocol.Assignment{}}
	}
	h.tombstones(old.ID)
	h.put(record.StreamsMemberMetadata, h.before.ID, h.before.Meta)
	h.put(record.StreamsTargetAssignmentMember, h.before.ID, record.StreamsTargetAssignmentMemberValue{Tasks: target})
	h.put(record.StreamsCurrentMemberAssignment, h.before.ID, h.before.Current)
	h.say(rare, ruleStreamsStatic, textReplaced(whoRuns(old), h.req.MemberID))
}

// accept checks the epoch of a stored member.
func (h *streamsHeartbeat) accept(stored *streamsgroup.Member) *StreamsResult {
	h.before = stored
	epoch := h.req.MemberEpoch
	switch {
	case h.joins():
		h.say(cause, ruleStreamsJoin, textRejoin(whoRuns(stored)))
		return nil
	case epoch == stored.Epoch():
		return nil
	case epoch > stored.Epoch():
		return h.fence(textNewerEpoch(whoRuns(stored), epoch))
	case epoch != stored.Current.PreviousMemberEpoch:
		return h.fence(textOlderEpoch(whoRuns(stored), epoch))
	case !h.req.Owned.Present():
		return h.fence(textOwnedAbsent(whoRuns(stored), epoch))
	case !h.mayOwn(stored):
		return h.fence(textOwnsTooMuch(whoRuns(stored), epoch, h.bound()))
	}
	h.say(rare, h.lostResponseRule(), textLostResponse(whoRuns(stored), epoch))
	return nil
}

// mayOwn checks the lists of a member whose last answer was lost.
func (h *streamsHeartbeat) mayOwn(stored *streamsgroup.Member) bool {
	if h.c.cfg.Rules.LostResponseOwned == rules.WithinAssigned {
		return stored.Owns(h.req.Owned)
	}
	target, _ := h.group.Target(stored.ID)
	return streamsgroup.Within(h.req.Owned, target)
}

// fence refuses the member's epoch. Under RemoveFencedMember it is removed.
func (h *streamsHeartbeat) fence(text string) *StreamsResult {
	if !h.c.cfg.Rules.RemoveFencedMember {
		return h.refuse(protocol.FencedMemberEpoch, h.fencingRule(), text+" It stays in the group.")
	}
	h.remove(h.before)
	h.c.write(h.records)
	refused := h.refuse(protocol.FencedMemberEpoch, h.fencingRule(), text+" It is removed.")
	refused.Records = h.records
	return refused
}

func (h *streamsHeartbeat) unknownMember() *StreamsResult {
	return h.refuse(protocol.UnknownMemberID, ruleStreamsMember, textUnknown(h.req.GroupID, h.req.MemberID, h.req.InstanceID))
}

// leave handles the epochs -1 (for good) and -2 (a static member that means
// to come back). A wish to shut the application down counts even if the leave
// is refused.
func (o *streamsOperation) leave(req *protocol.StreamsGroupHeartbeatRequest) *StreamsResult {
	if o.group == nil {
		if found := o.c.groups[req.GroupID]; found != nil {
			return o.refuse(protocol.GroupIDNotFound, ruleStreamsLookup, textOtherType(req.GroupID, found))
		}
		return o.refuse(protocol.GroupIDNotFound, ruleStreamsLookup, "There is no group "+req.GroupID+".")
	}
	if req.ShutdownApplication {
		o.group.askShutdown(req.MemberID)
		o.group.view.changed()
		o.say(aside, ruleShutdown, textShutdown(req.MemberID, o.group.shutdown))
		o.stays = len(o.said)
	}
	m := o.group.Member(req.MemberID)
	if req.InstanceID != nil {
		m = o.group.StaticMember(*req.InstanceID)
	}
	if m == nil {
		return o.refuse(protocol.UnknownMemberID, ruleStreamsMember, textUnknown(req.GroupID, req.MemberID, req.InstanceID))
	}
	if m.ID != req.MemberID {
		return o.refuse(protocol.FencedInstanceID, ruleStreamsStatic, textFencedInstance(whoRuns(m), req.MemberID))
	}
	if req.MemberEpoch == protocol.EpochStaticAbsent {
		o.put(record.StreamsCurrentMemberAssignment, m.ID, streamsAbsent(&m.Current))
		o.group.own()
		o.group.endpoints.forget(m.ID)
		o.say(final, ruleStreamsStatic, textAbsent(whoRuns(m)))
	} else {
		o.say(final, ruleStreamsLeave, textStreamsLeaves(m, o.group.Epoch+1))
		o.remove(m)
	}
	o.c.write(o.records)
	return &StreamsResult{
		Response: protocol.StreamsGroupHeartbeatResponse{
			MemberID: m.ID, MemberEpoch: req.MemberEpoch, Status: []protocol.Status{},
		},
		Records: o.records, Decisions: o.decisions(),
	}
}

// streamsAbsent is the current assignment of a static member that left for a
// while: it keeps its tasks, but none of its old commits can be told from a
// newer owner's, so their assignment epochs are 0.
func streamsAbsent(current *record.StreamsCurrentMemberAssignmentValue) record.StreamsCurrentMemberAssignmentValue {
	next := *current
	next.MemberEpoch = protocol.EpochStaticAbsent
	next.PendingActive, next.PendingStandby, next.PendingWarmup = nil, protocol.Assignment{}, protocol.Assignment{}
	next.Active = make([]record.Held, len(current.Active))
	for i, h := range current.Active {
		next.Active[i] = record.Held{Partition: h.Partition}
	}
	return next
}
