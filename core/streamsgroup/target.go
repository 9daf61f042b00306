package streamsgroup

import (
	"slices"
	"strings"

	"groupscope/core/assignor"
	"groupscope/core/protocol"
)

// Offsets are what the members reported last.
type Offsets interface {
	// Of returns a member's task offsets and end offsets, sorted by task.
	Of(member string) (offsets, ends []protocol.TaskOffset)
}

// Computation is a new target to be computed: the group as stored, with one
// request applied.
type Computation struct {
	Topology        *Configured
	Assignor        assignor.StreamsAssignor
	StandbyReplicas int
	Offsets         Offsets
	// Updated is the member of the request, nil when a timer computes.
	// Replaces is the id of the static member whose place it takes, "" for
	// none.
	Updated  *Member
	Replaces string
	// StaleBelow is the topology epoch below which members keep exactly what
	// they have (the rule TopologyUpdate); -1 for none.
	StaleBelow int32
	// Warmups is how many tasks may warm up in the group, RecoveryLag how far
	// behind one that is caught up may be (the rule WarmupTasks). Warmups -1:
	// tasks move without warming up.
	Warmups     int
	RecoveryLag int64
}

// Target is a target assignment that was computed and is not stored yet.
type Target struct {
	parts []Part // in the order of the group's table
	// Changed are the parts that differ from what is stored (a member without
	// a stored one always differs), sorted by member.
	Changed []Part
}

// Part is what a target gives to one member; no list is nil.
type Part struct {
	Member string
	Tasks  protocol.Tasks
}

func compareParts(a, b Part) int { return strings.Compare(a.Member, b.Member) }

// Len is the number of members.
func (t *Target) Len() int { return len(t.parts) }

// Of is a member's part; all lists are nil for one that has none.
func (t *Target) Of(member string) protocol.Tasks {
	for i := range t.parts {
		if t.parts[i].Member == member {
			return t.parts[i].Tasks
		}
	}
	return protocol.Tasks{}
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

// ByMember lists the parts by member.
func (t *Target) ByMember() map[string]protocol.Tasks {
	out := make(map[string]protocol.Tasks, len(t.parts))
	for _, p := range t.parts {
		out[p.Member] = p.Tasks
	}
	return out
}

// NewTarget computes a new target assignment. Where the topics are not as the
// topology needs them nobody gets a task.
func (g *Group) NewTarget(c *Computation) (Target, error) {
	members := g.membersWith(c.Updated, c.Replaces)
	spec := assignor.StreamsSpec{StandbyReplicas: c.StandbyReplicas, Members: make([]assignor.StreamsMember, len(members))}
	for i, m := range members {
		offsets, _ := c.Offsets.Of(m.ID)
		spec.Members[i] = assignor.StreamsMember{
			ID: m.ID, ProcessID: m.Meta.ProcessID, Has: m.Assigned(), Offsets: offsets,
			Keeps: m.Meta.TopologyEpoch < c.StaleBelow,
		}
	}
	var tasks []protocol.Tasks
	if c.Topology.Ready() {
		spec.Subtopologies = c.Topology.Tasks
		assigned, err := c.Assignor.Assign(spec)
		if err != nil {
			return Target{}, err
		}
		tasks = c.warmUp(&spec, assigned)
	} else {
		tasks = empty(&spec)
	}
	target := Target{parts: make([]Part, len(members))}
	for i, m := range members {
		stored, ok := g.StoredTarget(m.ID, c.Updated, c.Replaces)
		if ok && SameTasks(stored, tasks[i]) {
			target.parts[i] = Part{m.ID, stored}
			continue
		}
		target.parts[i] = Part{m.ID, tasks[i]}
		target.Changed = append(target.Changed, target.parts[i])
	}
	slices.SortFunc(target.Changed, compareParts)
	return target, nil
}

// SameTasks reports whether two parts of a target are equal; an absent list is
// an empty one.
func SameTasks(a, b protocol.Tasks) bool {
	return sameTasks(a.Active, b.Active) && sameTasks(a.Standby, b.Standby) && sameTasks(a.Warmup, b.Warmup)
}

// empty gives nobody a task, members that keep theirs excepted.
func empty(spec *assignor.StreamsSpec) []protocol.Tasks {
	out := make([]protocol.Tasks, len(spec.Members))
	for i, m := range spec.Members {
		out[i] = protocol.Tasks{Active: protocol.Assignment{}, Standby: protocol.Assignment{}, Warmup: protocol.Assignment{}}
		if m.Keeps {
			out[i] = m.Has
		}
	}
	return out
}

// membersWith lists the members in the order of the group's table, with the
// request's member in its place, or last if it is new to the table.
func (g *Group) membersWith(updated *Member, replaces string) []*Member {
	out := make([]*Member, 0, len(g.members)+1)
	placed := updated == nil
	for _, id := range g.table.Walk() {
		switch {
		case updated != nil && id == updated.ID:
			out = append(out, updated)
			placed = true
		case id == replaces:
		default:
			out = append(out, g.members[id])
		}
	}
	if !placed {
		out = append(out, updated)
	}
	return out
}

// StoredTarget is a member's part of the stored target; the part of a
// replaced static member belongs to the one that takes its place.
func (g *Group) StoredTarget(id string, updated *Member, replaces string) (protocol.Tasks, bool) {
	if replaces != "" && id == updated.ID {
		id = replaces
	}
	return g.Target(id)
}

// TargetWith copies the whole stored target, with a replaced static member's
// part under the id of the one that takes its place.
func (g *Group) TargetWith(id, replaces string) map[string]protocol.Tasks {
	out := g.Targets()
	if part, ok := out[replaces]; ok && replaces != "" && replaces != id {
		delete(out, replaces)
		out[id] = part
	}
	return out
}
