package scenario

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"groupscope/core/coordinator"
	"groupscope/core/sim"
)

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
	if !x.mapping(n, "group is {epoch: 1, target-epoch: 1, state: Stable}, or absent", keys) {
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
		i := slices.IndexFunc(sim.Invariants, func(inv sim.Invariant) bool { return inv.Name == item.text })
		if i >= 0 && sim.Invariants[i].Says == "" && !x.fits(streamsProtocol) {
			x.misplaced(item, "the invariant "+item.text, streamsProtocol)
			return
		}
		name, known := x.oneOf(item, "invariant", invariants())
		ok = ok && known
		want = append(want, name)
	}
	if ok {
		slices.Sort(want)
		x.add("violations", n, "["+strings.Join(slices.Compact(want), ", ")+"]", (*observed).violated)
	}
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

func groupStates(streams bool) []string {
	out := []string{coordinator.Empty.String(), coordinator.Assigning.String(), coordinator.Reconciling.String(), coordinator.Stable.String()}
	if streams {
		out = append(out, coordinator.NotReady.String())
	}
	return out
}

// groupTypes are the words for which protocol a group follows.
func groupTypes() []string {
	return []string{coordinator.ConsumerType.String(), coordinator.ClassicType.String(), coordinator.StreamsType.String()}
}

// invariants are the names of sim.Violation.
func invariants() []string {
	out := make([]string, len(sim.Invariants))
	for i, inv := range sim.Invariants {
		out[i] = inv.Name
	}
	return out
}
