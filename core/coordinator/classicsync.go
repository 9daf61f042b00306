package coordinator

import (
	"groupscope/core/classicgroup"
	"groupscope/core/protocol"
)

// sync handles a SyncGroup on a classic group.
func (o *classicOperation) sync(req *protocol.SyncGroupRequest) {
	m, code := o.g.Find(req.MemberID, req.GroupInstanceID)
	switch {
	case code != protocol.None:
		o.refuseSync(code, textNotFound(req.GroupID, req.MemberID, req.GroupInstanceID))
	case req.GenerationID != o.g.Generation:
		o.refuseSync(protocol.IllegalGeneration, textGeneration(req.MemberID, req.GenerationID, o.g.Generation))
	case differs(req.ProtocolType, o.g.ProtocolType) || differs(req.ProtocolName, o.g.Protocol):
		o.refuseSync(protocol.InconsistentGroupProtocol, textProtocols(req.GroupID))
	case o.g.State == classicgroup.PreparingRebalance:
		o.refuseSync(protocol.RebalanceInProgress, "The group comes together anew. "+m.ID+" must join again.")
	case o.g.State == classicgroup.Stable:
		o.sent(m.ID)
		o.say(final, ruleClassic, m.ID+" is told its assignment of generation "+itoa(o.g.Generation)+".")
		o.answerSync(o.ticket, o.assignment(m))
	default:
		o.g.Change(m.ID, func(m *classicgroup.Member) { m.Sync = o.ticket })
		o.sent(m.ID)
		if o.g.Leader == m.ID {
			o.assign(req.Assignments)
			return
		}
		o.say(final, ruleClassic, m.ID+" waits for the assignments of "+o.g.Leader+".")
	}
}

// differs reports whether a request names another protocol than the group's.
func differs(requested, actual string) bool {
	return requested != "" && actual != "" && requested != actual
}

// sent notes that a member asked for its assignment.
func (o *classicOperation) sent(id string) {
	o.g.Sent(id)
	if len(o.g.Unsent()) == 0 {
		o.cancel(SyncTimer, "")
	}
}

// assign takes the leader's assignments over and tells everybody who waits.
func (o *classicOperation) assign(list []protocol.SyncGroupAssignment) {
	given := map[string][]byte{}
	for _, a := range list {
		given[a.MemberID] = a.Assignment
	}
	o.records = append(o.records, o.groupRecord(o.g.Value(given)))
	o.c.note(o.records)
	for _, id := range o.g.IDs() {
		m := o.g.Change(id, func(m *classicgroup.Member) { m.Assignment = given[id] })
		o.finishSync(m, o.assignment(m))
	}
	o.g.Move(classicgroup.Stable, o.now)
	o.say(final, ruleClassic, o.g.Leader+" has assigned generation "+itoa(o.g.Generation)+". The group is stable.")
}

func (o *classicOperation) assignment(m *classicgroup.Member) protocol.SyncGroupResponse {
	return protocol.SyncGroupResponse{ProtocolType: o.g.ProtocolType, ProtocolName: o.g.Protocol, Assignment: m.Assignment}
}

// heartbeat handles a Heartbeat on a classic group.
func (o *classicOperation) heartbeat(req *protocol.HeartbeatRequest) protocol.HeartbeatResponse {
	m, code := o.g.Find(req.MemberID, req.GroupInstanceID)
	switch {
	case code != protocol.None:
		return o.refuseHeartbeat(code, textNotFound(req.GroupID, req.MemberID, req.GroupInstanceID))
	case req.GenerationID != o.g.Generation:
		return o.refuseHeartbeat(protocol.IllegalGeneration, textGeneration(req.MemberID, req.GenerationID, o.g.Generation))
	}
	o.startHeartbeat(m, m.SessionTimeout)
	if o.g.State == classicgroup.PreparingRebalance {
		return o.refuseHeartbeat(protocol.RebalanceInProgress, "The group comes together anew. "+m.ID+" must join again.")
	}
	o.say(final, ruleClassic, m.ID+" is alive in generation "+itoa(o.g.Generation)+".")
	return protocol.HeartbeatResponse{}
}

// leave handles a LeaveGroup on a classic group.
func (o *classicOperation) leave(req *protocol.LeaveGroupRequest) protocol.LeaveGroupResponse {
	var answer protocol.LeaveGroupResponse
	left := false
	for _, leaving := range req.Members {
		code := o.leaves(leaving)
		answer.Members = append(answer.Members, protocol.LeftMember{
			MemberID: leaving.MemberID, GroupInstanceID: leaving.GroupInstanceID, Error: code,
		})
		if code != protocol.None {
			o.say(final, ruleClassic, textNotFound(req.GroupID, leaving.MemberID, leaving.GroupInstanceID))
		}
		left = left || code == protocol.None
	}
	switch {
	case !left:
	case o.g.State == classicgroup.PreparingRebalance:
		o.maybeComplete()
	case o.g.State != classicgroup.Empty:
		o.prepare()
	}
	return answer
}

// leaves takes one member out.
func (o *classicOperation) leaves(leaving protocol.LeavingMember) protocol.ErrorCode {
	id := leaving.MemberID
	if id == "" && leaving.GroupInstanceID != nil {
		// An operator removes a static member without knowing its id.
		if m := o.g.StaticMember(*leaving.GroupInstanceID); m != nil {
			id = m.ID
		}
	}
	if o.g.IsPending(id) {
		o.g.Remove(id)
		o.cancel(HeartbeatTimer, id)
		o.say(cause, ruleClassic, id+" leaves before it has joined.")
		return protocol.None
	}
	m, code := o.g.Find(id, leaving.GroupInstanceID)
	if code != protocol.None {
		return code
	}
	o.cancel(HeartbeatTimer, id)
	o.removeMember(m)
	o.say(cause, ruleClassic, id+" leaves.")
	return protocol.None
}
