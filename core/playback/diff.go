package playback

import (
	"slices"

	"groupscope/core/coordinator"
	"groupscope/core/protocol"
	"groupscope/core/record"
	"groupscope/core/sim"
)

// Diff works out what changed from before to after. Without a before nothing
// did: a first stop wears no rings.
func Diff(before, after *sim.State, events []sim.Event) *Changes {
	c := &Changes{}
	if before == nil || after == nil || before == after {
		return c
	}
	old, now := groupOf(before), groupOf(after)
	appeared := (before.Group == nil) != (after.Group == nil)
	c.GroupEpoch = appeared || old.GroupEpoch != now.GroupEpoch
	c.AssignmentEpoch = appeared || old.AssignmentEpoch != now.AssignmentEpoch
	c.GroupState = appeared || old.State != now.State
	c.diffMembers(old, now, events)
	c.diffClients(before.Clients, after.Clients)
	c.diffPartitions(old, now)
	return c
}

// groupOf is the state's group, or an empty one.
func groupOf(s *sim.State) *coordinator.Group {
	if s.Group == nil {
		return &coordinator.Group{}
	}
	return s.Group
}

func (c *Changes) diffMembers(old, now *coordinator.Group, events []sim.Event) {
	fenced := fencedIn(events)
	eachPair(old.Members, now.Members, func(was, is *coordinator.Member) {
		if was == is && !fenced[was.ID] {
			return
		}
		var m MemberChange
		switch {
		case was == nil:
			m = MemberChange{ID: is.ID, Joined: true, Epoch: true, State: true, Target: is.Target != nil}
		case is == nil:
			m = MemberChange{ID: was.ID, Removed: true, Target: was.Target != nil}
		default:
			m = MemberChange{
				ID:     is.ID,
				Epoch:  was.MemberEpoch != is.MemberEpoch,
				State:  was.State != is.State,
				Target: !was.Target.Equal(is.Target),
			}
		}
		m.Fenced = fenced[m.ID]
		if m != (MemberChange{ID: m.ID}) {
			c.Members = append(c.Members, m)
		}
	})
}

// fencedIn lists the ids of members that were refused for their epoch.
func fencedIn(events []sim.Event) map[string]bool {
	var out map[string]bool
	for _, e := range events {
		h, ok := e.What.(sim.Handled)
		if !ok || h.Response.Error != protocol.FencedMemberEpoch {
			continue
		}
		if out == nil {
			out = map[string]bool{}
		}
		out[h.Request.MemberID] = true
	}
	return out
}

// eachPair walks two lists sorted by id together; a member that is on one
// side only comes with nil for the other.
func eachPair(old, now []*coordinator.Member, do func(was, is *coordinator.Member)) {
	for len(old) > 0 || len(now) > 0 {
		switch {
		case len(now) == 0 || (len(old) > 0 && old[0].ID < now[0].ID):
			do(old[0], nil)
			old = old[1:]
		case len(old) == 0 || now[0].ID < old[0].ID:
			do(nil, now[0])
			now = now[1:]
		default:
			do(old[0], now[0])
			old, now = old[1:], now[1:]
		}
	}
}

func (c *Changes) diffClients(old, now []*sim.ClientState) {
	for i, is := range now {
		if i >= len(old) {
			c.Clients = append(c.Clients, ClientChange{Member: is.Member, Epoch: true, State: true, Owned: true})
			continue
		}
		was := old[i]
		if was == is {
			continue
		}
		d := ClientChange{
			Member: is.Member,
			Epoch:  was.Epoch != is.Epoch,
			State:  was.State != is.State,
			Owned:  !sameSet(was.Owned, is.Owned),
			Error:  was.LastError != is.LastError,
		}
		if d != (ClientChange{Member: is.Member}) {
			c.Clients = append(c.Clients, d)
		}
	}
}

// sameSet compares two sets of partitions; absent and empty are the same.
func sameSet(a, b protocol.Assignment) bool {
	return len(a) == 0 && len(b) == 0 || a.Equal(b)
}

// place is what the books say of one partition.
type place struct {
	holder, target, waiter string
	asked, blocked         bool
}

// diffPartitions takes its candidates from the members whose lists differ.
// The others only complete what is said of the candidates.
func (c *Changes) diffPartitions(old, now *coordinator.Group) {
	was, is := map[protocol.Partition]place{}, map[protocol.Partition]place{}
	every := func(protocol.Partition) bool { return true }
	eachPair(old.Members, now.Members, func(a, b *coordinator.Member) {
		if !sameLists(a, b) {
			placesOf(a, was, every)
			placesOf(b, is, every)
		}
	})
	candidates := make(map[protocol.Partition]bool, len(was)+len(is))
	for p := range was {
		candidates[p] = true
	}
	for p := range is {
		candidates[p] = true
	}
	if len(candidates) > 0 {
		candidate := func(p protocol.Partition) bool { return candidates[p] }
		eachPair(old.Members, now.Members, func(a, b *coordinator.Member) {
			if sameLists(a, b) {
				placesOf(a, was, candidate)
				placesOf(b, is, candidate)
			}
		})
	}
	for p := range candidates {
		a, b := was[p], is[p]
		d := PartitionChange{
			Partition: p,
			From:      a.holder, To: b.holder,
			Asked:      b.asked && !(a.asked && a.holder == b.holder),
			Kept:       a.asked && !b.asked && a.holder == b.holder,
			TargetFrom: a.target, TargetTo: b.target,
			Freed: b.waiter != "" && a.waiter == b.waiter && a.blocked && !b.blocked,
		}
		if b.waiter != a.waiter {
			d.Waiter = b.waiter
		}
		if a != b {
			c.Partitions = append(c.Partitions, d)
		}
	}
	slices.SortFunc(c.Partitions, func(x, y PartitionChange) int { return x.Partition.Compare(y.Partition) })
}

// sameLists reports whether a member holds, should have and waits for the same
// in both states. Most differ in their timers alone and share their lists.
func sameLists(a, b *coordinator.Member) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a == b || sameList(a.Assigned, b.Assigned) && sameList(a.PendingRevocation, b.PendingRevocation) &&
		sameSet(a.Target, b.Target) && sameList(a.Waiting, b.Waiting) && sameList(a.Free, b.Free)
}

// sameList looks at the memory first.
func sameList[E comparable](a, b []E) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0] || slices.Equal(a, b))
}

// placesOf enters what a member holds, should have and waits for, of the
// partitions that matter.
func placesOf(m *coordinator.Member, into map[protocol.Partition]place, matters func(protocol.Partition) bool) {
	if m == nil {
		return
	}
	set := func(p protocol.Partition, change func(*place)) {
		if !matters(p) {
			return
		}
		at := into[p]
		change(&at)
		into[p] = at
	}
	held := func(hs []record.Held, asked bool) {
		for _, h := range hs {
			set(h.Partition, func(at *place) { at.holder, at.asked = m.ID, asked })
		}
	}
	held(m.Assigned, false)
	held(m.PendingRevocation, true)
	for _, p := range m.Target.Partitions() {
		set(p, func(at *place) { at.target = m.ID })
	}
	for _, p := range m.Waiting {
		set(p, func(at *place) { at.waiter, at.blocked = m.ID, true })
	}
	for _, p := range m.Free {
		set(p, func(at *place) { at.waiter, at.blocked = m.ID, false })
	}
}
