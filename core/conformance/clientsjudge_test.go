package conformance_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/core/conformance"
)

// spot is a place in an event of a trace: a field, or an element of a list.
type spot struct {
	trace, event int
	path         []any // names and indexes
}

func (s spot) String() string {
	var b strings.Builder
	for _, part := range s.path {
		fmt.Fprintf(&b, ".%v", part)
	}
	return strings.TrimPrefix(b.String(), ".")
}

// names that are a trace's own: of members, topics and tasks. A spot's kind
// has a star for them.
var ownName = regexp.MustCompile(`^([A-Z]|[mxs]\d|\d+|foo.*|bar.*|t\d|new|later|in|app-.*|zone)$`)

// walk calls visit for each place in a value.
func walk(v any, path []any, visit func(path []any, v any)) {
	if len(path) > 0 {
		visit(path, v)
	}
	switch v := v.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			walk(v[name], append(slices.Clip(path), name), visit)
		}
	case []any:
		for i, e := range v {
			walk(e, append(slices.Clip(path), i), visit)
		}
	}
}

// kindOf names what a spot is: two of one kind are judged by the same code.
func kindOf(event map[string]any, path []any) string {
	parts := []string{fmt.Sprint(event["type"]), fmt.Sprint(event["op"])}
	for _, part := range path {
		name, isName := part.(string)
		if !isName || ownName.MatchString(name) {
			name = "*"
		}
		parts = append(parts, name)
	}
	return strings.Join(parts, " ")
}

// spoil changes a value to another of its type.
func spoil(v any) any {
	switch v := v.(type) {
	case json.Number:
		n, _ := v.Int64()
		return n + 1
	case string:
		return v + "X"
	case bool:
		return !v
	case map[string]any:
		out := maps.Clone(v)
		out["more"] = json.Number("1")
		return out
	case []any:
		return append(slices.Clone(v), json.Number("99"))
	}
	return 1
}

// at sets (or with remove takes out) what is at a path.
func at(v any, path []any, to any, remove bool) any {
	if len(path) == 0 {
		return to
	}
	switch part := path[0].(type) {
	case string:
		out := maps.Clone(v.(map[string]any))
		if remove && len(path) == 1 {
			delete(out, part)
			return out
		}
		out[part] = at(out[part], path[1:], to, remove)
		return out
	case int:
		out := slices.Clone(v.([]any))
		if remove && len(path) == 1 {
			return slices.Delete(out, part, part+1)
		}
		out[part] = at(out[part], path[1:], to, remove)
		return out
	}
	return v
}

// recording is a trace to be spoilt.
type recording struct {
	source conformance.Source
	tree   map[string]any
	events []any
}

func recordings(t *testing.T, file string) (out []recording) {
	for _, src := range traces(t, file) {
		d := json.NewDecoder(bytes.NewReader(src.JSON))
		d.UseNumber()
		r := recording{source: src}
		require.NoError(t, d.Decode(&r.tree))
		r.events = r.tree["events"].([]any)
		out = append(out, r)
	}
	return out
}

// run runs the recording with other events.
func (r *recording) run(t *testing.T, events []any, opts conformance.Options) conformance.Report {
	tree := maps.Clone(r.tree)
	tree["events"] = events
	src, err := json.Marshal(tree)
	require.NoError(t, err)
	return conformance.Run(conformance.Source{Name: r.source.Name, JSON: src}, opts)
}

// failsAt: a spoilt copy must fail at that event, or its target be found not to
// be ours.
func failsAt(t *testing.T, what string, r *conformance.Report, event int) {
	assert.Empty(t, r.Panic, what)
	assert.False(t, r.Passed(), "%s passes", what)
	switch {
	case r.Fault != nil:
		assert.ErrorContains(t, r.Fault, fmt.Sprintf("event %d.", event+1), what)
	case len(r.Targets.Different) == 0 && assert.NotEmpty(t, r.Differences, what):
		assert.Equal(t, event+1, r.Differences[0].Step, "%s: %+v", what, r.Differences)
	}
}

func TestEveryKindOfFieldOfClientsIsJudgedAtItsEvent(t *testing.T) {
	for _, file := range []string{"clients-consumer-hand.jsonl.gz", "clients-streams-hand.jsonl.gz"} {
		list := recordings(t, file)
		spots := map[string]spot{}
		for i, r := range list {
			for j, e := range r.events {
				event := e.(map[string]any)
				walk(event, nil, func(path []any, _ any) {
					kind := kindOf(event, path)
					if known, ok := spots[kind]; !ok || len(r.events) < len(list[known.trace].events) {
						spots[kind] = spot{i, j, slices.Clone(path)}
					}
				})
			}
		}
		t.Logf("%s: %d kinds of places", file, len(spots))
		for _, kind := range slices.Sorted(maps.Keys(spots)) {
			s := spots[kind]
			r := &list[s.trace]
			event := r.events[s.event].(map[string]any)
			value := get(event, s.path)
			opts := conformance.Options{OwnAssignors: strings.Contains(kind, " target")}
			copies := map[string]any{"changed": at(event, s.path, spoil(value), false)}
			if len(s.path) <= 2 {
				copies["gone"] = at(event, s.path, nil, true)
			}
			for how, other := range copies {
				events := slices.Clone(r.events)
				events[s.event] = other
				report := r.run(t, events, opts)
				failsAt(t, fmt.Sprintf("%s %s (%s, event %d, %v)", kind, how, r.source.Name, s.event+1, s), &report, s.event)
			}
		}
	}
}

func get(v any, path []any) any {
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

func TestAMissingOrAnExtraEventIsFoundWhereItIs(t *testing.T) {
	list := recordings(t, "clients-consumer-hand.jsonl.gz")
	smallest := slices.MinFunc(list, func(a, b recording) int { return len(a.events) - len(b.events) })
	r := &smallest
	for i := range r.events {
		report := r.run(t, slices.Delete(slices.Clone(r.events), i, i+1), conformance.Options{})
		failsAt(t, fmt.Sprintf("event %d missing", i+1), &report, i)
		report = r.run(t, slices.Insert(slices.Clone(r.events), i, r.events[i]), conformance.Options{})
		failsAt(t, fmt.Sprintf("event %d twice", i+1), &report, i+1)
	}
}
