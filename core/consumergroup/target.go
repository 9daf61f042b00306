package consumergroup

import (
	"maps"
	"slices"
	"strings"

	"groupscope/core/assignor"
	"groupscope/core/protocol"
)

// Computation is a new target to be computed: the group as stored, with one
// request applied.
type Computation struct {
	Topics      Topics
	Assignor    assignor.Assignor
	Homogeneous bool
	// Updated is the member of the request. Replaces is the id of the static
	// member whose place it takes, "" for none.
	Updated  *Member
	Replaces string
}

// Target is a target assignment that was computed and is not stored yet.
type Target struct {
	parts []Part // in the order of the group's table
	// Changed are the parts that differ from what is stored (a member without
	// a stored one always differs), sorted by member.
	Changed []Part
}

// Part is what a target gives to one member.
type Part struct {
	Member     string
	Assignment protocol.Assignment
}

func compareParts(a, b Part) int { return strings.Compare(a.Member, b.Member) }

// Len is the number of members.
func (t *Target) Len() int { return len(t.parts) }

// Of is a member's part; nil for one that has none.
func (t *Target) Of(member string) protocol.Assignment {
	for i := range t.parts {
		if t.parts[i].Member == member {
			return t.parts[i].Assignment
		}
	}
	return nil
}

// First are the parts of the n members that come first by id.
func (t *Target) First(n int) []Part {
	out := make([]Part, 0, n+1)
	for _, p := range t.parts {
		if len(out) == n && p.Member >= out[n-1].Member {
			continue
		}
		i, _ := slices.BinarySearchFunc(out, p, compareParts)
		out = slices.Insert(out, i, p)
		out = out[:min(len(out), n)]
	}
	return out
}

// NewTarget computes a new target assignment.
func (g *Group) NewTarget(c Computation) (Target, error) {
	members := g.membersWith(c.Updated, c.Replaces)
	spec := assignor.Spec{
		Homogeneous: c.Homogeneous,
		Members:     make([]assignor.Member, len(members)),
	}
	stored := make([]bool, len(members))
	var last Subscription
	var ids []protocol.TopicID
	topics := map[protocol.TopicID]protocol.Topic{}
	for i, m := range members {
		if s := g.Subscription(m); i == 0 || !s.same(last) {
			last, ids = s, s.ids(c.Topics)
			for _, id := range ids {
				topics[id], _ = c.Topics.Named(id.Name())
			}
		}
		old, ok := g.storedEntry(m.ID, c)
		stored[i] = ok
		spec.Members[i] = assignor.Member{
			ID: m.ID, InstanceID: m.InstanceID(), Topics: ids,
			Target: old.assignment, Arrival: old.arrival,
		}
	}
	for _, id := range slices.Sorted(maps.Keys(topics)) {
		spec.Topics = append(spec.Topics, topics[id])
	}
	assigned, err := c.Assignor.Assign(spec)
	if err != nil {
		return Target{}, err
	}
	t := Target{parts: make([]Part, len(members))}
	for i, m := range members {
		t.parts[i] = Part{m.ID, assigned[i]}
		if !stored[i] || !spec.Members[i].Target.Equal(assigned[i]) {
			t.Changed = append(t.Changed, t.parts[i])
		}
	}
	slices.SortFunc(t.Changed, compareParts)
	return t, nil
}

// membersWith lists the members in the order of the group's table, with the
// request's member in its place, or last if it is new to the table.
func (g *Group) membersWith(updated *Member, replaces string) []*Member {
	out := make([]*Member, 0, len(g.members)+1)
	placed := false
	for _, id := range g.table.Walk() {
		switch id {
		case updated.ID:
			out = append(out, updated)
			placed = true
		case replaces:
		default:
			out = append(out, g.members[id])
		}
	}
	if !placed {
		out = append(out, updated)
	}
	return out
}

// storedEntry is a member's part of the stored target; the part of a
// replaced static member belongs to the one that takes its place.
func (g *Group) storedEntry(id string, c Computation) (targetEntry, bool) {
	if id == c.Updated.ID && c.Replaces != "" {
		id = c.Replaces
	}
	e, ok := g.target[id]
	return e, ok
}
