package prose_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"groupscope/core/prose"
)

func TestAListReadsAsOneWouldSayIt(t *testing.T) {
	for want, words := range map[string][]string{"": nil, "a": {"a"}, "a and b": {"a", "b"}, "a, b and c": {"a", "b", "c"}} {
		assert.Equal(t, want, prose.And(words))
	}
	assert.Equal(t, "a, b or c", prose.Or([]string{"a", "b", "c"}))
	assert.Equal(t, []string{"are", "is", "are"}, []string{prose.IsAre(0), prose.IsAre(1), prose.IsAre(2)})
}
