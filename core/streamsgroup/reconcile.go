package streamsgroup

import (
	"slices"

	"groupscope/core/protocol"
	"groupscope/core/record"
)

// Facts are what a reconciliation depends on besides the member and its
// group.
type Facts struct {
	TargetEpoch int32
	// Target is what the member is to have.
	Target protocol.Tasks
	// Owned is what the member says it owns. Only all three lists together
	// count.
	Owned protocol.Tasks
	// StepEpoch is the rule RevokeAgainStepsEpoch.
	StepEpoch bool
	// BrokenRule is a rule that is broken on purpose.
	BrokenRule Mutation
}

// Step names the row of the reconciliation that decided.
type Step int8

const (
	// Settled: the member has all of the target, so there is nothing to do.
	Settled Step = iota
	// StillRevoking: the member has not yet said that it gave up what it was
	// asked to; it stays where it is.
	StillRevoking
	// MustRevoke: the member has tasks that are not its own in the target; it
	// is asked to give them up.
	MustRevoke
	// Took: the member reaches the target's epoch and gets tasks.
	Took
	// Waits: the member reaches (or has) the target's epoch; what it lacks is
	// not free for it yet.
	Waits
	// Reached: the member reaches the target's epoch; it has nothing to give
	// up and nothing to take.
	Reached
	// Lost: the log has the member in a state that is not known here, and the
	// member does not say that it owns nothing. It must be fenced.
	Lost
)

// Outcome is what a reconciliation came to.
type Outcome struct {
	Step Step
	// Next is the member's new current assignment.
	Next record.StreamsCurrentMemberAssignmentValue
	// Changed reports whether Next must be written.
	Changed bool
	// Dropped is asked back from the member now, Got handed to it now, Blocked
	// wanted by it and not free. Turned are tasks that change their role in the
	// member without being given up, listed by their new role.
	Dropped, Got, Blocked, Turned Roles
}

// Reconcile brings a member of the group one step nearer to its target. It
// changes nothing: the outcome's Next is the record to write. The member's
// process may be another than the stored one: the request's.
func (g *Group) Reconcile(m *Member, f *Facts) Outcome {
	epoch := m.Current.MemberEpoch
	switch m.Current.State {
	case record.Stable:
		if epoch == f.TargetEpoch {
			return Outcome{Step: Settled, Next: m.Current}
		}
	case record.UnrevokedPartitions:
		pending := Pending(&m.Current)
		if !f.acknowledges(&pending) {
			return Outcome{Step: StillRevoking, Next: m.Current}
		}
		if f.StepEpoch {
			epoch++
		}
	case record.UnreleasedPartitions:
	default:
		if o := f.Owned; !o.Present() || len(o.Active)+len(o.Standby)+len(o.Warmup) > 0 {
			return Outcome{Step: Lost, Next: m.Current}
		}
		epoch = f.TargetEpoch
	}
	out := g.advance(m, f, epoch)
	out.Changed = !SameCurrent(&out.Next, &m.Current)
	return out
}

// acknowledges reports whether the member says that it has none of the tasks.
func (f *Facts) acknowledges(tasks *Roles) bool {
	if !f.Owned.Present() {
		return false
	}
	return !slices.ContainsFunc(tasks.Active, f.Owned.Active.Contains) &&
		!slices.ContainsFunc(tasks.Standby, f.Owned.Standby.Contains) &&
		!slices.ContainsFunc(tasks.Warmup, f.Owned.Warmup.Contains)
}

// plan is what a member keeps, gives up and wants, role by role.
type plan struct {
	kept          []record.Held // active
	keep          Roles         // standby and warm-up
	drop          Roles
	free, blocked Roles // of what it wants
	turned        Roles
}

// advance takes the member to the target's epoch if nothing must be revoked;
// epoch is where it stands if something must.
func (g *Group) advance(m *Member, f *Facts, epoch int32) Outcome {
	p := g.plan(m, f)
	p.turn(m)
	out := Outcome{Blocked: p.blocked, Turned: p.turned}
	next := &out.Next
	*next = nothing(f.TargetEpoch)
	next.PreviousMemberEpoch = m.Current.MemberEpoch
	next.Active = p.kept
	if !p.blocked.Empty() {
		next.State = record.UnreleasedPartitions
	}
	switch {
	case !p.drop.Empty() && !f.acknowledges(&p.drop):
		out.Step, out.Dropped = MustRevoke, p.drop
		next.MemberEpoch = epoch
		next.State = record.UnrevokedPartitions
		next.PendingActive = heldOf(m.Current.Active, p.drop.Active)
		next.PendingStandby, next.PendingWarmup = setOf(p.drop.Standby), setOf(p.drop.Warmup)
	case !p.free.Empty():
		out.Step, out.Got = Took, p.free
		next.Active = grant(p.kept, p.free.Active, f.TargetEpoch)
		p.promote()
		p.keep.Standby, p.keep.Warmup = merge(p.keep.Standby, p.free.Standby), merge(p.keep.Warmup, p.free.Warmup)
	case !p.blocked.Empty():
		out.Step = Waits
	default:
		out.Step = Reached
	}
	next.Standby, next.Warmup = setOf(p.keep.Standby), setOf(p.keep.Warmup)
	return out
}

