package coordinator

import (
	"maps"
	"slices"

	"groupscope/core/protocol"
	"groupscope/core/rules"
	"groupscope/core/streamsgroup"
)

// endpoints is what the coordinator keeps of interactive queries: the epoch
// of the group's endpoint information and, for the rule WhenConverged, who
// knows it.
type endpoints struct {
	epoch int32
	// reported is the epoch of each member's latest request, at counts the
	// members by it. sent is the epoch for which a member was last sent the
	// information.
	reported map[string]int32
	at       map[int32]int `canon:"-"`
	sent     map[string]int32
}

func newEndpoints() endpoints {
	return endpoints{reported: map[string]int32{}, at: map[int32]int{}, sent: map[string]int32{}}
}

func (e *endpoints) clone() endpoints {
	return endpoints{e.epoch, maps.Clone(e.reported), maps.Clone(e.at), maps.Clone(e.sent)}
}

// reportEndpoints notes the epoch that a member has; one that has another than
// the group's is sent the information again.
func (g *streamsGroup) reportEndpoints(member string, epoch int32) {
	was, known := g.endpoints.reported[member]
	if known && was == epoch {
		return
	}
	g.own()
	e := &g.endpoints
	if known {
		e.uncount(was)
	}
	e.reported[member] = epoch
	e.at[epoch]++
	if epoch != e.epoch {
		delete(e.sent, member)
	}
}

func (e *endpoints) forget(member string) {
	if was, known := e.reported[member]; known {
		e.uncount(was)
	}
	delete(e.reported, member)
	delete(e.sent, member)
}

func (e *endpoints) uncount(epoch int32) {
	if e.at[epoch]--; e.at[epoch] == 0 {
		delete(e.at, epoch)
	}
}

// unknownEndpoints is the epoch of a member that has no endpoint information.
const unknownEndpoints int32 = -1

// respond builds the answer. It is where the broker fails over endpoints that
// it cannot work out (streams-group.md 14).
func (h *streamsHeartbeat) respond() (protocol.StreamsGroupHeartbeatResponse, *StreamsResult) {
	cfg, current := &h.c.cfg.Streams, &h.after.Current
	changed := !streamsgroup.SameAssigned(current, &h.before.Current)
	answer := protocol.StreamsGroupHeartbeatResponse{
		MemberID:              h.req.MemberID,
		MemberEpoch:           current.MemberEpoch,
		HeartbeatIntervalMs:   int32(h.duration("streams.heartbeat.interval.ms", cfg.HeartbeatInterval)),
		TaskOffsetIntervalMs:  int32(h.duration("streams.task.offset.interval.ms", cfg.TaskOffsetInterval)),
		AcceptableRecoveryLag: int32(h.recoveryLag()),
		Status:                h.statuses(),
	}
	if changed || h.joins() {
		answer.Tasks = h.after.Assigned()
	}
	if h.shareEndpoints(changed) {
		list, refused := h.endpointInformation()
		if refused != nil {
			return answer, refused
		}
		answer.PartitionsByUserEndpoint = list
	}
	if !h.creates || !h.c.cfg.Rules.CreatingRequestForgets {
		answer.EndpointInformationEpoch = h.group.endpoints.epoch
	}
	h.sayEndpoints(&answer)
	return answer, nil
}

// sayEndpoints tells what the answer has of endpoints. A member that comes
// with one of its own may learn that it has to wait for the list.
func (h *streamsHeartbeat) sayEndpoints(answer *protocol.StreamsGroupHeartbeatResponse) {
	brings := h.joins() && h.after.Meta.UserEndpoint != nil
	switch list := answer.PartitionsByUserEndpoint; {
	case len(list) > 0:
		h.say(news(brings), h.endpointRule(), textEndpoints(h.after.ID, answer))
	case list != nil:
		h.say(aside, h.endpointRule(), textEndpoints(h.after.ID, answer))
	case brings:
		h.say(rare, h.endpointRule(), textEndpointsLater(h.after.ID, h.group.endpoints.epoch))
	}
}

