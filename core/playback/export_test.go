package playback

// Snapshots counts the worlds that a recording's main branch keeps.
func Snapshots(r *Recording) int { return len(r.branches[0].track.snapshots) }

// Kept counts the events that it keeps.
func Kept(r *Recording) int { return len(r.branches[0].track.kept) }
