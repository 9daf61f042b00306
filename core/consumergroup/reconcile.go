package consumergroup

import (
	"slices"

	"groupscope/core/protocol"
	"groupscope/core/record"
)

// Facts are what a reconciliation depends on besides the member itself.
type Facts struct {
	TargetEpoch int32
	// Target is the member's part of the target, only topics that exist and
	// that the member subscribes to.
	Target protocol.Assignment
	// Owned is what the member says it owns; nil when it does not say.
	Owned protocol.Assignment
	// SubscriptionChanged says that this heartbeat changed the subscription.
	SubscriptionChanged bool
	// Subscribes reports whether a topic exists and the member subscribes to
	// it; SubscribesToNothing that its subscription is empty.
	Subscribes          func(protocol.TopicID) bool
	SubscribesToNothing bool
	// Held reports whether some member has a partition.
	Held func(protocol.Partition) bool
	// ListWaiting is the rule ListsWaiting.
	ListWaiting bool
}

// Step names the row of the reconciliation that decided.
type Step int8

const (
	// Settled: the member has all of the target, so there is nothing to do.
	Settled Step = iota
	// StillRevoking: the member has not yet said that it gave up what it was
	// asked to; it stays where it is.
	StillRevoking
	// MustRevoke: the member has partitions that are not its own in the
	// target; it is asked to give them up and keeps its epoch.
	MustRevoke
	// Took: the member reaches the target's epoch and gets partitions.
	Took
	// Waits: the member reaches (or has) the target's epoch; what it lacks is
	// still held by others.
	Waits
	// Reached: the member reaches the target's epoch; it has nothing to give
	// up and nothing to take.
	Reached
	// Trimmed: the member's new subscription takes partitions from it before
	// there is a new target.
	Trimmed
	// Lost: the log has the member in a state that is not known here, and the
	// member does not say that it owns nothing. It must be fenced.
	Lost
)

// Outcome is what a reconciliation came to.
type Outcome struct {
	Step Step
	// Next is the member's new current assignment.
	Next record.CurrentMemberAssignmentValue
	// Changed reports whether Next must be written.
	Changed bool
	// Dropped is asked back from the member now, Got handed to it now,
	// Blocked wanted by it and held by others. Sorted.
	Dropped, Got, Blocked []protocol.Partition
}

// Reconcile brings a member one step nearer to its target. It changes
// nothing: the outcome's Next is the record to write. A partition is handed
// out only if nobody has it, and a member with something to give up does not
// move (KIP-848; the broker's CurrentAssignmentBuilder).
func Reconcile(m *Member, f *Facts) Outcome {
	var out Outcome
	switch m.Current.State {
	case record.Stable:
		switch {
		case m.Current.MemberEpoch != f.TargetEpoch:
			out = advance(m, f)
		case f.SubscriptionChanged:
			out = trim(m, f)
		default:
			out = Outcome{Step: Settled, Next: m.Current}
		}
	case record.UnrevokedPartitions:
		switch {
		case !f.stillOwns(m.Current.PendingRevocation):
			out = advance(m, f)
		case f.SubscriptionChanged:
			out = trim(m, f)
		default:
			out = Outcome{Step: StillRevoking, Next: m.Current}
		}
	case record.UnreleasedPartitions:
		out = advance(m, f)
	default:
		if f.Owned == nil || len(f.Owned) > 0 {
			return Outcome{Step: Lost, Next: m.Current}
		}
		at := m.Current
		at.MemberEpoch = f.TargetEpoch
		out = advance(m.WithCurrent(at), f)
	}
	out.Changed = !SameCurrent(&out.Next, &m.Current)
	return out
}

// stillOwns reports whether the member may still have one of the partitions.
// Only an explicit list says that it has not.
func (f *Facts) stillOwns(held []record.Held) bool {
	if len(held) == 0 {
		return false
	}
	if f.Owned == nil {
		return true
	}
	return slices.ContainsFunc(held, func(h record.Held) bool { return f.Owned.Contains(h.Partition) })
}

