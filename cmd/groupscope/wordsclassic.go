package main

import (
	"fmt"

	"groupscope/core/client"
	"groupscope/core/coordinator"
	"groupscope/core/protocol"
	"groupscope/core/sim"
)

// What a transcript says of the classic protocol: requests by their names, and
// generations.

// classicRequest is what was asked by the classic protocol, nil for anything
// else.
func classicRequest(h sim.Handled) *client.ClassicRequest {
	if h.Classic == nil {
		return nil
	}
	return h.Classic.Request
}

// classicRequestText writes a request; r has what it has in common with a
// heartbeat, the generation in place of the epoch.
func classicRequestText(c *client.ClassicRequest, r protocol.ConsumerGroupHeartbeatRequest) string {
	text := c.Name()
	if r.MemberEpoch > 0 {
		text += fmt.Sprintf(", generation %d", r.MemberEpoch)
	}
	if c.Join != nil && r.SubscribedTopicNames != nil {
		text += fmt.Sprintf(", subscribes to %v", r.SubscribedTopicNames)
	}
	return text
}

// classicAnswerText is an answer without an error.
func classicAnswerText(h sim.Handled) string {
	switch asked := h.Classic.Request; {
	case asked.Join != nil:
		return fmt.Sprintf("generation %d", h.Response.MemberEpoch)
	case asked.Sync != nil:
		return fmt.Sprintf("generation %d, assignment %v", h.Response.MemberEpoch, h.Response.Assignment)
	}
	return protocol.None.String()
}

func classicGroupText(g *coordinator.ClassicGroup) string {
	text := fmt.Sprintf("classic, generation %d, %s", g.Generation, g.State)
	if g.Leader != "" {
		text += ", led by " + g.Leader
	}
	return text
}
