package conformance

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"groupscope/core/protocol"
)

// targets stands in for the broker's assignors: it answers what the trace
// says they answered, or checks our own against that.
//
// A trace tells a target twice: by the records that a step wrote, and by the
// group after it. The records decide; where the two contradict each other
// the trace is at fault, and both places are named.
type targets struct {
	group string // of records that name none
	own   bool   // our assignors decide
	// script is what the scripted assignor was told by a target step.
	script map[string]protocol.Tasks
	// books are each group's targets by member, as the trace's records made
	// them so far. A consumer group's partitions are its active tasks.
	books map[string]map[string]protocol.Tasks

	// Of the step that is run:
	waiting   []map[string]protocol.Tasks // the targets that it computed, oldest first
	taken     int                         // how many our coordinator asked for
	written   []targetRecord
	shown     any                       // the group afterwards, as the trace has it
	seen      map[string]protocol.Tasks // its targets, of the members that it lists; read when there is a target
	seenGroup string

	count Targets // of this step
}

// targetRecord is a member's part of a target, written by the trace.
type targetRecord struct {
	path   string // of its value
	group  string
	member string
	value  any
	tasks  protocol.Tasks
}

// open reads what the trace says of targets in a step.
func (t *targets) open(want map[string]any, group string) error {
	r := &reader{}
	t.waiting, t.taken, t.written, t.count = nil, 0, nil, Targets{}
	t.seenGroup, t.shown, t.seen = group, want["group"], nil
	t.batch(r, "records", want["records"])
	for _, name := range []string{"expired", "async"} {
		list, _ := want[name].([]any)
		for i, v := range list {
			if entry, ok := v.(map[string]any); ok {
				t.batch(r, fmt.Sprintf("%s[%d].records", name, i), entry["records"])
			}
		}
	}
	return r.err
}

// batch enters records that were written together in the books.
func (t *targets) batch(r *reader, path string, v any) {
	list, _ := v.([]any)
	computed := ""
	written := len(t.written)
	for i, v := range list {
		rec, _ := v.(map[string]any)
		key, _ := rec["key"].(map[string]any)
		kind, _ := rec["type"].(string)
		group, named := key["groupId"].(string)
		if !named {
			group = t.group
		}
		switch {
		case strings.HasSuffix(kind, "GroupTargetAssignmentMetadata"):
			if value, _ := rec["value"].(map[string]any); value["assignmentTimestamp"] != nil {
				computed = group
			}
		case strings.HasSuffix(kind, "GroupTargetAssignmentMember"):
			member, _ := key["memberId"].(string)
			t.enter(r, targetRecord{path: fmt.Sprintf("%s[%d].value", path, i), group: group, member: member, value: rec["value"]})
		default:
			// What is computed stands in a row before its metadata; a target
			// before that is the copy that a static member leaves its successor.
			written = len(t.written)
		}
	}
	if computed != "" {
		t.seen = readSeen(r, t.shown)
		t.waiting = append(t.waiting, t.withSeen(computed, t.written[written:]))
	}
}

func (t *targets) enter(r *reader, rec targetRecord) {
	book := t.books[rec.group]
	if book == nil {
		book = map[string]protocol.Tasks{}
		t.books[rec.group] = book
	}
	if rec.value == nil {
		delete(book, rec.member)
		return
	}
	f := r.object(rec.path, rec.value)
	for _, name := range []string{"topicPartitions", "activeTasks"} {
		if a := f.target(name); a != nil {
			rec.tasks.Active = a
		}
	}
	rec.tasks.Standby = f.target("standbyTasks")
	book[rec.member] = rec.tasks
	t.written = append(t.written, rec)
}

