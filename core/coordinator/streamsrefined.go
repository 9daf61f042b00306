package coordinator

import (
	"maps"

	"groupscope/core/protocol"
	"groupscope/core/streamsgroup"
)

// refined is what members are reconciled towards under the rule
// FrozenRefinement: a copy of the target, made once for an assignment epoch
// and used as long as that epoch lasts, whatever becomes of the target.
type refined struct {
	made  bool
	epoch int32
	// stored says that the copy still equals the stored target, so that no
	// copy need be made before the target changes. Else tasks is the copy,
	// which is never changed.
	stored bool
	tasks  map[string]protocol.Tasks
}

// keep makes the copy, before the stored target changes.
func (r *refined) keep(g *streamsgroup.Group) {
	if r.stored {
		r.stored, r.tasks = false, g.Targets()
	}
}

// of is a member's part, and whether it has one.
func (r *refined) of(g *streamsgroup.Group, id string) (protocol.Tasks, bool) {
	if r.stored {
		return g.Target(id)
	}
	part, ok := r.tasks[id]
	return part, ok
}

// rekey moves a member's part to another id.
func (r *refined) rekey(g *streamsgroup.Group, from, to string) {
	part, ok := r.of(g, from)
	if !ok || from == to {
		return
	}
	r.keep(g)
	tasks := maps.Clone(r.tasks)
	delete(tasks, from)
	tasks[to] = part
	r.tasks = tasks
}
