package assignor

import (
	"slices"
	"strings"

	"groupscope/core/protocol"
)

// TaskNumbers numbers the tasks of some subtopologies from 0, in the order of
// subtopology and partition, so that what is known of a task can stand in a
// slice.
type TaskNumbers struct {
	subtopologies []StreamsSubtopology // sorted by id
	first         []int32              // the number of partition 0 of each, and the number of tasks
}

// NumberTasks numbers the tasks of subtopologies that are sorted by id.
func NumberTasks(subtopologies []StreamsSubtopology) TaskNumbers {
	n := TaskNumbers{subtopologies, make([]int32, len(subtopologies)+1)}
	for i, sub := range subtopologies {
		n.first[i+1] = n.first[i] + sub.Tasks
	}
	return n
}

// Len is how many tasks there are.
func (n *TaskNumbers) Len() int { return int(n.first[len(n.subtopologies)]) }

// Of is the number of a task; false for one that does not exist.
func (n *TaskNumbers) Of(task protocol.Partition) (int32, bool) {
	i, ok := n.find(task.Topic)
	if !ok || task.Number < 0 || task.Number >= n.subtopologies[i].Tasks {
		return 0, false
	}
	return n.first[i] + task.Number, true
}

// Each calls f with the number of each task of a set that exists.
func (n *TaskNumbers) Each(set protocol.Assignment, f func(task int32)) {
	next := 0 // where the search is spared: most members have tasks of one subtopology after the other
	for _, tp := range set {
		i := next
		if i == len(n.subtopologies) || n.subtopologies[i].ID != tp.Topic {
			found, ok := n.find(tp.Topic)
			if !ok {
				continue
			}
			i = found
		}
		next = i + 1
		for _, p := range tp.Partitions {
			if p >= 0 && p < n.subtopologies[i].Tasks {
				f(n.first[i] + p)
			}
		}
	}
}

// Name is the task of a number.
func (n *TaskNumbers) Name(number int32) protocol.Partition {
	i, ok := slices.BinarySearch(n.first, number)
	if !ok {
		i--
	}
	for n.first[i+1] == n.first[i] {
		i++ // a subtopology without tasks starts where the next one does
	}
	return protocol.Partition{Topic: n.subtopologies[i].ID, Number: number - n.first[i]}
}

func (n *TaskNumbers) find(id protocol.TopicID) (int, bool) {
	return slices.BinarySearchFunc(n.subtopologies, id, func(sub StreamsSubtopology, id protocol.TopicID) int {
		return strings.Compare(string(sub.ID), string(id))
	})
}
