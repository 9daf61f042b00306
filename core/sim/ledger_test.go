package sim

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/core/coordinator"
	"groupscope/core/protocol"
	"groupscope/core/record"
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

// after is a ledger with topic foo that took records in, one a second.
func after(records ...record.Record) (*ledger, []Violation) {
	l := &ledger{}
	l.exists(1000, protocol.Topic{ID: "foo", Name: "foo", Partitions: 4})
	var fresh []Violation
	for i, r := range records {
		now := protocol.Instant(2000 + 1000*i)
		l.apply(now, r)
		fresh = append(fresh, l.fresh(now)...)
	}
	return l, fresh
}

var foo = []protocol.Topic{{ID: "foo", Name: "foo", Partitions: 4}}

func TestTwoOwnersOfOnePartitionAreReportedOnceAndForAsLongAsTheyHold(t *testing.T) {
	l, fresh := after(groupAt(5), holds("A", 5, 0, 1), holds("B", 5, 1, 2), holds("C", 5))
	require.Len(t, fresh, 1)
	assert.Equal(t, Violation{
		Invariant: "one owner", Text: "foo-1 has more than one owner: A, B.",
		Partitions: []protocol.Partition{{Topic: "foo", Number: 1}}, Members: []string{"A", "B"}, Since: 4000,
	}, fresh[0])
	assert.Equal(t, fresh, l.broken, "it holds on")
	l.apply(6000, holds("A", 5, 0))
	assert.Empty(t, l.fresh(6000))
	assert.Empty(t, l.broken, "and is over when one of them lets go")
}

func TestEpochsOutOfOrderAreReported(t *testing.T) {
	_, fresh := after(groupAt(5), groupAt(4))
	require.Len(t, fresh, 1)
	assert.Equal(t, "The group epoch fell from 5 to 4.", fresh[0].Text)
	_, fresh = after(groupAt(5), holds("A", 6))
	require.Len(t, fresh, 1)
	assert.Equal(t, "A is at epoch 6, ahead of the group, which is at 5.", fresh[0].Text)
}

func TestPartitionsWithoutAnOwnerAreKnownWithTheInstantTheyLostIt(t *testing.T) {
	l, _ := after(groupAt(5), holds("A", 5, 0, 1), holds("A", 5, 1))
	assert.Equal(t, []Unowned{
		{Partition: protocol.Partition{Topic: "foo", Number: 0}, Since: 4000},
		{Partition: protocol.Partition{Topic: "foo", Number: 2}, Since: 1000, Never: true},
		{Partition: protocol.Partition{Topic: "foo", Number: 3}, Since: 1000, Never: true},
	}, l.unowned(foo))
}

func TestPendingRevocationCountsAsHeld(t *testing.T) {
	r := holds("A", 5, 0)
	v := r.Value.(record.CurrentMemberAssignmentValue)
	v.PendingRevocation = []record.Held{{Partition: protocol.Partition{Topic: "foo", Number: 3}}}
	r.Value = v
	l, fresh := after(groupAt(5), r, holds("B", 5, 3))
	assert.Len(t, fresh, 1)
	assert.Len(t, l.unowned(foo), 2)
}

func TestACoordinatorThatIsNotWhatItsLogSaysIsNoticed(t *testing.T) {
	l, _ := after(groupAt(5), holds("A", 5, 0))
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
	l, _ := after(groupAt(5), holds("A", 5, 0, 1))
	c := l.clone()
	c.apply(9000, holds("A", 5))
	assert.Len(t, l.unowned(foo), 2)
	assert.Len(t, c.unowned(foo), 4)
	l.apply(9000, holds("A", 5, 0, 1, 2, 3))
	assert.Empty(t, l.unowned(foo))
	assert.Len(t, c.unowned(foo), 4)
}
