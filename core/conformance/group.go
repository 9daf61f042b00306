package conformance

import (
	"maps"
	"slices"

	"groupscope/core/coordinator"
	"groupscope/core/protocol"
	"groupscope/core/record"
)

// snapshot puts our group into a step's outcome, as the recorder would: whole,
// or in a compact trace only what changed since the last snapshot of it. That
// there is no group yet need not be told.
func (r *runner) snapshot(id string, want object, got outcome) {
	now := r.group(id)
	before, taken := r.snapshots[id]
	r.snapshots[id] = now
	if !r.trace.config.compact {
		got["group"] = now
		return
	}
	switch {
	case !taken && now["type"] == nil && want["group"] == nil:
		delete(r.snapshots, id)
	case !taken || before["type"] == nil || now["type"] != before["type"]:
		if !same(before, now) {
			got["group"] = now
		}
	default:
		if changes := delta(before, now); changes != nil {
			got["group"] = changes
		}
	}
}

// delta is what changed between two snapshots of a group, nil for nothing:
// the group's own fields, the members that changed, each whole, and the names
// of those that are gone.
func delta(before, now object) object {
	members := object{}
	gone := []any{}
	was, is := before["members"].(object), now["members"].(object)
	for id, m := range is {
		if old, ok := was[id]; !ok || !same(old, m) {
			members[id] = m
		}
	}
	for _, id := range slices.Sorted(maps.Keys(was)) {
		if _, ok := is[id]; !ok {
			gone = append(gone, id)
		}
	}
	unchanged := len(members) == 0 && len(gone) == 0 && len(before) == len(now)
	out := object{"delta": true, "members": members}
	for name, v := range now {
		if name == "members" {
			continue
		}
		out[name] = v
		unchanged = unchanged && same(before[name], v)
	}
	if unchanged {
		return nil
	}
	if len(gone) > 0 {
		out["removedMembers"] = gone
	}
	return out
}

// group is our group in the words of a trace.
func (r *runner) group(id string) object {
	g, ok := r.coordinator.Group(id)
	if !ok {
		return object{"groupId": id, "type": nil}
	}
	out := object{"groupId": id, "type": g.Type.String()}
	members := object{}
	out["members"] = members
	if g.Classic != nil {
		out["state"], out["generationId"] = g.Classic.State, int64(g.Classic.Generation)
		for _, m := range g.Members {
			members[m.ID] = bare(object{"groupInstanceId": m.InstanceID})
		}
		return out
	}
	out["state"], out["groupEpoch"], out["assignmentEpoch"] = g.State.String(), int64(g.GroupEpoch), int64(g.AssignmentEpoch)
	if g.Streams != nil {
		r.streamsGroup(out, g)
	} else {
		consumerGroup(out, g)
	}
	views := make(map[*coordinator.Member]object, len(g.Members))
	for _, m := range g.Members {
		if views[m] = r.views[m]; views[m] == nil {
			views[m] = r.member(m)
		}
		members[m.ID] = views[m]
	}
	r.views = views
	return out
}

// same compares values of our own.
func same(a, b any) bool {
	switch a := a.(type) {
	case object:
		b, ok := b.(object)
		return ok && maps.EqualFunc(a, b, same)
	case []any:
		b, ok := b.([]any)
		return ok && slices.EqualFunc(a, b, same)
	}
	return a == b
}

// consumerGroup: a preferred assignor is one that somebody voted for.
func consumerGroup(out object, g *coordinator.Group) {
	if slices.ContainsFunc(g.Members, func(m *coordinator.Member) bool { return m.ServerAssignor != "" }) {
		out["preferredServerAssignor"] = g.PreferredAssignor
	}
	regexes := object{}
	for _, r := range g.ResolvedRegexes {
		regexes[r.Regex] = texts(r.Topics)
	}
	if len(regexes) > 0 {
		out["resolvedRegexes"] = regexes
	}
}

