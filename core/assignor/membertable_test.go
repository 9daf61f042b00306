package assignor

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// The member table grows as the broker's does: capacity 2, doubled before an
// insert or a replacement that would fill it by more than a third too much.
func TestTheMemberTableNeverShrinksAndReadsASlotBackwards(t *testing.T) {
	var table MemberTable
	for _, id := range []string{"A", "B", "C"} {
		table.Put(id)
	}
	assert.Len(t, table.slots, 4)
	assert.ElementsMatch(t, []string{"A", "B", "C"}, table.Walk())
	table.Remove("A")
	table.Remove("B")
	assert.Len(t, table.slots, 4)
	assert.Equal(t, []string{"C"}, table.Walk())

	crowded := MemberTable{slots: [][]string{{"x", "y"}, {"z"}}, size: 3}
	assert.Equal(t, []string{"y", "x", "z"}, crowded.Walk())
}
