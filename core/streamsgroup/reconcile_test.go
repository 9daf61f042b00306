package streamsgroup

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/core/protocol"
	"groupscope/core/record"
)

// set are tasks of subtopology 0, never absent.
func set(numbers ...int32) protocol.Assignment {
	if len(numbers) == 0 {
		return protocol.Assignment{}
	}
	return protocol.Assignment{{Topic: "0", Partitions: numbers}}
}

func tasksOf(active, standby, warmup protocol.Assignment) protocol.Tasks {
	return protocol.Tasks{Active: active, Standby: standby, Warmup: warmup}
}

// at2 is a member's state at epoch 2, which gave it its active tasks.
func at2(active, standby, warmup protocol.Assignment) record.StreamsCurrentMemberAssignmentValue {
	v := nothing(2)
	v.Active, v.Standby, v.Warmup = heldAt2(active), standby, warmup
	return v
}

func heldAt2(tasks protocol.Assignment) []record.Held {
	var out []record.Held
	for _, task := range tasks.Partitions() {
		out = append(out, record.Held{Partition: task, AssignmentEpoch: 2})
	}
	return out
}

// groupWith applies the states of some members; a member's process is its
// name's first letter.
func groupWith(t *testing.T, members map[string]record.StreamsCurrentMemberAssignmentValue) *Group {
	t.Helper()
	g := New("g", 1)
	for id, current := range members {
		apply(t, g, record.StreamsMemberMetadata, id, record.StreamsMemberMetadataValue{ProcessID: id[:1]})
		apply(t, g, record.StreamsCurrentMemberAssignment, id, current)
	}
	return g
}

func apply(t *testing.T, g *Group, kind record.Type, member string, v record.Value) {
	t.Helper()
	require.NoError(t, g.Apply(record.Record{Key: record.Key{Type: kind, Group: "g", Member: member}, Value: v}))
}

// stands writes a member's state as "2/2 STABLE 0@2 1@2 s[2] w[] drops ...".
func stands(c *record.StreamsCurrentMemberAssignmentValue) string {
	out := fmt.Sprintf("%d %s", c.MemberEpoch, strings.TrimSuffix(c.State.String(), "_PARTITIONS"))
	list := func(name string, tasks protocol.Assignment) {
		if len(tasks) > 0 {
			out += " " + name + fmt.Sprint(tasks[0].Partitions)
		}
	}
	for _, h := range c.Active {
		out += fmt.Sprintf(" %d@%d", h.Partition.Number, h.AssignmentEpoch)
	}
	list("s", c.Standby)
	list("w", c.Warmup)
	if drops := Pending(c); !drops.Empty() {
		out += " drops"
		for _, h := range c.PendingActive {
			out += fmt.Sprintf(" %d@%d", h.Partition.Number, h.AssignmentEpoch)
		}
		list("s", c.PendingStandby)
		list("w", c.PendingWarmup)
	}
	return out
}

