package playback

// Snapshots counts the worlds that a recording's main branch keeps.
func Snapshots(r *Recording) int { return len(r.branches[0].track.snapshots) }

// Any reports whether anything changed.
func (c *Changes) Any() bool {
	return c.GroupEpoch || c.AssignmentEpoch || c.GroupState || len(c.Members)+len(c.Clients)+len(c.Partitions) > 0
}

// End jumps to the last stop.
func (p *Player) End() { p.enter(p.Len()-1, false) }

// MostRepeated is the greatest number of events that lie between two of its
// snapshots, or after the last.
func MostRepeated(r *Recording) int {
	t := r.branches[0].track
	most := uint64(0)
	for i, s := range t.snapshots {
		next := t.events
		if i+1 < len(t.snapshots) {
			next = t.snapshots[i+1].seq
		}
		most = max(most, next-s.seq)
	}
	return int(most)
}
