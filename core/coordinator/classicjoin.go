package coordinator

import (
	"groupscope/core/classicgroup"
	"groupscope/core/protocol"
	"groupscope/core/record"
)

// newMemberTimeout is how long the JoinGroup of a member that was not in the
// group before may wait. Nobody hears of a client that gave up meanwhile.
const newMemberTimeout = 5 * protocol.Minute

// join handles a JoinGroup on a classic group or on an id that may become
// one: that of no group, or of an empty group of another type.
func (o *classicOperation) join(req *protocol.JoinGroupRequest) {
	isNew := o.g == nil
	if isNew {
		if req.MemberID != "" {
			o.refuseJoin(req.MemberID, protocol.UnknownMemberID, textNoClassicGroup(req.GroupID))
			return
		}
		if replaced := o.c.groups[req.GroupID]; replaced != nil {
			o.records = replaced.tombstones()
			o.c.drop(req.GroupID)
			o.say(cause, ruleMigration, "The empty "+replaced.groupType().String()+" group "+req.GroupID+" gives way to a classic group.")
		}
		o.g = newClassicGroup(req.GroupID, o.now)
		o.c.host(req.GroupID, o.g)
	}
	switch {
	case !o.accepts(req.MemberID):
		o.g.Remove(req.MemberID)
		o.refuseJoin("", protocol.GroupMaxSizeReached, textClassicFull(req.GroupID, o.c.cfg.ClassicMaxSize))
	case !o.g.Supports(req.ProtocolType, req.Protocols):
		o.refuseJoin(req.MemberID, protocol.InconsistentGroupProtocol, textProtocols(req.GroupID))
	case req.MemberID == "":
		o.joinNew(req)
	default:
		o.joinKnown(req)
	}
	if isNew {
		// The group's first record says only that there is a group.
		empty := record.ClassicGroupMetadataValue{CurrentStateTimestamp: o.g.Since}
		o.records = append(o.records, o.groupRecord(empty))
		o.c.note(o.records)
	}
}

// accepts reports whether the group has room for the member.
func (o *classicOperation) accepts(id string) bool {
	m := o.g.Member(id)
	switch o.g.State {
	case classicgroup.Empty:
		return true
	case classicgroup.PreparingRebalance:
		return m != nil && m.Join != 0 || o.g.Joined() < o.c.cfg.ClassicMaxSize
	}
	return m != nil || o.g.Size() < o.c.cfg.ClassicMaxSize
}

// joinNew handles a JoinGroup without a member id.
func (o *classicOperation) joinNew(req *protocol.JoinGroupRequest) {
	id := o.c.newMemberID()
	if req.GroupInstanceID != nil {
		if old := o.g.StaticMember(*req.GroupInstanceID); old != nil {
			o.replaceStatic(req, old, id)
			return
		}
		o.add(req, id)
		return
	}
	if !req.RequireKnownMemberID {
		o.add(req, id)
		return
	}
	o.g.Promise(id)
	o.start(HeartbeatTimer, id, protocol.Duration(req.SessionTimeoutMs))
	o.refuseJoin(id, protocol.MemberIDRequired, textAskAgain(id))
}

// joinKnown handles a JoinGroup with a member id.
func (o *classicOperation) joinKnown(req *protocol.JoinGroupRequest) {
	if o.g.IsPending(req.MemberID) && req.GroupInstanceID == nil {
		o.add(req, req.MemberID)
		return
	}
	m, code := o.g.Find(req.MemberID, req.GroupInstanceID)
	if code != protocol.None {
		o.refuseJoin(req.MemberID, code, textNotFound(req.GroupID, req.MemberID, req.GroupInstanceID))
		return
	}
	switch {
	case o.g.State == classicgroup.Empty:
		o.refuseJoin(req.MemberID, protocol.UnknownMemberID, textNoClassicGroup(req.GroupID))
	case o.g.State == classicgroup.CompletingRebalance && m.Matches(req.Protocols):
		o.say(final, ruleClassic, m.ID+" asks again for the generation that it may not have heard of.")
		o.answerJoin(o.ticket, o.generation(m, o.g.Leader == m.ID))
	case o.g.State == classicgroup.Stable && o.g.Leader != m.ID && m.Matches(req.Protocols):
		o.say(final, ruleClassic, m.ID+" joins again and has not changed. It is told the generation that there is.")
		o.answerJoin(o.ticket, o.generation(m, false))
	default:
		o.say(cause, ruleClassic, m.ID+" joins again.")
		o.update(m.ID, req)
		o.prepareOrComplete()
	}
}