func TestReconciliationGoesByTheRoleOfATask(t *testing.T) {
	none := set()
	for _, c := range []struct {
		claim  string
		has    protocol.Tasks // of member a1, in process a
		others map[string]record.StreamsCurrentMemberAssignmentValue
		target protocol.Tasks // of epoch 3
		owned  protocol.Tasks
		want   string
	}{
		{"with nothing to change the member moves on", tasksOf(set(0), none, none), nil,
			tasksOf(set(0), none, none), protocol.Tasks{}, "3 STABLE 0@2"},
		{"a task that nobody has is taken", tasksOf(set(0), none, none), nil,
			tasksOf(set(0, 1), set(2), set(3)), protocol.Tasks{}, "3 STABLE 0@2 1@3 s[2] w[3]"},
		{"whatever is lost must be given up first", tasksOf(set(0, 1), set(2), set(3)), nil,
			tasksOf(set(0, 4), none, none), protocol.Tasks{}, "2 UNREVOKED 0@2 drops 1@2 s[2] w[3]"},
		{"unless it is gone already", tasksOf(set(0, 1), set(2), set(3)), nil,
			tasksOf(set(0, 4), none, none), tasksOf(set(0), none, none), "3 STABLE 0@2 4@3"},
		{"two lists do not say that", tasksOf(set(0, 1), none, none), nil,
			tasksOf(set(0), none, none), protocol.Tasks{Active: set(0), Standby: none}, "2 UNREVOKED 0@2 drops 1@2"},
		{"roles are compared one by one", tasksOf(set(0, 1), none, none), nil,
			tasksOf(set(0), none, none), tasksOf(set(0), set(1), none), "3 STABLE 0@2"},

		{"an active task waits for whoever runs it", tasksOf(set(0), none, none),
			map[string]record.StreamsCurrentMemberAssignmentValue{"b1": at2(set(1), none, none)},
			tasksOf(set(0, 1), none, none), protocol.Tasks{}, "3 UNRELEASED 0@2"},
		{"and for a standby in its own process", tasksOf(none, none, none),
			map[string]record.StreamsCurrentMemberAssignmentValue{"a2": at2(none, set(1), none)},
			tasksOf(set(1), none, none), protocol.Tasks{}, "3 UNRELEASED"},
		{"and for a warm-up there", tasksOf(none, none, none),
			map[string]record.StreamsCurrentMemberAssignmentValue{"a2": at2(none, none, set(1))},
			tasksOf(set(1), none, none), protocol.Tasks{}, "3 UNRELEASED"},
		{"not for copies in other processes", tasksOf(none, none, none),
			map[string]record.StreamsCurrentMemberAssignmentValue{"b1": at2(none, set(1), none), "c1": at2(none, none, set(1))},
			tasksOf(set(1), none, none), protocol.Tasks{}, "3 STABLE 1@3"},

		{"a standby waits for any copy in its process", tasksOf(none, none, none),
			map[string]record.StreamsCurrentMemberAssignmentValue{"a2": at2(set(1), set(2), set(3))},
			tasksOf(none, set(1, 2, 3, 4), none), protocol.Tasks{}, "3 UNRELEASED s[4]"},
		{"and not for another process", tasksOf(none, none, none),
			map[string]record.StreamsCurrentMemberAssignmentValue{"b1": at2(set(1), set(2), set(3))},
			tasksOf(none, set(1, 2, 3), none), protocol.Tasks{}, "3 STABLE s[1 2 3]"},
		{"a warm-up waits for any copy in its process", tasksOf(none, none, none),
			map[string]record.StreamsCurrentMemberAssignmentValue{"a2": at2(set(1), set(2), set(3))},
			tasksOf(none, none, set(1, 2, 3, 4)), protocol.Tasks{}, "3 UNRELEASED w[4]"},

		{"from active to standby it is a standby at once, and still gives up the active", tasksOf(set(0, 1), none, none), nil,
			tasksOf(set(0), set(1), none), protocol.Tasks{}, "2 UNREVOKED 0@2 s[1] drops 1@2"},
		{"from standby to warm-up and back it turns at once", tasksOf(none, set(0), set(1)), nil,
			tasksOf(none, set(1), set(0)), protocol.Tasks{}, "3 STABLE s[1] w[0]"},
		{"from standby to active it changes in one step", tasksOf(none, set(0), set(1)), nil,
			tasksOf(set(0, 1), none, none), protocol.Tasks{}, "3 STABLE 0@3 1@3"},
		{"and stays a standby while the active is not free", tasksOf(none, set(0), set(1)),
			map[string]record.StreamsCurrentMemberAssignmentValue{"b1": at2(set(0, 1), none, none)},
			tasksOf(set(0, 1), none, none), protocol.Tasks{}, "3 UNRELEASED s[0] w[1]"},
		{"or while something else must be given up", tasksOf(set(5), set(0), none), nil,
			tasksOf(set(0), none, none), protocol.Tasks{}, "2 UNREVOKED s[0] drops 5@2"},
		{"only what is granted changes", tasksOf(none, set(0, 1), none),
			map[string]record.StreamsCurrentMemberAssignmentValue{"b1": at2(set(1), none, none)},
			tasksOf(set(0, 1), none, none), protocol.Tasks{}, "3 UNRELEASED 0@3 s[1]"},
	} {
		members := map[string]record.StreamsCurrentMemberAssignmentValue{"a1": at2(c.has.Active, c.has.Standby, c.has.Warmup)}
		for id, current := range c.others {
			members[id] = current
		}
		g := groupWith(t, members)
		out := g.Reconcile(g.Member("a1"), &Facts{TargetEpoch: 3, Target: c.target, Owned: c.owned})
		assert.Equal(t, c.want, stands(&out.Next), c.claim)
		assert.True(t, out.Changed, c.claim)
		assert.EqualValues(t, 2, out.Next.PreviousMemberEpoch, c.claim)
	}
}

