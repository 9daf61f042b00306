package coordinator

import "groupscope/core/protocol"

// Completion answers a request of the classic protocol that had to wait. The
// Ticket is the one that its ClassicResult named; one of Join and Sync is
// set.
type Completion struct {
	Ticket int64
	Join   *protocol.JoinGroupResponse
	Sync   *protocol.SyncGroupResponse
}
