package coordinator

import (
	"strconv"

	"groupscope/core/protocol"
	"groupscope/core/record"
)

// ClassicResult is what a request of the classic protocol did. One of the
// answers is set, unless the request has to wait: then Ticket is not 0, and a
// Completion with it comes with a later operation.
type ClassicResult struct {
	Ticket    int64
	Join      *protocol.JoinGroupResponse
	Sync      *protocol.SyncGroupResponse
	Heartbeat *protocol.HeartbeatResponse
	Leave     *protocol.LeaveGroupResponse
	Completed []Completion // other requests that it answers
	Records   []record.Record
	Decisions []Decision
}

// Completion answers a request of the classic protocol that had to wait. One
// of Join and Sync is set.
type Completion struct {
	Ticket int64
	Join   *protocol.JoinGroupResponse
	Sync   *protocol.SyncGroupResponse
}

// classicOperation is a request or a timer that acts on a classic group, or
// on a classic member of a consumer group.
type classicOperation struct {
	operation
	g        *classicGroup
	ticket   int64 // of the request
	answered []Completion
}

func (c *Coordinator) classicOperation(now protocol.Instant, group string) *classicOperation {
	c.tickets++
	return &classicOperation{
		operation: operation{c: c, now: now, group: c.consumer(group)}, g: c.classic(group), ticket: c.tickets,
	}
}

// result sorts the answers into that of the request itself and the others.
func (o *classicOperation) result() ClassicResult {
	out := ClassicResult{Ticket: o.ticket, Records: o.records, Decisions: o.decisions()}
	for _, done := range o.answered {
		if done.Ticket == o.ticket {
			out.Join, out.Sync, out.Ticket = done.Join, done.Sync, 0
		} else {
			out.Completed = append(out.Completed, done)
		}
	}
	if o.g != nil {
		o.g.view = nil
	}
	return out
}

func (o *classicOperation) answerJoin(ticket int64, response protocol.JoinGroupResponse) {
	if ticket != 0 {
		o.answered = append(o.answered, Completion{Ticket: ticket, Join: &response})
	}
}

func (o *classicOperation) answerSync(ticket int64, response protocol.SyncGroupResponse) {
	if ticket != 0 {
		o.answered = append(o.answered, Completion{Ticket: ticket, Sync: &response})
	}
}

// newMemberID names a member that comes without an id: "classic-1" and so on.
// A broker draws a random one.
func (c *Coordinator) newMemberID() string {
	c.memberIDs++
	return "classic-" + strconv.Itoa(c.memberIDs)
}

// ClassicJoin handles a JoinGroup. It waits until the group has come together
// for a generation; a member of a consumer group is answered at once.
func (c *Coordinator) ClassicJoin(now protocol.Instant, req protocol.JoinGroupRequest) ClassicResult {
	o := c.classicOperation(now, req.GroupID)
	switch {
	case o.group != nil && !o.group.empty():
		o.joinConsumerGroup(&req)
	case c.TypeOf(req.GroupID) == StreamsType && !c.groups[req.GroupID].empty():
		o.refuseJoin("", protocol.InconsistentGroupProtocol, "Group "+req.GroupID+" is a streams group with members.")
	default:
		o.join(&req)
	}
	return o.result()
}

// ClassicSync handles a SyncGroup. A follower waits until the leader has sent
// the assignments.
func (c *Coordinator) ClassicSync(now protocol.Instant, req protocol.SyncGroupRequest) ClassicResult {
	o := c.classicOperation(now, req.GroupID)
	g := c.groups[req.GroupID]
	switch {
	case g == nil || g.empty() || g.groupType() == StreamsType:
		o.refuseSync(protocol.UnknownMemberID, textNoClassicGroup(req.GroupID))
	case o.group != nil:
		o.syncConsumerGroup(&req)
	default:
		o.sync(&req)
	}
	return o.result()
}

// ClassicHeartbeat handles a Heartbeat of the classic protocol.
func (c *Coordinator) ClassicHeartbeat(now protocol.Instant, req protocol.HeartbeatRequest) ClassicResult {
	o := c.classicOperation(now, req.GroupID)
	var answer protocol.HeartbeatResponse
	switch {
	case o.group != nil:
		answer = o.heartbeatConsumerGroup(&req)
	case o.g != nil:
		answer = o.heartbeat(&req)
	default:
		answer = o.refuseHeartbeat(protocol.UnknownMemberID, textNoClassicGroup(req.GroupID))
	}
	out := o.result()
	out.Ticket, out.Heartbeat = 0, &answer
	return out
}

// ClassicLeave handles a LeaveGroup.
func (c *Coordinator) ClassicLeave(now protocol.Instant, req protocol.LeaveGroupRequest) ClassicResult {
	o := c.classicOperation(now, req.GroupID)
	var answer protocol.LeaveGroupResponse
	switch {
	case o.group != nil:
		answer = o.leaveConsumerGroup(&req)
	case o.g != nil:
		answer = o.leave(&req)
	default:
		text := textNoClassicGroup(req.GroupID)
		o.say(final, ruleClassic, text)
		answer = protocol.LeaveGroupResponse{Error: protocol.UnknownMemberID, ErrorMessage: text}
	}
	out := o.result()
	out.Ticket, out.Leave = 0, &answer
	return out
}

func (o *classicOperation) refuseJoin(member string, code protocol.ErrorCode, text string) {
	o.say(final, ruleClassic, text)
	o.answerJoin(o.ticket, protocol.JoinGroupResponse{Error: code, ErrorMessage: text, GenerationID: -1, MemberID: member})
}

func (o *classicOperation) refuseSync(code protocol.ErrorCode, text string) {
	o.say(final, ruleClassic, text)
	o.answerSync(o.ticket, protocol.SyncGroupResponse{Error: code, ErrorMessage: text})
}

func (o *classicOperation) refuseHeartbeat(code protocol.ErrorCode, text string) protocol.HeartbeatResponse {
	o.say(final, ruleClassic, text)
	return protocol.HeartbeatResponse{Error: code, ErrorMessage: text}
}
