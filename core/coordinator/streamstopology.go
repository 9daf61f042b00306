package coordinator

import (
	"errors"

	"groupscope/core/protocol"
	"groupscope/core/record"
	"groupscope/core/streamsgroup"
)

// checkTopology compares the topology of a join with the group's (KIP-1071
// heartbeat 2.3), and makes it the group's where the rules let it.
func (h *streamsHeartbeat) checkTopology() *StreamsResult {
	h.topology = h.group.Topology
	sent := h.req.Topology
	if sent == nil || !h.joins() {
		return nil
	}
	if broken := streamsgroup.Broken(sent); broken != "" {
		return h.refuse(protocol.UnknownServerError, ruleStreamsTopology, broken+" The broker does not look out for that.")
	}
	rules, group := &h.c.cfg.Rules, h.topology
	switch {
	case group == nil:
		h.install(sent)
		h.say(aside, ruleTopologyTaken, textTopologyTaken(sent))
	case sent.Epoch < group.Epoch:
		if rules.TopologyBehind != protocol.None {
			return h.refuse(rules.TopologyBehind, topologyRule(rules.TopologyBehind, "2.3.2"), textTopologyBehind(h.after.ID, sent, group))
		}
	case sent.Epoch == group.Epoch:
		if !streamsgroup.SameTopology(sent, group) {
			return h.refuse(rules.TopologyConflict, topologyRule(rules.TopologyConflict, "2.3.1"), textTopologyConflict(h.after.ID, group))
		}
	case sent.Epoch > group.Epoch+1:
		return h.refuse(rules.TopologyTooFarAhead, topologyRule(rules.TopologyTooFarAhead, "2.3.3"), textTopologyAhead(h.after.ID, sent, group))
	case rules.TopologyUpdate != protocol.None:
		return h.refuse(rules.TopologyUpdate, ruleNoUpdate, textNoUpdate(h.after.ID, sent, group))
	default:
		h.install(sent)
		h.say(rare, ruleTopologyUpdate, textTopologyUpdate(h.after.ID, sent, group))
		h.reason(ruleTopologyUpdate, "the topology is new")
	}
	return nil
}

func (h *streamsHeartbeat) install(t *protocol.Topology) {
	h.topology, h.newTopology = t, true
	h.put(record.StreamsTopology, "", record.StreamsTopologyValue{Topology: t})
}

// configure brings the topology together with the topics of the cluster, if
// either may have changed since that was done.
func (h *streamsHeartbeat) configure() *StreamsResult {
	g := h.group
	h.hash = g.MetadataHash
	if h.topology == nil {
		h.topology = &protocol.Topology{Epoch: -1}
	}
	if h.newTopology || g.configured == nil || g.refresh.passed(h.now, g.Epoch) {
		h.hash = h.metadataHash()
		changed := h.hash != g.MetadataHash
		if changed && !h.newTopology {
			h.reason(ruleStreamsTopics, "the topics changed")
		}
		if changed || h.newTopology || g.configured == nil {
			if refused := h.configureNow(); refused != nil {
				return refused
			}
		}
	}
	h.validated = -1
	if g.configured.Ready() {
		h.validated = h.topology.Epoch
	}
	return nil
}

// metadataHash is the hash of the topics that the topology needs. It is
// worked out once for a topology and a state of the cluster.
func (h *streamsHeartbeat) metadataHash() int64 {
	known := &h.group.hash
	if known.topology != h.topology || known.version != h.c.version {
		*known = knownHash{h.c.version, h.topology, streamsgroup.Hash(h.topology, h.c.meta)}
	}
	return known.hash
}

