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

// NewTarget computes a new target assignment. It returns every member's part by
// id, and the ids of those whose part differs from what is stored (a member
// without a stored one always does), sorted.
func (g *Group) NewTarget(c Computation) (map[string]protocol.Assignment, []string, error) {
	spec := assignor.Spec{Homogeneous: c.Homogeneous}
	members := g.membersWith(c.Updated, c.Replaces)
	topics := map[protocol.TopicID]protocol.Topic{}
	for _, m := range members {
		ids := g.Subscription(m).ids(c.Topics)
		for _, id := range ids {
			topics[id], _ = c.Topics.Named(id.Name())
		}
		stored, _ := g.storedEntry(m.ID, c)
		spec.Members = append(spec.Members, assignor.Member{
			ID: m.ID, InstanceID: m.InstanceID(), Topics: ids,
			Target: stored.assignment, Arrival: stored.arrival,
		})
	}
	for _, id := range slices.Sorted(maps.Keys(topics)) {
		spec.Topics = append(spec.Topics, topics[id])
	}
	assigned, err := c.Assignor.Assign(spec)
	if err != nil {
		return nil, nil, err
	}
	target := make(map[string]protocol.Assignment, len(members))
	var changed []string
	for i, m := range members {
		target[m.ID] = assigned[i]
		if old, ok := g.storedEntry(m.ID, c); !ok || !old.assignment.Equal(assigned[i]) {
			changed = append(changed, m.ID)
		}
	}
	slices.SortFunc(changed, strings.Compare)
	return target, changed, nil
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
