package playback

import (
	"fmt"
	"strings"

	"groupscope/core/protocol"
	"groupscope/core/record"
	"groupscope/core/sim"
)

// ledger knows what each member held before a record, so that the record can
// be told by what it changed.
type ledger struct {
	wording
	current map[string]record.CurrentMemberAssignmentValue
	backups map[string]backups // of streams members
	known   map[string]bool
	// short: there is one topic only, so a number is enough for a partition.
	short bool
}

func newLedger(s *sim.State) *ledger {
	l := &ledger{current: map[string]record.CurrentMemberAssignmentValue{}, backups: map[string]backups{}, known: map[string]bool{}}
	if s == nil {
		return l
	}
	l.wording = wordingOf(s)
	l.short = len(s.Topics) == 1 && !l.tasks
	for _, m := range groupOf(s).Members {
		l.known[m.ID] = true
		l.current[m.ID] = record.CurrentMemberAssignmentValue{
			MemberEpoch: m.MemberEpoch, PreviousMemberEpoch: m.PreviousMemberEpoch, State: m.State,
			Assigned: m.Assigned, PendingRevocation: m.PendingRevocation, PendingAssignment: m.Waiting,
		}
		if s := m.Streams; s != nil {
			l.backups[m.ID] = backups{s.Standby, s.Warmup}
		}
	}
	return l
}

// tell says what a record changes, and takes it into account.
func (l *ledger) tell(r record.Record) string {
	who := r.Key.Member
	switch v := r.Value.(type) {
	case nil:
		return l.tellTombstone(r.Key)
	case record.GroupMetadataValue:
		return fmt.Sprintf("group epoch %d", v.Epoch)
	case record.StreamsGroupMetadataValue:
		return fmt.Sprintf("group epoch %d", v.Epoch)
	case record.MemberMetadataValue, record.StreamsMemberMetadataValue:
		if l.known[who] {
			return fmt.Sprintf("member %s, changed", who)
		}
		l.known[who] = true
		return "member " + who
	case record.StreamsTopologyValue:
		return fmt.Sprintf("topology, epoch %d", v.Topology.Epoch)
	case record.StreamsTargetAssignmentMetadataValue:
		return fmt.Sprintf("target epoch %d", v.AssignmentEpoch)
	case record.StreamsTargetAssignmentMemberValue:
		return fmt.Sprintf("target %s: %s", who, inRoles(v.Tasks.Active, v.Tasks.Standby, v.Tasks.Warmup))
	case record.ClassicGroupMetadataValue:
		return tellClassic(v)
	case record.RegularExpressionValue:
		return fmt.Sprintf("%s matches %s", r.Key.Regex, words(v.Topics))
	case record.OffsetCommitValue:
		return fmt.Sprintf("offset of %s-%d: %d", r.Key.Topic, r.Key.Partition, v.Offset)
	case record.TargetAssignmentMetadataValue:
		return fmt.Sprintf("target epoch %d", v.AssignmentEpoch)
	case record.TargetAssignmentMemberValue:
		return fmt.Sprintf("target %s: %s", who, l.partitions(v.TopicPartitions.Partitions()))
	}
	if after, backups, ok := currentOf(r.Value); ok {
		before, had := l.current[who]
		clauses := append([]string{l.tellAssignment(before, after, had)}, backups.changes(l.backups[who], "gets", "loses")...)
		l.current[who], l.backups[who] = after, backups
		return fmt.Sprintf("assignment %s: %s", who, strings.Join(clauses, ", "))
	}
	return r.Key.Type.String()
}

