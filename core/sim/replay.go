package sim

import (
	"fmt"
	"slices"

	"groupscope/core/coordinator"
)

// mismatch compares the coordinator's group with what the ledger made of its
// records; members that were compared before, in checked, are passed over.
func (l *ledger) mismatch(g *coordinator.Group, checked []*coordinator.Member) string {
	if g == nil {
		if len(l.members) > 0 {
			return "The log has members, but there is no group."
		}
		return ""
	}
	if g.Classic != nil {
		return "" // its log says nothing that the ledger knows of
	}
	if len(g.Members) != len(l.members) || g.GroupEpoch != l.groupEpoch && len(l.members) > 0 {
		return fmt.Sprintf("The log has %d members at group epoch %d, the coordinator %d at %d.",
			len(l.members), l.groupEpoch, len(g.Members), g.GroupEpoch)
	}
	for i, m := range g.Members {
		if i < len(checked) && checked[i] == m {
			continue
		}
		h := l.members[i]
		if h.id != m.ID || h.epoch != m.MemberEpoch || !h.said || h.state != m.State ||
			!slices.Equal(h.assigned, m.Assigned) || !slices.Equal(h.pending, m.PendingRevocation) || !h.sameTasks(m.Streams) {
			return fmt.Sprintf("The coordinator has another state of %s than its log.", m.ID)
		}
	}
	return ""
}

// Check looks at all invariants, and replays the whole log for that. Those
// that hold now are in State as well, but for the full replay.
func (w *World) Check() []Violation {
	out := slices.Clone(w.State().Violations)
	if v := w.Replay(); v != nil {
		out = append(out, *v)
	}
	return out
}

// Replay loads a coordinator from the log, and says where its group differs;
// nil if nowhere.
func (w *World) Replay() *Violation {
	text := ""
	if loaded, err := coordinator.Load(w.config, w.coordinator.Log(), w.topics, w.now); err != nil {
		text = err.Error()
	} else {
		before, _ := w.coordinator.Group(w.groupID)
		after, _ := loaded.Group(w.groupID)
		text = difference(before, after)
	}
	if text == "" {
		return nil
	}
	return &Violation{Invariant: invariantLog, Text: text, Since: w.now}
}

// Written is the number of records in the log.
func (w *World) Written() int { return w.log.Len() }

// difference says where two read models of a group differ, timers aside; ""
// if nowhere.
func difference(a, b *coordinator.Group) string {
	if (a == nil) != (b == nil) {
		return "The log replays to a group that is not there, or the other way round."
	}
	if a == nil {
		return ""
	}
	if a.Classic != nil && b.Classic != nil {
		return "" // who joins one is written down with the next generation only
	}
	if a.State != b.State || a.GroupEpoch != b.GroupEpoch || a.AssignmentEpoch != b.AssignmentEpoch ||
		a.MetadataHash != b.MetadataHash || a.PreferredAssignor != b.PreferredAssignor || len(a.Members) != len(b.Members) {
		return fmt.Sprintf("The log replays to group epoch %d, target %d, %s with %d members, not %d, %d, %s with %d.",
			b.GroupEpoch, b.AssignmentEpoch, b.State, len(b.Members), a.GroupEpoch, a.AssignmentEpoch, a.State, len(a.Members))
	}
	for i, m := range a.Members {
		if !sameMember(m, b.Members[i]) {
			return fmt.Sprintf("The log replays to another state of %s.", m.ID)
		}
	}
	return ""
}

// refined reports whether a streams member is reconciled towards something
// else than its target, which the log does not tell.
func refined(m *coordinator.Member) bool { return m.Streams != nil && m.Streams.Refined != nil }

func sameMember(a, b *coordinator.Member) bool {
	return a.ID == b.ID && a.InstanceID == b.InstanceID && a.RackID == b.RackID && a.ClientID == b.ClientID &&
		slices.Equal(a.SubscribedTopicNames, b.SubscribedTopicNames) && a.ServerAssignor == b.ServerAssignor &&
		a.RebalanceTimeout == b.RebalanceTimeout && a.MemberEpoch == b.MemberEpoch &&
		a.PreviousMemberEpoch == b.PreviousMemberEpoch && a.State == b.State &&
		slices.Equal(a.Assigned, b.Assigned) && slices.Equal(a.PendingRevocation, b.PendingRevocation) &&
		a.Target.Equal(b.Target) && sameStreamsMember(a.Streams, b.Streams) &&
		(refined(a) || refined(b) || slices.Equal(a.Waiting, b.Waiting) && slices.Equal(a.Free, b.Free))
}
