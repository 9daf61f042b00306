package playback

import (
	"groupscope/core/coordinator"
	"groupscope/core/protocol"
	"groupscope/core/record"
	"groupscope/core/sim"
)

func (p *Player) inspectPartition(name string) (Inspection, error) {
	s := p.frame.State
	part, ok := findPartition(s, name)
	if !ok {
		return Inspection{}, refuse("There is no partition %q here.", name)
	}
	w := whoOf(s, part)
	out := Inspection{ID: "partition/" + name, Title: name, Kind: "partition", Sentence: p.whyPartition(part, w)}
	row := func(name string, m *coordinator.Member) {
		if m != nil {
			out.Rows = append(out.Rows, text(name, s.NameOf(m.ID)))
		}
	}
	if w.holder == nil {
		out.Rows = append(out.Rows, text("Owner", "nobody"))
	}
	row("Owner", w.holder)
	if w.holder != nil {
		out.Rows = append(out.Rows, badge("Received at epoch", w.received))
	}
	row("Target", w.target)
	if w.waiter != nil && !w.free {
		row("Waited for by", w.waiter)
	}
	var readers []string
	for _, c := range s.Clients {
		if c.Owned.Contains(part) {
			readers = append(readers, c.Member)
		}
	}
	out.Rows = append(out.Rows, text("Read by", words(readers)))
	if w.asked && w.holder.RebalanceDeadline != 0 {
		left := max(0, w.holder.RebalanceDeadline.Sub(p.frame.Now))
		out.Rows = append(out.Rows, timerRow("Rebalance", left, w.holder.RebalanceTimeout))
	}
	return out, nil
}

// findPartition finds a partition by its name, of the cluster's topics and of
// those that members still hold.
func findPartition(s *sim.State, name string) (protocol.Partition, bool) {
	for _, t := range s.Topics {
		for n := range t.Partitions {
			if p := (protocol.Partition{Topic: t.ID, Number: n}); p.String() == name {
				return p, true
			}
		}
	}
	for _, m := range groupOf(s).Members {
		for _, h := range append(record.Partitions(m.Assigned), record.Partitions(m.PendingRevocation)...) {
			if h.String() == name {
				return h, true
			}
		}
	}
	return protocol.Partition{}, false
}
