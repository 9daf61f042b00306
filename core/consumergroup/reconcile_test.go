package consumergroup

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/core/protocol"
	"groupscope/core/record"
)

func foo(n int32) protocol.Partition { return protocol.Partition{Topic: "foo", Number: n} }

// at makes held partitions of foo, all received at one epoch.
func at(epoch int32, numbers ...int32) []record.Held {
	var out []record.Held
	for _, n := range numbers {
		out = append(out, record.Held{Partition: foo(n), AssignmentEpoch: epoch})
	}
	return out
}

// fooOf is an assignment of foo, present even if empty.
func fooOf(numbers ...int32) protocol.Assignment {
	var ps []protocol.Partition
	for _, n := range numbers {
		ps = append(ps, foo(n))
	}
	return protocol.NewAssignment(ps)
}

func ps(numbers ...int32) []protocol.Partition {
	var out []protocol.Partition
	for _, n := range numbers {
		out = append(out, foo(n))
	}
	return out
}

// reconcileCase is a member, what it is told, and what becomes of it.
type reconcileCase struct {
	name   string
	member record.CurrentMemberAssignmentValue
	facts  Facts
	others []int32 // partitions of foo that other members hold
	step   Step
	next   record.CurrentMemberAssignmentValue
	got    []protocol.Partition
	blocks []protocol.Partition
}

func current(epoch, previous int32, state record.MemberState, assigned, pending []record.Held) record.CurrentMemberAssignmentValue {
	return record.CurrentMemberAssignmentValue{
		MemberEpoch: epoch, PreviousMemberEpoch: previous, State: state, Assigned: assigned, PendingRevocation: pending,
	}
}

const (
	stable     = record.Stable
	unrevoked  = record.UnrevokedPartitions
	unreleased = record.UnreleasedPartitions
)

var fromStable = []reconcileCase{
	{
		name:   "stable at the target's epoch: nothing to do",
		member: current(5, 4, stable, at(3, 0), nil), facts: Facts{TargetEpoch: 5, Target: fooOf(0)},
		step: Settled, next: current(5, 4, stable, at(3, 0), nil),
	},
	{
		name:   "stable to stable: the same partitions at a new epoch",
		member: current(5, 4, stable, at(3, 0), nil), facts: Facts{TargetEpoch: 6, Target: fooOf(0)},
		step: Reached, next: current(6, 5, stable, at(3, 0), nil),
	},
	{
		name:   "stable to stable: free partitions are handed out at the target's epoch",
		member: current(5, 4, stable, at(3, 1), nil), facts: Facts{TargetEpoch: 6, Target: fooOf(0, 1, 2)},
		step: Took, got: ps(0, 2),
		next: current(6, 5, stable, append(append(at(6, 0), at(3, 1)...), at(6, 2)...), nil),
	},
	{
		name:   "stable to unreleased: some are free, some are not",
		member: current(5, 4, stable, at(3, 1), nil), facts: Facts{TargetEpoch: 6, Target: fooOf(0, 1, 2)}, others: []int32{2},
		step: Took, got: ps(0), blocks: ps(2), next: current(6, 5, unreleased, append(at(6, 0), at(3, 1)...), nil),
	},
	{
		name:   "stable to unreleased: none is free",
		member: current(5, 4, stable, at(3, 1), nil), facts: Facts{TargetEpoch: 6, Target: fooOf(1, 2)}, others: []int32{2},
		step: Waits, blocks: ps(2), next: current(6, 5, unreleased, at(3, 1), nil),
	},
	{
		name:   "stable to unrevoked: nothing is handed out before the revocation",
		member: current(5, 4, stable, at(3, 0, 1), nil), facts: Facts{TargetEpoch: 6, Target: fooOf(1, 2)},
		step: MustRevoke, next: current(5, 5, unrevoked, at(3, 1), at(3, 0)),
	},
	{
		name:   "stable skips unrevoked when it reports that it owns none of the dropped",
		member: current(5, 4, stable, at(3, 0, 1), nil), facts: Facts{TargetEpoch: 6, Target: fooOf(1, 2), Owned: fooOf(1)},
		step: Took, got: ps(2), next: current(6, 5, stable, append(at(3, 1), at(6, 2)...), nil),
	},
}

