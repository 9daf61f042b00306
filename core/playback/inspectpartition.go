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
		return Inspection{}, refuse("There is no %s %q here.", wordingOf(s).noun(), name)
	}
	w := whoOf(s, part)
	out := Inspection{ID: "partition/" + name, Title: wordingOf(s).one(part), Kind: wordingOf(s).noun(), Sentence: p.whyPartition(part, w)}
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
	out.Rows = append(out.Rows, text(wordingOf(s).pick("Read by", "Run by"), words(readers)))
	if w.asked && w.holder.RebalanceDeadline != 0 {
		left := max(0, w.holder.RebalanceDeadline.Sub(p.frame.Now))
		out.Rows = append(out.Rows, timerRow("Rebalance", left, w.holder.RebalanceTimeout))
	}
	return out, nil
}

// findPartition finds a partition by its name, of the cluster's topics and of
// those that members still hold.
func findPartition(s *sim.State, name string) (protocol.Partition, bool) {
	if s.Streams() {
		return findTask(s, name)
	}
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

// isTask reports whether a task goes by a name: its own, or the one that it
// has as a part of a picture.
func isTask(p protocol.Partition, name string) bool {
	return protocol.TaskName(p) == name || p.String() == name
}

// findTask finds a task by its name, of the topology's and of those that
// members still run.
func findTask(s *sim.State, name string) (protocol.Partition, bool) {
	if g := groupOf(s).Streams; g != nil {
		for _, t := range g.Tasks {
			for n := range t.Tasks {
				if p := (protocol.Partition{Topic: protocol.TopicID(t.Subtopology), Number: n}); isTask(p, name) {
					return p, true
				}
			}
		}
	}
	for _, m := range groupOf(s).Members {
		for _, h := range append(record.Partitions(m.Assigned), record.Partitions(m.PendingRevocation)...) {
			if isTask(h, name) {
				return h, true
			}
		}
	}
	return protocol.Partition{}, false
}
