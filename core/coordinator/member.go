package coordinator

import (
	"groupscope/core/consumergroup"
	"groupscope/core/protocol"
	"groupscope/core/record"
	"groupscope/core/rules"
)

// findMember looks the member up and checks its epoch. It returns the
// refusal, or nil with h.before set.
func (h *heartbeat) findMember() *Result {
	if h.req.InstanceID == nil {
		return h.findDynamic()
	}
	return h.findStatic(*h.req.InstanceID)
}

func (h *heartbeat) findDynamic() *Result {
	stored := h.group.Member(h.req.MemberID)
	if stored == nil {
		if h.req.MemberEpoch > 0 {
			return h.unknownMember()
		}
		h.create()
		return nil
	}
	return h.accept(stored)
}

func (h *heartbeat) findStatic(instance string) *Result {
	stored := h.group.StaticMember(instance)
	switch {
	case stored == nil && h.req.MemberEpoch > 0:
		return h.unknownMember()
	case stored == nil:
		if taken := h.group.Member(h.req.MemberID); taken != nil {
			return h.accept(taken)
		}
		h.create()
		return nil
	case h.req.MemberEpoch == protocol.EpochJoining && (stored.Epoch() == protocol.EpochStaticAbsent || stored.Meta.Classic != nil):
		h.replace(stored)
		return nil
	case h.req.MemberEpoch == protocol.EpochJoining && h.waitsToReconcile(stored):
		return h.accept(stored)
	case h.req.MemberEpoch == protocol.EpochJoining:
		refused := h.refuse(protocol.UnreleasedInstanceID, ruleStatic, textUnreleased(whoReads(stored)))
		return &refused
	case stored.ID != h.req.MemberID:
		refused := h.refuse(protocol.FencedInstanceID, ruleStatic, textFencedInstance(whoReads(stored), h.req.MemberID))
		return &refused
	}
	return h.accept(stored)
}

// waitsToReconcile reports whether the request is the second step of a join
// in two: the member's next heartbeat still carries epoch 0.
func (h *heartbeat) waitsToReconcile(stored *consumergroup.Member) bool {
	return h.c.cfg.Rules.TwoStepJoin && stored.ID == h.req.MemberID && stored.Epoch() == protocol.EpochJoining
}

func (h *heartbeat) create() {
	h.before = consumergroup.NewMember(h.req.MemberID)
	h.isNew = true
	h.say(aside, ruleJoin, h.req.MemberID+" is new in group "+h.req.GroupID+".")
}

// replace puts the request's member in the place of a static member that was
// away: the same partitions under the new member id, at epoch 0 until this
// request reconciles it.
func (h *heartbeat) replace(old *consumergroup.Member) {
	h.before = old.As(h.req.MemberID)
	h.replaces = old.ID
	target, _ := h.group.Target(old.ID)
	if target == nil {
		target = protocol.Assignment{}
	}
	h.tombstones(old.ID)
	h.put(record.MemberMetadata, h.before.ID, h.before.Meta)
	h.put(record.TargetAssignmentMember, h.before.ID, record.TargetAssignmentMemberValue{TopicPartitions: target})
	h.put(record.CurrentMemberAssignment, h.before.ID, h.before.Current)
	h.say(rare, ruleStatic, textReplaced(whoReads(old), h.req.MemberID))
}

// accept checks the epoch of a stored member.
func (h *heartbeat) accept(stored *consumergroup.Member) *Result {
	h.before = stored
	epoch := h.req.MemberEpoch
	switch {
	case epoch == protocol.EpochJoining:
		h.say(cause, ruleJoin, textRejoin(whoReads(stored)))
		return nil
	case epoch == stored.Epoch():
		return nil
	case epoch > stored.Epoch():
		return h.fence(textNewerEpoch(whoReads(stored), epoch))
	case epoch != stored.Current.PreviousMemberEpoch:
		return h.fence(textOlderEpoch(whoReads(stored), epoch))
	case h.req.TopicPartitions == nil:
		return h.fence(textOwnedAbsent(whoReads(stored), epoch))
	case !h.mayOwn(stored, h.req.TopicPartitions):
		return h.fence(textOwnsTooMuch(whoReads(stored), epoch, h.bound()))
	}
	h.say(rare, h.lostResponseRule(), textLostResponse(whoReads(stored), epoch))
	return nil
}

// mayOwn checks the list of a member whose last answer was lost.
func (h *heartbeat) mayOwn(stored *consumergroup.Member, owned protocol.Assignment) bool {
	within := stored.Holds
	switch h.c.cfg.Rules.LostResponseOwned {
	case rules.WithinTarget:
		target, _ := h.group.Target(stored.ID)
		within = target.Contains
	case rules.WithinAssigned:
		within = stored.IsAssigned
	}
	for _, tp := range owned {
		for _, n := range tp.Partitions {
			if !within(protocol.Partition{Topic: tp.Topic, Number: n}) {
				return false
			}
		}
	}
	return true
}

// fence refuses the member's epoch. Under RemoveFencedMember it is removed.
func (h *heartbeat) fence(text string) *Result {
	if !h.c.cfg.Rules.RemoveFencedMember {
		refused := h.refuse(protocol.FencedMemberEpoch, h.fencingRule(), text+" It stays in the group.")
		return &refused
	}
	h.remove(h.before)
	refused := h.refuse(protocol.FencedMemberEpoch, h.fencingRule(), text+" It is removed.")
	refused.Records = h.records
	return &refused
}

func (h *heartbeat) unknownMember() *Result {
	refused := h.refuse(protocol.UnknownMemberID, ruleMember, textUnknown(h.req.GroupID, h.req.MemberID, h.req.InstanceID))
	return &refused
}
