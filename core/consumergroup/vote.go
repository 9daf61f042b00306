package consumergroup

import "groupscope/core/rules"

// PreferredAssignor is the assignor that the stored votes choose: the one
// with the most, or the first configured one when nobody votes.
func (g *Group) PreferredAssignor(configured []string, tie rules.TieBreak) string {
	return g.choose("", "", configured, tie)
}

// PreferredAssignorWith is the choice with one member's vote replaced by
// another ("" for none).
func (g *Group) PreferredAssignorWith(before, after string, configured []string, tie rules.TieBreak) string {
	return g.choose(before, after, configured, tie)
}

// choose elects among the configured assignors. Under HashOrder the broker's
// two counts order a tie of uniform and range differently: the stored one
// names uniform; the one made for a request names range if the two have one
// vote each and the request's own vote, put in last, is for range.
func (g *Group) choose(before, after string, configured []string, tie rules.TieBreak) string {
	most, first, tied := 0, configured[0], 0
	for _, name := range configured {
		n := g.votes[name]
		if name == before {
			n--
		}
		if name == after {
			n++
		}
		switch {
		case n > most:
			most, first, tied = n, name, 1
		case n == most && n > 0:
			tied++
		}
	}
	switch {
	case tied <= 1 || tie == rules.FirstConfigured:
		return first
	case most == 1 && after == "range":
		return "range"
	default:
		return "uniform"
	}
}