func (l *ledger) tellTombstone(k record.Key) string {
	switch k.Type {
	case record.GroupMetadata, record.StreamsGroupMetadata:
		return "group gone"
	case record.StreamsTopology:
		return "topology gone"
	case record.MemberMetadata, record.StreamsMemberMetadata:
		delete(l.known, k.Member)
		return fmt.Sprintf("member %s gone", k.Member)
	case record.ClassicGroupMetadata:
		return "classic group gone"
	case record.RegularExpression:
		return k.Regex + " gone"
	case record.OffsetCommit:
		return fmt.Sprintf("offset of %s-%d gone", k.Topic, k.Partition)
	case record.PartitionMetadata:
		return "partitions of an old kind gone"
	case record.TargetAssignmentMetadata, record.StreamsTargetAssignmentMetadata:
		return "target gone"
	case record.TargetAssignmentMember, record.StreamsTargetAssignmentMember:
		return fmt.Sprintf("target %s gone", k.Member)
	case record.CurrentMemberAssignment, record.StreamsCurrentMemberAssignment:
		delete(l.current, k.Member)
		delete(l.backups, k.Member)
		return fmt.Sprintf("assignment %s gone", k.Member)
	}
	return k.Type.String() + " gone"
}

// move is how a member's assignment changes from one record to the next.
type move struct {
	epoch                                      bool // it moves
	keeps, gets, drops, stillDrops, gone, wait []protocol.Partition
}

func moveOf(before, after record.CurrentMemberAssignmentValue, had bool) move {
	was, is := record.Partitions(before.Assigned), record.Partitions(after.Assigned)
	wasPending, isPending := record.Partitions(before.PendingRevocation), record.Partitions(after.PendingRevocation)
	return move{
		epoch:      !had || before.MemberEpoch != after.MemberEpoch,
		keeps:      common(is, was),
		gets:       without(is, was),
		drops:      without(isPending, wasPending),
		stillDrops: common(isPending, wasPending),
		gone:       without(without(wasPending, isPending), is),
		wait:       after.PendingAssignment,
	}
}

func (l *ledger) tellAssignment(before, after record.CurrentMemberAssignmentValue, had bool) string {
	m := moveOf(before, after, had)
	var clauses []string
	say := func(word string, ps []protocol.Partition) {
		if len(ps) > 0 {
			clauses = append(clauses, word+" "+l.partitions(ps))
		}
	}
	if m.epoch {
		clauses = append(clauses, fmt.Sprintf("epoch %d", after.MemberEpoch))
	}
	say("keeps", m.keeps)
	say("gets", m.gets)
	say("drops", m.drops)
	say("still drops", m.stillDrops)
	if !m.epoch || len(m.keeps) == 0 { // a new epoch with what is kept says it
		say("let go of", m.gone)
	}
	say("waits for", m.wait)
	switch {
	case len(after.Assigned)+len(after.PendingRevocation)+len(m.wait) == 0 && len(m.gone) == 0 && m.epoch:
		clauses = append(clauses, "nothing yet")
	case had && !m.epoch && len(m.gets)+len(m.drops)+len(m.gone) == 0 && before.State == after.State:
		return fmt.Sprintf("the same, previous epoch %d", after.PreviousMemberEpoch)
	case len(clauses) == 0:
		clauses = append(clauses, "holds nothing")
	}
	return strings.Join(clauses, ", ")
}

func (l *ledger) partitions(ps []protocol.Partition) string {
	if l.short && len(ps) > 0 {
		return numbers(ps)
	}
	return l.list(ps)
}

// asked tells a request: "A joins with epoch 0", "A heartbeats with epoch 1
// and owns foo 0 and 1". Who is in the group already repeats its join.
func (l *ledger) asked(member string, r protocol.ConsumerGroupHeartbeatRequest, s *protocol.StreamsGroupHeartbeatRequest) string {
	switch r.MemberEpoch {
	case protocol.EpochLeaving:
		return member + " leaves with epoch -1"
	case protocol.EpochStaticAbsent:
		return member + " goes away with epoch -2"
	case protocol.EpochJoining:
		if l != nil && l.known[r.MemberID] {
			return member + " repeats its join with epoch 0"
		}
		return member + " joins with epoch 0"
	}
	text := fmt.Sprintf("%s heartbeats with epoch %d", member, r.MemberEpoch)
	switch {
	case s != nil && s.Owned.Present():
		text += " and runs " + inRoles(s.Owned.Active, s.Owned.Standby, s.Owned.Warmup)
	case r.TopicPartitions != nil:
		text += " and owns " + wording{s != nil}.list(r.TopicPartitions.Partitions())
	}
	if s != nil && s.ShutdownApplication {
		text += ", and asks to shut the application down"
	}
	return text
}
