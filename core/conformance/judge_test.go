package conformance_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/core/conformance"
)

// occurrence is where a kind of field is seen first, and in which trace that
// is soonest.
type occurrence struct {
	trace *copied
	step  int
	place place
	way   string
}

// free are the orders that do not count: those in which Kafka walks a hash
// table.
var free = []string{
	"response of describe.members swapped", "response of describe (streams).members swapped",
	"response of describe.members[].subscribedTopicNames swapped",
}

// harmless reports a change that leaves the trace right: another order
// where none counts, or another hash where nothing tells which one is odd.
func harmless(trace *copied, step map[string]any, p place, way string) bool {
	v := valueAt(step, p.path)
	switch {
	case slices.Contains(free, p.kind+" "+way):
		return true
	case way == "swapped" && strings.HasSuffix(p.kind, "records"):
		list := v.([]any)
		return typeOf(list[0]) == typeOf(list[1])
	case way == "changed" && hash(p):
		return strings.Count(string(trace.source.JSON), fmt.Sprint(v)) < 3
	}
	return false
}

// hash reports a metadata hash: which one is odd only the whole trace tells.
func hash(p place) bool { return strings.HasSuffix(p.kind, ".metadataHash") }

func typeOf(rec any) any { return rec.(map[string]any)["type"] }

// passing are the traces that pass.
func passing(t testing.TB) []conformance.Source {
	var out []conformance.Source
	for _, archive := range archives {
		for _, src := range traces(t, archive.file) {
			if !slices.Contains(archive.failing, src.Line) {
				out = append(out, src)
			}
		}
	}
	return out
}

// occurrences lists all kinds of fields that the traces have, and the ways to
// make each wrong.
func occurrences(t testing.TB) map[string]occurrence {
	once.Do(func() { all = findOccurrences(t) })
	return all
}

var (
	once sync.Once
	all  map[string]occurrence
)

func findOccurrences(t testing.TB) map[string]occurrence {
	out := map[string]occurrence{}
	for _, src := range passing(t) {
		trace := copyOf(t, src)
		for i := range trace.steps {
			step := trace.step(t, i)
			for _, p := range places(step) {
				for _, way := range ways(valueAt(step, p.path)) {
					name := p.kind + " " + way
					if known, ok := out[name]; (!ok || i < known.step) && !harmless(&trace, step, p, way) {
						out[name] = occurrence{&trace, i, p, way}
					}
				}
			}
		}
	}
	return out
}

// TestOneWrongValueOfAnyKindIsFoundAtItsStepAndField: the judge is judged.
// For each kind of field, and each way to make it wrong, a copy of a trace
// has that one fault in it.
func TestOneWrongValueOfAnyKindIsFoundAtItsStepAndField(t *testing.T) {
	kinds := occurrences(t)
	for _, name := range slices.Sorted(maps.Keys(kinds)) {
		o := kinds[name]
		step := o.trace.step(t, o.step)
		put(step, o.place.path, mutated(valueAt(step, o.place.path), o.way))
		report := conformance.Run(o.trace.with(t, o.step, step, hash(o.place)), conformance.Options{})
		assert.True(t, found(report, o.step, o.place), "%s: %s, step %d, %v %s: %v%v%v",
			name, o.trace.source.Name, o.step+1, o.place, o.way, report.Panic, report.Fault, report.Differences)
	}
}

// TestAnyOneWrongValueIsFound is the same anywhere in any trace, drawn at
// random from a fixed seed.
func TestAnyOneWrongValueIsFound(t *testing.T) {
	traces, random := passing(t), rand.New(rand.NewPCG(848, 1071))
	for range 150 {
		trace := copyOf(t, traces[random.IntN(len(traces))])
		i := random.IntN(len(trace.steps))
		step := trace.step(t, i)
		list := places(step)
		p := list[random.IntN(len(list))]
		v := valueAt(step, p.path)
		way := ways(v)[random.IntN(len(ways(v)))]
		if harmless(&trace, step, p, way) {
			continue
		}
		put(step, p.path, mutated(v, way))
		report := conformance.Run(trace.with(t, i, step, hash(p)), conformance.Options{})
		assert.True(t, found(report, i, p), "%s:%d, step %d, %v %s: %v%v%v",
			trace.source.Name, trace.source.Line, i+1, p, way, report.Panic, report.Fault, report.Differences)
	}
}

// found reports that a run found fault with a place, in its step.
func found(r conformance.Report, step int, p place) bool {
	if r.Passed() || r.Panic != "" {
		return false
	}
	where := p.String()
	if r.Fault != nil {
		return strings.Contains(r.Fault.Error(), fmt.Sprintf("step %d: %s", step+1, where))
	}
	return slices.ContainsFunc(r.Differences, func(d conformance.Difference) bool {
		return d.Step == step+1 && (d.Field == where || inside(d.Field, where) || inside(where, d.Field))
	})
}

// inside reports that a field is part of another.
func inside(field, of string) bool {
	rest, ok := strings.CutPrefix(field, of)
	return ok && (rest[0] == '.' || rest[0] == '[')
}

// TestOrdersThatAreFreeDoNotCount: Kafka walks hash tables there.
func TestOrdersThatAreFreeDoNotCount(t *testing.T) {
	for what, order := range map[string]struct {
		list func(step map[string]any) []any
		free func(v any) bool
	}{
		"targets in a row":                  {list("records"), named("ConsumerGroupTargetAssignmentMember")},
		"the regexes of a refresh":          {list("async", 0, "records"), named("ConsumerGroupRegularExpression")},
		"described members":                 {list("response", "members"), always},
		"names that a described member has": {list("response", "members", 0, "subscribedTopicNames"), always},
	} {
		t.Run(what, func(t *testing.T) {
			trace, i, step := swapped(t, order.list, order.free)
			report := conformance.Run(trace.with(t, i, step, true), conformance.Options{})
			assert.True(t, report.Passed(), "%v", report.Differences)
		})
	}
}

func named(kind string) func(any) bool {
	return func(v any) bool { return v.(map[string]any)["type"] == kind }
}

func always(any) bool { return true }

// list finds a list in a step, nil when there is none.
func list(path ...any) func(map[string]any) []any {
	return func(step map[string]any) []any {
		var v any = step
		for _, part := range path {
			switch part := part.(type) {
			case string:
				in, _ := v.(map[string]any)
				v = in[part]
			case int:
				in, _ := v.([]any)
				if part >= len(in) {
					return nil
				}
				v = in[part]
			}
		}
		out, _ := v.([]any)
		return out
	}
}

// swapped finds the first two elements that stand in a row and are free, and
// swaps them.
func swapped(t *testing.T, list func(map[string]any) []any, free func(any) bool) (*copied, int, map[string]any) {
	t.Helper()
	for _, src := range passing(t) {
		trace := copyOf(t, src)
		for i := range trace.steps {
			step := trace.step(t, i)
			l := list(step)
			for j := 1; j < len(l); j++ {
				if free(l[j-1]) && free(l[j]) && !equal(l[j-1], l[j]) {
					l[j-1], l[j] = l[j], l[j-1]
					return &trace, i, step
				}
			}
		}
	}
	require.Fail(t, "no trace has two of them")
	return nil, 0, nil
}
