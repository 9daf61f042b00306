package coordinator

import (
	"fmt"

	"groupscope/core/consumergroup"
	"groupscope/core/protocol"
	"groupscope/core/record"
)

// What a member of the classic protocol does in a consumer group: it is
// reconciled by its JoinGroup, and its generation is its member epoch
// (consumer-group.md 13).

// joinConsumerGroup handles a JoinGroup on a consumer group with members.
func (o *classicOperation) joinConsumerGroup(req *protocol.JoinGroupRequest) {
	unknown := req.MemberID == ""
	id := req.MemberID
	if unknown {
		id = o.c.newMemberID()
	}
	if code, text := o.judgeClassicJoin(req, id); code != protocol.None {
		o.refuseJoin(req.MemberID, code, text)
		return
	}
	if unknown && req.GroupInstanceID == nil && req.RequireKnownMemberID {
		o.refuseJoin(id, protocol.MemberIDRequired, textAskAgain(id))
		return
	}
	said, err := protocol.DecodeSubscription(req.Protocols[0].Metadata)
	if err != nil {
		o.refuseJoin(req.MemberID, protocol.InvalidRequest, "The subscription cannot be read: "+err.Error()+".")
		return
	}
	h := &heartbeat{operation: o.operation, req: o.asHeartbeat(req, id, &said)}
	h.groupEpoch, h.targetEpoch = h.group.Epoch, h.group.AssignmentEpoch
	h.classic = &record.ClassicMemberMetadata{SessionTimeoutMs: req.SessionTimeoutMs, SupportedProtocols: req.Protocols}
	o.classicJoin(h, req, unknown)
}

// judgeClassicJoin says what keeps a classic member out of the group.
func (o *classicOperation) judgeClassicJoin(req *protocol.JoinGroupRequest, id string) (protocol.ErrorCode, string) {
	switch {
	case o.c.cfg.MigrationPolicy == "disabled":
		return protocol.InconsistentGroupProtocol, "Group " + req.GroupID + " is a consumer group, and group.consumer.migration.policy keeps members of the classic protocol out."
	case o.group.Size() >= o.c.cfg.MaxSize && o.group.Member(id) == nil:
		return protocol.GroupMaxSizeReached, textFull(o.group.ID, o.group.Size(), o.c.cfg.MaxSize)
	case req.ProtocolType != protocol.ConsumerProtocolType || !o.group.SupportsClassic(req.Protocols):
		return protocol.InconsistentGroupProtocol, textProtocols(req.GroupID)
	}
	return protocol.None, ""
}

// asHeartbeat is the join in the words of the consumer protocol.
func (o *classicOperation) asHeartbeat(req *protocol.JoinGroupRequest, id string, said *protocol.ClassicSubscription) protocol.ConsumerGroupHeartbeatRequest {
	noRegex := ""
	topics := said.Topics
	if topics == nil {
		topics = []string{}
	}
	return protocol.ConsumerGroupHeartbeatRequest{
		GroupID: req.GroupID, MemberID: id, InstanceID: req.GroupInstanceID, RackID: said.RackID,
		RebalanceTimeoutMs: req.RebalanceTimeoutMs, SubscribedTopicNames: topics, SubscribedTopicRegex: &noRegex,
		TopicPartitions: o.c.byID(said.Owned), ClientID: req.ClientID, ClientHost: req.ClientHost,
	}
}

// classicJoin goes through the steps of a heartbeat.
func (o *classicOperation) classicJoin(h *heartbeat, req *protocol.JoinGroupRequest, unknown bool) {
	refused := h.findClassic(unknown)
	if refused == nil {
		refused = h.applyRequest()
	}
	downgrades := refused == nil && h.downgradesByReplacement()
	current := &record.CurrentMemberAssignmentValue{}
	if refused == nil {
		current, refused = h.reconcileClassic(downgrades)
	}
	if refused != nil {
		o.said, o.main, o.weight = h.said, h.main, h.weight
		o.answerJoin(o.ticket, protocol.JoinGroupResponse{
			Error: refused.Response.Error, ErrorMessage: refused.Response.ErrorMessage, GenerationID: -1, MemberID: req.MemberID,
		})
		return
	}
	if downgrades {
		h.downgrade(nil, h.after, h.bumped())
	} else {
		h.c.write(h.records)
		h.c.startSession(h.now, h.group.ID, h.after)
		h.startMember(SyncTimer, h.after.ID, h.req.RebalanceTimeoutMs)
	}
	h.c.timers.cancel(timerKey{JoinTimer, h.group.ID, h.after.ID})
	o.operation = h.operation
	o.answerJoin(o.ticket, protocol.JoinGroupResponse{
		GenerationID: current.MemberEpoch, ProtocolType: protocol.ConsumerProtocolType,
		ProtocolName: req.Protocols[0].Name, MemberID: h.after.ID,
	})
}

