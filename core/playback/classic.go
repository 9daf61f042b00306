package playback

import (
	"fmt"

	"groupscope/core/protocol"
	"groupscope/core/record"
	"groupscope/core/sim"
)

// What members of the classic protocol do, in words.

// classicSends tells a request.
func classicSends(member, request string, generation int32) string {
	if generation > 0 {
		return fmt.Sprintf("%s sends %s with generation %d", member, request, generation)
	}
	return fmt.Sprintf("%s sends %s", member, request)
}

// sayClassic tells what a request of the classic protocol came to.
func sayClassic(h sim.Handled, e effect) string {
	request := h.Classic.Request
	switch {
	case h.Waits:
		return fmt.Sprintf("%s %s waits for the others.", own(h.Member), request.Name())
	case h.Response.Error == protocol.MemberIDRequired:
		return fmt.Sprintf("%s is given a member id, and has to ask again with it.", h.Member)
	case h.Response.Error == protocol.RebalanceInProgress:
		return fmt.Sprintf("%s is told to rejoin: a rebalance is in progress.", h.Member)
	case h.Response.Error != protocol.None:
		return fmt.Sprintf("%s is refused with %s.", h.Member, h.Response.Error)
	case request.Join != nil:
		return fmt.Sprintf("%s joins generation %d.", h.Member, h.Response.MemberEpoch)
	case request.Sync != nil:
		return fmt.Sprintf("%s gets %s.", h.Member, Partitions(h.Response.Assignment.Partitions()))
	case request.Leave != nil:
		return h.Member + " leaves" + e.group() + "."
	}
	return h.Member + " heartbeats and nothing changes."
}

// classicAnswer tells an answer in a few words.
func classicAnswer(h sim.Handled) string {
	switch {
	case h.Waits:
		return fmt.Sprintf("%s %s waits", own(h.Member), h.Classic.Request.Name())
	case h.Response.Error != protocol.None || h.Classic.Request.Leave != nil || h.Classic.Request.Heartbeat != nil:
		return fmt.Sprintf("%s is answered %s", h.Member, h.Response.Error)
	case h.Classic.Request.Join != nil:
		return fmt.Sprintf("%s is answered generation %d", h.Member, h.Response.MemberEpoch)
	}
	return fmt.Sprintf("%s is answered %s", h.Member, Partitions(h.Response.Assignment.Partitions()))
}

// tellClassic says what the record of a classic group holds.
func tellClassic(v record.ClassicGroupMetadataValue) string {
	return fmt.Sprintf("classic group, generation %d, %s", v.Generation, members(len(v.Members)))
}
