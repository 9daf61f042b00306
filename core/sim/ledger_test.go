package sim

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/core/coordinator"
	"groupscope/core/protocol"
	"groupscope/core/record"
	"groupscope/core/rules"
)

func groupAt(epoch int32) record.Record {
	return record.Record{Key: record.Key{Type: record.GroupMetadata, Group: "g"}, Value: record.GroupMetadataValue{Epoch: epoch}}
}

func holds(member string, epoch int32, partitions ...int32) record.Record {
	v := record.CurrentMemberAssignmentValue{MemberEpoch: epoch}
	for _, n := range partitions {
		v.Assigned = append(v.Assigned, record.Held{Partition: protocol.Partition{Topic: "foo", Number: n}})
	}
	return record.Record{Key: record.Key{Type: record.CurrentMemberAssignment, Group: "g", Member: member}, Value: v}
}

func target(epoch int32) record.Record {
	return record.Record{Key: record.Key{Type: record.TargetAssignmentMetadata, Group: "g"}, Value: record.TargetAssignmentMetadataValue{AssignmentEpoch: epoch}}
}

// after is a world with topic foo whose coordinator wrote records, one a
// second, and the violations that it told of.
func after(records ...record.Record) (*World, []Violation) {
	w := &World{topics: foo, coordinator: coordinator.New(coordinator.Config{})}
	w.ledger.exists(1000, foo[0])
	for i, r := range records {
		w.now = protocol.Instant(2000 + 1000*i)
		w.wrote([]record.Record{r}, 0)
	}
	return w, violated(w)
}

// violated takes the violations that a world has told of.
func violated(w *World) []Violation {
	var out []Violation
	for _, e := range w.took() {
		if v, ok := e.What.(Violated); ok {
			out = append(out, v.Violation)
		}
	}
	return out
}

var foo = []protocol.Topic{{ID: "foo", Name: "foo", Partitions: 4}}

func TestTwoOwnersOfOnePartitionAreReportedOnceAndForAsLongAsTheyHold(t *testing.T) {
	w, fresh := after(groupAt(5), target(5), holds("A", 5, 0, 1), holds("B", 5, 1, 2), holds("C", 5))
	require.Len(t, fresh, 1)
	assert.Equal(t, Violation{
		Invariant: "one owner", Text: "foo-1 has more than one owner: A, B.",
		Partitions: []protocol.Partition{{Topic: "foo", Number: 1}}, Members: []string{"A", "B"}, Since: 5000,
	}, fresh[0])
	assert.Equal(t, fresh, w.violations, "it holds on")
	w.wrote([]record.Record{holds("A", 5, 0)}, 0)
	assert.Empty(t, violated(w))
	assert.NotContains(t, w.violations, fresh[0], "and is over when one of them lets go")
}

func TestEpochsOutOfOrderAreReported(t *testing.T) {
	_, fresh := after(groupAt(5), groupAt(4))
	require.Len(t, fresh, 1)
	assert.Equal(t, "The group epoch fell from 5 to 4.", fresh[0].Text)
	_, fresh = after(groupAt(6), target(5), holds("A", 6))
	require.Len(t, fresh, 1)
	assert.Equal(t, "A is at epoch 6, ahead of the target, which is of 5.", fresh[0].Text)
	_, fresh = after(groupAt(5), target(6))
	require.Len(t, fresh, 1)
	assert.Equal(t, "The target is of epoch 6, ahead of the group, which is at 5.", fresh[0].Text)
}

