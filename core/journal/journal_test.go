package journal_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"groupscope/core/journal"
)

func TestAJournalListsWhatWasAppendedOldestFirst(t *testing.T) {
	j := journal.Of([]int{1, 2})
	j.Append(3)
	j.Append()
	j.Append(4, 5)
	assert.Equal(t, []int{1, 2, 3, 4, 5}, j.All())
	assert.Equal(t, 5, j.Len())
	assert.Empty(t, journal.Journal[int]{}.All())
}

func TestCopiesGrowByThemselves(t *testing.T) {
	a := journal.Of([]int{1})
	b := a
	a.Append(2)
	b.Append(3, 4)
	a.All()[0] = 9 // the list is the caller's own
	assert.Equal(t, []int{1, 2}, a.All())
	assert.Equal(t, []int{1, 3, 4}, b.All())
}
