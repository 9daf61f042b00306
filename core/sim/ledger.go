package sim

import (
	"cmp"
	"slices"
	"strings"

	"groupscope/core/protocol"
	"groupscope/core/record"
)

// ledger is who holds what according to the log: a second replay of the
// records, apart from the coordinator's own, and since when. It finds broken
// invariants and the partitions that nobody holds.
type ledger struct {
	initial    int32 // the epoch of a group of which no record says one
	groupEpoch int32
	members    []*holding // sorted by id
	shelves    []shelf    // sorted by topic
	shared     int        // number of partitions with two holders
	fallen     []Violation
	broken     []Violation // those that hold now
	version    uint64      // grows when a partition finds or loses its holder
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
}

// shelf is the partitions of one topic.
type shelf struct {
	topic  protocol.TopicID
	places []place
	shared bool // with a clone: copied before it is changed
}

// place is one partition: its holders, and since when it has none.
type place struct {
	holders int
	holder  string // the last one to take it
	since   protocol.Instant
	never   bool // it has had no holder so far
}

func (l *ledger) clone() ledger {
	c := *l
	c.members = slices.Clone(l.members)
	for i := range l.shelves {
		l.shelves[i].shared = true
	}
	c.shelves = slices.Clone(l.shelves)
	c.fallen = slices.Clone(l.fallen)
	return c
}

// exists makes room for a topic's partitions.
func (l *ledger) exists(now protocol.Instant, t protocol.Topic) {
	s := l.open(t.ID)
	for int32(len(s.places)) < t.Partitions {
		s.places = append(s.places, place{since: now, never: true})
		l.version++
	}
}

// size counts the partitions and the topics that there have been so far.
func (l *ledger) size() (partitions, topics int) {
	for _, s := range l.shelves {
		partitions += len(s.places)
	}
	return partitions, len(l.shelves)
}

// open is a topic's shelf, to be changed.
func (l *ledger) open(topic protocol.TopicID) *shelf {
	s := l.shelf(topic)
	if s.shared {
		s.places, s.shared = slices.Clone(s.places), false
	}
	return s
}

func (l *ledger) shelf(topic protocol.TopicID) *shelf {
	i, found := slices.BinarySearchFunc(l.shelves, topic, func(s shelf, id protocol.TopicID) int { return cmp.Compare(s.topic, id) })
	if !found {
		l.shelves = slices.Insert(l.shelves, i, shelf{topic: topic})
	}
	return &l.shelves[i]
}

func (l *ledger) place(now protocol.Instant, p protocol.Partition) *place {
	s := l.open(p.Topic)
	for int32(len(s.places)) <= p.Number {
		s.places = append(s.places, place{since: now, never: true})
	}
	return &s.places[p.Number]
}

// apply takes one record in.
func (l *ledger) apply(now protocol.Instant, r record.Record) {
	switch r.Key.Type {
	case record.GroupMetadata:
		v, ok := r.Value.(record.GroupMetadataValue)
		l.setEpoch(now, v.Epoch, ok)
	case record.CurrentMemberAssignment:
		after := &holding{id: r.Key.Member, epoch: protocol.EpochLeaving}
		if v, ok := r.Value.(record.CurrentMemberAssignmentValue); ok {
			after.epoch, after.held, after.said = v.MemberEpoch, union(v.Assigned, v.PendingRevocation), true
			after.state, after.assigned, after.pending = v.State, v.Assigned, v.PendingRevocation
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
		epoch = l.initial
	} else if epoch < l.groupEpoch {
		l.fallen = append(l.fallen, epochFell(now, l.groupEpoch, epoch))
	}
	l.groupEpoch = epoch
}

func (l *ledger) member(id string) (int, bool) {
	return slices.BinarySearchFunc(l.members, id, func(h *holding, id string) int { return strings.Compare(h.id, id) })
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
	held := after.held
	for len(before) > 0 || len(held) > 0 {
		switch {
		case len(held) == 0 || len(before) > 0 && before[0].Compare(held[0]) < 0:
			l.release(now, before[0])
			before = before[1:]
		case len(before) == 0 || held[0].Compare(before[0]) < 0:
			l.grant(now, held[0], after.id)
			held = held[1:]
		default:
			before, held = before[1:], held[1:]
		}
	}
}

func (l *ledger) release(now protocol.Instant, p protocol.Partition) {
	at := l.place(now, p)
	if at.holders == 2 {
		l.shared--
	}
	at.holders--
	if at.holders == 0 {
		at.holder, at.since = "", now
		l.version++
	}
}

func (l *ledger) grant(now protocol.Instant, p protocol.Partition, member string) {
	at := l.place(now, p)
	if at.holders == 0 {
		l.version++
	}
	if at.holders == 1 {
		l.shared++
	}
	at.holders++
	at.holder, at.never = member, false
}

// unowned lists the partitions of topics that nobody holds.
func (l *ledger) unowned(topics []protocol.Topic) []Unowned {
	var out []Unowned
	for _, t := range topics {
		for n, at := range l.shelf(t.ID).places[:t.Partitions] {
			if at.holders == 0 {
				out = append(out, Unowned{protocol.Partition{Topic: t.ID, Number: int32(n)}, at.since, at.never})
			}
		}
	}
	return out
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
