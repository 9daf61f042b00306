package sim

import (
	"fmt"
	"slices"
	"strings"

	"groupscope/core/protocol"
)

// Invariant is something that holds at any time, as long as coordinator and
// clients do what they should.
type Invariant struct {
	Name string // in scenario files and in Violation
	Says string // what holds, in a few words
	// Tasks says it for a streams group, "" if it holds of consumer groups alone.
	Tasks string
	// broken finds what breaks it now; nil for the one that State and Check
	// look at by replaying the log.
	broken func(w *World) []Violation
}

// Invariants are those that are watched, in the order in which they are told.
var Invariants = []Invariant{
	{"one owner", "One owner a partition", "One owner an active task", (*World).manyOwners},
	{"one reader", "One reader a partition", "One thread an active task", (*World).manyReaders},
	{"one input", "", "One active task an input partition", (*World).inputsReadTwice},
	{"epoch order", "Member epoch ≤ target epoch ≤ group epoch", "Member epoch ≤ target epoch ≤ group epoch", (*World).epochsOutOfOrder},
	{"no gap", "Stable: every partition has an owner", "Stable: every task has an owner", (*World).gaps},
	{invariantLog, "The log replays to the same state", "The log replays to the same state", nil},
}

// Watched are the invariants of a group of the state's protocol, and what each
// says of it.
func (s *State) Watched() []Invariant {
	var out []Invariant
	for _, inv := range Invariants {
		if s.Streams() {
			inv.Says = inv.Tasks
		}
		if inv.Says != "" {
			out = append(out, inv)
		}
	}
	return out
}

const invariantLog = "log replay"

// watch looks at the invariants after something has changed, and tells of
// those that broke with it.
func (w *World) watch(event uint64) {
	var found []Violation
	for i := range Invariants {
		if inv := &Invariants[i]; inv.broken != nil {
			for _, v := range inv.broken(w) {
				v.Invariant, v.Since = inv.Name, w.now
				found = append(found, v)
			}
		}
	}
	if len(found) == 0 {
		w.violations = nil
		return
	}
	cause := w.cause
	w.cause = event
	for i := range found {
		if j := slices.IndexFunc(w.violations, found[i].same); j >= 0 {
			found[i].Since = w.violations[j].Since
		} else {
			w.emit(Violated{found[i]})
		}
	}
	w.cause = cause
	w.violations = found
}

func (v Violation) same(o Violation) bool {
	return v.Invariant == o.Invariant && v.Text == o.Text
}

// manyOwners: by the coordinator's books, a partition is assigned to, or still
// to be revoked from, one member at a time (KIP-848, "Member reconciliation").
func (w *World) manyOwners() []Violation {
	var out []Violation
	for _, p := range w.ledger.contested() {
		holders := w.ledger.holders(p)
		out = append(out, Violation{
			Partitions: []protocol.Partition{p}, Members: holders,
			Text: fmt.Sprintf("%s has more than one owner: %s.", w.nameOfHeld(p), strings.Join(holders, ", ")),
		})
	}
	return out
}

// manyReaders: no two members of the group read a partition at a time. A
// client that was removed from the group and has not heard of it does not
// count, nor one that has left or joins again and is not done with its
// callbacks: they read on for a while, and their commits are refused.
func (w *World) manyReaders() []Violation {
	var out []Violation
	for _, p := range w.readers.contested() {
		var members []string
		for i := range w.members {
			m := &w.members[i]
			if w.Counted(i).Contains(p) && w.ledger.present(m.id()) {
				members = append(members, m.id())
			}
		}
		if len(members) > 1 {
			out = append(out, Violation{
				Partitions: []protocol.Partition{p}, Members: members,
				Text: fmt.Sprintf("%s is %s by two members at once: %s.", w.nameOfHeld(p), w.reading(), strings.Join(members, ", ")),
			})
		}
	}
	return out
}

// read notes what a client's application reads now.
func (w *World) read(m *member) {
	var reads protocol.Assignment
	if m.running() {
		reads = m.client.Owned()
	}
	if !slices.EqualFunc(m.reads, reads, sameTopicPartitions) {
		w.readers.move(w.now, m.setup.Name, m.reads.Partitions(), reads.Partitions())
		m.reads = reads
		w.watch(w.events)
	}
}

func sameTopicPartitions(a, b protocol.TopicPartitions) bool {
	return a.Topic == b.Topic && slices.Equal(a.Partitions, b.Partitions)
}

// epochsOutOfOrder: no member is ahead of the target, nor the target of the
// group; and the group's epoch never falls.
func (w *World) epochsOutOfOrder() []Violation {
	l := &w.ledger
	out := slices.Clone(l.fallen)
	if l.targetEpoch > l.groupEpoch {
		out = append(out, Violation{Text: fmt.Sprintf("The target is of epoch %d, ahead of the group, which is at %d.", l.targetEpoch, l.groupEpoch)})
	}
	for _, m := range l.members {
		if m.epoch > max(l.targetEpoch, 1) { // a streams member that waits for the first target is at 1 already
			out = append(out, Violation{
				Members: []string{m.id},
				Text:    fmt.Sprintf("%s is at epoch %d, ahead of the target, which is of %d.", m.id, m.epoch, l.targetEpoch),
			})
		}
	}
	return out
}

func epochFell(now protocol.Instant, from, to int32) Violation {
	return Violation{Since: now, Text: fmt.Sprintf("The group epoch fell from %d to %d.", from, to)}
}

// gaps: in a group that claims to be Stable, somebody holds each partition of
// each topic that a member subscribes to. Partitions that came after the
// target was computed do not count: the next heartbeat finds them.
func (w *World) gaps() []Violation {
	l := &w.ledger
	if !l.stable() {
		return nil
	}
	if w.topology != nil {
		return w.taskGaps()
	}
	var out []Violation
	for _, t := range w.targeted {
		gaps := w.ledger.free(t.ID, min(t.Partitions, w.partitionsOf(t.ID)))
		if len(gaps) == 0 || !w.wanted(t.Name) {
			continue
		}
		for _, p := range gaps {
			out = append(out, Violation{
				Partitions: []protocol.Partition{p},
				Text:       fmt.Sprintf("%s has no owner, and the group is Stable.", p),
			})
		}
	}
	return out
}

// partitionsOf is the present size of a topic, 0 if it is gone.
func (w *World) partitionsOf(id protocol.TopicID) int32 {
	i, exists := slices.BinarySearchFunc(w.topics, id.Name(), byName)
	if !exists || w.topics[i].ID != id {
		return 0
	}
	return w.topics[i].Partitions
}

// wanted reports whether a member of the group subscribes to a topic.
func (w *World) wanted(topic string) bool {
	g, _ := w.coordinator.Group(w.groupID)
	return slices.Contains(subscribedBy(g), topic)
}
