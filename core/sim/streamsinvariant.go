package sim

import (
	"fmt"
	"slices"
	"strings"

	"groupscope/core/protocol"
	"groupscope/core/record"
)

// nameOfHeld is what a partition, or a task, is called in words.
func (w *World) nameOfHeld(p protocol.Partition) string {
	if w.topology != nil {
		return protocol.TaskName(p)
	}
	return p.String()
}

// namesOfHeld lists partitions, or tasks, in words.
func (w *World) namesOfHeld(set protocol.Assignment) string {
	if w.topology == nil || set.Len() == 0 {
		return set.String()
	}
	var names []string
	for _, p := range set.Partitions() {
		names = append(names, protocol.TaskName(p))
	}
	return strings.Join(names, ", ")
}

// reading is what members do to what they own.
func (w *World) reading() string {
	if w.topology != nil {
		return "run"
	}
	return "read"
}

// inputsReadTwice: no two active tasks read an input partition. While members
// run different topologies, tasks of different names may: two subtopologies
// of the old one that the new one joins, for instance (KAFKA-20170).
func (w *World) inputsReadTwice() []Violation {
	l := &w.ledger
	if !l.mixed() {
		return nil
	}
	type reader struct {
		task   protocol.Partition
		member string
	}
	readers := map[protocol.Partition][]reader{}
	var inputs []protocol.Partition // in the order found
	for _, m := range l.members {
		topology := l.topologyOf(m.topologyEpoch)
		for _, task := range m.held {
			for _, input := range inputsOf(topology, task) {
				if readers[input] == nil {
					inputs = append(inputs, input)
				}
				if !slices.ContainsFunc(readers[input], func(r reader) bool { return r.task == task }) {
					readers[input] = append(readers[input], reader{task, m.id})
				}
			}
		}
	}
	var out []Violation
	slices.SortFunc(inputs, protocol.Partition.Compare)
	for _, input := range inputs {
		if all := readers[input]; len(all) > 1 {
			a, b := all[0], all[1]
			out = append(out, Violation{
				Partitions: []protocol.Partition{a.task, b.task}, Members: []string{a.member, b.member},
				Text: fmt.Sprintf("%s is read by two active tasks: %s of %s and %s of %s.",
					input, protocol.TaskName(a.task), w.nameOf(a.member), protocol.TaskName(b.task), w.nameOf(b.member)),
			})
		}
	}
	return out
}

// mixed reports whether members run topologies of different epochs.
func (l *ledger) mixed() bool {
	return len(l.topologies) > 1 && slices.ContainsFunc(l.members, func(m *holding) bool {
		return m.topologyEpoch != l.members[0].topologyEpoch
	})
}

// topologyOf is the group's latest topology of an epoch; nil if it never had
// one.
func (l *ledger) topologyOf(epoch int32) *protocol.Topology {
	for _, t := range slices.Backward(l.topologies) {
		if t.Epoch == epoch {
			return t
		}
	}
	return nil
}

// inputsOf are the topic partitions that a task reads.
func inputsOf(t *protocol.Topology, task protocol.Partition) []protocol.Partition {
	if t == nil {
		return nil
	}
	var out []protocol.Partition
	for i := range t.Subtopologies {
		s := &t.Subtopologies[i]
		if s.ID != string(task.Topic) {
			continue
		}
		for _, topic := range s.SourceTopics {
			out = append(out, protocol.Partition{Topic: protocol.TopicID(topic), Number: task.Number})
		}
		for _, topic := range s.RepartitionSourceTopics {
			out = append(out, protocol.Partition{Topic: protocol.TopicID(topic.Name), Number: task.Number})
		}
	}
	return out
}

// taskGaps: in a group that claims to be Stable, somebody has each task of the
// target.
func (w *World) taskGaps() []Violation {
	var out []Violation
	for _, t := range w.targeted {
		for _, p := range w.ledger.free(t.ID, t.Partitions) {
			out = append(out, Violation{
				Partitions: []protocol.Partition{p},
				Text:       fmt.Sprintf("%s has no owner, and the group is Stable.", protocol.TaskName(p)),
			})
		}
	}
	return out
}

// noteTasks keeps up with the tasks that there are: so that it is known since
// when nobody has them, and which of them the target is about.
func (w *World) noteTasks(records []record.Record) {
	if w.topology == nil {
		return
	}
	changed := func(kind record.Type) bool {
		return slices.ContainsFunc(records, func(r record.Record) bool { return r.Key.Type == kind })
	}
	anew, target := changed(record.StreamsGroupMetadata), changed(record.StreamsTargetAssignmentMetadata)
	if !anew && !target {
		return
	}
	var tasks []protocol.Topic
	if g, ok := w.coordinator.Group(w.groupID); ok && g.Streams != nil && g.Streams.Ready {
		for _, t := range g.Streams.Tasks {
			tasks = append(tasks, protocol.Topic{ID: protocol.TopicID(t.Subtopology), Name: t.Subtopology, Partitions: t.Tasks})
		}
	}
	for _, t := range tasks {
		w.ledger.exists(w.now, t)
	}
	if target {
		w.targeted = tasks
	}
}
