package scenario

import (
	"fmt"
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

// set notes a check of a set of partitions; the note says which are missing
// and which were not expected.
func (x *expecting) set(path string, n *node, got func(o *observed) (protocol.Assignment, string)) {
	read := x.partitions
	if x.world.streams {
		read = x.tasks
	}
	want, ok := read(n)
	if !ok {
		return
	}
	name := x.world.nameOf
	x.checks = append(x.checks, check{x.rules, path, n.at, listed(want, name), func(o *observed) (string, string, bool) {
		set, other := got(o)
		if other != "" {
			return other, "", false
		}
		note := compareSets(want, set, name)
		return listed(set, name), note, note == ""
	}})
}

var responseKeys = []string{"member", "epoch", "assignment", "error"}

func (x *expecting) response(n *node) {
	if absent(n) {
		x.add("response", n, absentWord, (*observed).answer)
		return
	}
	what, keys := "response is {epoch: 1, assignment: {foo: [0]}}, or absent", responseKeys
	if x.world.streams {
		what, keys = "response is {epoch: 1, active: {0: [0]}}, or absent", streamsResponseKeys
	}
	if !x.shape(n, what, keys, nil) {
		return
	}
	for _, e := range n.entries {
		switch v, path := e.value, "response."+e.key.text; e.key.text {
		case "member":
			if absent(v) {
				x.add(path, v, absentWord, (*observed).answered)
			} else if name, ok := x.numberedMember(v); ok {
				x.add(path, v, name, (*observed).answered)
			}
		case "epoch":
			x.epoch(path, v, (*observed).answerEpoch)
		case "error":
			x.errorName(path, v)
		case "assignment":
			if absent(v) {
				x.add(path, v, absentWord, (*observed).answerAssignment)
				continue
			}
			x.set(path, v, (*observed).answerSet)
		default:
			x.streamsResponse(path, e)
		}
	}
}

func (x *expecting) errorName(path string, n *node) {
	if code, ok := x.errorCode(n); ok {
		x.add(path, n, code.String(), (*observed).answerError)
	}
}

// shape checks a mapping of an expectation; later names keys with the reason
// why they cannot be there yet.
func (x *expecting) shape(n *node, what string, known []string, later map[string]string) bool {
	if n.kind != mapping {
		x.wanted(n, what)
		return false
	}
	for _, e := range n.entries {
		if hint, ok := later[e.key.text]; ok {
			x.fault(e.key, "not yet: "+e.key.text, hint)
		} else if !slices.Contains(known, e.key.text) {
			x.unknownKey(e.key, known)
		}
	}
	return true
}

func (x *expecting) records(n *node) {
	if n.kind != list {
		x.wanted(n, "records are a list in the order written, [5A, 3, 7A, 6, 8A]")
		return
	}
	var want []string
	before := len(x.diagnostics)
	for _, item := range n.items {
		want = append(want, x.record(item))
	}
	if len(x.diagnostics) == before {
		x.add("records", n, "["+strings.Join(want, ", ")+"]", (*observed).written)
	}
}

// record checks the short name of a record: T for a tombstone, the record's
// number, and the member it is about.
func (x *expecting) record(n *node) string {
	what := "a record is 3, 6, 5A, 7A or 8A, 16 and a regex, or 1 and a partition, with T in front when it deletes"
	ofMember, ofGroup := []string{"5", "7", "8"}, []string{"2", "3", "4", "6"}
	if x.world.streams {
		what = "a record is 17, 20, 23, 19A, 21A or 22A, with T in front when it deletes"
		streamsMember, streamsGroup := []string{"19", "21", "22"}, []string{"17", "20", "23"}
		if x.world.other {
			what += "; one of the group that had the id before is 3, 6, 5A, 7A or 8A"
		} else {
			ofMember, ofGroup = nil, nil
		}
		ofMember, ofGroup = append(ofMember, streamsMember...), append(ofGroup, streamsGroup...)
	}
	s, ok := x.text(n, what)
	if !ok {
		return ""
	}
	bare := strings.TrimPrefix(s, "T")
	member := strings.TrimLeft(bare, "0123456789")
	number := strings.TrimSuffix(bare, member)
	switch {
	case slices.Contains(ofMember, number):
		if member == "" {
			x.fault(n, "record "+number+" is about a member: write "+number+"A", "")
			return s
		}
		if base, first := strings.CutSuffix(member, "~1"); first {
			x.fault(n, "records carry member ids, and that of "+member+" is "+base, "Write "+strings.TrimSuffix(s, "~1"))
			return s
		}
		x.numberedMember(&node{kind: text, at: n.at, text: member})
	case strings.HasPrefix(bare, "16") && len(bare) > 2 && !x.world.streams:
	case strings.HasPrefix(bare, "1") && member != "" && number == "1":
		x.partition(&node{kind: text, at: n.at, text: bare[1:]})
	case slices.Contains(ofGroup, number):
		if member != "" {
			x.fault(n, "record "+number+" is about the group: write "+number, "")
		}
	default:
		x.wanted(n, what)
	}
	return s
}

var groupKeys = []string{"type", "epoch", "target-epoch", "state", "size", "assignor", "regexes"}

func (x *expecting) group(n *node) {
	if absent(n) {
		x.add("group", n, absentWord, (*observed).groupThere)
		return
	}
	keys := groupKeys
	if x.world.streams {
		keys = streamsGroupKeys
	}
	if !x.shape(n, "group is {epoch: 1, target-epoch: 1, state: Stable}, or absent", keys, nil) {
		return
	}
	for _, e := range n.entries {
		switch v, path := e.value, "group."+e.key.text; e.key.text {
		case "epoch":
			x.epoch(path, v, (*observed).groupEpoch)
		case "target-epoch":
			x.epoch(path, v, (*observed).targetEpoch)
		case "type":
			x.word(path, v, "group type", groupTypes(), (*observed).groupType)
		case "state":
			x.word(path, v, "group state", groupStates(x.world.streams), (*observed).groupState)
		case "size":
			x.number(path, v, (*observed).size)
		case "assignor":
			x.word(path, v, "assignor", Assignors, (*observed).assignor)
		case "regexes":
			x.regexes(path, v)
		default:
			x.streamsGroup(path, e)
		}
	}
}

// unowned is a list of partitions, or a span of time.
func (x *expecting) unowned(n *node) {
	if n.kind == list || n.kind == mapping {
		x.set("unowned", n, (*observed).unownedSet)
		return
	}
	if !n.scalar() {
		x.wanted(n, "unowned is a list of partitions, or how long at most: 0s..6s")
		return
	}
	low, high, ok := x.span(n)
	if !ok {
		return
	}
	name := x.world.nameOf
	x.checks = append(x.checks, check{x.rules, "unowned", n.at, fmt.Sprintf("%v..%v", low, high), func(o *observed) (string, string, bool) {
		who := ""
		if o.longest > 0 {
			who = name(o.longestOf) + " had no owner for longest"
		}
		return o.longest.String(), who, o.longest >= low && o.longest <= high
	}})
}

func (x *expecting) violations(n *node) {
	items, ok := x.names(n, "violations are a list of invariants, [] for none")
	if !ok {
		return
	}
	var want []string
	for _, item := range items {
		name, known := x.oneOf(item, "invariant", invariants())
		ok = ok && known
		want = append(want, name)
	}
	if ok {
		slices.Sort(want)
		x.add("violations", n, "["+strings.Join(slices.Compact(want), ", ")+"]", (*observed).violated)
	}
}
