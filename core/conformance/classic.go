package conformance

import (
	"groupscope/core/coordinator"
	"groupscope/core/protocol"
)

// What the recorder's classic consumers are like.
const (
	classicProtocol         = "range"
	classicSessionTimeout   = 45_000
	classicRebalanceTimeout = 300_000
	classicVersion          = 3 // of their embedded subscriptions
)

func (r *runner) readClassicJoin(f *fields) action {
	q, client, version := r.header(f, joinVersion)
	instance := q.pointer("groupInstanceId")
	req := protocol.JoinGroupRequest{
		GroupID: r.groupOf(q), MemberID: q.text("memberId"), GroupInstanceID: instance,
		SessionTimeoutMs:     q.int32("sessionTimeoutMs", classicSessionTimeout),
		RebalanceTimeoutMs:   q.int32("rebalanceTimeoutMs", classicRebalanceTimeout),
		ProtocolType:         protocol.ConsumerProtocolType,
		RequireKnownMemberID: instance == nil && version >= knownIDVersion,
		Protocols: []protocol.JoinGroupProtocol{{Name: classicProtocol, Metadata: protocol.EncodeSubscription(protocol.ClassicSubscription{
			Version: classicVersion, Topics: q.texts("topics"), GenerationID: -1,
		})}},
		ClientID: client, ClientHost: clientHost,
	}
	q.done()
	return r.classicAction(req.GroupID, func() coordinator.ClassicResult { return r.coordinator.ClassicJoin(r.now, req) })
}

// readClassicSync reads {"memberId":"classic-1","generationId":1,"assignments":{"classic-1":{"foo":[0]}}}.
func (r *runner) readClassicSync(f *fields) action {
	q, _, _ := r.header(f, otherClassicVersion)
	req := protocol.SyncGroupRequest{
		GroupID: r.groupOf(q), MemberID: q.text("memberId"), GenerationID: q.int32("generationId", 0),
		GroupInstanceID: q.pointer("groupInstanceId"),
	}
	if of := q.object("assignments"); of != nil {
		for _, member := range of.names() {
			assigned := protocol.ClassicAssignment{Version: classicVersion}
			for _, tp := range of.assignment(member) {
				assigned.Partitions = append(assigned.Partitions, protocol.NamedPartitions{Topic: tp.Topic.Name(), Partitions: tp.Partitions})
			}
			req.Assignments = append(req.Assignments, protocol.SyncGroupAssignment{MemberID: member, Assignment: protocol.EncodeAssignment(assigned)})
		}
	}
	q.done()
	return r.classicAction(req.GroupID, func() coordinator.ClassicResult { return r.coordinator.ClassicSync(r.now, req) })
}

func (r *runner) readClassicHeartbeat(f *fields) action {
	q, _, _ := r.header(f, otherClassicVersion)
	req := protocol.HeartbeatRequest{
		GroupID: r.groupOf(q), MemberID: q.text("memberId"), GenerationID: q.int32("generationId", 0),
		GroupInstanceID: q.pointer("groupInstanceId"),
	}
	q.done()
	return r.classicAction(req.GroupID, func() coordinator.ClassicResult { return r.coordinator.ClassicHeartbeat(r.now, req) })
}

// readClassicLeave reads one leaving member, or several in a list.
func (r *runner) readClassicLeave(f *fields) action {
	q, _, _ := r.header(f, otherClassicVersion)
	req := protocol.LeaveGroupRequest{GroupID: r.groupOf(q)}
	leaving := q.objects("members")
	if !q.has("members") {
		leaving = []*fields{q}
	}
	for _, m := range leaving {
		req.Members = append(req.Members, protocol.LeavingMember{MemberID: m.text("memberId"), GroupInstanceID: m.pointer("groupInstanceId")})
		m.done()
	}
	q.done()
	return r.classicAction(req.GroupID, func() coordinator.ClassicResult { return r.coordinator.ClassicLeave(r.now, req) })
}

// classicAction: an answer that comes later names the step of its request.
func (r *runner) classicAction(group string, do func() coordinator.ClassicResult) action {
	return action{group: group, alike: saysNothing, do: func(out outcome) {
		result := do()
		if result.Ticket != 0 {
			r.tickets[result.Ticket] = r.step
		}
		answerClassic(out, result.Join, result.Sync)
		if h := result.Heartbeat; h != nil {
			out.answer(h.Error, object{})
		}
		if l := result.Leave; l != nil {
			out.answer(l.Error, bare(object{"members": each(l.Members, func(m protocol.LeftMember) object {
				return bare(object{"memberId": m.MemberID, "groupInstanceId": text(m.GroupInstanceID), "errorCode": int64(m.Error)})
			})}))
		}
		out.put("records", r.records(result.Records))
		out.put("completed", r.completed(result.Completed))
	}}
}

// saysNothing: an answer that only is one may be left out.
func saysNothing(want any, got object) bool { return want == nil && len(got) == 0 }

// completed are the requests of earlier steps that an operation answered.
func (r *runner) completed(list []coordinator.Completion) []any {
	return each(list, func(c coordinator.Completion) object {
		out := outcome{"step": int64(r.tickets[c.Ticket])}
		answerClassic(out, c.Join, c.Sync)
		return object(out)
	})
}

// answerClassic leaves out what the recorder does not write: the members that
// a leader is told.
func answerClassic(out outcome, join *protocol.JoinGroupResponse, sync *protocol.SyncGroupResponse) {
	if join != nil {
		out.answer(join.Error, bare(object{
			"generationId": int64(join.GenerationID), "protocolType": join.ProtocolType, "protocolName": join.ProtocolName,
			"leader": join.Leader, "memberId": join.MemberID, "skipAssignment": join.SkipAssignment,
		}))
	}
	if sync == nil {
		return
	}
	response := bare(object{"protocolType": sync.ProtocolType, "protocolName": sync.ProtocolName})
	if assigned, err := protocol.DecodeAssignment(sync.Assignment); err == nil {
		response["assignment"] = named(assigned.Partitions)
	}
	out.answer(sync.Error, response)
}