// revoking is a member at epoch 2 that was asked to give up task 1.
func revoking() record.StreamsCurrentMemberAssignmentValue {
	v := at2(set(0), set(), set())
	v.State = record.UnrevokedPartitions
	v.PendingActive = heldAt2(set(1))
	return v
}

func TestAMemberThatIsAskedToGiveUpMoreMayStepItsEpoch(t *testing.T) {
	for step, want := range map[bool]string{false: "2 UNREVOKED drops 0@2", true: "3 UNREVOKED drops 0@2"} {
		g := groupWith(t, map[string]record.StreamsCurrentMemberAssignmentValue{"a1": revoking()})
		f := Facts{TargetEpoch: 5, Target: tasksOf(set(), set(), set()), StepEpoch: step, Owned: tasksOf(set(0, 1), set(), set())}
		out := g.Reconcile(g.Member("a1"), &f)
		assert.Equal(t, StillRevoking, out.Step)
		assert.False(t, out.Changed)
		f.Owned = tasksOf(set(0), set(), set())
		out = g.Reconcile(g.Member("a1"), &f)
		assert.Equal(t, want, stands(&out.Next))
	}
}

func TestATaskThatComesBackWhileItIsGivenUpIsGrantedOneHeartbeatLater(t *testing.T) {
	g := groupWith(t, map[string]record.StreamsCurrentMemberAssignmentValue{"a1": revoking()})
	f := Facts{TargetEpoch: 5, Target: tasksOf(set(0, 1), set(), set()), Owned: tasksOf(set(0), set(), set())}
	out := g.Reconcile(g.Member("a1"), &f)
	assert.Equal(t, "5 UNRELEASED 0@2", stands(&out.Next))
	apply(t, g, record.StreamsCurrentMemberAssignment, "a1", out.Next)
	out = g.Reconcile(g.Member("a1"), &f)
	assert.Equal(t, "5 STABLE 0@2 1@5", stands(&out.Next))
}

func TestASettledMemberIsLeftAlone(t *testing.T) {
	g := groupWith(t, map[string]record.StreamsCurrentMemberAssignmentValue{"a1": at2(set(0), set(), set())})
	out := g.Reconcile(g.Member("a1"), &Facts{TargetEpoch: 2, Target: tasksOf(set(0, 1), set(), set())})
	assert.Equal(t, Settled, out.Step)
	assert.False(t, out.Changed)
}

func TestAMemberInAnUnknownStateMustGiveEverythingUp(t *testing.T) {
	lost := at2(set(0), set(), set())
	lost.State = record.UnknownState
	g := groupWith(t, map[string]record.StreamsCurrentMemberAssignmentValue{"a1": lost})
	f := Facts{TargetEpoch: 5, Target: tasksOf(set(1), set(), set())}
	assert.Equal(t, Lost, g.Reconcile(g.Member("a1"), &f).Step)
	f.Owned = tasksOf(set(0), set(), set())
	assert.Equal(t, Lost, g.Reconcile(g.Member("a1"), &f).Step)
	f.Owned = tasksOf(set(), set(), set())
	out := g.Reconcile(g.Member("a1"), &f)
	assert.Equal(t, "5 STABLE 1@5", stands(&out.Next))
}

