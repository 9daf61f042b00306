package conformance

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// absent stands for a field that is not there.
type absent struct{}

// comparison finds where two values differ, and names each place by its path.
type comparison struct {
	differences []Difference
	// hashes decides about metadata hashes, later.
	hashes *hashes
	// order returns the indexes of a list's elements in an order in which the
	// two lists can be compared, nil for that in which they stand. Without it
	// every order counts.
	order func(path string, list []any) []int
}

func (c *comparison) differ(path string, want, got any) {
	c.differences = append(c.differences, Difference{Field: path, Got: valueText(got), Want: valueText(want)})
}

func valueText(v any) string {
	switch v.(type) {
	case absent:
		return "nothing"
	case hash:
		return "a hash"
	}
	return asText(v)
}

// compare compares a value of the trace with ours.
func (c *comparison) compare(path string, want, got any) {
	switch w := want.(type) {
	case int64:
		if ours, ok := got.(hash); ok {
			c.hashes.note(path, w, ours)
			return
		}
		if want == got {
			return
		}
	case map[string]any:
		if g, ok := got.(map[string]any); ok {
			c.objects(path, w, g)
			return
		}
	case []any:
		if g, ok := got.([]any); ok {
			c.lists(path, w, g)
			return
		}
	default:
		if want == got {
			return
		}
	}
	c.differ(path, want, got)
}

func (c *comparison) objects(path string, want, got map[string]any) {
	for name, w := range want {
		g, ok := got[name]
		if !ok {
			g = lacking(w)
		}
		c.compare(joined(path, name), w, g)
	}
	for name, g := range got {
		if _, ok := want[name]; !ok {
			c.compare(joined(path, name), lacking(g), g)
		}
	}
}

// lacking is what stands for a field that one side does not have: a list of
// objects is shown element by element.
func lacking(other any) any {
	if list, ok := other.([]any); ok && !plain(list) {
		return []any{}
	}
	return absent{}
}

func joined(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// lists compares lists of objects element by element, those of plain values
// as one value.
func (c *comparison) lists(path string, want, got []any) {
	w, g := c.ordered(path, want), c.ordered(path, got)
	if plain(want) && plain(got) {
		if !slices.Equal(w.values, g.values) {
			c.differ(path, want, got)
		}
		return
	}
	for _, p := range align(w.values, g.values) {
		switch {
		case p.got < 0:
			c.differ(w.at(p.want), w.values[p.want], absent{})
		case p.want < 0:
			c.differ(g.at(p.got), absent{}, g.values[p.got])
		default:
			c.compare(w.at(p.want), w.values[p.want], g.values[p.got])
		}
	}
}

// ordered is a list in the order in which it is compared.
type ordered struct {
	path   string
	values []any
	order  []int // where each stands
}

func (c *comparison) ordered(path string, list []any) ordered {
	out := ordered{path: path, values: list}
	if c.order == nil {
		return out
	}
	if out.order = c.order(path, list); out.order != nil {
		out.values = make([]any, len(list))
		for i, from := range out.order {
			out.values[i] = list[from]
		}
	}
	return out
}

func (o ordered) at(i int) string {
	if o.order != nil {
		i = o.order[i]
	}
	return fmt.Sprintf("%s[%d]", o.path, i)
}

func plain(list []any) bool {
	return !slices.ContainsFunc(list, func(v any) bool {
		switch v.(type) {
		case map[string]any, []any:
			return true
		}
		return false
	})
}

// pair matches elements of two lists by index, -1 for one that is missing.
type pair struct{ want, got int }

// align pairs the elements of two lists by what they are about, so that one
// that is missing or too many does not shift all that follow. Between two
// elements that are paired so, the others are paired in their order.
func align(want, got []any) []pair {
	w, g := identities(want), identities(got)
	var out []pair
	i, j := 0, 0
	for _, at := range append(longestCommon(w, g), pair{len(w), len(g)}) {
		for ; i < at.want && j < at.got; i, j = i+1, j+1 {
			out = append(out, pair{i, j})
		}
		for ; i < at.want; i++ {
			out = append(out, pair{i, -1})
		}
		for ; j < at.got; j++ {
			out = append(out, pair{-1, j})
		}
		if i < len(w) {
			out = append(out, at)
		}
		i, j = i+1, j+1
	}
	return out
}

// longestCommon pairs the elements of a longest common subsequence.
func longestCommon(a, b []string) []pair {
	if slices.Equal(a, b) {
		out := make([]pair, len(a))
		for i := range a {
			out[i] = pair{i, i}
		}
		return out
	}
	// length[i][j] is that of a[i:] and b[j:].
	length := make([][]int, len(a)+1)
	for i := range length {
		length[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				length[i][j] = length[i+1][j+1] + 1
			} else {
				length[i][j] = max(length[i+1][j], length[i][j+1])
			}
		}
	}
	var out []pair
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] == b[j]:
			out = append(out, pair{i, j})
			i, j = i+1, j+1
		case length[i+1][j] >= length[i][j+1]:
			i++
		default:
			j++
		}
	}
	return out
}

// identifying are the fields that say what an element of a list is about.
var identifying = []string{
	"type", "key", "timer", "task", "step", "memberId", "subtopologyId", "partition", "name", "topic", "userEndpoint", "statusCode",
}

func identities(list []any) []string {
	out := make([]string, len(list))
	for i, v := range list {
		out[i] = identity(v)
	}
	return out
}

func identity(v any) string {
	object, ok := v.(map[string]any)
	if !ok {
		return asText(v)
	}
	about := map[string]any{}
	for _, name := range identifying {
		if part, ok := object[name]; ok {
			about[name] = part
		}
	}
	return asText(about)
}

// sorted puts differences in the order in which the fields of a step are
// looked at: what was answered first, then what was written, then what became
// of the group. One that is found twice stands once.
func sorted(list []Difference) []Difference {
	rank := func(d Difference) int {
		top, _, _ := strings.Cut(d.Field, ".")
		top, _, _ = strings.Cut(top, "[")
		return slices.Index(outputs, top)
	}
	slices.SortStableFunc(list, func(a, b Difference) int {
		return cmp.Or(rank(a)-rank(b), natural(a.Field, b.Field))
	})
	return slices.CompactFunc(list, func(a, b Difference) bool { return a.Field == b.Field })
}

// natural orders texts with the numbers in them by their size.
func natural(a, b string) int {
	for a != "" && b != "" {
		if digit(a[0]) && digit(b[0]) {
			x, y := digits(a), digits(b)
			if len(x) != len(y) {
				return len(x) - len(y)
			}
			if x != y {
				return slices.Compare([]byte(x), []byte(y))
			}
			a, b = a[len(x):], b[len(y):]
			continue
		}
		if a[0] != b[0] {
			return int(a[0]) - int(b[0])
		}
		a, b = a[1:], b[1:]
	}
	return len(a) - len(b)
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

func digits(s string) string {
	for i := range len(s) {
		if !digit(s[i]) {
			return s[:i]
		}
	}
	return s
}
