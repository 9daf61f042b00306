package conformance

import (
	"maps"
	"slices"

	"groupscope/core/coordinator"
	"groupscope/core/protocol"
	"groupscope/core/record"
)

// compareGroup brings the broker's snapshot up to date and compares it with
// our read model. A compact trace leaves an unchanged group out.
func (r *runner) compareGroup(id string, seen *Snapshot) {
	known := r.groups[id]
	switch {
	case seen == nil && known == nil:
		known = &Snapshot{GroupID: id}
	case seen == nil:
	case seen.Delta && known != nil:
		known = merge(known, seen)
	default:
		known = seen
	}
	r.groups[id] = known
	r.equal("group", known, r.snapshot(id))
}

// merge applies a snapshot that has only what changed.
func merge(known, seen *Snapshot) *Snapshot {
	out := *seen
	out.Delta, out.RemovedMembers = false, nil
	out.Members = maps.Clone(known.Members)
	if out.Members == nil {
		out.Members = map[string]map[string]any{}
	}
	maps.Copy(out.Members, seen.Members)
	for _, id := range seen.RemovedMembers {
		delete(out.Members, id)
	}
	return &out
}

// snapshot is our group in the trace's words.
func (r *runner) snapshot(id string) *Snapshot {
	g, ok := r.coordinator.Group(id)
	if !ok {
		return &Snapshot{GroupID: id}
	}
	consumer := "consumer"
	out := &Snapshot{
		GroupID: id, Type: &consumer, State: g.State.String(),
		GroupEpoch: g.GroupEpoch, AssignmentEpoch: g.AssignmentEpoch,
		Members: map[string]map[string]any{},
	}
	for _, m := range g.Members {
		if m.ServerAssignor != "" {
			out.PreferredServerAssignor = g.PreferredAssignor
		}
		out.Members[m.ID] = r.member(m)
	}
	return out
}

func (r *runner) member(m *coordinator.Member) map[string]any {
	names := m.SubscribedTopicNames
	if names == nil {
		names = []string{}
	}
	out := map[string]any{
		"state": m.State.String(), "memberEpoch": m.MemberEpoch, "previousMemberEpoch": m.PreviousMemberEpoch,
		"rebalanceTimeoutMs": int64(m.RebalanceTimeout), "subscribedTopicNames": names,
		"assigned": heldPartitions(m.Assigned), "assignedEpochs": heldEpochs(m.Assigned), "target": partitions(m.Target),
	}
	for field, value := range map[string]string{"instanceId": m.InstanceID, "rackId": m.RackID, "serverAssignor": m.ServerAssignor} {
		if value != "" {
			out[field] = value
		}
	}
	if len(m.PendingRevocation) > 0 {
		out["pendingRevocation"] = heldPartitions(m.PendingRevocation)
		out["pendingRevocationEpochs"] = heldEpochs(m.PendingRevocation)
	}
	if m.SessionDeadline != 0 && !r.trace.Config.Compact {
		out["sessionDeadlineMs"] = m.SessionDeadline
	}
	if m.RebalanceDeadline != 0 {
		out["rebalanceDeadlineMs"] = m.RebalanceDeadline
	}
	return out
}

// described is the answer of a DescribeGroups request, as far as it is
// judged.
type described struct {
	GroupID         string            `json:"groupId"`
	GroupState      string            `json:"groupState"`
	GroupEpoch      int32             `json:"groupEpoch"`
	AssignmentEpoch int32             `json:"assignmentEpoch"`
	AssignorName    string            `json:"assignorName"`
	Members         []describedMember `json:"members"`
	ErrorCode       int               `json:"errorCode"`
	ErrorMessage    string            `json:"errorMessage"`
}

type describedMember struct {
	MemberID             string           `json:"memberId"`
	InstanceID           string           `json:"instanceId"`
	RackID               string           `json:"rackId"`
	MemberEpoch          int32            `json:"memberEpoch"`
	ClientID             string           `json:"clientId"`
	ClientHost           string           `json:"clientHost"`
	SubscribedTopicNames []string         `json:"subscribedTopicNames"`
	SubscribedTopicRegex string           `json:"subscribedTopicRegex"`
	Assignment           describedTargets `json:"assignment"`
	TargetAssignment     describedTargets `json:"targetAssignment"`
	MemberType           int              `json:"memberType"`
}

type describedTargets struct {
	TopicPartitions map[string][]int32 `json:"topicPartitions"`
}

// describe compares the answer to a DescribeGroups request with our read
// model: the two are views of the same state.
func (r *runner) describe(s *Step) {
	var want described
	if err := strict(s.Response, &want); err != nil {
		r.differ("describe: %v", err)
		return
	}
	id := s.GroupID
	if id == "" {
		id = defaultGroup
	}
	g, ok := r.coordinator.Group(id)
	if !ok {
		r.equal("describe, error", want.ErrorCode, int(protocol.GroupIDNotFound))
		return
	}
	got := described{
		GroupID: id, GroupState: g.State.String(), GroupEpoch: g.GroupEpoch,
		AssignmentEpoch: g.AssignmentEpoch, AssignorName: g.PreferredAssignor,
	}
	for _, m := range g.Members {
		got.Members = append(got.Members, r.describeMember(m))
	}
	for i := range want.Members {
		slices.Sort(want.Members[i].SubscribedTopicNames)
	}
	slices.SortFunc(want.Members, func(a, b describedMember) int {
		if a.MemberID < b.MemberID {
			return -1
		}
		return 1
	})
	r.equal("describe", want, got)
}

func (r *runner) describeMember(m *coordinator.Member) describedMember {
	out := describedMember{
		MemberID: m.ID, InstanceID: m.InstanceID, RackID: m.RackID, MemberEpoch: m.MemberEpoch,
		ClientID: m.ClientID, ClientHost: "/127.0.0.1", SubscribedTopicNames: m.SubscribedTopicNames, MemberType: 1,
	}
	held := slices.Concat(m.Assigned, m.PendingRevocation)
	slices.SortFunc(held, func(a, b record.Held) int { return a.Partition.Compare(b.Partition) })
	if now := r.existing(heldPartitions(held)); len(now) > 0 {
		out.Assignment.TopicPartitions = now
	}
	if now := r.existing(partitions(m.Target)); len(now) > 0 {
		out.TargetAssignment.TopicPartitions = now
	}
	return out
}

// existing leaves out topics that are no longer in the metadata.
func (r *runner) existing(byID map[string][]int32) map[string][]int32 {
	maps.DeleteFunc(byID, func(id string, _ []int32) bool {
		topic, ok := r.topics.Named(protocol.TopicID(id).Name())
		return !ok || string(topic.ID) != id
	})
	return byID
}
