package playback

import (
	"groupscope/core/record"
	"groupscope/core/sim"
)

// Weights of what is repeated on the way from a snapshot, in units of about a
// microsecond of a native program.
const (
	// leastSpacing is the least weight of events between two snapshots.
	leastSpacing = 1024
	// heartbeatWeight is that of a heartbeat with its handling and its answer.
	heartbeatWeight = 4
)

// measures are what the spacing of a run's snapshots depends on.
type measures struct {
	// spacing is the weight between two snapshots. A snapshot shares what did
	// not change since the one before, but after a round of heartbeats all
	// clients did, and with a target everything may.
	spacing int
	// target is the weight of a new target, which looks at every member and
	// every partition; a streams group's assignor takes longer.
	target, streamsTarget int
}

func measure(s *sim.State) measures {
	members, partitions := len(s.Clients), 0
	for _, t := range s.Topics {
		partitions += int(t.Partitions)
	}
	return measures{
		spacing:       max(leastSpacing, heartbeatWeight*members+partitions/8),
		target:        members/4 + partitions/32,
		streamsTarget: members + partitions/4,
	}
}

// snapshotWhenDue keeps a copy of the world once what happened since the last
// one weighs enough. So the copies together hold a bounded number of parts for
// each change, however many members there are, and going to any place repeats
// a bounded amount of work.
func (r *recorder) snapshotWhenDue() {
	if r.weight < r.measures.spacing {
		return
	}
	r.weight = 0
	r.snapshots = append(r.snapshots, snapshot{r.end, r.seq, r.world.Clone()})
}

// weightOf is how much work an event is, its records included.
func (m *measures) weightOf(e sim.Event) int {
	n := 1
	switch what := e.What.(type) {
	case sim.Sent:
		n = heartbeatWeight
	case sim.Handled:
		n = 2
		if what.Idle {
			n = 0
		}
	case sim.Received:
		n = 0
	}
	records, _ := writes(e)
	for _, r := range records {
		n++
		switch v := r.Value.(type) {
		case record.TargetAssignmentMetadataValue:
			n += m.target
		case record.StreamsTargetAssignmentMetadataValue:
			n += m.streamsTarget
		case record.CurrentMemberAssignmentValue:
			n += (len(v.Assigned) + len(v.PendingRevocation)) / 8
		}
	}
	return n
}