// update takes over what a JoinGroup says of a member, which waits from now
// on.
func (o *classicOperation) update(id string, req *protocol.JoinGroupRequest) {
	o.g.Change(id, func(m *classicgroup.Member) {
		m.Protocols = req.Protocols
		m.RebalanceTimeout = protocol.Duration(req.RebalanceTimeoutMs)
		m.SessionTimeout = protocol.Duration(req.SessionTimeoutMs)
		m.Join = o.ticket
	})
}

// add takes a new member in and makes the group come together.
func (o *classicOperation) add(req *protocol.JoinGroupRequest, id string) {
	if o.g.State == classicgroup.PreparingRebalance && o.g.Previous == classicgroup.Empty {
		o.g.MoreCame = true
	}
	m := &classicgroup.Member{
		ID: id, InstanceID: req.GroupInstanceID, ClientID: req.ClientID, ClientHost: req.ClientHost,
		RebalanceTimeout: protocol.Duration(req.RebalanceTimeoutMs),
		SessionTimeout:   protocol.Duration(req.SessionTimeoutMs),
		Protocols:        req.Protocols, New: true, Join: o.ticket,
	}
	o.g.Add(m, req.ProtocolType)
	o.startHeartbeat(m, newMemberTimeout)
	o.say(cause, ruleClassic, id+" joins group "+req.GroupID+".")
	o.prepareOrComplete()
}

// replaceStatic puts a static member that comes back without its id into its
// old place.
func (o *classicOperation) replaceStatic(req *protocol.JoinGroupRequest, old *classicgroup.Member, id string) {
	fenced := old.ID + " is replaced by " + id + "."
	o.answerJoin(old.Join, protocol.JoinGroupResponse{
		Error: protocol.FencedInstanceID, ErrorMessage: fenced, GenerationID: -1, MemberID: old.ID,
	})
	o.answerSync(old.Sync, protocol.SyncGroupResponse{Error: protocol.FencedInstanceID, ErrorMessage: fenced})
	m := o.g.Replace(old, id)
	o.startHeartbeat(m, m.SessionTimeout)
	o.update(id, req)
	o.say(cause, ruleClassic, "Static member "+*req.GroupInstanceID+" comes back as "+id+" and takes the place of "+old.ID+".")
	switch {
	case o.g.State == classicgroup.Stable && o.g.Elect() == o.g.Protocol:
		o.keepGeneration(id)
	case o.g.State == classicgroup.PreparingRebalance:
		o.maybeComplete()
	default:
		o.prepareOrComplete()
	}
}

// keepGeneration answers a static member that is back in a stable group
// without a rebalance.
func (o *classicOperation) keepGeneration(id string) {
	o.records = append(o.records, o.groupRecord(o.g.Value(o.assignments())))
	o.c.note(o.records)
	m := o.g.Member(id)
	leads := o.g.Leader == id
	answer := o.generation(m, leads)
	answer.SkipAssignment = leads
	o.g.Change(id, func(m *classicgroup.Member) { m.Join = 0 })
	o.answerJoin(o.ticket, answer)
	o.say(effect, ruleClassic, "Nothing that the assignment depends on changed, so generation "+itoa(o.g.Generation)+" goes on.")
}

// generation is the answer that tells a member the generation. The leader
// hears of all members, since it assigns.
func (o *classicOperation) generation(m *classicgroup.Member, leads bool) protocol.JoinGroupResponse {
	answer := protocol.JoinGroupResponse{
		GenerationID: o.g.Generation, ProtocolType: o.g.ProtocolType, ProtocolName: o.g.Protocol,
		Leader: o.g.Leader, MemberID: m.ID,
	}
	if leads {
		for _, id := range o.g.IDs() {
			other := o.g.Member(id)
			answer.Members = append(answer.Members, protocol.JoinGroupMember{
				MemberID: id, GroupInstanceID: other.InstanceID, Metadata: o.g.Subscription(other),
			})
		}
	}
	return answer
}

func (o *classicOperation) groupRecord(v record.ClassicGroupMetadataValue) record.Record {
	return record.Record{Key: record.Key{Type: record.ClassicGroupMetadata, Group: o.g.ID}, Value: v}
}

// assignments are the members' own.
func (o *classicOperation) assignments() map[string][]byte {
	out := map[string][]byte{}
	for _, id := range o.g.IDs() {
		out[id] = o.g.Member(id).Assignment
	}
	return out
}
