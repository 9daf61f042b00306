package playback

import (
	"fmt"
	"strings"

	"groupscope/core/prose"
	"groupscope/core/protocol"
	"groupscope/core/record"
	"groupscope/core/sim"
)

func (m *moment) sayHandled(h sim.Handled, l *ledger) string {
	s := m.handledCore(h, l)
	switch {
	case s == "":
	case h.Again:
		s = own(h.Member) + " request arrives a second time. " + s
	case h.ResponseLost:
		s += " The answer is lost."
	}
	return s
}

func (m *moment) handledCore(h sim.Handled, l *ledger) string {
	id := h.Request.MemberID
	before, had := l.current[id]
	others := l.backups[id]
	known := l.known[id]
	effect := effectOf(h.Records)
	for _, r := range h.Records {
		l.tell(r)
	}
	switch {
	case h.Classic != nil:
		return sayClassic(h, effect)
	case h.Response.Error != protocol.None:
		if known && effect.gone {
			return fmt.Sprintf("%s is refused with %s and removed from the group.", h.Member, h.Response.Error)
		}
		return fmt.Sprintf("%s is refused with %s.", h.Member, h.Response.Error)
	case h.Request.MemberEpoch == protocol.EpochLeaving:
		return h.Member + " leaves" + effect.group() + "."
	case h.Request.MemberEpoch == protocol.EpochStaticAbsent:
		return h.Member + " goes away for a while; its place is kept."
	case h.Idle:
		return h.Member + " heartbeats and nothing changes."
	}
	var clauses []string
	tail := ""
	if !known && effect.current != nil && l.known[id] {
		clauses = append(clauses, "joins")
		if effect.epoch >= 0 {
			tail = fmt.Sprintf(", and the group moves to epoch %d", effect.epoch)
		}
	}
	if effect.current != nil {
		clauses = append(clauses, l.assignmentClauses(moveOf(before, *effect.current, had), *effect.current, known)...)
		clauses = append(clauses, effect.backups.changes(others, "gets", "loses")...)
	}
	switch {
	case len(clauses) > 0:
		return fmt.Sprintf("%s %s%s.", h.Member, prose.And(clauses), tail)
	case effect.target >= 0:
		return fmt.Sprintf("%s heartbeats, and the target for epoch %d is computed.", h.Member, effect.target)
	case effect.epoch >= 0:
		return fmt.Sprintf("%s heartbeats, and the group moves to epoch %d.", h.Member, effect.epoch)
	case len(h.Records) > 0:
		return fmt.Sprintf("%s heartbeats. A record is written, nothing else changes.", h.Member)
	case h.Answer() != nil && len(h.Answer().PartitionsByUserEndpoint) > 0:
		return fmt.Sprintf("%s is told which instance runs which task.", h.Member)
	case h.Answer() != nil && len(h.Answer().Status) > 0:
		return fmt.Sprintf("%s is told %s.", h.Member, strings.TrimPrefix(statusWords(h.Answer().Status), ", "))
	}
	return fmt.Sprintf("%s heartbeats with epoch %d and is answered %s.", h.Member, h.Request.MemberEpoch, answer(h.Response, h.Answer()))
}

// assignmentClauses are what happens to the member, as verbs.
func (l *ledger) assignmentClauses(m move, after record.CurrentMemberAssignmentValue, known bool) []string {
	var out []string
	say := func(verb string, ps []protocol.Partition) {
		if len(ps) > 0 {
			out = append(out, verb+" "+l.list(ps))
		}
	}
	say("lets go of", m.gone)
	if m.epoch && known {
		out = append(out, fmt.Sprintf("moves to epoch %d", after.MemberEpoch))
	}
	say("gets", m.gets)
	say("is asked to give up", m.drops)
	if m.epoch {
		say("waits for", m.wait)
	}
	return out
}

// effect is what records did to the group and to the requesting member.
type effect struct {
	epoch, target int32 // the new ones, -1 for none
	current       *record.CurrentMemberAssignmentValue
	backups       backups
	gone          bool
}

func effectOf(rs []record.Record) effect {
	out := effect{epoch: -1, target: -1}
	for _, r := range rs {
		switch v := r.Value.(type) {
		case record.GroupMetadataValue:
			out.epoch = v.Epoch
		case record.StreamsGroupMetadataValue:
			out.epoch = v.Epoch
		case record.TargetAssignmentMetadataValue:
			out.target = v.AssignmentEpoch
		case record.StreamsTargetAssignmentMetadataValue:
			out.target = v.AssignmentEpoch
		case nil:
			out.gone = out.gone || r.Key.Type == record.MemberMetadata || r.Key.Type == record.StreamsMemberMetadata
		}
		if current, backups, ok := currentOf(r.Value); ok {
			out.current, out.backups = &current, backups
		}
	}
	return out
}

func (e effect) group() string {
	if e.epoch < 0 {
		return ""
	}
	return fmt.Sprintf(" and the group moves to epoch %d", e.epoch)
}

func (e effect) groupAlone() string {
	if e.epoch < 0 {
		return ""
	}
	return fmt.Sprintf(" The group moves to epoch %d.", e.epoch)
}

// answer tells a response in a few words; s is the whole of one to a streams
// client.
func answer(r protocol.ConsumerGroupHeartbeatResponse, s *protocol.StreamsGroupHeartbeatResponse) string {
	switch {
	case r.Error != protocol.None:
		return r.Error.String()
	case s != nil && s.Tasks.Present():
		return fmt.Sprintf("epoch %d, %s%s", r.MemberEpoch, inRoles(s.Tasks.Active, s.Tasks.Standby, s.Tasks.Warmup), statusWords(s.Status))
	case s != nil:
		return fmt.Sprintf("epoch %d%s", r.MemberEpoch, statusWords(s.Status))
	case r.Assignment == nil:
		return fmt.Sprintf("epoch %d", r.MemberEpoch)
	}
	return fmt.Sprintf("epoch %d, %s", r.MemberEpoch, Partitions(r.Assignment.Partitions()))
}
