package explore

import (
	"encoding/binary"
	"math/bits"
)

// table finds a state by the hash of its bytes: open addressing over two
// parallel arrays, 12 bytes a slot.
type table struct {
	hashes []uint64
	states []uint32 // the state's number and 1; 0: an empty slot
	used   int
}

// find is the number of the state with a hash.
func (t *table) find(hash uint64) (uint32, bool) {
	if len(t.states) == 0 {
		return 0, false
	}
	i := t.slot(hash)
	return t.states[i] - 1, t.states[i] != 0
}

// slot is where the hash stands, or would stand.
func (t *table) slot(hash uint64) int {
	mask := len(t.states) - 1
	i := int(hash) & mask
	for t.states[i] != 0 && t.hashes[i] != hash {
		i = (i + 1) & mask
	}
	return i
}

// add puts in a state that is not there.
func (t *table) add(hash uint64, state uint32) {
	if 4*t.used >= 3*len(t.states) {
		t.grow()
	}
	i := t.slot(hash)
	t.hashes[i], t.states[i] = hash, state+1
	t.used++
}

func (t *table) grow() {
	old := *t
	size := max(1024, 2*len(old.states))
	*t = table{hashes: make([]uint64, size), states: make([]uint32, size), used: old.used}
	for i, s := range old.states {
		if s != 0 {
			at := t.slot(old.hashes[i])
			t.hashes[at], t.states[at] = old.hashes[i], s
		}
	}
}

// hashOf mixes bytes, eight at a time, into 64 bits. Two of ten million
// different states have the same one with a chance of about 1 in 400,000.
func hashOf(b []byte) uint64 {
	const a, c = 0x9E3779B97F4A7C15, 0xE7037ED1A0B428DB
	mix := func(x, y uint64) uint64 {
		high, low := bits.Mul64(x, y)
		return high ^ low
	}
	h := uint64(len(b)) ^ a
	for ; len(b) >= 8; b = b[8:] {
		h = mix(h^binary.LittleEndian.Uint64(b), a)
	}
	var tail [8]byte
	copy(tail[:], b)
	return mix(h^binary.LittleEndian.Uint64(tail[:]), c)
}