// shareEndpoints raises the epoch of the endpoint information if the request
// changed it, and reports whether the member is to be sent it.
func (h *streamsHeartbeat) shareEndpoints(tasksChanged bool) bool {
	g := h.group
	converging := h.c.cfg.Rules.EndpointInformation == rules.WhenConverged
	has := h.after.Meta.UserEndpoint != nil
	if !streamsgroup.SameEndpoint(h.before.Meta.UserEndpoint, h.after.Meta.UserEndpoint) || tasksChanged && (has || converging) {
		g.endpoints.epoch++
		g.view.changed()
	}
	epoch, known := g.endpoints.epoch, h.req.EndpointInformationEpoch
	if converging && h.joins() {
		known = unknownEndpoints
	}
	g.reportEndpoints(h.after.ID, known)
	if !converging {
		return known != epoch
	}
	present := g.Size() - g.Away()
	if h.isNew || h.replaces != "" {
		present++
	}
	if last, sent := g.endpoints.sent[h.after.ID]; g.endpoints.at[epoch] != present || sent && last == epoch {
		return false
	}
	g.own()
	g.endpoints.sent[h.after.ID] = epoch
	return true
}

// endpointInformation lists who can answer for which partitions: the members
// with an endpoint, the caller last, a replaced static member left out.
func (h *streamsHeartbeat) endpointInformation() ([]protocol.EndpointPartitions, *StreamsResult) {
	g, out := h.group, []protocol.EndpointPartitions{}
	listed := h.withEndpoint()
	if len(listed) == 0 {
		return out, nil
	}
	if !g.configured.Known() {
		if h.c.cfg.Rules.FaultEndpointUnconfigured {
			return nil, h.refuse(protocol.UnknownServerError, ruleFaultUnconfigured, textEndpointsUnconfigured(listed[0].ID))
		}
		return out, nil
	}
	for _, m := range listed {
		partitions, missing := g.configured.EndpointPartitions(m, h.c.meta)
		if missing != "" && h.c.cfg.Rules.FaultEndpointTopicGone {
			return nil, h.refuse(protocol.UnknownServerError, ruleFaultTopicGone, textEndpointTopicGone(m.ID, missing))
		}
		out = append(out, partitions)
	}
	return out, nil
}

func (h *streamsHeartbeat) withEndpoint() []*streamsgroup.Member {
	var out []*streamsgroup.Member
	if h.group.Endpoints() > 0 {
		for _, id := range h.group.IDs() {
			if m := h.group.Member(id); m.Meta.UserEndpoint != nil && id != h.after.ID && id != h.replaces {
				out = append(out, m)
			}
		}
	}
	if h.after.Meta.UserEndpoint != nil {
		out = append(out, h.after)
	}
	return out
}

// statuses are what the member should know about the group, in the broker's
// order.
func (h *streamsHeartbeat) statuses() []protocol.Status {
	out := []protocol.Status{}
	if text := h.staleness(); text != "" {
		out = append(out, protocol.Status{Code: protocol.StaleTopology, Detail: text})
		h.say(news(h.joins()), ruleStale, textTold(text, h.after.ID, protocol.StaleTopology))
	}
	if h.delayed {
		out = append(out, protocol.Status{Code: protocol.AssignmentDelayed, Detail: "The assignment is delayed."})
	}
	if status := h.group.configured.Status; status != nil {
		out = append(out, *status)
		if !h.looked {
			h.say(news(h.joins()), ruleStreamsTopics, textTold(status.Detail, h.after.ID, status.Code))
		}
	}
	if who := h.group.shutdown; who != "" {
		out = append(out, protocol.Status{Code: protocol.ShutdownApplication, Detail: who + " asked to shut the application down."})
	}
	if missing := h.missingTags(); len(missing) > 0 {
		out = append(out, protocol.Status{Code: protocol.MissingClientTags, Detail: "Client tags are missing: " + and(missing) + "."})
	}
	return out
}

// staleness compares the topology epoch of the request, or else the stored
// one, with the group's (KIP-1071 heartbeat 3.5); "" for one that is not
// behind.
func (h *streamsHeartbeat) staleness() string {
	epoch := h.after.Meta.TopologyEpoch
	if h.req.Topology != nil {
		epoch = h.req.Topology.Epoch
	}
	if epoch >= h.topology.Epoch {
		return ""
	}
	return textStale(h.after.ID, epoch, h.topology.Epoch)
}

// missingTags are the tags that standbys are to be spread over and that the
// member does not have.
func (h *streamsHeartbeat) missingTags() []string {
	var out []string
	for _, tag := range h.rackAwareTags() {
		if !slices.ContainsFunc(h.after.Meta.ClientTags, func(t protocol.Tag) bool { return t.Key == tag }) {
			out = append(out, tag)
		}
	}
	return out
}
