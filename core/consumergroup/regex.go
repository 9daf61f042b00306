package consumergroup

import (
	"maps"
	"slices"

	"groupscope/core/protocol"
	"groupscope/core/record"
)

// Regexes lists the regexes that are resolved, sorted.
func (g *Group) Regexes() []string { return slices.Sorted(maps.Keys(g.resolved)) }

// UsesRegexes reports whether a member subscribes by a regex.
func (g *Group) UsesRegexes() bool { return len(g.regexUsers) > 0 }

// ResolvedRegexes counts the regexes that are resolved.
func (g *Group) ResolvedRegexes() int { return len(g.resolved) }

// RegexesWith counts the regexes that somebody subscribes to, with a member's
// changed from one to another ("" for none).
func (g *Group) RegexesWith(before, after string) int {
	n := len(g.regexUsers)
	if before == after {
		return n
	}
	if before != "" && g.regexUsers[before] == 1 {
		n--
	}
	if after != "" && g.regexUsers[after] == 0 {
		n++
	}
	return n
}

// Resolved is what a regex was resolved to, and whether it was.
func (g *Group) Resolved(regex string) (record.RegularExpressionValue, bool) {
	v, ok := g.resolved[regex]
	return v, ok
}

// LastResolved is the time and the metadata version of the resolutions that
// are stored; false when there is none. They are all of one refresh.
func (g *Group) LastResolved() (at protocol.Instant, version int64, ok bool) {
	for _, v := range g.resolved {
		return v.Timestamp, v.Version, true
	}
	return 0, 0, false
}

func (g *Group) applyRegex(r record.Record) error {
	g.counted = true
	for _, topic := range g.resolved[r.Key.Regex].Topics {
		addCount(g.matches, topic, -1)
	}
	if r.Value == nil {
		delete(g.resolved, r.Key.Regex)
		return nil
	}
	v, err := record.ValueOf[record.RegularExpressionValue](r)
	if err != nil {
		return err
	}
	for _, topic := range v.Topics {
		addCount(g.matches, topic, 1)
	}
	g.resolved[r.Key.Regex] = v
	return nil
}
