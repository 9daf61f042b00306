package coordinator

import (
	"slices"

	"groupscope/core/protocol"
	"groupscope/core/record"
	"groupscope/core/streamsgroup"
)

// judgeCommit checks a commit on a streams group: a partition of a source
// topic belongs to the task of its number (streams-group.md 13).
func (g *streamsGroup) judgeCommit(c *Coordinator, req *protocol.OffsetCommitRequest) (protocol.ErrorCode, string, string) {
	m := g.Member(req.MemberID)
	if m == nil {
		return judgeOutsider(g, req)
	}
	by := committer{id: m.ID, epoch: m.Epoch(), stale: protocol.StaleMemberEpoch, what: "task"}
	by.since = func(topic string, number int32) (int32, bool) {
		return activeSince(m, protocol.Partition{Topic: g.subtopologyOf(topic), Number: number})
	}
	return by.judge(c, req)
}

// subtopologyOf is the subtopology that reads a topic, "" for none.
func (g *streamsGroup) subtopologyOf(topic string) protocol.TopicID {
	if g.Topology == nil {
		return ""
	}
	for i := range g.Topology.Subtopologies {
		s := &g.Topology.Subtopologies[i]
		if slices.Contains(s.SourceTopics, topic) ||
			slices.ContainsFunc(s.RepartitionSourceTopics, func(t protocol.TopicInfo) bool { return t.Name == topic }) {
			return protocol.TopicID(s.ID)
		}
	}
	return ""
}

// activeSince is the epoch at which the member got an active task that it
// has, also one that it is to give up; false for any other.
func activeSince(m *streamsgroup.Member, task protocol.Partition) (int32, bool) {
	for _, held := range [][]record.Held{m.Current.Active, m.Current.PendingActive} {
		for _, h := range held {
			if h.Partition == task {
				return h.AssignmentEpoch, true
			}
		}
	}
	return 0, false
}