func (h *streamsHeartbeat) configureNow() *StreamsResult {
	configured, err := streamsgroup.Configure(h.topology, h.c.meta)
	if err != nil {
		var invalid *streamsgroup.InvalidTopology
		if errors.As(err, &invalid) && invalid.CopartitionIndex && h.c.cfg.Rules.FaultCopartitionIndex {
			return h.refuse(protocol.UnknownServerError, ruleFaultIndex, err.Error()+" The broker does not look out for that.")
		}
		return h.refuse(protocol.StreamsInvalidTopology, ruleStreamsTopics, err.Error())
	}
	h.group.configured = configured
	h.group.view.changed()
	if configured.Status != nil {
		h.looked = true
		h.say(rare, ruleStreamsTopics, textTold(configured.Status.Detail, h.after.ID, configured.Status.Code))
	}
	return nil
}

// stale reports whether the member runs an older topology than the group, so
// that it keeps the tasks it has until it is upgraded (KAFKA-20170). Only a
// topology that can be updated leaves such members behind.
func (h *streamsHeartbeat) stale(m *streamsgroup.Member) bool {
	return m.Meta.TopologyEpoch < h.staleBelow()
}

func (h *streamsHeartbeat) staleBelow() int32 { return h.staleLimit(h.topology) }

// staleLimit is the topology epoch below which members keep their tasks, -1
// where a topology is never updated.
func (o *streamsOperation) staleLimit(t *protocol.Topology) int32 {
	if o.c.cfg.Rules.TopologyUpdate != protocol.None || t == nil {
		return -1
	}
	return t.Epoch
}

// checkOwned refuses owned tasks that do not exist. They can be told only
// once the topology is ready, and not of a member with an older one.
func (h *streamsHeartbeat) checkOwned() *StreamsResult {
	configured := h.group.configured
	if !configured.Ready() || h.stale(h.after) {
		return nil
	}
	for _, set := range [...]protocol.Assignment{h.req.Owned.Active, h.req.Owned.Standby, h.req.Owned.Warmup} {
		for _, tp := range set {
			for _, n := range tp.Partitions {
				if task := (protocol.Partition{Topic: tp.Topic, Number: n}); !configured.Runs(task) {
					return h.refuse(protocol.InvalidRequest, ruleStreamsValidation,
						h.after.ID+" says that it has task "+protocol.TaskName(task)+", which the topology does not have.")
				}
			}
		}
	}
	return nil
}

// storeOffsets keeps the reported offsets; a list that is absent leaves what
// was reported before.
func (h *streamsHeartbeat) storeOffsets() *StreamsResult {
	r := &h.req
	if r.TaskOffsets == nil && r.TaskEndOffsets == nil {
		return nil
	}
	for _, list := range [...][]protocol.TaskOffset{r.TaskOffsets, r.TaskEndOffsets} {
		for i := 1; i < len(list); i++ {
			if list[i].Task == list[i-1].Task {
				return h.refuse(protocol.InvalidRequest, ruleStreamsValidation,
					h.after.ID+" reports two offsets of task "+protocol.TaskName(list[i].Task)+".")
			}
		}
	}
	kept := h.group.reported[h.after.ID]
	if r.TaskOffsets != nil {
		kept.offsets = r.TaskOffsets
	}
	if r.TaskEndOffsets != nil {
		kept.ends = r.TaskEndOffsets
	}
	h.group.own()
	h.group.reported[h.after.ID] = kept
	return nil
}

// warmedUp finds a task that the member warms up and by what it reports now
// is caught up with, so that the next target can move the task (the rule
// WarmupTasks). One that keeps what it has, because it runs an older topology,
// goes on warming up.
func (h *streamsHeartbeat) warmedUp() (protocol.Partition, bool) {
	r := &h.req
	if !h.c.cfg.Rules.WarmupTasks || r.TaskOffsets == nil && r.TaskEndOffsets == nil ||
		h.groupEpoch > h.targetEpoch || h.stale(h.after) {
		return protocol.Partition{}, false
	}
	target, _ := h.group.Target(h.after.ID)
	offsets, ends := h.group.reported.Of(h.after.ID)
	for _, task := range target.Warmup.Partitions() {
		if h.after.Current.Warmup.Contains(task) && streamsgroup.CaughtUp(offsets, ends, task, h.recoveryLag()) {
			return task, true
		}
	}
	return protocol.Partition{}, false
}
