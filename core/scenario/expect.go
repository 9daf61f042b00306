package scenario

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"groupscope/core/protocol"
)

// Expect is what a step expects of the world after it. It compares only what
// the file names.
type Expect struct{ checks []check }

// check is one value of an expectation, with its place.
type check struct {
	rules string // only under this rule set; "" under each
	path  string // such as members.A.epoch
	at    place
	want  string
	test  func(o *observed) (got, note string, ok bool)
}

var expectKeys = []string{"response", "records", "group", "members", "unowned", "moved", "heartbeats", "described", "violations"}

// expecting reads the checks of one step, all under the same rule set.
type expecting struct {
	*reader
	rules  string
	checks []check
}

func (r *reader) expect(n *node) *Expect {
	if n.kind != mapping {
		r.wanted(n, "expect is a mapping, {group: {epoch: 1}}")
		return nil
	}
	out := &Expect{}
	for _, e := range n.entries {
		if !slices.Contains(ruleSets, e.key.text) {
			continue
		}
		x := &expecting{reader: r, rules: e.key.text}
		if e.value.kind != mapping {
			r.wanted(e.value, "what is expected under "+x.rules+" belongs here, {group: {epoch: 1}}")
			continue
		}
		for _, inner := range e.value.entries {
			x.key(inner, expectKeys)
		}
		out.checks = append(out.checks, x.checks...)
	}
	x := &expecting{reader: r}
	for _, e := range n.entries {
		if !slices.Contains(ruleSets, e.key.text) {
			x.key(e, slices.Concat(expectKeys, ruleSets))
		}
	}
	out.checks = append(out.checks, x.checks...)
	return out
}

func (x *expecting) key(e entry, known []string) {
	switch n := e.value; e.key.text {
	case "response":
		x.response(n)
	case "records":
		x.records(n)
	case "group":
		x.group(n)
	case "members":
		x.members(n)
	case "unowned":
		x.unowned(n)
	case "moved":
		x.number("moved", n, (*observed).moved)
	case "heartbeats":
		x.number("heartbeats", n, (*observed).heartbeats)
	case "described":
		x.described(n)
	case "violations":
		x.violations(n)
	default:
		x.unknownKey(e.key, known)
	}
}

// add notes a check that compares two words.
func (x *expecting) add(path string, n *node, want string, got func(o *observed) string) {
	x.checks = append(x.checks, check{x.rules, path, n.at, want, func(o *observed) (string, string, bool) {
		g := got(o)
		return g, "", g == want
	}})
}

// absent reports whether the file says that something is not there: the word
// absent, or null.
func absent(n *node) bool {
	return n.kind == nothing && !n.blank || n.kind == text && n.text == absentWord
}

const absentWord = "absent"

func (x *expecting) epoch(path string, n *node, got func(o *observed) string) {
	if v, ok := x.integer(n, "an epoch is a whole number", -2, math.MaxInt32); ok {
		x.add(path, n, strconv.FormatInt(v, 10), got)
	}
}

func (x *expecting) word(path string, n *node, what string, known []string, got func(o *observed) string) {
	if v, ok := x.oneOf(n, what, known); ok {
		x.add(path, n, v, got)
	}
}

// set notes a check of a set of partitions, of tasks in a file about a streams
// group.
func (x *expecting) set(path string, n *node, got func(o *observed) (protocol.Assignment, string)) {
	read := x.partitions
	if x.world.streams {
		read = x.tasks
	}
	if want, ok := read(n); ok {
		x.sameSet(path, n, want, x.world.nameOf, got)
	}
}

// sameSet notes a check of a set; the note says which are missing and which
// were not expected.
func (x *expecting) sameSet(path string, n *node, want protocol.Assignment, name func(protocol.Partition) string, got func(o *observed) (protocol.Assignment, string)) {
	x.checks = append(x.checks, check{x.rules, path, n.at, listed(want, name), func(o *observed) (string, string, bool) {
		set, other := got(o)
		if other != "" {
			return other, "", false
		}
		note := compareSets(want, set, name)
		return listed(set, name), note, note == ""
	}})
}

// number reads a number, or the least and the most that it may be: 10..20.
func (x *expecting) number(path string, n *node, got func(o *observed) string) {
	const what = "a whole number belongs here, or the least and the most, 10..20"
	first, second, two := strings.Cut(n.text, "..")
	if n.kind != text || !two {
		if v, ok := x.integer(n, what, 0, math.MaxInt32); ok {
			x.add(path, n, strconv.FormatInt(v, 10), got)
		}
		return
	}
	low, err := strconv.ParseInt(first, 10, 32)
	high, alsoErr := strconv.ParseInt(second, 10, 32)
	if err != nil || alsoErr != nil || low < 0 || low > high {
		x.wanted(n, what)
		return
	}
	x.checks = append(x.checks, check{x.rules, path, n.at, n.text, func(o *observed) (string, string, bool) {
		g := got(o)
		v, err := strconv.ParseInt(g, 10, 64)
		return g, "", err == nil && v >= low && v <= high
	}})
}

// listed writes a set of partitions as "[foo-0, foo-1]".
func listed(set protocol.Assignment, name func(protocol.Partition) string) string {
	var names []string
	for _, p := range set.Partitions() {
		names = append(names, name(p))
	}
	return "[" + strings.Join(names, ", ") + "]"
}

// compareSets says what the second set lacks and has too much; "" when both
// hold the same.
func compareSets(want, got protocol.Assignment, name func(protocol.Partition) string) string {
	var missing, extra []string
	for _, p := range want.Partitions() {
		if !got.Contains(p) {
			missing = append(missing, name(p))
		}
	}
	for _, p := range got.Partitions() {
		if !want.Contains(p) {
			extra = append(extra, name(p))
		}
	}
	var parts []string
	for _, side := range []struct {
		names []string
		one   string
		many  string
	}{{missing, " is missing", " are missing"}, {extra, " was not expected", " were not expected"}} {
		switch len(side.names) {
		case 0:
		case 1:
			parts = append(parts, side.names[0]+side.one)
		default:
			parts = append(parts, andList(side.names)+side.many)
		}
	}
	return strings.Join(slices.Compact(parts), "; ")
}