var fromInBetween = []reconcileCase{
	{
		name:   "unrevoked stays while it does not report",
		member: current(5, 5, unrevoked, at(3, 1), at(3, 0)), facts: Facts{TargetEpoch: 6, Target: fooOf(1)},
		step: StillRevoking, next: current(5, 5, unrevoked, at(3, 1), at(3, 0)),
	},
	{
		name:   "unrevoked stays while it owns one of them",
		member: current(5, 5, unrevoked, at(3, 1), at(3, 0, 2)), facts: Facts{TargetEpoch: 6, Target: fooOf(1), Owned: fooOf(1, 2)},
		step: StillRevoking, next: current(5, 5, unrevoked, at(3, 1), at(3, 0, 2)),
	},
	{
		name:   "unrevoked to stable on an acknowledgement, and it takes what is free",
		member: current(5, 5, unrevoked, at(3, 1), at(3, 0)), facts: Facts{TargetEpoch: 6, Target: fooOf(1, 3), Owned: fooOf(1)},
		step: Took, got: ps(3), next: current(6, 5, stable, append(at(3, 1), at(6, 3)...), nil),
	},
	{
		name:   "an empty report acknowledges everything",
		member: current(5, 5, unrevoked, at(3, 1), at(3, 0)), facts: Facts{TargetEpoch: 6, Target: fooOf(1), Owned: fooOf()},
		step: Reached, next: current(6, 5, stable, at(3, 1), nil),
	},
	{
		name:   "unrevoked to unrevoked when a newer target takes more",
		member: current(5, 5, unrevoked, at(3, 1, 2), at(3, 0)), facts: Facts{TargetEpoch: 7, Target: fooOf(1), Owned: fooOf(1, 2)},
		step: MustRevoke, next: current(5, 5, unrevoked, at(3, 1), at(3, 2)),
	},
	{
		name:   "what it has yet to give up is free for the member itself",
		member: current(5, 5, unrevoked, at(3, 1), at(3, 0)), facts: Facts{TargetEpoch: 7, Target: fooOf(0, 1), Owned: fooOf(1)},
		step: Took, got: ps(0), next: current(7, 5, stable, append(at(7, 0), at(3, 1)...), nil),
	},
	{
		name:   "unreleased takes what was released",
		member: current(6, 5, unreleased, at(3, 1), nil), facts: Facts{TargetEpoch: 6, Target: fooOf(1, 2)},
		step: Took, got: ps(2), next: current(6, 6, stable, append(at(3, 1), at(6, 2)...), nil),
	},
	{
		name:   "unreleased goes on waiting: only its previous epoch is written",
		member: current(6, 5, unreleased, at(3, 1), nil), facts: Facts{TargetEpoch: 6, Target: fooOf(1, 2)}, others: []int32{2},
		step: Waits, blocks: ps(2), next: current(6, 6, unreleased, at(3, 1), nil),
	},
	{
		name:   "unreleased to unrevoked when a newer target takes something",
		member: current(6, 6, unreleased, at(3, 1), nil), facts: Facts{TargetEpoch: 7, Target: fooOf(2)}, others: []int32{2},
		step: MustRevoke, blocks: ps(2), next: current(6, 6, unrevoked, nil, at(3, 1)),
	},
}

func TestReconciliationGoesFromStateToState(t *testing.T) {
	for _, test := range slices.Concat(fromStable, fromInBetween) {
		t.Run(test.name, func(t *testing.T) { test.run(t) })
	}
}

func (c *reconcileCase) run(t *testing.T) {
	t.Helper()
	m := NewMember("A").WithCurrent(c.member)
	c.facts.Held = func(p protocol.Partition) bool {
		for _, n := range c.others {
			if p == foo(n) {
				return true
			}
		}
		return m.Holds(p)
	}
	out := Reconcile(m, &c.facts)
	assert.Equal(t, c.step, out.Step)
	assert.True(t, SameCurrent(&c.next, &out.Next), "want %+v\ngot  %+v", c.next, out.Next)
	assert.Equal(t, !SameCurrent(&c.next, &c.member), out.Changed)
	assert.Equal(t, c.got, out.Got)
	assert.Equal(t, c.blocks, out.Blocked)
	assert.Equal(t, c.member, m.Current, "the member itself is never changed")
}