func TestAStableGroupLeavesNoPartitionOut(t *testing.T) {
	w, err := New(Setup{
		GroupID: "g", Topics: []protocol.Topic{{Name: "foo", Partitions: 4}, {Name: "bar", Partitions: 1}},
		Config: coordinator.DefaultConfig(rules.Kafka()), Members: []MemberSetup{{Name: "A", Subscribe: []string{"foo"}}},
	})
	require.NoError(t, err)
	_, err = w.Do(Join{Member: "A"})
	require.NoError(t, err)
	assert.Empty(t, w.violations, "nobody subscribes to bar")
	epoch := w.ledger.groupEpoch
	w.wrote([]record.Record{holds("A", epoch, 0, 1, 3)}, 0)
	require.Len(t, violated(w), 1)
	assert.Equal(t, Violation{
		Invariant: "no gap", Text: "foo-2 has no owner, and the group is Stable.",
		Partitions: []protocol.Partition{{Topic: "foo", Number: 2}}, Since: w.now,
	}, w.violations[0])
	w.wrote([]record.Record{groupAt(epoch + 1)}, 0)
	assert.Empty(t, w.violations, "the group knows that its target is out of date")
	w.wrote([]record.Record{target(epoch + 1), holds("A", epoch+1, 0, 1, 2, 3)}, 0)
	_, err = w.Do(SetTopics{Topics: []protocol.Topic{{Name: "foo", Partitions: 9}}})
	require.NoError(t, err)
	assert.Empty(t, w.violations, "partitions that came since are found with the next heartbeat")
}

func TestPartitionsWithoutAnOwnerAreKnownWithTheInstantTheyLostIt(t *testing.T) {
	w, _ := after(groupAt(5), target(5), holds("A", 5, 0, 1), holds("A", 5, 1))
	assert.Equal(t, []Unowned{
		{Partition: protocol.Partition{Topic: "foo", Number: 0}, Since: 5000},
		{Partition: protocol.Partition{Topic: "foo", Number: 2}, Since: 1000, Never: true},
		{Partition: protocol.Partition{Topic: "foo", Number: 3}, Since: 1000, Never: true},
	}, w.ledger.unowned(foo))
}

func TestPendingRevocationCountsAsHeld(t *testing.T) {
	r := holds("A", 5, 0)
	v := r.Value.(record.CurrentMemberAssignmentValue)
	v.PendingRevocation = []record.Held{{Partition: protocol.Partition{Topic: "foo", Number: 3}}}
	r.Value = v
	w, fresh := after(groupAt(5), target(5), r, holds("B", 5, 3))
	assert.Len(t, fresh, 1)
	assert.Len(t, w.ledger.unowned(foo), 2)
}

func TestACoordinatorThatIsNotWhatItsLogSaysIsNoticed(t *testing.T) {
	w, _ := after(groupAt(5), target(5), holds("A", 5, 0))
	l := &w.ledger
	held := []record.Held{{Partition: protocol.Partition{Topic: "foo", Number: 0}}}
	same := &coordinator.Group{GroupEpoch: 5, Members: []*coordinator.Member{{ID: "A", MemberEpoch: 5, Assigned: held}}}
	assert.Empty(t, l.mismatch(same, nil))
	other := &coordinator.Group{GroupEpoch: 5, Members: []*coordinator.Member{{ID: "A", MemberEpoch: 4, Assigned: held}}}
	assert.Equal(t, "The coordinator has another state of A than its log.", l.mismatch(other, nil))
	other.GroupEpoch = 6
	assert.NotEmpty(t, l.mismatch(other, nil))
	assert.NotEmpty(t, l.mismatch(nil, nil))
	assert.NotEmpty(t, difference(same, other))
	assert.Empty(t, difference(same, same))
}

func TestAClonedLedgerIsAnother(t *testing.T) {
	w, _ := after(groupAt(5), target(5), holds("A", 5, 0, 1))
	l, c := &w.ledger, w.ledger.clone()
	c.apply(9000, holds("A", 5))
	assert.Len(t, l.unowned(foo), 2)
	assert.Len(t, c.unowned(foo), 4)
	l.apply(9000, holds("A", 5, 0, 1, 2, 3))
	assert.Empty(t, l.unowned(foo))
	assert.Len(t, c.unowned(foo), 4)
}
