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
// vote each and the request's own vote, put in last, is for range. Any other
// tie goes to the first configured of those in it: where other names stand in
// the broker's tables is not modelled.
func (g *Group) choose(before, after string, configured []string, tie rules.TieBreak) string {
	most, first, tied, known := 0, configured[0], 0, 0
	for _, name := range configured {
		n := g.votes[name]
		if name == before {
			n--
		}
		if name == after {
			n++
		}
		if n > most {
			most, first, tied, known = n, name, 0, 0
		}
		if n == most && n > 0 {
			tied++
			if name == "uniform" || name == "range" {
				known++
			}
		}
	}
	switch {
	case tie == rules.FirstConfigured || tied != 2 || known != 2:
		return first
	case most == 1 && after == "range":
		return "range"
	default:
		return "uniform"
	}
}
