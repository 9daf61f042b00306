package streamsgroup

import (
	"slices"

	"groupscope/core/protocol"
	"groupscope/core/record"
)

// Roles are tasks by the role in which a member has, wants or loses them.
// Each list is sorted.
type Roles struct {
	Active, Standby, Warmup []protocol.Partition
}

// Pending are the tasks that a member was asked to give up.
func Pending(c *record.StreamsCurrentMemberAssignmentValue) Roles {
	return Roles{record.Partitions(c.PendingActive), c.PendingStandby.Partitions(), c.PendingWarmup.Partitions()}
}

// Empty reports whether there is no task.
func (r *Roles) Empty() bool { return len(r.Active)+len(r.Standby)+len(r.Warmup) == 0 }

// All lists the tasks of every role, sorted.
func (r *Roles) All() []protocol.Partition {
	out := slices.Concat(r.Active, r.Standby, r.Warmup)
	slices.SortFunc(out, protocol.Partition.Compare)
	return out
}

// sameTasks compares sets; an absent one is empty.
func sameTasks(a, b protocol.Assignment) bool {
	return slices.EqualFunc(a, b, func(x, y protocol.TopicPartitions) bool {
		return x.Topic == y.Topic && slices.Equal(x.Partitions, y.Partitions)
	})
}

// within reports whether a is a part of b.
func within(a, b protocol.Assignment) bool {
	for _, tp := range a {
		for _, n := range tp.Partitions {
			if !b.Contains(protocol.Partition{Topic: tp.Topic, Number: n}) {
				return false
			}
		}
	}
	return true
}

// setOf is a sorted list of tasks as a set, never nil.
func setOf(tasks []protocol.Partition) protocol.Assignment {
	out := protocol.Assignment{}
	for _, t := range tasks {
		if n := len(out); n == 0 || out[n-1].Topic != t.Topic {
			out = append(out, protocol.TopicPartitions{Topic: t.Topic})
		}
		last := &out[len(out)-1]
		last.Partitions = append(last.Partitions, t.Number)
	}
	return out
}

// partition splits a list in two, the tasks that are in the set first.
func partition(list []protocol.Partition, in func(protocol.Partition) bool) (yes, no []protocol.Partition) {
	for _, t := range list {
		if in(t) {
			yes = append(yes, t)
		} else {
			no = append(no, t)
		}
	}
	return yes, no
}

// merge is the union of two sorted lists without a task in common.
func merge(a, b []protocol.Partition) []protocol.Partition {
	if len(a) == 0 {
		return b
	}
	if len(b) == 0 {
		return a
	}
	out := slices.Concat(a, b)
	slices.SortFunc(out, protocol.Partition.Compare)
	return out
}

func has(list []protocol.Partition, task protocol.Partition) bool {
	_, ok := slices.BinarySearchFunc(list, task, protocol.Partition.Compare)
	return ok
}

func isHeld(held []record.Held, task protocol.Partition) bool {
	_, ok := slices.BinarySearchFunc(held, task, func(h record.Held, t protocol.Partition) int {
		return h.Partition.Compare(t)
	})
	return ok
}

func compareHeld(a, b record.Held) int { return a.Partition.Compare(b.Partition) }
