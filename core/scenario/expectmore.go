package scenario

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"groupscope/core/protocol"
	"groupscope/core/sim"
)

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

func (o *observed) size() string {
	if g := o.state.Group; g != nil {
		return strconv.Itoa(len(g.Members))
	}
	return absentWord
}

func (o *observed) assignor() string {
	if g := o.state.Group; g != nil {
		return g.PreferredAssignor
	}
	return absentWord
}

// heartbeats counts those that the coordinator answered in the step.
func (o *observed) heartbeats() string {
	n := 0
	for _, e := range o.events {
		if _, ok := e.What.(sim.Handled); ok {
			n++
		}
	}
	return strconv.Itoa(n)
}

// moved counts the partitions that the target gives to another member than it
// did before the step. A member that was restarted is the same one.
func (o *observed) moved() string {
	before, n := targetOf(o.before), 0
	for p, now := range targetOf(o.state) {
		if was, had := before[p]; had && was != now {
			n++
		}
	}
	return strconv.Itoa(n)
}

// targetOf says to whom the target gives each partition.
func targetOf(s *sim.State) map[protocol.Partition]string {
	out := map[protocol.Partition]string{}
	if s.Group == nil {
		return out
	}
	for _, m := range s.Group.Members {
		for _, p := range m.Target.Partitions() {
			out[p] = s.NameOf(m.ID)
		}
	}
	return out
}

// regexes reads which regexes are resolved, and to which topics.
func (x *expecting) regexes(path string, n *node) {
	const what = "regexes are a mapping to the topics that matched, {ev.*: [ev-1]}, {} for none"
	if n.kind != mapping {
		x.wanted(n, what)
		return
	}
	want := map[string][]string{}
	for _, e := range n.entries {
		items, ok := x.names(e.value, what)
		if !ok {
			return
		}
		topics := []string{}
		for _, item := range items {
			topics = append(topics, item.text)
		}
		want[e.key.text] = topics
	}
	x.add(path, n, resolutions(want), func(o *observed) string {
		if o.state.Group == nil {
			return absentWord
		}
		got := map[string][]string{}
		for _, r := range o.state.Group.ResolvedRegexes {
			got[r.Regex] = r.Topics
		}
		return resolutions(got)
	})
}

func resolutions(byRegex map[string][]string) string {
	var out []string
	for regex, topics := range byRegex {
		out = append(out, regex+": ["+strings.Join(slices.Sorted(slices.Values(topics)), ", ")+"]")
	}
	slices.Sort(out)
	return "{" + strings.Join(out, ", ") + "}"
}

// described reads what a tool was told: the partitions of each member that is
// named, those to be revoked counted in.
func (x *expecting) described(n *node) {
	if absent(n) {
		x.add("described", n, absentWord, func(o *observed) string {
			if d := o.description(); d != nil {
				return "a description"
			}
			return absentWord
		})
		return
	}
	if n.kind != mapping {
		x.wanted(n, "described is a mapping from members to what a tool is told that they have, {A: [foo-0]}")
		return
	}
	for _, e := range n.entries {
		name, ok := x.numberedMember(e.key)
		if !ok {
			continue
		}
		x.set("described."+name, e.value, func(o *observed) (protocol.Assignment, string) { return o.describedMember(name) })
	}
}

// description is the last one of the step, nil when there was none.
func (o *observed) description() *sim.Operated {
	for _, e := range slices.Backward(o.events) {
		if d, ok := e.What.(sim.Operated); ok && d.Operation == sim.Description {
			return &d
		}
	}
	return nil
}

func (o *observed) describedMember(name string) (protocol.Assignment, string) {
	d := o.description()
	switch {
	case d == nil:
		return nil, absentWord
	case d.Error != protocol.None:
		return nil, d.Error.String()
	}
	_, id := o.state.Named(name)
	for _, m := range d.Description.Members {
		if m.MemberID == id {
			return m.Assignment, ""
		}
	}
	return nil, absentWord
}

// assignmentEpochs reads since which epoch a member has had each partition
// that is named.
func (x *expecting) assignmentEpochs(path, name string, n *node) {
	if n.kind != mapping {
		x.wanted(n, "assignment-epochs are a mapping from partitions to epochs, {foo-0: 2}")
		return
	}
	for _, e := range n.entries {
		read := x.partition
		if x.world.streams {
			read = x.task
		}
		p, ok := read(e.key)
		if !ok {
			continue
		}
		since := func(o *observed) string {
			m := o.member(name)
			if m == nil {
				return absentWord
			}
			for _, h := range slices.Concat(m.Assigned, m.PendingRevocation) {
				if h.Partition == p {
					return fmt.Sprint(h.AssignmentEpoch)
				}
			}
			return absentWord
		}
		if absent(e.value) {
			x.add(path+"."+e.key.text, e.value, absentWord, since)
			continue
		}
		x.epoch(path+"."+e.key.text, e.value, since)
	}
}

// calls reads which callbacks a client's application was called with in the
// step, in order.
func (x *expecting) calls(path, name string, n *node) {
	items, ok := x.names(n, "calls are a list of callbacks in order, ["+strings.Join(x.callbacksOf(), ", ")+"]")
	if !ok {
		return
	}
	var want []string
	for _, item := range items {
		word, known := x.oneOf(item, "callback", x.callbacksOf())
		ok = ok && known
		want = append(want, word)
	}
	if !ok {
		return
	}
	x.add(path, n, "["+strings.Join(want, ", ")+"]", func(o *observed) string {
		var got []string
		for _, e := range o.events {
			if c, ok := e.What.(sim.Called); ok && c.Member == name && !c.Done {
				got = append(got, c.What)
			}
		}
		return "[" + strings.Join(got, ", ") + "]"
	})
}