// trimFacts: the member no longer subscribes to foo and has no new target.
func trimFacts(owned protocol.Assignment, toNothing bool) *Facts {
	return &Facts{
		TargetEpoch: 5, Owned: owned, SubscriptionChanged: true, SubscribesToNothing: toNothing,
		Subscribes: func(topic protocol.TopicID) bool { return topic != "foo" },
		Held:       func(protocol.Partition) bool { return false },
	}
}

func TestAnUnsubscribedTopicIsTakenBackBeforeThereIsATarget(t *testing.T) {
	m := NewMember("A").WithCurrent(current(5, 4, record.Stable, at(3, 0), nil))
	out := Reconcile(m, trimFacts(nil, false))
	assert.Equal(t, Trimmed, out.Step)
	assert.Equal(t, current(5, 5, record.UnrevokedPartitions, nil, at(3, 0)), out.Next)

	out = Reconcile(m, trimFacts(fooOf(), false))
	assert.Equal(t, current(5, 5, record.Stable, nil, nil), out.Next, "it has given it up already")
}

func TestAMemberThatRevokesAddsWhatItUnsubscribes(t *testing.T) {
	bar := record.Held{Partition: protocol.Partition{Topic: "bar"}, AssignmentEpoch: 2}
	m := NewMember("A").WithCurrent(current(4, 4, record.UnrevokedPartitions, at(3, 0), []record.Held{bar}))
	out := Reconcile(m, trimFacts(nil, false))
	assert.Equal(t, current(4, 4, record.UnrevokedPartitions, nil, append([]record.Held{bar}, at(3, 0)...)), out.Next)
}

func TestANewSubscriptionThatTakesNothingChangesNothing(t *testing.T) {
	m := NewMember("A").WithCurrent(current(5, 4, record.Stable, nil, nil))
	out := Reconcile(m, trimFacts(nil, false))
	assert.Equal(t, Settled, out.Step)
	assert.False(t, out.Changed)
}

// What it waited for of the topic it left is no longer wanted either.
func TestTrimmingListsAnewWhatTheMemberWaitsFor(t *testing.T) {
	bar := func(n int32) protocol.Partition { return protocol.Partition{Topic: "bar", Number: n} }
	assigned := append([]record.Held{{Partition: bar(0), AssignmentEpoch: 3}}, at(3, 0)...)
	before := current(5, 5, record.UnrevokedPartitions, assigned, at(3, 1))
	before.PendingAssignment = []protocol.Partition{bar(1), foo(2)}
	facts := trimFacts(nil, false)
	facts.Target = protocol.NewAssignment([]protocol.Partition{bar(0), bar(1)})
	facts.Held = func(protocol.Partition) bool { return true }
	facts.ListWaiting = true
	out := Reconcile(NewMember("A").WithCurrent(before), facts)
	require.Equal(t, Trimmed, out.Step)
	assert.Equal(t, []protocol.Partition{bar(1)}, out.Next.PendingAssignment)
}

// The broker's quirk: no subscription at all counts as a change of its own.
func TestSubscribingToNothingIsWrittenEvenWithoutPartitions(t *testing.T) {
	m := NewMember("A").WithCurrent(current(5, 4, record.Stable, nil, nil))
	out := Reconcile(m, trimFacts(nil, true))
	assert.Equal(t, Trimmed, out.Step)
	assert.True(t, out.Changed)
	assert.Equal(t, current(5, 5, record.Stable, nil, nil), out.Next)
}

func TestTheWaitingListIsWrittenUnderItsRuleOnlyAndIsNoChangeOfItsOwn(t *testing.T) {
	m := NewMember("A").WithCurrent(current(6, 6, record.UnreleasedPartitions, nil, nil))
	facts := &Facts{TargetEpoch: 6, Target: fooOf(2), ListWaiting: true, Held: func(protocol.Partition) bool { return true }}
	out := Reconcile(m, facts)
	assert.Equal(t, ps(2), out.Next.PendingAssignment)
	assert.False(t, out.Changed)
	facts.ListWaiting = false
	assert.Empty(t, Reconcile(m, facts).Next.PendingAssignment)
}
