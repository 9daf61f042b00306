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
	code, rule, text := c.judgeCommit(&req)
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
		if g := c.classic(req.GroupID); g != nil {
			g.committed(c, now, req.MemberID)
		}
	}
	return CommitResult{Error: code, Records: o.records, Decisions: o.decisions()}
}

// offsetCommitWithEpochs is the first version of OffsetCommit that a member
// of the consumer protocol may use.
const offsetCommitWithEpochs = 9

// judgeCommit checks a commit; None when it is accepted.
func (c *Coordinator) judgeCommit(req *protocol.OffsetCommitRequest) (code protocol.ErrorCode, rule, text string) {
	g := c.groups[req.GroupID]
	switch {
	case g != nil:
		return g.judgeCommit(c, req)
	case req.GenerationIDOrMemberEpoch < 0:
		return protocol.None, ruleCommit, "There is no group " + req.GroupID + ". It is made, without members, to keep the offsets."
	case req.Version != 0 && req.Version < offsetCommitWithEpochs:
		return protocol.IllegalGeneration, ruleCommit, "There is no group " + req.GroupID + "."
	}
	return protocol.GroupIDNotFound, ruleCommit, "There is no group " + req.GroupID + "."
}

// judgeCommit checks a commit on a consumer group (consumer-group.md 13).
func (g *group) judgeCommit(c *Coordinator, req *protocol.OffsetCommitRequest) (protocol.ErrorCode, string, string) {
	m := g.Member(req.MemberID)
	if m == nil {
		return judgeOutsider(g, req)
	}
	by := committer{id: m.ID, epoch: m.Epoch(), stale: staleFor(m), what: "partition"}
	by.since = func(topic string, number int32) (int32, bool) {
		known, _ := c.meta.Named(topic)
		return m.AssignmentEpoch(protocol.Partition{Topic: known.ID, Number: number})
	}
	return by.judge(c, req)
}

// judgeOutsider checks the commit of somebody who is not in the group.
func judgeOutsider(g hosted, req *protocol.OffsetCommitRequest) (protocol.ErrorCode, string, string) {
	if req.GenerationIDOrMemberEpoch < 0 && g.empty() {
		return protocol.None, ruleCommit, "The commit comes from outside the group, which nobody is in: it is accepted."
	}
	return protocol.UnknownMemberID, ruleCommit, "Group " + req.GroupID + " has no member " + req.MemberID + "."
}

// staleFor is the error for a member that asks with another epoch than its
// own.
func staleFor(m *consumergroup.Member) protocol.ErrorCode {
	if m.Meta.Classic != nil {
		return protocol.IllegalGeneration
	}
	return protocol.StaleMemberEpoch
}

// committer is the member that commits, of a consumer or of a streams group.
type committer struct {
	id    string
	epoch int32
	stale protocol.ErrorCode // for a commit at another epoch
	what  string             // a partition or a task
	// since is the epoch at which the member got what a partition belongs to;
	// false when it does not have it.
	since func(topic string, partition int32) (int32, bool)
}

func (m *committer) judge(c *Coordinator, req *protocol.OffsetCommitRequest) (protocol.ErrorCode, string, string) {
	epoch := req.GenerationIDOrMemberEpoch
	switch {
	case m.stale != protocol.IllegalGeneration && req.Version != 0 && req.Version < offsetCommitWithEpochs:
		return protocol.UnsupportedVersion, ruleCommit, m.id + " does not use the classic protocol, so it must commit with version 9 or later."
	case epoch == m.epoch:
		return protocol.None, ruleCommit, fmt.Sprintf("%s commits at its epoch %d.", m.id, epoch)
	case epoch > m.epoch:
		return m.stale, ruleCommit, fmt.Sprintf("%s commits at epoch %d, which lies ahead of its epoch %d.", m.id, epoch, m.epoch)
	case c.cfg.Rules.CommitWithOlderEpoch == rules.RefusedAsStale:
		return m.stale, ruleCommit, fmt.Sprintf("%s commits at epoch %d. It is at epoch %d.", m.id, epoch, m.epoch)
	}
	return m.judgeOlder(req)
}

// judgeOlder checks a commit with an epoch below the member's, partition by
// partition: one that the member has had since that epoch or before may be
// committed (KIP-1251).
func (m *committer) judgeOlder(req *protocol.OffsetCommitRequest) (protocol.ErrorCode, string, string) {
	epoch := req.GenerationIDOrMemberEpoch
	for _, offset := range req.Offsets {
		since, has := m.since(offset.Topic, offset.Partition)
		commits := fmt.Sprintf("%s commits %s-%d at epoch %d.", m.id, offset.Topic, offset.Partition, epoch)
		switch {
		case !has:
			return m.stale, ruleOlderCommit, fmt.Sprintf("%s It is at epoch %d and does not have the %s.", commits, m.epoch, m.what)
		case epoch < since:
			return m.stale, ruleOlderCommit, fmt.Sprintf("%s It has had the %s only since epoch %d.", commits, m.what, since)
		}
	}
	return protocol.None, ruleOlderCommit, fmt.Sprintf("%s commits at epoch %d and is at epoch %d. What it commits for it has had since then: accepted.", m.id, epoch, m.epoch)
}

// FetchOffsets checks a request for the committed offsets of a group. A member
// that names itself must know its epoch exactly: one that reads offsets at an
// older one might go back behind what others have read.
func (c *Coordinator) FetchOffsets(_ protocol.Instant, req protocol.OffsetFetchRequest) CommitResult {
	o := operation{c: c}
	g := c.consumer(req.GroupID)
	if g == nil || req.MemberID == "" && req.MemberEpoch < 0 {
		return o.fetched(protocol.None, "The request names no member of a consumer group, so it is not checked.")
	}
	m := g.Member(req.MemberID)
	switch {
	case m == nil:
		return o.fetched(protocol.UnknownMemberID, "Group "+req.GroupID+" has no member "+req.MemberID+".")
	case req.MemberEpoch != m.Epoch():
		return o.fetched(staleFor(m), fmt.Sprintf("%s asks at epoch %d. It is at epoch %d.", m.ID, req.MemberEpoch, m.Epoch()))
	}
	return o.fetched(protocol.None, fmt.Sprintf("%s asks at its epoch %d.", m.ID, req.MemberEpoch))
}

func (o *operation) fetched(code protocol.ErrorCode, text string) CommitResult {
	o.say(final, ruleFetch, text)
	return CommitResult{Error: code, Decisions: o.decisions()}
}

// CommittedOffset is the offset that the group committed last for a
// partition, and whether it did.
func (c *Coordinator) CommittedOffset(group, topic string, partition int32) (int64, bool) {
	key := record.Key{Type: record.OffsetCommit, Group: group, Topic: topic, Partition: partition}
	v, ok := c.offsets[group][key]
	return v.Offset, ok
}
