package assignor

import "slices"

// MemberTable is the hash table in which the broker keeps a group's members,
// as far as its order matters: the order in which members are walked decides
// between members that share a bucket of an assignor's own table. It is as
// old as the group and never shrinks. The zero value is an empty table.
type MemberTable struct {
	slots [][]string // a slot is never changed, but replaced: copies share it
	size  int
}

// slotFactor spreads hashes over the slots (a 64-bit golden ratio, as a
// signed number -7046029254386353131).
const slotFactor = 0x9E3779B97F4A7C15

// Clone copies the table.
func (t *MemberTable) Clone() MemberTable {
	return MemberTable{slots: slices.Clone(t.slots), size: t.size}
}

// Put inserts a member or replaces it in its place. The table may double
// before either.
func (t *MemberTable) Put(id string) {
	if len(t.slots) == 0 {
		t.slots = make([][]string, 2)
	}
	if 3*(t.size+1) > 4*len(t.slots) {
		t.double()
	}
	slot := t.slot(id)
	if !slices.Contains(*slot, id) {
		*slot = append(slices.Clip(*slot), id)
		t.size++
	}
}

// Remove takes a member out.
func (t *MemberTable) Remove(id string) {
	if len(t.slots) == 0 {
		return
	}
	slot := t.slot(id)
	if i := slices.Index(*slot, id); i >= 0 {
		*slot = slices.Concat((*slot)[:i], (*slot)[i+1:])
		t.size--
	}
}

func (t *MemberTable) double() {
	old := t.slots
	t.slots = make([][]string, 2*len(old))
	for _, members := range old {
		for _, id := range members {
			slot := t.slot(id)
			*slot = append(*slot, id)
		}
	}
}

// slot is the top bits of the spread hash.
func (t *MemberTable) slot(id string) *[]string {
	bits := 0
	for 1<<bits < len(t.slots) {
		bits++
	}
	spread := uint64(int64(int32(StringHash(id)))) * slotFactor
	return &t.slots[spread>>(64-bits)]
}

// Walk lists the members in the table's order: a slot is read last to first.
func (t *MemberTable) Walk() []string {
	out := make([]string, 0, t.size)
	for _, slot := range t.slots {
		for _, id := range slices.Backward(slot) {
			out = append(out, id)
		}
	}
	return out
}