// advance takes the member to the target's epoch if nothing must be revoked.
func advance(m *Member, f *Facts) Outcome {
	keep, drop := split(m.Current.Assigned, f.Target)
	free, blocked := f.wanted(m, keep)
	out := Outcome{Blocked: blocked}
	out.Next = record.CurrentMemberAssignmentValue{
		MemberEpoch:         f.TargetEpoch,
		PreviousMemberEpoch: m.Current.MemberEpoch,
		State:               record.Stable,
		Assigned:            keep,
	}
	if len(blocked) > 0 {
		out.Next.State = record.UnreleasedPartitions
	}
	if f.ListWaiting {
		out.Next.PendingAssignment = blocked
	}
	switch {
	case f.stillOwns(drop):
		out.Step = MustRevoke
		out.Dropped = record.Partitions(drop)
		out.Next.MemberEpoch = m.Current.MemberEpoch
		out.Next.State = record.UnrevokedPartitions
		out.Next.PendingRevocation = drop
	case len(free) > 0:
		out.Step = Took
		out.Got = free
		out.Next.Assigned = grant(keep, free, f.TargetEpoch)
	case len(blocked) > 0:
		out.Step = Waits
	default:
		out.Step = Reached
	}
	return out
}

// trim takes away the topics the member no longer subscribes to.
func trim(m *Member, f *Facts) Outcome {
	var keep, moved []record.Held
	for _, h := range m.Current.Assigned {
		if f.Subscribes(h.Partition.Topic) {
			keep = append(keep, h)
		} else {
			moved = append(moved, h)
		}
	}
	// The broker takes a switch to no subscription at all for a change even
	// when the member has nothing to lose.
	nothingLeft := f.SubscribesToNothing && len(m.Current.PendingRevocation) == 0
	if len(moved) == 0 && !nothingLeft {
		return Outcome{Step: unchangedStep(m), Next: m.Current}
	}
	pending := slices.Concat(m.Current.PendingRevocation, moved)
	slices.SortFunc(pending, compareHeld)
	out := Outcome{Step: Trimmed, Dropped: record.Partitions(moved)}
	out.Next = m.Current
	out.Next.Assigned = keep
	out.Next.PreviousMemberEpoch = m.Current.MemberEpoch
	if f.stillOwns(pending) {
		out.Next.State = record.UnrevokedPartitions
		out.Next.PendingRevocation = pending
	}
	if f.ListWaiting {
		_, out.Next.PendingAssignment = f.wanted(m, keep)
	}
	return out
}

func unchangedStep(m *Member) Step {
	if m.Current.State == record.UnrevokedPartitions {
		return StillRevoking
	}
	return Settled
}

// wanted splits what the member lacks of its target into what it may take
// and what others hold. What it has yet to give up counts as free for itself.
func (f *Facts) wanted(m *Member, keep []record.Held) (free, blocked []protocol.Partition) {
	i := 0
	for _, tp := range f.Target {
		for _, n := range tp.Partitions {
			p := protocol.Partition{Topic: tp.Topic, Number: n}
			for i < len(keep) && keep[i].Partition.Compare(p) < 0 {
				i++
			}
			if i < len(keep) && keep[i].Partition == p {
				continue
			}
			if !f.Held(p) || contains(m.Current.PendingRevocation, p) {
				free = append(free, p)
			} else {
				blocked = append(blocked, p)
			}
		}
	}
	return free, blocked
}

// split divides held partitions into those of the target and the others.
func split(held []record.Held, target protocol.Assignment) (keep, drop []record.Held) {
	for i, h := range held {
		if target.Contains(h.Partition) {
			if keep == nil {
				keep = make([]record.Held, 0, len(held)-i)
			}
			keep = append(keep, h)
		} else {
			drop = append(drop, h)
		}
	}
	return keep, drop
}

// grant merges newly given partitions into those kept.
func grant(keep []record.Held, free []protocol.Partition, epoch int32) []record.Held {
	out := make([]record.Held, 0, len(keep)+len(free))
	out = append(out, keep...)
	for _, p := range free {
		out = append(out, record.Held{Partition: p, AssignmentEpoch: epoch})
	}
	slices.SortFunc(out, compareHeld)
	return out
}

func compareHeld(a, b record.Held) int { return a.Partition.Compare(b.Partition) }
