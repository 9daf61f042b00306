package client

import "groupscope/core/protocol"

// leavesSilently reports that the client leaves without a word: it is closed
// with RemainInGroup and has no instance id to come back under.
func (c *Client) leavesSilently() bool {
	return c.cfg.Streams != nil && c.state == Leaving && c.leaveOption == RemainInGroup && c.cfg.InstanceID == ""
}

// buildStreams makes the next request of a streams client. What it is made
// of goes with a join and is never repeated.
func (c *Client) buildStreams(now protocol.Instant) *protocol.StreamsGroupHeartbeatRequest {
	joining := c.state == Joining
	req := &protocol.StreamsGroupHeartbeatRequest{
		GroupID:                  c.cfg.GroupID,
		MemberID:                 c.id,
		MemberEpoch:              c.epoch,
		InstanceID:               present(c.cfg.InstanceID),
		EndpointInformationEpoch: c.endpointEpoch,
		RebalanceTimeoutMs:       -1,
		ShutdownApplication:      c.shutdown,
	}
	var changed bool
	if joining {
		s := c.cfg.Streams
		req.RebalanceTimeoutMs = int32(c.cfg.MaxPollInterval)
		req.Topology, req.ProcessID, req.UserEndpoint = c.topology(), &s.ProcessID, s.Endpoint
		req.RackID = present(c.cfg.RackID)
		req.ClientTags = presentList(s.ClientTags)
		req.Owned = protocol.Tasks{Active: nothing, Standby: nothing, Warmup: nothing}
	} else if changed = !c.sent.tasks.same(c.confirmed); changed {
		c.sent.tasks = c.confirmed
		req.Owned = c.reported()
	}
	if joining || changed || now >= c.offsetsSent.Add(c.offsetInterval) || c.warmedUp(now) {
		c.reportOffsets(now, req, joining)
	}
	return req
}

// presentList is a list that is there, even if nothing is in it.
func presentList[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