func (r *runner) streamsGroup(out object, g *coordinator.Group) {
	s := g.Streams
	out["topologyEpoch"], out["validatedTopologyEpoch"] = int64(s.TopologyEpoch), int64(s.ValidatedTopologyEpoch)
	out["endpointInformationEpoch"] = int64(s.EndpointInformationEpoch)
	if s.ShutdownRequestMember != "" {
		out["shutdownRequestMemberId"] = s.ShutdownRequestMember
	}
	deadline(out, "initialRebalanceDeadlineMs", s.InitialRebalanceDeadline)
	if s.Configured != nil || s.Status != nil {
		out["topologyReady"] = s.Ready
	}
	if s.Tasks != nil {
		tasks := object{}
		for _, t := range s.Tasks {
			tasks[t.Subtopology] = int64(t.Tasks)
		}
		out["numTasks"] = tasks
	}
}

// deadline puts a timer that runs.
func deadline(out object, field string, at protocol.Instant) {
	if at != 0 {
		out[field] = int64(at)
	}
}

func (r *runner) member(m *coordinator.Member) object {
	out := bare(object{"instanceId": m.InstanceID, "rackId": m.RackID})
	out["memberEpoch"], out["previousMemberEpoch"] = int64(m.MemberEpoch), int64(m.PreviousMemberEpoch)
	out["rebalanceTimeoutMs"] = int64(m.RebalanceTimeout)
	if !r.trace.config.compact {
		deadline(out, "sessionDeadlineMs", m.SessionDeadline)
	}
	deadline(out, "rebalanceDeadlineMs", m.RebalanceDeadline)
	if m.Streams != nil {
		streamsMember(out, m)
	} else {
		consumerMember(out, m)
	}
	return out
}

func consumerMember(out object, m *coordinator.Member) {
	out["state"] = m.State.String()
	out["subscribedTopicNames"] = texts(m.SubscribedTopicNames)
	out["assigned"], out["assignedEpochs"] = heldTrees(m.Assigned)
	out["target"] = tree(m.Target)
	maps.Copy(out, bare(object{
		"subscribedTopicRegex": m.SubscribedTopicRegex, "serverAssignor": m.ServerAssignor, "classic": m.Classic,
	}))
	if len(m.PendingRevocation) > 0 {
		out["pendingRevocation"], out["pendingRevocationEpochs"] = heldTrees(m.PendingRevocation)
	}
}

// streamsStates are Kafka's words for the states of streams members.
var streamsStates = map[record.MemberState]string{
	record.Stable: "STABLE", record.UnrevokedPartitions: "UNREVOKED_TASKS", record.UnreleasedPartitions: "UNRELEASED_TASKS",
}

func streamsMember(out object, m *coordinator.Member) {
	s := m.Streams
	out["state"] = streamsStates[m.State]
	out["topologyEpoch"], out["processId"] = int64(s.TopologyEpoch), s.ProcessID
	if s.UserEndpoint != nil {
		out["userEndpoint"] = s.UserEndpoint.String()
	}
	if len(s.ClientTags) > 0 {
		tags := object{}
		for _, t := range s.ClientTags {
			tags[t.Key] = t.Value
		}
		out["clientTags"] = tags
	}
	out["active"], out["activeEpochs"] = heldTrees(m.Assigned)
	out["standby"], out["warmup"] = tree(s.Standby), tree(s.Warmup)
	if len(m.PendingRevocation) > 0 || s.PendingStandby.Len() > 0 || s.PendingWarmup.Len() > 0 {
		active, epochs := heldTrees(m.PendingRevocation)
		out["pendingRevocation"] = object{
			"active": active, "activeEpochs": epochs, "standby": tree(s.PendingStandby), "warmup": tree(s.PendingWarmup),
		}
	}
	out["target"] = object{"active": tree(m.Target), "standby": tree(s.TargetStandby)}
	if s.Refined != nil {
		out["refined"] = object{"active": tree(s.Refined.Active), "standby": tree(s.Refined.Standby)}
	}
}
