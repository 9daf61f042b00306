package board_test

import (
	"fmt"

	"groupscope/core/coordinator"
	"groupscope/core/protocol"
	"groupscope/core/record"
	"groupscope/core/sim"
)

// crowd is a big group half way through a rebalance: the second half of the
// members, which joined last, waits for what the first half holds.
func crowd(members, partitions int, halfway bool) *sim.State {
	ts := []protocol.Topic{{ID: "bar", Name: "bar", Partitions: int32(partitions / 3)}, {ID: "foo", Name: "foo", Partitions: int32(partitions - partitions/3)}}
	s := &sim.State{At: start, Start: start, GroupID: "orders", Topics: ts, SessionTimeout: 45 * protocol.Second}
	g := &coordinator.Group{ID: "orders", State: coordinator.Reconciling, GroupEpoch: 12, AssignmentEpoch: 12}
	s.Group = g
	var all []protocol.Partition
	for _, t := range ts {
		for n := range t.Partitions {
			all = append(all, protocol.Partition{Topic: t.ID, Number: n})
		}
	}
	each := max(1, len(all)/members)
	for i := range members {
		name := fmt.Sprintf("c%03d", i+1)
		m := &coordinator.Member{ID: name, MemberEpoch: 12, RebalanceTimeout: 300 * protocol.Second, SessionDeadline: start.Add(40 * protocol.Second)}
		var aim []protocol.Partition
		for j := i * each; j < min((i+1)*each, len(all)); j++ {
			aim = append(aim, all[j])
			h := record.Held{Partition: all[j], AssignmentEpoch: 12}
			switch {
			case halfway && j%2 == 1 && i%7 == 0:
				m.PendingRevocation = append(m.PendingRevocation, h)
				m.State, m.MemberEpoch = record.UnrevokedPartitions, 11
				m.RebalanceDeadline = start.Add(protocol.Duration(20+i) * protocol.Second)
			case halfway && j%2 == 1 && i%7 == 1:
				m.Free = append(m.Free, all[j])
				m.State = record.UnreleasedPartitions
			default:
				m.Assigned = append(m.Assigned, h)
			}
		}
		m.Target = protocol.NewAssignment(aim)
		g.Members = append(g.Members, m)
		s.Clients = append(s.Clients, &sim.ClientState{Member: name, ID: name, State: "STABLE", Epoch: m.MemberEpoch, Subscribed: []string{"bar", "foo"}, Owned: m.Target})
	}
	s.Unowned = unowned(s)
	return s
}