// reconcileClassic computes a target if one is owed and brings the member
// nearer to it. A group that becomes a classic one has its last target; its
// member is not moved when all have to join again anyway.
func (h *heartbeat) reconcileClassic(downgrades bool) (*record.CurrentMemberAssignmentValue, *Result) {
	if !downgrades {
		if refused := h.updateTarget(); refused != nil {
			return nil, refused
		}
		return h.reconcile()
	}
	if h.bumped() {
		return &h.after.Current, nil
	}
	h.target, _ = h.group.Target(h.replaces)
	return h.reconcile()
}

// startMember starts a join or sync timer of a classic member, or starts it
// anew.
func (o *operation) startMember(kind TimerKind, member string, timeoutMs int32) {
	o.c.timers.start(timerKey{kind, o.group.ID, member}, o.now.Add(protocol.Duration(timeoutMs)), 0)
}

// findClassic looks up the member of a JoinGroup, which carries no epoch.
func (h *heartbeat) findClassic(unknown bool) *Result {
	id := h.req.MemberID
	if h.req.InstanceID == nil {
		if stored := h.group.Member(id); stored != nil {
			h.before = stored
			h.say(aside, ruleJoin, id+" joins by the classic protocol and is in the group already.")
			return nil
		}
		h.create()
		return nil
	}
	stored := h.group.StaticMember(*h.req.InstanceID)
	switch {
	case unknown && stored == nil:
		h.create()
	case unknown:
		h.replace(stored)
	case stored == nil:
		return h.unknownMember()
	case stored.ID != id:
		refused := h.refuse(protocol.FencedInstanceID, ruleStatic, textFencedInstance(whoReads(stored), id))
		return &refused
	default:
		h.before = stored
	}
	return nil
}

// byID reads partitions of topics by name; those that do not exist are left
// out. It is never nil.
func (c *Coordinator) byID(list []protocol.NamedPartitions) protocol.Assignment {
	var out []protocol.Partition
	for _, named := range list {
		topic, ok := c.meta.Named(named.Topic)
		if !ok {
			continue
		}
		for _, n := range named.Partitions {
			if n >= 0 && n < topic.Partitions {
				out = append(out, protocol.Partition{Topic: topic.ID, Number: n})
			}
		}
	}
	return protocol.NewAssignment(out)
}

// byName writes partitions with the names of their topics; those of topics
// that are gone are left out.
func (c *Coordinator) byName(a protocol.Assignment) []protocol.NamedPartitions {
	out := []protocol.NamedPartitions{}
	for _, tp := range a {
		if c.meta.Has(tp.Topic) {
			out = append(out, protocol.NamedPartitions{Topic: tp.Topic.Name(), Partitions: tp.Partitions})
		}
	}
	return out
}

// classicMember finds the classic member that a request names.
func (o *classicOperation) classicMember(id string, instance *string) (*consumergroup.Member, protocol.ErrorCode, string) {
	m := o.group.Member(id)
	if instance != nil {
		if m = o.group.StaticMember(*instance); m != nil && m.ID != id {
			return nil, protocol.FencedInstanceID, textFencedInstance(whoReads(m), id)
		}
	}
	switch {
	case m == nil:
		return nil, protocol.UnknownMemberID, textNotFound(o.group.ID, id, instance)
	case m.Meta.Classic == nil:
		return nil, protocol.UnknownMemberID, id + " does not use the classic protocol."
	}
	return m, protocol.None, ""
}

