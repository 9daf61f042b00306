package streamsgroup

import "groupscope/core/protocol"

// Mutation is a rule of the reconciliation that is broken on purpose: a
// coordinator with one is the wrong group that the judges, the invariants and
// the explorer, must condemn. Only tests set it; no file, flag or page can.
type Mutation int8

const (
	// Unbroken: every rule holds.
	Unbroken Mutation = iota
	// GrantsHeldTasks: an active task that a member wants is granted to it
	// although a member of another process has it still.
	GrantsHeldTasks
)

// runsElsewhere reports whether another process than the member's runs the
// task active, and nothing else keeps the member from running it.
func (g *Group) runsElsewhere(m *Member, task protocol.Partition) bool {
	r := g.owners.roles(task, m.Meta.ProcessID)
	return r.active && !r.ours && mayTurnActive(m, task, r)
}
