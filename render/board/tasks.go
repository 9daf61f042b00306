package board

import (
	"slices"

	"groupscope/core/coordinator"
	"groupscope/core/protocol"
	"groupscope/core/record"
	"groupscope/core/sim"
)

// findSubtopologies lists the subtopologies whose tasks are known, and those
// that a member still has tasks of.
func (d *drawing) findSubtopologies() {
	g := d.f.State.Group
	if g == nil || g.Streams == nil {
		return
	}
	for _, t := range d.f.State.Tasks {
		d.addTopic(protocol.TopicID(t.Subtopology), int(t.Tasks))
	}
	for _, m := range g.Members {
		d.heldTasks(m.Assigned)
		d.heldTasks(m.PendingRevocation)
		if s := m.Streams; s != nil {
			for _, list := range [...]protocol.Assignment{s.Standby, s.Warmup, s.PendingStandby, s.PendingWarmup} {
				for _, t := range list {
					d.addTopic(t.Topic, int(t.Partitions[len(t.Partitions)-1])+1)
				}
			}
		}
	}
	slices.SortStableFunc(d.topics, func(a, b topic) int { return compareSubtopologies(string(a.id), string(b.id)) })
	for i := range d.topics {
		d.topics[i].first = d.total
		d.total += d.topics[i].n
	}
	d.w.prefixes(d.topics)
}

// compareSubtopologies orders "2" before "10".
func compareSubtopologies(a, b string) int {
	if len(a) != len(b) {
		return len(a) - len(b)
	}
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

func (d *drawing) heldTasks(held []record.Held) {
	for i := range held {
		d.addTopic(held[i].Partition.Topic, int(held[i].Partition.Number)+1)
	}
}

// groupRows puts the members of a process together, in the order in which
// processes appear.
func (d *drawing) groupRows() {
	if !d.streams {
		return
	}
	for i := range d.rows {
		r := &d.rows[i]
		switch {
		case r.client != nil && r.client.Streams != nil:
			r.process = r.client.Streams.Process
		case r.member != nil && r.member.Streams != nil:
			r.process = r.member.Streams.ProcessID
		}
	}
	for i := range d.rows {
		for j := i; j < len(d.rows) && i > 0 && d.rows[i].process != d.rows[i-1].process; j++ {
			if d.rows[j].process == d.rows[i-1].process {
				r := d.rows[j]
				copy(d.rows[i+1:j+1], d.rows[i:j])
				d.rows[i] = r
			}
		}
		d.rows[i].first = i == 0 || d.rows[i].process != d.rows[i-1].process
	}
}

// fillTasks enters the standby and warm-up tasks of all rows; active tasks are
// there already, and stay where a member gives one up and keeps it in another
// role.
func (d *drawing) fillTasks() {
	if !d.streams {
		return
	}
	for i := range d.rows {
		d.fillRoles(&d.rows[i], d.cellsOf(i))
	}
}

func (d *drawing) fillRoles(r *row, cells []cell) {
	for s := range cells {
		c, task := &cells[s], d.slots[s].p
		if r.client != nil && r.client.Streams != nil {
			d.fillRun(r, c, task)
		}
		if r.member == nil || r.member.Streams == nil {
			continue
		}
		d.fillBooked(r, c, task)
		d.fillAim(r, c, task)
	}
}

// fillRun enters the role in which a client runs a task, and how far it is with
// its state.
func (d *drawing) fillRun(r *row, c *cell, task protocol.Partition) {
	part, behind := clientProgress(r.client.Streams, task)
	c.ownPart = part
	if c.own == owned {
		c.ownRestores = behind
	}
	if c.own != empty && c.own != free {
		return
	}
	is, in := runsAs(r.client, task)
	adds, as := opensAs(r.client.Streams, task)
	switch {
	case is != empty && (c.own == free || adds != empty): // it goes on with it, in another role
		c.own, c.ownRole, c.ownNext = owned, in, free
	case is != empty:
		c.own, c.ownRole = is, in
	case c.own == empty:
		c.own, c.ownRole = adds, as
	}
	if r.wasClient == nil || c.own == empty {
		return
	}
	was, wasRole := runsAs(r.wasClient, task)
	switch {
	case c.ownNext != empty:
		added, _ := opensAs(r.wasClient.Streams, task)
		c.ownRing = added == empty && !r.wasClient.Adding.Contains(task)
	case c.own == free && c.ownRole != active:
		added, before := opensAs(r.wasClient.Streams, task)
		c.ownRing = added == empty || before != as
	case c.own != free:
		c.ownRing = was != c.own || wasRole != c.ownRole
	}
}

// fillBooked enters what the books say of a task that the member is not the
// active owner of. One that it is to have in another role it still has in this
// one.
func (d *drawing) fillBooked(r *row, c *cell, task protocol.Partition) {
	m := r.member
	is, in := bookedAs(m, task)
	if next := c.current; (next == waiting || next == free) && is != empty {
		c.currentNext, c.current, c.currentRole = next, owned, in
		d.bookedPart(r, c, task)
		return
	}
	if c.current != empty {
		return
	}
	c.current, c.currentRole = is, in
	d.bookedPart(r, c, task)
	if was, wasRole := bookedAs(r.was, task); c.current != empty && (was != c.current || wasRole != c.currentRole) {
		c.currentRing = r.was != nil
	}
	if c.current == empty && m.MemberEpoch == d.targetEpoch() && m.State == record.UnreleasedPartitions {
		switch {
		case m.Streams.TargetStandby.Contains(task):
			c.current, c.currentRole = waiting, standby
		case m.Streams.TargetWarmup.Contains(task):
			c.current, c.currentRole = waiting, warmup
		}
	}
}

// bookedPart enters how far a warm-up is, as reported, or else as its client
// knows.
func (d *drawing) bookedPart(r *row, c *cell, task protocol.Partition) {
	m := r.member
	if c.currentRole != warmup {
		return
	}
	c.currentPart = progressOf(m.Streams.TaskOffsets, m.Streams.TaskEndOffsets, task)
	if r.client != nil && r.client.ID == m.ID && r.client.Streams != nil && c.currentPart == 0 {
		c.currentPart, _ = clientProgress(r.client.Streams, task)
	}
}

// fillAim enters the role that the target gives the member.
func (d *drawing) fillAim(r *row, c *cell, task protocol.Partition) {
	if c.target {
		return
	}
	is, ok := aimedAt(r.member, task)
	if !ok {
		return
	}
	c.target, c.targetRole = true, is
	was, had := aimedAt(r.was, task)
	c.targetRing = r.was != nil && r.was != r.member && (!had || was != is)
}

func aimedAt(m *coordinator.Member, task protocol.Partition) (role, bool) {
	switch {
	case m == nil || m.Streams == nil:
	case m.Streams.TargetStandby.Contains(task):
		return standby, true
	case m.Streams.TargetWarmup.Contains(task):
		return warmup, true
	}
	return active, false
}

// processes counts them.
func (d *drawing) processes() int {
	n := 0
	for i := range d.rows {
		if d.rows[i].first {
			n++
		}
	}
	return n
}

// stale reports that the client's last answer said STALE_TOPOLOGY or another
// status; it returns the first one.
func statusOf(c *sim.ClientState) (protocol.StatusCode, bool) {
	if c == nil || c.Streams == nil || len(c.Streams.Status) == 0 {
		return 0, false
	}
	return c.Streams.Status[0].Code, true
}
