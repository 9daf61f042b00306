package canon_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"groupscope/core/canon"
	"groupscope/core/protocol"
)

type thing struct {
	name  string
	tags  map[string][]int
	due   protocol.Instant
	next  *thing
	held  any
	small [2]int8
	count uint64  `canon:"-"`
	bag   []int32 `canon:"set"`
}

func bytesAt(now protocol.Instant, t thing) string {
	w := canon.Writer{Now: now, Back: protocol.Second, Ahead: protocol.Minute}
	return string(canon.Append(&w, nil, &t))
}

func bytesOf(t thing) string { return bytesAt(1_000_000, t) }

func TestEveryFieldCountsUnlessItIsLeftOut(t *testing.T) {
	base := bytesOf(thing{})
	for what, other := range map[string]thing{
		"name": {name: "a"}, "tags": {tags: map[string][]int{"a": nil}}, "due": {due: 1_000_000},
		"next": {next: &thing{}}, "held": {held: 0}, "small": {small: [2]int8{0, 1}},
	} {
		assert.NotEqual(t, base, bytesOf(other), what)
	}
	assert.Equal(t, base, bytesOf(thing{count: 7}))
	assert.NotEqual(t, bytesOf(thing{next: &thing{}}), bytesOf(thing{next: &thing{name: "deep"}}))
}

func TestEqualValuesAreEqualBytesWhereverTheyLie(t *testing.T) {
	make := func() thing {
		tags := map[string][]int{}
		for _, key := range []string{"a", "b", "c", "d", "e", "f", "g", "h", "i"} {
			tags[key] = []int{len(tags)}
		}
		return thing{name: "x", tags: tags, next: &thing{held: &thing{name: "y"}}, held: "text"}
	}
	want := bytesOf(make())
	for range 20 {
		assert.Equal(t, want, bytesOf(make()), "maps have no order")
	}
}

func TestASetHasNoOrderAndNoZeroValues(t *testing.T) {
	want := bytesOf(thing{bag: []int32{1, 2, 300}})
	assert.Equal(t, want, bytesOf(thing{bag: []int32{300, 0, 1, 2, 0}}))
	assert.NotEqual(t, want, bytesOf(thing{bag: []int32{1, 300}}))
	assert.NotEqual(t, want, bytesOf(thing{bag: []int32{1, 2, 2, 300}}))
	assert.Equal(t, bytesOf(thing{}), bytesOf(thing{bag: []int32{0}}))
}

func TestNothingIsNotTheSameAsEmpty(t *testing.T) {
	assert.NotEqual(t, bytesOf(thing{tags: map[string][]int{"a": nil}}), bytesOf(thing{tags: map[string][]int{"a": {}}}))
	assert.NotEqual(t, bytesOf(thing{held: nil}), bytesOf(thing{held: ""}))
	assert.NotEqual(t, bytesOf(thing{held: int32(1)}), bytesOf(thing{held: int64(1)}))
}

func TestInstantsCountByTheirDistanceFromThePresent(t *testing.T) {
	at := func(now, due protocol.Instant) string { return bytesAt(now, thing{due: due}) }
	assert.Equal(t, at(1_000_000, 1_005_000), at(2_000_000, 2_005_000))
	assert.NotEqual(t, at(1_000_000, 1_005_000), at(1_000_000, 1_005_001))
	assert.Equal(t, at(1_000_000, 900_000), at(1_000_000, 999_000), "nothing looks further back than a second")
	assert.NotEqual(t, at(1_000_000, 999_001), at(1_000_000, 999_000))
	assert.Equal(t, at(1_000_000, 1_060_000), at(1_000_000, 9_000_000), "nor further ahead than a minute")
	assert.NotEqual(t, at(1_000_000, 0), at(1_000_000, 900_000), "0 is never, or unknown")
}

func TestWhatHasNoBytesIsRefused(t *testing.T) {
	type odd struct{ F func() }
	assert.PanicsWithValue(t, "canon: a func() cannot be written: leave its field out", func() {
		canon.Append(&canon.Writer{}, nil, &odd{})
	})
}