func TestOfTwoMembersOfAProcessTheOneThatLetsGoSpeaksForBoth(t *testing.T) {
	g := groupWith(t, map[string]record.StreamsCurrentMemberAssignmentValue{"b1": at2(set(), set(0), set()), "a1": at2(set(), set(0), set())})
	apply(t, g, record.StreamsMemberMetadata, "b1", record.StreamsMemberMetadataValue{ProcessID: "a"}) // moves into process a
	apply(t, g, record.StreamsCurrentMemberAssignment, "b1", at2(set(), set(), set()))
	target := tasksOf(set(), set(0), set())
	out := g.Reconcile(g.Member("b1"), &Facts{TargetEpoch: 3, Target: target})
	assert.Equal(t, "3 STABLE s[0]", stands(&out.Next), "the broker keeps a set of processes, not a count")
}

func TestARecordThatCannotFollowIsRefused(t *testing.T) {
	member := record.Key{Type: record.StreamsMemberMetadata, Group: "g", Member: "a1"}
	for want, r := range map[string]record.Record{
		"group g, record T19a1: the member's current assignment was not deleted first": {Key: member},
		"group g, record T17: the group still has 1 members":                           {Key: record.Key{Type: record.StreamsGroupMetadata, Group: "g"}},
		"group g, record T20: the target still has 1 members":                          {Key: record.Key{Type: record.StreamsTargetAssignmentMetadata, Group: "g"}},
		"group g, record T3: a streams group has no record of type 3":                  {Key: record.Key{Type: record.GroupMetadata, Group: "g"}},
		"group g, record 22a1: there is no active task 0_-1": {
			Key:   record.Key{Type: record.StreamsCurrentMemberAssignment, Group: "g", Member: "a1"},
			Value: at2(set(-1), set(), set()),
		},
	} {
		g := groupWith(t, map[string]record.StreamsCurrentMemberAssignmentValue{"a1": at2(set(0), set(), set())})
		apply(t, g, record.StreamsTargetAssignmentMember, "a1", record.StreamsTargetAssignmentMemberValue{Tasks: tasksOf(set(0), set(), set())})
		assert.EqualError(t, g.Apply(r), want)
		assert.True(t, g.Runs(protocol.Partition{Topic: "0"}), "nothing changed")
	}
	g := groupWith(t, map[string]record.StreamsCurrentMemberAssignmentValue{"a1": at2(set(0), set(), set())})
	apply(t, g, record.StreamsTargetAssignmentMember, "a1", record.StreamsTargetAssignmentMemberValue{Tasks: tasksOf(set(0), set(), set())})
	apply(t, g, record.StreamsCurrentMemberAssignment, "a1", nil)
	assert.EqualError(t, g.Apply(record.Record{Key: member}), "group g, record T19a1: the member's target was not deleted first")
}

func TestTombstonesOfWhatIsNotThereChangeNothing(t *testing.T) {
	g := New("g", 1)
	for _, kind := range []record.Type{record.StreamsCurrentMemberAssignment, record.StreamsTargetAssignmentMember, record.StreamsMemberMetadata} {
		apply(t, g, kind, "x", nil)
	}
	assert.Zero(t, g.Size())
}

func TestAGroupWhoseLogBeginsKnowsTheEpochFromBeforeItsFirstBump(t *testing.T) {
	g := New("g", Unknown)
	apply(t, g, record.StreamsGroupMetadata, "", record.StreamsGroupMetadataValue{Epoch: 2, ValidatedTopologyEpoch: -1})
	assert.EqualValues(t, 1, g.AssignmentEpoch)
	apply(t, g, record.StreamsGroupMetadata, "", record.StreamsGroupMetadataValue{Epoch: 3, ValidatedTopologyEpoch: -1})
	assert.EqualValues(t, 1, g.AssignmentEpoch)
}
