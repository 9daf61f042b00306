package scenario

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"groupscope/core/client"
	"groupscope/core/protocol"
)

// prefix is what the names of the configs that act begin with.
func (w *world) prefix() string {
	if w.streams {
		return streamsPrefix
	}
	return consumerPrefix
}

// nameOf is what a partition, or a task, is called in expectations.
func (w *world) nameOf(p protocol.Partition) string {
	if w.streams {
		return protocol.TaskName(p)
	}
	return p.String()
}

const taskShape = "a task is a subtopology, a _ and a number, such as 0_2"

// task reads the name of one task, "0_2".
func (r *reader) task(n *node) (protocol.Partition, bool) {
	s, ok := r.text(n, taskShape)
	if !ok {
		return protocol.Partition{}, false
	}
	at := strings.LastIndexByte(s, '_')
	v, err := strconv.ParseInt(s[at+1:], 10, 32)
	if at <= 0 || err != nil || v < 0 || v >= MaxPartitions {
		r.wanted(n, taskShape)
		return protocol.Partition{}, false
	}
	p := protocol.Partition{Topic: protocol.TopicID(s[:at]), Number: int32(v)}
	return p, r.knownSubtopology(n, s[:at]) && r.knownTask(n, p)
}

// tasks reads a set of tasks: [0_0, 0_1] or {0: [0, 1]}.
func (r *reader) tasks(n *node) (protocol.Assignment, bool) {
	var found []protocol.Partition
	before := len(r.diagnostics)
	switch n.kind {
	case list:
		for _, item := range n.items {
			if p, ok := r.task(item); ok {
				found = append(found, p)
			}
		}
	case mapping:
		for _, e := range n.entries {
			if r.knownSubtopology(e.key, e.key.text) {
				found = append(found, r.numbered(protocol.TopicID(e.key.text), e.value)...)
			}
		}
	default:
		r.wanted(n, "tasks are a list of names, [0_0, 0_1], or a mapping, {0: [0, 1]}")
	}
	if len(r.diagnostics) > before || n.kind == refused {
		return nil, false
	}
	set := protocol.NewAssignment(found)
	if set.Len() < len(found) {
		r.fault(n, "a task stands here twice", "")
		return nil, false
	}
	return set, true
}

// numbered reads the tasks of a subtopology, given by their numbers.
func (r *reader) numbered(subtopology protocol.TopicID, n *node) []protocol.Partition {
	items := n.items
	if n.kind == number {
		items = []*node{n}
	} else if n.kind != list {
		r.wanted(n, "the numbers of tasks belong here, [0, 1]")
	}
	var out []protocol.Partition
	for _, item := range items {
		v, ok := r.integer(item, "a task's number belongs here", 0, MaxPartitions-1)
		if p := (protocol.Partition{Topic: subtopology, Number: int32(v)}); ok && r.knownTask(item, p) {
			out = append(out, p)
		}
	}
	return out
}

// progress reads {0_0: [500, 2000]}: how far the state of each task goes, and
// where its changelog ends.
func (r *reader) progress(n *node) ([]client.TaskProgress, bool) {
	const what = "tasks are a mapping from names to two offsets, {0_0: [500, 2000]}: how far the state goes, and where the changelog ends"
	if n.kind != mapping {
		r.wanted(n, what)
		return nil, false
	}
	before := len(r.diagnostics)
	out := []client.TaskProgress{}
	for _, e := range n.entries {
		task, ok := r.task(e.key)
		if e.value.kind != list || len(e.value.items) != 2 {
			r.wanted(e.value, what)
			continue
		}
		at, fine := r.offset(e.value.items[0])
		end, also := r.offset(e.value.items[1])
		if fine && also && at > end {
			r.fault(e.value, fmt.Sprintf("the state of a task ends where its changelog does: %d is past %d", at, end), "")
		}
		if ok && fine && also {
			out = append(out, client.TaskProgress{Task: task, Offset: at, End: end})
		}
	}
	slices.SortFunc(out, func(a, b client.TaskProgress) int { return a.Task.Compare(b.Task) })
	return out, len(r.diagnostics) == before
}

func (r *reader) offset(n *node) (int64, bool) {
	return r.integer(n, "an offset is a whole number", 0, math.MaxInt64)
}

// taskOffsets reads {0_0: 500}.
func (r *reader) taskOffsets(n *node) ([]protocol.TaskOffset, bool) {
	if n.kind != mapping {
		r.wanted(n, "offsets are a mapping from tasks, {0_0: 500}")
		return nil, false
	}
	before := len(r.diagnostics)
	out := []protocol.TaskOffset{}
	for _, e := range n.entries {
		task, ok := r.task(e.key)
		if at, fine := r.offset(e.value); ok && fine {
			out = append(out, protocol.TaskOffset{Task: task, Offset: at})
		}
	}
	slices.SortFunc(out, func(a, b protocol.TaskOffset) int { return a.Task.Compare(b.Task) })
	return out, len(r.diagnostics) == before
}

func encodeTaskOffsets(offsets []protocol.TaskOffset) string {
	out := make([]string, len(offsets))
	for i, o := range offsets {
		out[i] = protocol.TaskName(o.Task) + ": " + strconv.FormatInt(o.Offset, 10)
	}
	return "{" + strings.Join(out, ", ") + "}"
}

func encodeProgress(tasks []client.TaskProgress) string {
	out := make([]string, len(tasks))
	for i, t := range tasks {
		out[i] = protocol.TaskName(t.Task) + ": [" + strconv.FormatInt(t.Offset, 10) + ", " + strconv.FormatInt(t.End, 10) + "]"
	}
	return "{" + strings.Join(out, ", ") + "}"
}
