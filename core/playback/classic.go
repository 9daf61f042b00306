package playback

import (
	"fmt"

	"groupscope/core/coordinator"
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

// whyClassic says what a classic group with members is at.
func whyClassic(s *sim.State, g *coordinator.Group) string {
	leader := s.NameOf(g.Classic.Leader)
	switch g.Classic.State {
	case classicPreparing:
		return "the classic group comes together anew, and waits until its members have asked to join."
	case classicCompleting:
		return fmt.Sprintf("%s leads generation %d and is to say who gets what.", leader, g.Classic.Generation)
	}
	return fmt.Sprintf("%s in generation %d of a classic group. %s has decided who gets what.", members(len(g.Members)), g.Classic.Generation, leader)
}

// Kafka's words for the states of a classic group that comes together.
const (
	classicPreparing  = "PreparingRebalance"
	classicCompleting = "CompletingRebalance"
)

// whyClassicMember says where a member of a classic group stands. What it has,
// only its client and the leader know.
func whyClassicMember(name string, g *coordinator.ClassicGroup) string {
	switch g.State {
	case classicPreparing:
		return name + " is in the classic group, which waits for others to join before its next generation."
	case classicCompleting:
		return fmt.Sprintf("%s is in generation %d and waits for what the leader gives it.", name, g.Generation)
	}
	return fmt.Sprintf("%s is in generation %d of a classic group.", name, g.Generation)
}

// tellClassic says what the record of a classic group holds.
func tellClassic(v record.ClassicGroupMetadataValue) string {
	return fmt.Sprintf("classic group, generation %d, %s", v.Generation, members(len(v.Members)))
}