// syncConsumerGroup hands a classic member what it was assigned.
func (o *classicOperation) syncConsumerGroup(req *protocol.SyncGroupRequest) {
	m, code, text := o.classicMember(req.MemberID, req.GroupInstanceID)
	if code != protocol.None {
		o.refuseSync(code, text)
		return
	}
	protocols := m.Meta.Classic.SupportedProtocols
	switch {
	case req.GenerationID != m.Epoch():
		o.refuseSync(protocol.IllegalGeneration, textGeneration(m.ID, req.GenerationID, m.Epoch()))
		return
	case differs(req.ProtocolType, protocol.ConsumerProtocolType) || differs(req.ProtocolName, protocols[0].Name):
		o.refuseSync(protocol.InconsistentGroupProtocol, textProtocols(req.GroupID))
		return
	case m.Epoch() < o.group.AssignmentEpoch && m.Current.State != record.UnrevokedPartitions:
		o.mustRejoin(m)
		o.refuseSync(protocol.RebalanceInProgress, textMustRejoin(m, o.group.AssignmentEpoch))
		return
	}
	o.c.timers.cancel(timerKey{SyncTimer, o.group.ID, m.ID})
	o.c.startSession(o.now, o.group.ID, m)
	said, _ := protocol.DecodeSubscription(protocols[0].Metadata)
	o.say(final, ruleClassic, fmt.Sprintf("%s is told its assignment of epoch %d.", m.ID, m.Epoch()))
	o.answerSync(o.ticket, protocol.SyncGroupResponse{
		ProtocolType: req.ProtocolType, ProtocolName: req.ProtocolName,
		Assignment: protocol.EncodeAssignment(protocol.ClassicAssignment{
			Version: said.Version, Partitions: o.c.byName(delivered(m.Current.Assigned)),
		}),
	})
}

// heartbeatConsumerGroup tells a classic member to join again when that would
// bring it on.
func (o *classicOperation) heartbeatConsumerGroup(req *protocol.HeartbeatRequest) protocol.HeartbeatResponse {
	m, code, text := o.classicMember(req.MemberID, req.GroupInstanceID)
	switch {
	case code != protocol.None:
		return o.refuseHeartbeat(code, text)
	case req.GenerationID != m.Epoch():
		return o.refuseHeartbeat(protocol.IllegalGeneration, textGeneration(m.ID, req.GenerationID, m.Epoch()))
	}
	o.c.startSession(o.now, o.group.ID, m)
	if m.Epoch() < o.group.AssignmentEpoch || m.Current.State == record.UnrevokedPartitions ||
		m.Current.State == record.UnreleasedPartitions && !o.group.WaitsForOthers(m) {
		o.mustRejoin(m)
		return o.refuseHeartbeat(protocol.RebalanceInProgress, textMustRejoin(m, o.group.AssignmentEpoch))
	}
	o.say(final, ruleClassic, fmt.Sprintf("%s is alive at epoch %d.", m.ID, m.Epoch()))
	return protocol.HeartbeatResponse{}
}

// mustRejoin gives a member its rebalance timeout to join again, from the
// first time it is told.
func (o *classicOperation) mustRejoin(m *consumergroup.Member) {
	if o.c.timers.deadline(timerKey{JoinTimer, o.group.ID, m.ID}) == 0 {
		o.startMember(JoinTimer, m.ID, m.Meta.RebalanceTimeoutMs)
	}
}

// leaveConsumerGroup handles a LeaveGroup on a consumer group. An operator
// removes members of either protocol with it.
func (o *classicOperation) leaveConsumerGroup(req *protocol.LeaveGroupRequest) protocol.LeaveGroupResponse {
	var answer protocol.LeaveGroupResponse
	var gone []*consumergroup.Member
	for _, leaving := range req.Members {
		m, code := o.group.Member(leaving.MemberID), protocol.None
		if leaving.GroupInstanceID != nil {
			m = o.group.StaticMember(*leaving.GroupInstanceID)
		}
		switch {
		case m == nil:
			code = protocol.UnknownMemberID
		case leaving.GroupInstanceID != nil && leaving.MemberID != "" && leaving.MemberID != m.ID:
			code = protocol.FencedInstanceID
		default:
			gone = append(gone, m)
			o.say(final, ruleLeave, textLeaves(m, o.group.Epoch+1))
		}
		if code != protocol.None {
			o.say(final, ruleClassic, textNotFound(req.GroupID, leaving.MemberID, leaving.GroupInstanceID))
		}
		answer.Members = append(answer.Members, protocol.LeftMember{
			MemberID: leaving.MemberID, GroupInstanceID: leaving.GroupInstanceID, Error: code,
		})
	}
	if len(gone) > 0 {
		o.remove(gone...)
	}
	return answer
}
