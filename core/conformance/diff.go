package conformance

import (
	"fmt"
	"slices"
)

// absent stands for a field that is not there.
type absent struct{}

// comparison finds where two values differ, and names each place by its path.
type comparison struct {
	differences []Difference
	// equal decides about two values by itself; decided says that it did.
	equal func(want, got any) (same, decided bool)
}

func (c *comparison) differ(path string, want, got any) {
	c.differences = append(c.differences, Difference{Field: path, Got: valueText(got), Want: valueText(want)})
}

func valueText(v any) string {
	if _, ok := v.(absent); ok {
		return "nothing"
	}
	return asText(v)
}

// compare compares a value of the trace with ours.
func (c *comparison) compare(path string, want, got any) {
	if c.equal != nil {
		if same, decided := c.equal(want, got); decided {
			if !same {
				c.differ(path, want, got)
			}
			return
		}
	}
	switch w := want.(type) {
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
			c.differ(joined(path, name), w, absent{})
			continue
		}
		c.compare(joined(path, name), w, g)
	}
	for name, g := range got {
		if _, ok := want[name]; !ok {
			c.differ(joined(path, name), absent{}, g)
		}
	}
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
	if plain(want) && plain(got) {
		if !slices.Equal(want, got) {
			c.differ(path, want, got)
		}
		return
	}
	for _, p := range align(want, got) {
		at := fmt.Sprintf("%s[%d]", path, p.want)
		switch {
		case p.got < 0:
			c.differ(at, want[p.want], absent{})
		case p.extra:
			c.differ(at, absent{}, got[p.got])
		default:
			c.compare(at, want[p.want], got[p.got])
		}
	}
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

// pair matches elements of two lists by index; got is -1 for one that we
// lack, extra marks one that only we have, where it would stand in want.
type pair struct {
	want, got int
	extra     bool
}

// align pairs the elements of two lists by what they are about, so that one
// that is missing or too many does not shift all that follow. Between two
// elements that are paired so, the others are paired in their order.
func align(want, got []any) []pair {
	w, g := identities(want), identities(got)
	common := longestCommon(w, g)
	var out []pair
	i, j := 0, 0
	for _, at := range append(common, [2]int{len(w), len(g)}) {
		for ; i < at[0] && j < at[1]; i, j = i+1, j+1 {
			out = append(out, pair{want: i, got: j})
		}
		for ; i < at[0]; i++ {
			out = append(out, pair{want: i, got: -1})
		}
		for ; j < at[1]; j++ {
			out = append(out, pair{want: i, got: j, extra: true})
		}
		if i < len(w) {
			out = append(out, pair{want: i, got: j})
		}
		i, j = i+1, j+1
	}
	return out
}

// longestCommon lists the index pairs of a longest common subsequence.
func longestCommon(a, b []string) [][2]int {
	if slices.Equal(a, b) {
		out := make([][2]int, len(a))
		for i := range a {
			out[i] = [2]int{i, i}
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
	var out [][2]int
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] == b[j]:
			out = append(out, [2]int{i, j})
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

// sortDifferences orders them as the fields stand in a step: what was
// answered first, then what was written, then what became of the group.
func sortDifferences(list []Difference, order []string) {
	rank := func(d Difference) int {
		for i, name := range order {
			if d.Field == name || len(d.Field) > len(name) && d.Field[:len(name)] == name && (d.Field[len(name)] == '.' || d.Field[len(name)] == '[') {
				return i
			}
		}
		return len(order)
	}
	slices.SortStableFunc(list, func(a, b Difference) int {
		if c := rank(a) - rank(b); c != 0 {
			return c
		}
		return natural(a.Field, b.Field)
	})
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
