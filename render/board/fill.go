package board

import (
	"slices"

	"groupscope/core/coordinator"
	"groupscope/core/playback"
	"groupscope/core/protocol"
	"groupscope/core/record"
	"groupscope/core/sim"
)

// makeSlots makes the slots of n partitions from the first-th on.
func (d *drawing) makeSlots(first, n int) {
	d.slots = d.slots[:0]
	for ti := range d.topics {
		t := &d.topics[ti]
		for i := max(first, t.first); i < min(first+n, t.first+t.n); i++ {
			p := protocol.Partition{Topic: t.id, Number: int32(i - t.first)}
			d.slots = append(d.slots, slot{
				p: p, topic: ti, holder: -1, waiter: -1, never: true, change: d.f.Changes.Partition(p),
			})
		}
	}
	for _, u := range d.f.State.Unowned {
		if i, ok := d.slotOf(u.Partition, first); ok {
			d.slots[i].never, d.slots[i].since = u.Never, u.Since
		}
	}
	need := len(d.rows) * len(d.slots)
	if cap(d.cells) < need {
		d.cells = make([]cell, need)
	}
	d.cells = d.cells[:need]
	clear(d.cells)
}

// slotOf is the slot of a partition, if it has one; first is the number of
// the first slot's partition.
func (d *drawing) slotOf(p protocol.Partition, first int) (int, bool) {
	i, ok := d.place(p)
	i -= first
	return i, ok && i >= 0 && i < len(d.slots)
}

// row i's cells.
func (d *drawing) cellsOf(i int) []cell {
	return d.cells[i*len(d.slots):][:len(d.slots)]
}

// fill says what each cell shows.
func (d *drawing) fill() { d.fillFrom(0) }

func (d *drawing) fillFrom(first int) {
	for i := range d.rows {
		r, cells := &d.rows[i], d.cellsOf(i)
		if r.client != nil {
			d.fillOwn(r, cells, first)
		}
		if r.member != nil {
			d.fillBooks(i, r.member, cells, first)
		}
	}
	d.free()
	d.rings()
	d.fillTasks()
	d.alerts(first)
}

// free takes the locks off chips whose partition nobody holds: a record may
// list what its member waits for longer than somebody holds it.
func (d *drawing) free() {
	for s := range d.slots {
		sl := &d.slots[s]
		if sl.holder < 0 && sl.waiter >= 0 {
			if c := &d.cellsOf(sl.waiter)[s]; c.current == waiting {
				c.current = free
			}
		}
	}
}

// fillOwn enters what a client believes.
func (d *drawing) fillOwn(r *row, cells []cell, first int) {
	set := func(a protocol.Assignment, l look) {
		for _, t := range a {
			for _, n := range t.Partitions {
				if s, ok := d.slotOf(protocol.Partition{Topic: t.Topic, Number: n}, first); ok {
					cells[s].own = l
				}
			}
		}
	}
	if r.wasClient != nil && lostAll(r.client) && r.moved.Owned {
		set(r.wasClient.Owned, fenced)
	}
	has := owned
	if r.client.State == "FENCED" {
		has = fenced // it stops reading as soon as its application knows
	}
	takes := has // it knows that partitions are its own; its words say that it takes them up
	if d.streams {
		takes = free // a task does not run before it is open
	}
	set(r.client.Adding, takes)
	set(r.client.Owned, has)
	set(r.client.Revoking, pending)
	if r.wasClient == nil || d.f.Before == nil {
		return
	}
	for s := range cells {
		p := d.slots[s].p
		switch was := r.wasClient; cells[s].own {
		case owned:
			cells[s].ownRing = !was.Owned.Contains(p) && (d.streams || !was.Adding.Contains(p))
		case free:
			cells[s].ownRing = !was.Adding.Contains(p)
		case pending:
			cells[s].ownRing = !was.Revoking.Contains(p)
		}
	}
}

// lostAll reports that a client just dropped what it had, because the
// coordinator does not know it under its epoch any more.
func lostAll(c *sim.ClientState) bool {
	return c.State == "FENCED" || c.State == "JOINING" &&
		(c.LastError == protocol.FencedMemberEpoch || c.LastError == protocol.UnknownMemberID)
}

// fillBooks enters what the coordinator holds for a member.
func (d *drawing) fillBooks(row int, m *coordinator.Member, cells []cell, first int) {
	held := func(hs []record.Held, l look) {
		for i := range hs {
			if s, ok := d.slotOf(hs[i].Partition, first); ok {
				cells[s].current = l
				d.slots[s].holder = row
			}
		}
	}
	wants := func(ps []protocol.Partition, l look) {
		for _, p := range ps {
			if s, ok := d.slotOf(p, first); ok && cells[s].current == empty {
				cells[s].current = l
				d.slots[s].waiter = row
			}
		}
	}
	held(m.Assigned, owned)
	held(m.PendingRevocation, pending)
	wants(m.Waiting, waiting)
	wants(m.Free, free)
	for _, t := range m.Target {
		for _, n := range t.Partitions {
			if s, ok := d.slotOf(protocol.Partition{Topic: t.Topic, Number: n}, first); ok {
				cells[s].target = true
			}
		}
	}
}

// rings marks what changed in this step. One place a partition: where it went
// to; where it is asked for; who waits for it now; whose target it is.
func (d *drawing) rings() {
	for s := range d.slots {
		sl := &d.slots[s]
		c := &sl.change
		if *c == (playback.PartitionChange{}) {
			continue
		}
		sl.ring = c.Released() && sl.holder < 0
		for i := range d.rows {
			m := d.rows[i].member
			if m == nil {
				continue
			}
			cell := &d.cellsOf(i)[s]
			switch cell.current {
			case owned, pending:
				cell.currentRing = c.To == m.ID && (c.Granted() || c.Asked || c.Kept)
			case waiting, free:
				cell.currentRing = c.Waiter == m.ID && !c.Released()
			}
			cell.targetRing = cell.target && c.Retargeted() && c.TargetTo == m.ID
		}
	}
}

// alerts marks what breaks an invariant: in the books whoever holds what
// another one holds too, and tasks that read the same partition; in the own views whoever reads what the books give
// to somebody else.
func (d *drawing) alerts(first int) {
	for vi := range d.f.State.Violations {
		v := &d.f.State.Violations[vi]
		for i := range d.rows {
			r := &d.rows[i]
			if !names(v.Members, r) {
				continue
			}
			r.wrong = r.wrong || len(v.Partitions) == 0
			for _, p := range v.Partitions {
				s, ok := d.slotOf(p, first)
				if !ok {
					continue
				}
				c := &d.cellsOf(i)[s]
				held := c.active()
				c.currentAlert = c.currentAlert || held && (d.heldTwice(s) || len(v.Partitions) > 1)
				c.ownAlert = c.ownAlert || !held && c.ownRole == active && (c.own == owned || c.own == pending)
			}
		}
	}
}

// names: a row is one of these member ids.
func names(ids []string, r *row) bool {
	return r.member != nil && slices.Contains(ids, r.member.ID) ||
		r.member == nil && r.client != nil && slices.Contains(ids, r.client.ID)
}

// active: by the books the member owns the partition, or runs the task as the
// active one.
func (c *cell) active() bool {
	return c.currentRole == active && (c.current == owned || c.current == pending)
}

// heldTwice reports that two rows hold the slot's partition in the books.
func (d *drawing) heldTwice(s int) bool {
	n := 0
	for i := range d.rows {
		if d.cellsOf(i)[s].active() {
			n++
		}
	}
	return n > 1
}
