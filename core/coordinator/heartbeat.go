package coordinator

import (
	"slices"

	"groupscope/core/consumergroup"
	"groupscope/core/protocol"
	"groupscope/core/record"
)

// heartbeat is one regular heartbeat being handled. It reads the group as
// stored; its records are written at the end.
type heartbeat struct {
	operation
	req protocol.ConsumerGroupHeartbeatRequest

	// before is the member the request starts from: as stored, the copy that
	// replaces a static member, or a new one. after has the request applied.
	before, after *consumergroup.Member
	isNew         bool   // the request creates the member
	replaces      string // id of the static member whose place it takes
	// classic is what a member of the classic protocol brings; nil for the
	// consumer protocol.
	classic   *record.ClassicMemberMetadata
	completed []Completion

	subscriptionChanged bool   // names or regex
	namesChanged        bool   // the set of names
	regexBumps          string // why the regex bumps the group epoch, "" if it does not
	hashChecked         bool   // the metadata hash was worked out anew
	groupEpoch          int32
	targetEpoch         int32
	target              protocol.Assignment // the member's part, with this request applied
}

// Heartbeat handles one heartbeat. A refusal is an error code in the
// response and changes nothing, except that under the rule
// RemoveFencedMember a fenced member is removed.
func (c *Coordinator) Heartbeat(now protocol.Instant, req protocol.ConsumerGroupHeartbeatRequest) Result {
	o := operation{c: c, now: now, group: c.consumer(req.GroupID)}
	if code, rule, text := c.validate(&req); code != protocol.None {
		return o.refuse(code, rule, text)
	}
	if req.MemberEpoch == protocol.EpochLeaving || req.MemberEpoch == protocol.EpochStaticAbsent {
		return o.leave(&req)
	}
	h := heartbeat{operation: o, req: req}
	result := h.handle()
	result.Completed = h.completed
	return result
}

// handle goes through the steps of consumer-group.md 3.4.
func (h *heartbeat) handle() Result {
	if refused := h.findGroup(); refused != nil {
		return *refused
	}
	if refused := h.findMember(); refused != nil {
		return *refused
	}
	if refused := h.applyRequest(); refused != nil {
		return *refused
	}
	if refused := h.updateTarget(); refused != nil {
		return *refused
	}
	current, refused := h.reconcile()
	if refused != nil {
		return *refused
	}
	h.c.write(h.records)
	h.c.startSession(h.now, h.req.GroupID, h.after)
	return Result{Response: h.response(current), Records: h.records, Decisions: h.decisions()}
}

// applyRequest takes over what the request says of the member, and bumps the
// group epoch if that, or the cluster, changes what the target depends on.
func (h *heartbeat) applyRequest() *Result {
	h.updateMember()
	if refused := h.updateRegex(); refused != nil {
		return refused
	}
	h.bumpGroupEpoch()
	return nil
}

// bumped reports whether the request raised the group epoch.
func (h *heartbeat) bumped() bool { return h.groupEpoch > h.group.Epoch }

// findGroup looks the group up; a join may make a new one.
func (h *heartbeat) findGroup() *Result {
	if h.group == nil {
		if h.req.MemberEpoch > 0 {
			refused := h.noGroup(&h.req)
			return &refused
		}
		if refused := h.newGroup(); refused != nil {
			return refused
		}
	}
	if h.group.Size() >= h.c.cfg.MaxSize && !h.known() {
		refused := h.refuse(protocol.GroupMaxSizeReached, ruleMaxSize, textFull(h.group.ID, h.group.Size(), h.c.cfg.MaxSize))
		return &refused
	}
	h.groupEpoch, h.targetEpoch = h.group.Epoch, h.group.AssignmentEpoch
	return nil
}

// known reports whether the request comes from a member, or from a static one
// that comes back.
func (h *heartbeat) known() bool {
	return h.group.Member(h.req.MemberID) != nil ||
		h.req.InstanceID != nil && h.group.StaticMember(*h.req.InstanceID) != nil
}

// updateMember applies the request's fields; absent ones keep their values.
func (h *heartbeat) updateMember() {
	if h.bare() {
		h.after = h.before
		return
	}
	meta := h.before.Meta
	r := &h.req
	if r.InstanceID != nil {
		meta.InstanceID = r.InstanceID
	}
	if r.RackID != nil {
		meta.RackID = r.RackID
	}
	if r.RebalanceTimeoutMs != -1 {
		meta.RebalanceTimeoutMs = r.RebalanceTimeoutMs
	}
	if r.ServerAssignor != nil {
		meta.ServerAssignor = r.ServerAssignor
	}
	if r.SubscribedTopicNames != nil {
		meta.SubscribedTopicNames = nameSet(r.SubscribedTopicNames, meta.SubscribedTopicNames)
	}
	if r.SubscribedTopicRegex != nil {
		meta.SubscribedTopicRegex = *r.SubscribedTopicRegex
	}
	meta.ClientID, meta.ClientHost = r.ClientID, r.ClientHost
	meta.Classic = h.classic
	h.after = h.before
	if !consumergroup.SameMeta(&meta, &h.before.Meta) {
		h.after = h.before.WithMeta(meta)
		h.put(record.MemberMetadata, h.after.ID, meta)
	}
	if h.after != h.before && !h.isNew {
		h.say(aside, ruleMetadata, h.after.ID+" describes itself anew.")
	}
	h.namesChanged = !slices.Equal(meta.SubscribedTopicNames, h.before.Meta.SubscribedTopicNames)
	h.subscriptionChanged = h.namesChanged
}

