package conformance_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"groupscope/core/conformance"
)

// copied is a trace that may be changed.
type copied struct {
	source conformance.Source
	head   map[string]any
	steps  []json.RawMessage
}

func copyOf(t testing.TB, src conformance.Source) copied {
	t.Helper()
	out := copied{source: src}
	require.NoError(t, json.Unmarshal(src.JSON, &out.head))
	delete(out.head, "steps")
	var body struct{ Steps []json.RawMessage }
	require.NoError(t, json.Unmarshal(src.JSON, &body))
	out.steps = body.Steps
	return out
}

func (c *copied) step(t testing.TB, i int) map[string]any {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(c.steps[i]))
	d.UseNumber()
	var step map[string]any
	require.NoError(t, d.Decode(&step))
	return step
}

// with is the trace up to a step that has another in its place; all of it if
// the rest matters.
func (c *copied) with(t testing.TB, i int, step map[string]any, whole bool) conformance.Source {
	t.Helper()
	changed, err := json.Marshal(step)
	require.NoError(t, err)
	head := maps.Clone(c.head)
	steps := append(slices.Clone(c.steps[:i]), changed)
	if whole {
		steps = append(steps, c.steps[i+1:]...)
	}
	head["steps"] = steps
	src, err := json.Marshal(head)
	require.NoError(t, err)
	return conformance.Source{Name: c.source.Name, JSON: src}
}

// place is a value in what came of a step.
type place struct {
	path []any  // names and indexes, from the step
	kind string // the path with free names and indexes left out
}

// String is the path as reports write it.
func (p place) String() string {
	var b strings.Builder
	for _, part := range p.path {
		switch part := part.(type) {
		case int:
			b.WriteString("[" + strconv.Itoa(part) + "]")
		case string:
			if b.Len() > 0 {
				b.WriteString(".")
			}
			b.WriteString(part)
		}
	}
	return b.String()
}

// outputFields are the fields of a step that tell what came of it.
var outputFields = []string{"timeMs", "response", "error", "creatableTopics", "records", "expired", "async", "completed", "group"}

// places lists every value in what came of a step, containers included.
func places(step map[string]any) []place {
	var out []place
	for _, name := range outputFields {
		v, ok := step[name]
		if !ok {
			continue
		}
		kind := name
		switch name {
		case "response":
			kind += " of " + step["op"].(string)
			if r, _ := v.(map[string]any); r["assignorName"] == "sticky" || r["taskOffsetIntervalMs"] != nil {
				kind += " (streams)"
			}
		case "group":
			kind = fmt.Sprintf("group (%v)", v.(map[string]any)["type"])
		}
		out = append(out, within(v, place{[]any{name}, kind})...)
	}
	return out
}

func within(v any, at place) []place {
	out := []place{at}
	switch v := v.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			kind := at.kind + "." + name
			if last := lastOf(at.path); freeNames[last] && !fixedNames[name] && !listed(last) {
				kind = at.kind + ".*"
			}
			out = append(out, within(v[name], place{append(slices.Clone(at.path), name), kind})...)
		}
	case []any:
		for i, e := range v {
			kind := at.kind + "[]"
			if rec, ok := e.(map[string]any); ok && rec["type"] != nil {
				kind = fmt.Sprintf("%s[%v]", at.kind, rec["type"])
			}
			out = append(out, within(e, place{append(slices.Clone(at.path), i), kind})...)
		}
	}
	return out
}

func listed(last any) bool { _, ok := last.(int); return ok }

// freeNames are fields whose names are those of members, topics,
// subtopologies and the like; fixedNames are those of such that are not.
var freeNames = set("members", "assignment", "topicPartitions", "activeTasks", "standbyTasks", "warmupTasks",
	"activeTasksPendingRevocation", "standbyTasksPendingRevocation", "warmupTasksPendingRevocation",
	"assignedPartitions", "partitionsPendingRevocation", "assigned", "assignedEpochs", "pendingRevocation",
	"pendingRevocationEpochs", "target", "active", "activeEpochs", "standby", "warmup", "resolvedRegexes", "numTasks",
	"clientTags", "creatableTopics", "activePartitions", "standbyPartitions")

var fixedNames = set("active", "activeEpochs", "standby", "warmup", "topicPartitions", "activeTasks", "standbyTasks", "warmupTasks")

func set(names ...any) map[any]bool {
	out := map[any]bool{}
	for _, n := range names {
		out[n] = true
	}
	return out
}

// valueAt finds the container of a place's value in a step.
func valueAt(step map[string]any, path []any) any {
	var v any = step
	for _, part := range path {
		switch part := part.(type) {
		case string:
			v = v.(map[string]any)[part]
		case int:
			v = v.([]any)[part]
		}
	}
	return v
}

// put puts a value in the place of another; nothing at all takes it away.
func put(step map[string]any, path []any, v any) {
	parent := valueAt(step, path[:len(path)-1])
	switch last := path[len(path)-1].(type) {
	case string:
		if v == nothing {
			delete(parent.(map[string]any), last)
			return
		}
		parent.(map[string]any)[last] = v
	case int:
		list := parent.([]any)
		if v == nothing {
			put(step, path[:len(path)-1], slices.Delete(slices.Clone(list), last, last+1))
			return
		}
		list[last] = v
	}
}

// nothing is a value that is not there.
var nothing any = struct{ nothing string }{}

// ways lists the ways to make a value wrong.
func ways(v any) []string {
	switch v := v.(type) {
	case map[string]any:
		return []string{"missing", "with an unknown field"}
	case []any:
		if len(v) > 1 && !equal(v[0], v[1]) {
			return []string{"missing", "with one more", "swapped"}
		}
		return []string{"missing", "with one more"}
	}
	return []string{"missing", "changed"}
}

// mutated is a value made wrong in one of its ways.
func mutated(v any, way string) any {
	switch way {
	case "with an unknown field":
		out := maps.Clone(v.(map[string]any))
		out["weather"] = "fine"
		return out
	case "with one more":
		return append(slices.Clone(v.([]any)), more(v.([]any)))
	case "swapped":
		out := slices.Clone(v.([]any))
		out[0], out[1] = out[1], out[0]
		return out
	case "changed":
		return changed(v)
	}
	return nothing
}

func changed(v any) any {
	switch v := v.(type) {
	case json.Number:
		n, _ := v.Int64()
		return json.Number(strconv.FormatInt(n+1000, 10))
	case string:
		return v + "x"
	case bool:
		return !v
	}
	return "x"
}

// more is one more element for a list.
func more(list []any) any {
	if len(list) == 0 {
		return "x"
	}
	switch last := list[len(list)-1].(type) {
	case json.Number:
		return json.Number("1000")
	case string:
		return last + "x"
	default:
		return last
	}
}

func equal(a, b any) bool {
	x, _ := json.Marshal(a)
	y, _ := json.Marshal(b)
	return bytes.Equal(x, y)
}

func lastOf(path []any) any {
	if len(path) == 0 {
		return ""
	}
	return path[len(path)-1]
}
