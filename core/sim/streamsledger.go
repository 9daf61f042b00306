package sim

import (
	"slices"

	"groupscope/core/coordinator"
	"groupscope/core/protocol"
	"groupscope/core/record"
)

// applyStreams takes in one record of a streams group. A holder of an active
// task has it, or was asked to give it up.
func (l *ledger) applyStreams(now protocol.Instant, r record.Record) {
	switch r.Key.Type {
	case record.StreamsGroupMetadata:
		v, ok := r.Value.(record.StreamsGroupMetadataValue)
		l.setEpoch(now, v.Epoch, ok)
	case record.StreamsTargetAssignmentMetadata:
		if v, ok := r.Value.(record.StreamsTargetAssignmentMetadataValue); ok {
			l.targetEpoch = v.AssignmentEpoch
		}
	case record.StreamsCurrentMemberAssignment:
		after := &holding{id: r.Key.Member, epoch: protocol.EpochLeaving}
		if i, known := l.member(r.Key.Member); known {
			after.topologyEpoch = l.members[i].topologyEpoch
		}
		if v, ok := r.Value.(record.StreamsCurrentMemberAssignmentValue); ok {
			after.epoch, after.held, after.said = v.MemberEpoch, union(v.Active, v.PendingActive), true
			after.state, after.assigned, after.pending, after.streams = v.State, v.Active, v.PendingActive, &v
		} else if _, known := l.member(r.Key.Member); !known {
			break // a tombstone of what a compaction took away
		}
		l.hold(now, after)
	case record.StreamsMemberMetadata:
		v, ok := r.Value.(record.StreamsMemberMetadataValue)
		if !ok {
			l.remove(now, r.Key.Member)
			return
		}
		after := &holding{id: r.Key.Member, epoch: protocol.EpochLeaving}
		if i, known := l.member(r.Key.Member); known {
			*after = *l.members[i]
		}
		after.topologyEpoch = v.TopologyEpoch
		l.hold(now, after)
	case record.StreamsTopology:
		if v, ok := r.Value.(record.StreamsTopologyValue); ok {
			l.topologies = append(l.topologies, v.Topology)
		} else {
			l.topologies = nil
		}
	}
}

// sameTasks reports whether the log says of standby and warm-up tasks what the
// coordinator does.
func (h *holding) sameTasks(m *coordinator.StreamsMember) bool {
	if m == nil || h.streams == nil {
		return m == nil && h.streams == nil
	}
	v := h.streams
	return same(v.Standby, m.Standby) && same(v.Warmup, m.Warmup) &&
		same(v.PendingStandby, m.PendingStandby) && same(v.PendingWarmup, m.PendingWarmup)
}

// same compares lists; one that is absent is as good as an empty one.
func same(a, b protocol.Assignment) bool {
	return len(a) == 0 && len(b) == 0 || a.Equal(b)
}

func sameStreamsMember(a, b *coordinator.StreamsMember) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	return a.TopologyEpoch == b.TopologyEpoch && a.ProcessID == b.ProcessID && slices.Equal(a.ClientTags, b.ClientTags) &&
		(a.UserEndpoint == nil) == (b.UserEndpoint == nil) && (a.UserEndpoint == nil || *a.UserEndpoint == *b.UserEndpoint) &&
		same(a.Standby, b.Standby) && same(a.Warmup, b.Warmup) &&
		same(a.PendingStandby, b.PendingStandby) && same(a.PendingWarmup, b.PendingWarmup) &&
		same(a.TargetStandby, b.TargetStandby) && same(a.TargetWarmup, b.TargetWarmup)
}
