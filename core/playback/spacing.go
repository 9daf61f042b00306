package playback

import (
	"groupscope/core/record"
	"groupscope/core/sim"
)

// sizeOf is what a world's copy costs, counted in things.
func sizeOf(s *sim.State) int {
	n := len(s.Clients)
	for _, t := range s.Topics {
		n += int(t.Partitions)
	}
	return n
}

// leastSpacing is the least weight of events between two snapshots, and
// heartbeatWeight that of a heartbeat, which is handled in about the time that
// it takes to work out a target for a few partitions. Repeating leastSpacing
// takes about a millisecond, natively.
const (
	leastSpacing    = 1024
	heartbeatWeight = 4
)

// snapshotWhenDue keeps a copy of the world once as many things have changed
// as the copy has parts, but no sooner than after leastSpacing. So the copies
// together hold a bounded number of parts for each change, however many
// members there are, and going to any place repeats a bounded amount of work.
func (r *recorder) snapshotWhenDue() {
	if r.weight < max(leastSpacing, r.size) {
		return
	}
	r.weight = 0
	r.snapshots = append(r.snapshots, snapshot{r.end, r.seq, r.world.Clone()})
}

// weightOf counts what an event changed: itself, and the partitions that its
// records name. A new target for everybody weighs as much as the group. A
// heartbeat is one thing: its handling and its answer come with the request.
func weightOf(e sim.Event) int {
	records, _ := writes(e)
	n := 1
	switch e.What.(type) {
	case sim.Sent:
		n = heartbeatWeight
	case sim.Handled, sim.Received:
		n = 0
	}
	for _, r := range records {
		switch v := r.Value.(type) {
		case record.TargetAssignmentMemberValue:
			n += 1 + v.TopicPartitions.Len()
		case record.CurrentMemberAssignmentValue:
			n += 1 + len(v.Assigned) + len(v.PendingRevocation)
		default:
			n++
		}
	}
	return n
}