// plan compares what the member has with its target.
func (g *Group) plan(m *Member, f *Facts) plan {
	var p plan
	for _, h := range m.Current.Active {
		if f.Target.Active.Contains(h.Partition) {
			p.kept = append(p.kept, h)
		} else {
			p.drop.Active = append(p.drop.Active, h.Partition)
		}
	}
	p.keep.Standby, p.drop.Standby = partition(m.Current.Standby.Partitions(), f.Target.Standby.Contains)
	p.keep.Warmup, p.drop.Warmup = partition(m.Current.Warmup.Partitions(), f.Target.Warmup.Contains)
	for _, task := range f.Target.Active.Partitions() {
		if !isHeld(p.kept, task) {
			may := g.MayRunActive(m, task) || f.BrokenRule == GrantsHeldTasks && g.runsElsewhere(m, task)
			divide(&p.free.Active, &p.blocked.Active, task, may)
		}
	}
	for _, task := range f.Target.Standby.Partitions() {
		if !has(p.keep.Standby, task) {
			divide(&p.free.Standby, &p.blocked.Standby, task, g.mayStandBy(m, task))
		}
	}
	for _, task := range f.Target.Warmup.Partitions() {
		if !has(p.keep.Warmup, task) {
			divide(&p.free.Warmup, &p.blocked.Warmup, task, g.mayWarmUp(m, task))
		}
	}
	return p
}

func divide(free, blocked *[]protocol.Partition, task protocol.Partition, may bool) {
	if may {
		*free = append(*free, task)
	} else {
		*blocked = append(*blocked, task)
	}
}

// MayRunActive reports whether nobody runs the task active, and the member's
// process has no other copy of it than the member's own: only then may the
// member get it.
func (g *Group) MayRunActive(m *Member, task protocol.Partition) bool {
	r := g.owners.roles(task, m.Meta.ProcessID)
	return !r.active && mayTurnActive(m, task, r)
}

// mayTurnActive reports whether the member's process has no other copy of the
// task than the member's own standby or warm-up.
func mayTurnActive(m *Member, task protocol.Partition, r roles) bool {
	return (!r.standby || m.Current.Standby.Contains(task)) && (!r.warmup || m.Current.Warmup.Contains(task))
}

// mayStandBy reports whether the member's process has no copy of the task
// but one of the member in another role.
func (g *Group) mayStandBy(m *Member, task protocol.Partition) bool {
	r := g.owners.roles(task, m.Meta.ProcessID)
	return (!r.ours || isHeld(m.Current.Active, task)) && !r.standby && (!r.warmup || m.Current.Warmup.Contains(task))
}

// mayWarmUp reports whether the member's process has no copy of the task but
// a standby of the member.
func (g *Group) mayWarmUp(m *Member, task protocol.Partition) bool {
	r := g.owners.roles(task, m.Meta.ProcessID)
	return !r.ours && (!r.standby || m.Current.Standby.Contains(task)) && !r.warmup
}

// turn finds the tasks that change their role within the member. One that
// goes from active to standby is a standby at once, though the active must be
// given up; a standby and a warm-up swap at once; one that is to become active
// stays what it is until the active is granted.
func (p *plan) turn(m *Member) {
	wasActive := func(task protocol.Partition) bool { return has(p.drop.Active, task) }
	standsBy, free := partition(p.free.Standby, wasActive)

	fromWarmup, free := partition(free, func(task protocol.Partition) bool { return has(p.drop.Warmup, task) })
	_, p.drop.Warmup = partition(p.drop.Warmup, func(task protocol.Partition) bool { return has(fromWarmup, task) })
	p.free.Standby = free
	p.turned.Standby = merge(standsBy, fromWarmup)
	p.keep.Standby = merge(p.keep.Standby, p.turned.Standby)

	fromStandby, free := partition(p.free.Warmup, func(task protocol.Partition) bool { return has(p.drop.Standby, task) })
	_, p.drop.Standby = partition(p.drop.Standby, func(task protocol.Partition) bool { return has(fromStandby, task) })
	p.free.Warmup, p.turned.Warmup = free, fromStandby
	p.keep.Warmup = merge(p.keep.Warmup, fromStandby)

	toActive := func(task protocol.Partition) bool { return has(p.free.Active, task) || has(p.blocked.Active, task) }
	waiting, drop := partition(p.drop.Standby, toActive)
	p.keep.Standby, p.drop.Standby = merge(p.keep.Standby, waiting), drop
	waiting, drop = partition(p.drop.Warmup, toActive)
	p.keep.Warmup, p.drop.Warmup = merge(p.keep.Warmup, waiting), drop
}

// promote takes the tasks that become active out of their former role.
func (p *plan) promote() {
	granted := func(task protocol.Partition) bool { return has(p.free.Active, task) }
	_, p.keep.Standby = partition(p.keep.Standby, granted)
	_, p.keep.Warmup = partition(p.keep.Warmup, granted)
}

// heldOf finds tasks among those held.
func heldOf(held []record.Held, tasks []protocol.Partition) []record.Held {
	var out []record.Held
	for _, h := range held {
		if has(tasks, h.Partition) {
			out = append(out, h)
		}
	}
	return out
}

// grant merges newly given active tasks into those kept.
func grant(kept []record.Held, tasks []protocol.Partition, epoch int32) []record.Held {
	out := make([]record.Held, 0, len(kept)+len(tasks))
	out = append(out, kept...)
	for _, task := range tasks {
		out = append(out, record.Held{Partition: task, AssignmentEpoch: epoch})
	}
	slices.SortFunc(out, compareHeld)
	return out
}
