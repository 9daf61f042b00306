package assignor

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"groupscope/core/protocol"
)

// The assignors' memory comes in a few large pieces, however many members
// there are: with a list for each they would take twice as long.
func TestAssignorsAllocateNoMoreOftenForMoreMembers(t *testing.T) {
	for _, test := range []struct {
		with Assignor
		most float64
	}{{Uniform{}, 14}, {Range{}, 12}} {
		for _, c := range crowds[:2] {
			spec := c.spec(0)
			allocs := testing.AllocsPerRun(3, func() {
				_, err := test.with.Assign(spec)
				require.NoError(t, err)
			})
			assert.LessOrEqual(t, allocs, test.most, "%s of %d members", test.with.Name(), c.members)
		}
	}
}

func TestTopicsAreFoundInAFewStepsWhereverTheirNamesDiffer(t *testing.T) {
	for _, form := range []string{"%03d", "topic-%03d", "%03d-of-the-orders", "orders-%03d-of-the-shop"} {
		var topics []protocol.Topic
		for i := range 100 {
			topics = append(topics, protocol.Topic{ID: protocol.TopicID(fmt.Sprintf(form, i))})
		}
		r := newRanks(topics)
		steps := 0
		for i := range topics {
			at := r.slot(topics[i].ID)
			for ; r.slots[at] != int32(i)+1; at = (at + 1) & (len(r.slots) - 1) {
				steps++
			}
		}
		assert.Less(t, steps, 150, form)
	}
}

func TestAStringHashesAsItsCodeUnitsOneByOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"a", "Z", "7", "-", "é", "語", "😀"}), 0, 30).Draw(t, "text"), "")
		if rapid.Bool().Draw(t, "ascii") {
			text = rapid.StringMatching(`[ -~]{0,40}`).Draw(t, "plain")
		}
		var want uint32
		for _, unit := range utf16.Encode([]rune(text)) {
			want = 31*want + uint32(unit)
		}
		assert.Equal(t, want, StringHash(text))
	})
}

func TestRangeSharesOutNeighboursOfOneSizeAndOthersAlike(t *testing.T) {
	spec := Spec{Homogeneous: true}
	var ids []protocol.TopicID
	for i, n := range []int32{3, 3, 2, 3, 0, 1} {
		topic := protocol.Topic{ID: protocol.TopicID('a' + rune(i)), Partitions: n}
		spec.Topics, ids = append(spec.Topics, topic), append(ids, topic.ID)
	}
	spec.Members = []Member{{ID: "B", Topics: ids}, {ID: "A", Topics: ids}}
	together, err := Range{}.Assign(spec)
	require.NoError(t, err)
	assert.Equal(t, "a [2], b [2], c [1], d [2]", together[0].String())
	assert.Equal(t, "a [0, 1], b [0, 1], c [0], d [0, 1], f [0]", together[1].String())
	spec.Homogeneous = false
	apart, err := Range{}.Assign(spec)
	require.NoError(t, err)
	assert.Equal(t, together, apart)
}
