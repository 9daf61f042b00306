package assignor

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"groupscope/core/protocol"
)

func TestStringsHashAsInJava(t *testing.T) {
	for text, want := range map[string]uint32{
		"": 0, "A": 65, "foo": 101574, "consumer-group-member": 1834664479, "é": 233, "😀": 1772899,
	} {
		assert.Equal(t, want, StringHash(text), text)
	}
}

func TestAHashTableIsWalkedByBucketThenByInsertion(t *testing.T) {
	hashes := []uint32{17, 1, 0, 16, 33}
	assert.Equal(t, []int32{2, 3, 0, 1, 4}, new(hashOrder).of(len(hashes), func(i int) uint32 { return hashes[i] }))
}

func TestAHashTableDoublesAboveThreeQuarters(t *testing.T) {
	// With 12 keys there are 16 buckets and 16 stands with 0; with 13 there
	// are 32 and it stands in its own.
	order := func(n int) []int32 {
		return new(hashOrder).of(n, func(i int) uint32 { return uint32(16 - i) })
	}
	assert.EqualValues(t, 0, order(12)[0], "16 is in bucket 0")
	assert.EqualValues(t, 12, order(13)[0], "4 is the lowest bucket")
}

func TestHighBitsOfAHashReachTheBucket(t *testing.T) {
	hashes := []uint32{0x00010000, 0}
	assert.Equal(t, []int32{1, 0}, new(hashOrder).of(2, func(i int) uint32 { return hashes[i] }))
}

// uuid has the hash h.
func uuid(h byte) [16]byte { return [16]byte{15: h} }

func TestTheTopicThatCameLaterGivesUpLessInsideABucket(t *testing.T) {
	bar := protocol.Topic{ID: "bar", Name: "bar", Partitions: 1, UUID: uuid(1)}
	foo := protocol.Topic{ID: "foo", Name: "foo", Partitions: 1, UUID: uuid(17)}
	spec := Spec{Homogeneous: true, Topics: []protocol.Topic{bar, foo}}
	both := []protocol.TopicID{"bar", "foo"}
	held := protocol.Assignment{{Topic: "bar", Partitions: []int32{0}}, {Topic: "foo", Partitions: []int32{0}}}
	for _, test := range []struct {
		arrival []protocol.TopicID
		keeps   string
	}{
		{[]protocol.TopicID{"bar", "foo"}, "foo [0]"},
		{[]protocol.TopicID{"foo", "bar"}, "bar [0]"},
		{nil, "foo [0]"},
	} {
		spec.Members = []Member{{ID: "A", Topics: both, Target: held, Arrival: test.arrival}, {ID: "B", Topics: both}}
		out, err := Uniform{}.Assign(spec)
		assert.NoError(t, err)
		assert.Equal(t, test.keeps, out[0].String())
	}
}

func TestTopicsWithoutAUUIDStandInTheOrderOfTheirIds(t *testing.T) {
	spec := Spec{Topics: []protocol.Topic{{ID: "a", Name: "a"}, {ID: "b", Name: "b"}}}
	ranks := []int32{1, 0}
	new(hashOrder).topics(spec.Topics, ranks)
	assert.Equal(t, []int32{0, 1}, ranks)
	assert.Negative(t, compareTopicIDs(&spec.Topics[0], &spec.Topics[1]))
}

func TestUUIDsCompareAsSignedHalves(t *testing.T) {
	negative := &protocol.Topic{ID: "n", UUID: [16]byte{0: 0x80}}
	positive := &protocol.Topic{ID: "p", UUID: [16]byte{0: 0x01}}
	assert.Negative(t, compareTopicIDs(negative, positive))
}