// withSeen is a group's target by the books. Where a member has no record
// and the group shows another target for it, the record may be what is
// missing, so that the group decides.
func (t *targets) withSeen(group string, written []targetRecord) map[string]protocol.Tasks {
	out := maps.Clone(t.books[group])
	if out == nil {
		out = map[string]protocol.Tasks{}
	}
	if group != t.seenGroup {
		return out
	}
	for member, tasks := range t.seen {
		if !slices.ContainsFunc(written, func(rec targetRecord) bool { return rec.member == member }) {
			out[member] = tasks
		}
	}
	return out
}

// readSeen reads the targets that a snapshot lists.
func readSeen(r *reader, v any) map[string]protocol.Tasks {
	group, _ := v.(map[string]any)
	members, _ := group["members"].(map[string]any)
	out := map[string]protocol.Tasks{}
	for id, v := range members {
		member, _ := v.(map[string]any)
		target, ok := member["target"].(map[string]any)
		if !ok {
			continue
		}
		at := "group.members." + id
		switch group["type"] {
		case "consumer":
			out[id] = protocol.Tasks{Active: r.object(at, member).target("target")}
		case "streams":
			f := r.object(at+".target", target)
			out[id] = protocol.Tasks{Active: f.target("active"), Standby: f.target("standby")}
		}
	}
	return out
}

// next is the target that the trace has for a computation; nil when it has
// none, which shows as a difference in what is written.
func (t *targets) next() map[string]protocol.Tasks {
	if t.taken == len(t.waiting) {
		return nil
	}
	t.taken++
	return t.waiting[t.taken-1]
}

// decide answers a computation. When our assignors decide and err, the rest
// of the trace is still run with its own target, so that one difference does
// not hide the others.
func (t *targets) decide(members []string, assign func() ([]protocol.Tasks, error)) ([]protocol.Tasks, error) {
	target := t.next()
	if target == nil {
		return assign()
	}
	want := make([]protocol.Tasks, len(members))
	for i, id := range members {
		want[i] = target[id]
	}
	if !t.own {
		return want, nil
	}
	got, err := assign()
	if err != nil {
		return nil, err
	}
	before := len(t.count.Different)
	for i, id := range members {
		c := comparison{}
		c.compare("target."+id, taskTree(want[i]), taskTree(got[i]))
		t.count.Different = append(t.count.Different, c.differences...)
	}
	t.count.Computed++
	if before == len(t.count.Different) {
		t.count.Identical++
	}
	return want, nil
}

// scripted answers what the trace's target step said; members that it did
// not name get nothing.
func (t *targets) scripted(members []string) []protocol.Tasks {
	out := make([]protocol.Tasks, len(members))
	for i, id := range members {
		out[i] = t.script[id]
	}
	return out
}

// taskTree is {"active":{"foo":[0]},"standby":{}}.
func taskTree(t protocol.Tasks) object {
	return object{"active": tree(t.Active), "standby": tree(t.Standby)}
}

// targetTree is a target as a group shows it, targetValue as a record has it.
func targetTree(t protocol.Tasks, consumer bool) object {
	if consumer {
		return tree(t.Active)
	}
	return taskTree(t)
}

func targetValue(t protocol.Tasks, consumer bool) object {
	if consumer {
		return bare(object{"topicPartitions": tree(t.Active)})
	}
	return taskLists(t)
}

// contradictions are the places in which the trace's records and its group
// tell different targets.
func (t *targets) contradictions() []Difference {
	if t.taken == 0 {
		return nil
	}
	consumer := field(t.shown, "type") == "consumer"
	c := comparison{}
	book := t.books[t.seenGroup]
	for i, rec := range t.written {
		later := slices.ContainsFunc(t.written[i+1:], func(o targetRecord) bool { return o.group == rec.group && o.member == rec.member })
		seen, listed := t.seen[rec.member]
		if rec.group == t.seenGroup && listed && !later {
			c.compare(rec.path, rec.value, targetValue(seen, consumer))
		}
	}
	for id, seen := range t.seen {
		c.compare("group.members."+id+".target", targetTree(seen, consumer), targetTree(book[id], consumer))
	}
	return c.differences
}
