package coordinator

import (
	"fmt"

	"groupscope/core/consumergroup"
	"groupscope/core/protocol"
	"groupscope/core/record"
	"groupscope/core/rules"
)

// CommitResult is what an offset commit came to. One bad partition refuses
// the whole request.
type CommitResult struct {
	Error     protocol.ErrorCode
	Records   []record.Record
	Decisions []Decision
}

// CommitOffsets handles an offset commit (OffsetCommit, without
// transactions).
func (c *Coordinator) CommitOffsets(now protocol.Instant, req protocol.OffsetCommitRequest) CommitResult {
	o := operation{c: c, now: now, group: c.consumer(req.GroupID)}
	code, rule, text := o.commitRefusal(&req)
	o.say(final, rule, text)
	if code == protocol.None {
		for _, offset := range req.Offsets {
			o.records = append(o.records, record.Record{
				Key: record.Key{
					Type: record.OffsetCommit, Group: req.GroupID, Topic: offset.Topic, Partition: offset.Partition,
				},
				Value: record.OffsetCommitValue{Offset: offset.Offset, CommitTimestamp: now},
			})
		}
		c.write(o.records)
	}
	return CommitResult{Error: code, Records: o.records, Decisions: o.decisions()}
}

// offsetCommitWithEpochs is the first version of OffsetCommit that a member
// of the consumer protocol may use.
const offsetCommitWithEpochs = 9

// commitRefusal checks a commit on a consumer group (consumer-group.md 13).
func (o *operation) commitRefusal(req *protocol.OffsetCommitRequest) (protocol.ErrorCode, string, string) {
	epoch := req.GenerationIDOrMemberEpoch
	switch {
	case o.group == nil:
		return protocol.GroupIDNotFound, ruleCommit, "There is no consumer group " + req.GroupID + "."
	case epoch < 0 && o.group.empty():
		return protocol.None, ruleCommit, "The commit comes from outside the group, which nobody is in: it is accepted."
	}
	m := o.group.Member(req.MemberID)
	if m == nil {
		return protocol.UnknownMemberID, ruleCommit, "Group " + req.GroupID + " has no member " + req.MemberID + "."
	}
	stale := protocol.StaleMemberEpoch
	if m.Meta.Classic != nil {
		stale = protocol.IllegalGeneration
	} else if req.Version != 0 && req.Version < offsetCommitWithEpochs {
		return protocol.UnsupportedVersion, ruleCommit, m.ID + " uses the consumer protocol, so it must commit with version 9 or later."
	}
	switch {
	case epoch == m.Epoch():
		return protocol.None, ruleCommit, fmt.Sprintf("%s commits at its epoch %d.", m.ID, epoch)
	case epoch > m.Epoch():
		return stale, ruleCommit, fmt.Sprintf("%s commits at epoch %d, which lies ahead of its epoch %d.", m.ID, epoch, m.Epoch())
	case o.c.cfg.Rules.CommitWithOlderEpoch == rules.RefusedAsStale:
		return stale, ruleCommit, fmt.Sprintf("%s commits at epoch %d. It is at epoch %d.", m.ID, epoch, m.Epoch())
	}
	return o.olderCommit(m, stale, req)
}

// olderCommit checks a commit with an epoch below the member's, partition by
// partition: one that the member has had since that epoch or before may be
// committed (KIP-1251).
func (o *operation) olderCommit(m *consumergroup.Member, stale protocol.ErrorCode, req *protocol.OffsetCommitRequest) (protocol.ErrorCode, string, string) {
	epoch := req.GenerationIDOrMemberEpoch
	for _, offset := range req.Offsets {
		topic, _ := o.c.meta.Named(offset.Topic)
		p := protocol.Partition{Topic: topic.ID, Number: offset.Partition}
		since, has := m.AssignmentEpoch(p)
		switch {
		case !has:
			return stale, ruleOlderCommit, fmt.Sprintf("%s commits %s-%d at epoch %d. It is at epoch %d and does not have the partition.",
				m.ID, offset.Topic, offset.Partition, epoch, m.Epoch())
		case epoch < since:
			return stale, ruleOlderCommit, fmt.Sprintf("%s commits %s-%d at epoch %d. It has had the partition only since epoch %d.",
				m.ID, offset.Topic, offset.Partition, epoch, since)
		}
	}
	return protocol.None, ruleOlderCommit, fmt.Sprintf("%s commits at epoch %d and is at epoch %d. It has had each of the partitions since then: accepted.",
		m.ID, epoch, m.Epoch())
}