// bare reports whether the request describes its member by nothing new, as
// most do.
func (h *heartbeat) bare() bool {
	r, meta := &h.req, &h.before.Meta
	return r.InstanceID == nil && r.RackID == nil && r.RebalanceTimeoutMs == -1 && r.ServerAssignor == nil &&
		r.SubscribedTopicNames == nil && r.SubscribedTopicRegex == nil &&
		h.classic == nil && meta.Classic == nil && meta.ClientID == r.ClientID && meta.ClientHost == r.ClientHost
}

// nameSet sorts names and drops duplicates; a set equal to the stored one is
// the stored one.
func nameSet(names, stored []string) []string {
	if slices.Equal(names, stored) {
		return stored
	}
	set := slices.Clone(names)
	slices.Sort(set)
	return slices.Compact(set)
}

// bumpGroupEpoch raises the group epoch if the request, or the cluster,
// changed what the target depends on.
func (h *heartbeat) bumpGroupEpoch() {
	reasons, rule := h.reasonsToBump()
	if len(reasons) == 0 && !h.group.refresh.passed(h.now, h.group.Epoch) {
		return
	}
	h.hashChecked = true
	counts := h.counts()
	hash := counts.Hash(h.c.meta)
	if len(reasons) == 0 && hash != h.group.MetadataHash {
		reasons = append(reasons, "the partitions or racks of its topics changed")
	}
	if len(reasons) > 0 {
		h.groupEpoch++
		h.put(record.GroupMetadata, "", record.GroupMetadataValue{Epoch: h.groupEpoch, MetadataHash: hash})
		h.say(cause, rule, textBump(reasons, h.group.Epoch, h.groupEpoch))
	}
	h.group.refresh = refreshDeadline{at: h.now.Add(refreshInterval), epoch: h.groupEpoch}
}

// reasonsToBump are the causes of a new group epoch that lie in the request,
// and the rule for which one counts.
func (h *heartbeat) reasonsToBump() (reasons []string, rule string) {
	rule = ruleGroupEpoch
	switch {
	case h.namesChanged:
		reasons = append(reasons, textSubscription(h.after, h.isNew))
	case h.regexBumps != "":
		reasons = append(reasons, h.regexBumps)
	case h.isNew && h.c.cfg.Rules.JoinAlwaysBumps:
		reasons = append(reasons, h.after.ID+" joins")
	case h.isNew:
		h.say(aside, h.joinRule(), textNoBump(h.after, h.group.Epoch))
	}
	if h.before.Assignor() == "" && h.after.Assignor() == "" {
		return reasons, rule
	}
	stored := h.preferredAssignor()
	next := h.nextAssignor()
	if stored != next {
		if len(reasons) == 0 {
			rule = ruleAssignor
		}
		reasons = append(reasons, "the group's assignor is now "+next+" instead of "+stored)
	}
	return reasons, rule
}

func (h *heartbeat) preferredAssignor() string {
	return h.group.PreferredAssignor(h.c.cfg.Assignors, h.c.cfg.Rules.AssignorTie)
}

func (h *heartbeat) nextAssignor() string {
	return h.group.PreferredAssignorWith(h.before.Assignor(), h.after.Assignor(), h.c.cfg.Assignors, h.c.cfg.Rules.AssignorTie)
}

// counts are the group's subscriptions with this request applied.
func (h *heartbeat) counts() consumergroup.Counts {
	before := h.before
	if h.isNew {
		before = nil
	}
	return h.group.CountsWith(before, h.after)
}

// response builds the answer. The assignment is in it if the member joins,
// if it asked for it by a full request, or if it changed.
func (h *heartbeat) response(current *record.CurrentMemberAssignmentValue) protocol.ConsumerGroupHeartbeatResponse {
	answer := protocol.ConsumerGroupHeartbeatResponse{
		MemberID:            h.req.MemberID,
		MemberEpoch:         current.MemberEpoch,
		HeartbeatIntervalMs: int32(h.c.groupDuration(h.req.GroupID, "consumer.heartbeat.interval.ms", h.c.cfg.HeartbeatInterval)),
	}
	if h.req.MemberEpoch == protocol.EpochJoining || h.req.Full() ||
		current != &h.before.Current && !slices.Equal(current.Assigned, h.before.Current.Assigned) {
		answer.Assignment = delivered(current.Assigned)
	}
	return answer
}

// delivered is an assignment as it is sent: never nil.
func delivered(held []record.Held) protocol.Assignment {
	out := protocol.Assignment{}
	for _, h := range held {
		if n := len(out); n == 0 || out[n-1].Topic != h.Partition.Topic {
			out = append(out, protocol.TopicPartitions{Topic: h.Partition.Topic})
		}
		last := &out[len(out)-1]
		last.Partitions = append(last.Partitions, h.Partition.Number)
	}
	return out
}
