package coordinator

import "groupscope/core/record"

// reason notes a cause to bump the group epoch.
func (h *streamsHeartbeat) reason(rule, text string) {
	if len(h.reasons) == 0 {
		h.reasonRule = rule
	}
	h.reasons = append(h.reasons, text)
}

// lookForChanges notes the causes of a new group epoch that lie in the
// topics, the configs and the reported offsets.
func (h *streamsHeartbeat) lookForChanges() {
	if h.validated != h.group.ValidatedTopologyEpoch {
		h.reason(ruleStreamsTopics, textValidated(h.topology, h.validated))
	}
	if !h.sameConfigs() {
		h.reason(ruleAssignmentConfigs, textConfigs(h.assignmentConfigs(), h.group.LastAssignmentConfigs))
	}
	if task, ok := h.warmedUp(); ok {
		h.reason(ruleWarmup, textWarmedUp(h.after.ID, task))
	}
	if len(h.reasons) == 0 {
		h.refine()
	}
}

// bumpGroupEpoch raises the group epoch if there is a cause.
func (h *streamsHeartbeat) bumpGroupEpoch() {
	if len(h.reasons) == 0 {
		return
	}
	h.groupEpoch++
	h.put(record.StreamsGroupMetadata, "", record.StreamsGroupMetadataValue{
		Epoch: h.groupEpoch, MetadataHash: h.hash,
		ValidatedTopologyEpoch: h.validated, LastAssignmentConfigs: h.assignmentConfigs(),
	})
	h.say(h.bumpWeight(), h.reasonRule, textBump(h.reasons, h.group.Epoch, h.groupEpoch))
	h.group.refresh = refreshDeadline{at: h.now.Add(refreshInterval), epoch: h.groupEpoch}
}

// bumpWeight: an epoch that the group needs for what no request asked for
// explains what follows from it.
func (h *streamsHeartbeat) bumpWeight() weight {
	switch h.reasonRule {
	case ruleWarmup, ruleAssignmentConfigs, ruleRefined:
		return rare
	}
	return cause
}
