package record_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"groupscope/core/protocol"
	"groupscope/core/record"
)

func TestHeldPartitionsAreListedInTheirOrder(t *testing.T) {
	bar, foo := protocol.Partition{Topic: "bar", Number: 7}, protocol.Partition{Topic: "foo", Number: 1}
	assert.Equal(t, []protocol.Partition{bar, foo}, record.Partitions([]record.Held{{Partition: bar, AssignmentEpoch: 3}, {Partition: foo, AssignmentEpoch: 2}}))
	assert.Equal(t, []protocol.Partition{}, record.Partitions(nil), "an empty list, not an absent one")
}
