package sim

import (
	"slices"
	"strings"

	"groupscope/core/protocol"
	"groupscope/core/record"
)

// ledger is who holds what according to the log: a second replay of the
// records, apart from the coordinator's own, and since when. It finds broken
// invariants and the partitions that nobody holds.
type ledger struct {
	shelves
	initial     int32 // the epoch of a group of which no record says one
	groupEpoch  int32
	targetEpoch int32
	members     []*holding // sorted by id
	fallen      []Violation
	topologies  []*protocol.Topology // of a streams group: all that it has had, the present one last
}

// holding is a member's epochs and partitions. It is never changed once made.
type holding struct {
	id    string
	epoch int32
	held  []protocol.Partition // assigned and pending revocation, sorted
	said  bool                 // a record says what follows
	state record.MemberState
	// Of a streams member these are active tasks.
	assigned, pending []record.Held
	streams           *record.StreamsCurrentMemberAssignmentValue
	topologyEpoch     int32 // of a streams member
}

func newLedger(initial int32) ledger {
	return ledger{initial: initial, groupEpoch: initial, targetEpoch: initial}
}

func (l *ledger) clone() ledger {
	c := *l
	c.shelves = l.shelves.clone()
	c.members = slices.Clone(l.members)
	c.fallen = slices.Clone(l.fallen)
	c.topologies = slices.Clone(l.topologies)
	return c
}

// enter takes a record into the ledger. That of a streams group does not care
// for a group of another type that has the id before.
func (w *World) enter(r record.Record) {
	if w.topology == nil || r.Key.Type.Streams() {
		w.ledger.apply(w.now, r)
	}
}

// apply takes one record in.
func (l *ledger) apply(now protocol.Instant, r record.Record) {
	switch r.Key.Type {
	case record.GroupMetadata:
		v, ok := r.Value.(record.GroupMetadataValue)
		l.setEpoch(now, v.Epoch, ok)
	case record.TargetAssignmentMetadata:
		if v, ok := r.Value.(record.TargetAssignmentMetadataValue); ok {
			l.targetEpoch = v.AssignmentEpoch
		}
	case record.CurrentMemberAssignment:
		after := &holding{id: r.Key.Member, epoch: protocol.EpochLeaving}
		if v, ok := r.Value.(record.CurrentMemberAssignmentValue); ok {
			after.epoch, after.held, after.said = v.MemberEpoch, union(v.Assigned, v.PendingRevocation), true
			after.state, after.assigned, after.pending = v.State, v.Assigned, v.PendingRevocation
		} else if _, known := l.member(r.Key.Member); !known {
			break // a tombstone of what a compaction took away
		}
		l.hold(now, after)
	case record.MemberMetadata:
		if r.Value == nil {
			l.remove(now, r.Key.Member)
		}
	default:
		l.applyStreams(now, r)
	}
}

// remove forgets a member.
func (l *ledger) remove(now protocol.Instant, id string) {
	l.hold(now, &holding{id: id})
	i, _ := l.member(id)
	l.members = slices.Delete(l.members, i, i+1)
}

// setEpoch is that the group has another epoch, or is gone.
func (l *ledger) setEpoch(now protocol.Instant, epoch int32, exists bool) {
	if !exists {
		epoch, l.targetEpoch = l.initial, l.initial
	} else if epoch < l.groupEpoch {
		l.fallen = append(l.fallen, epochFell(now, l.groupEpoch, epoch))
	}
	l.groupEpoch = epoch
}

func (l *ledger) member(id string) (int, bool) {
	return slices.BinarySearchFunc(l.members, id, func(h *holding, id string) int { return strings.Compare(h.id, id) })
}

// present reports whether a member is in the group, and not away for a while
// as static members may be.
func (l *ledger) present(id string) bool {
	i, known := l.member(id)
	return known && l.members[i].epoch >= 0
}

// hold replaces what a member holds.
func (l *ledger) hold(now protocol.Instant, after *holding) {
	i, known := l.member(after.id)
	var before []protocol.Partition
	if known {
		before = l.members[i].held
		l.members[i] = after
	} else {
		l.members = slices.Insert(l.members, i, after)
	}
	l.move(now, after.id, before, after.held)
}

// holders are the members that hold a partition.
func (l *ledger) holders(p protocol.Partition) []string {
	var out []string
	for _, m := range l.members {
		if _, holds := slices.BinarySearchFunc(m.held, p, protocol.Partition.Compare); holds {
			out = append(out, m.id)
		}
	}
	return out
}

// stable reports whether the group claims to be Stable: every member has
// reached the target of the group's epoch.
func (l *ledger) stable() bool {
	return len(l.members) > 0 && l.targetEpoch == l.groupEpoch && !slices.ContainsFunc(l.members, func(m *holding) bool {
		return m.epoch != l.targetEpoch || m.state != record.Stable
	})
}

// union is the partitions of two sorted lists, sorted.
func union(a, b []record.Held) []protocol.Partition {
	out := make([]protocol.Partition, 0, len(a)+len(b))
	for len(a) > 0 || len(b) > 0 {
		if len(b) == 0 || len(a) > 0 && a[0].Partition.Compare(b[0].Partition) <= 0 {
			out = append(out, a[0].Partition)
			a = a[1:]
		} else {
			out = append(out, b[0].Partition)
			b = b[1:]
		}
	}
	return slices.Compact(out)
}
