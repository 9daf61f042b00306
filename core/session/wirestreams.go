package session

import (
	"groupscope/core/protocol"
	"groupscope/core/record"
)

// Messages and records of streams groups. Sets of tasks are {"0": [0, 1]}.

type streamsRequestJSON struct {
	GroupID                  string        `json:"groupId"`
	MemberID                 string        `json:"memberId"`
	MemberEpoch              int32         `json:"memberEpoch"`
	EndpointInformationEpoch int32         `json:"endpointInformationEpoch"`
	InstanceID               *string       `json:"instanceId,omitempty"`
	RackID                   *string       `json:"rackId,omitempty"`
	RebalanceTimeoutMs       *int32        `json:"rebalanceTimeoutMs,omitempty"`
	Topology                 *topologyJSON `json:"topology,omitempty"`
	ActiveTasks              *partitionSet `json:"activeTasks,omitempty"`
	StandbyTasks             *partitionSet `json:"standbyTasks,omitempty"`
	WarmupTasks              *partitionSet `json:"warmupTasks,omitempty"`
	ProcessID                *string       `json:"processId,omitempty"`
	UserEndpoint             string        `json:"userEndpoint,omitempty"`
	ClientTags               *tagSet       `json:"clientTags,omitempty"`
	TaskOffsets              *offsetSet    `json:"taskOffsets,omitempty"`
	TaskEndOffsets           *offsetSet    `json:"taskEndOffsets,omitempty"`
	ShutdownApplication      bool          `json:"shutdownApplication,omitempty"`
}

type (
	tagSet    map[string]string
	offsetSet map[string]int64 // by the names of tasks
)

type topologyJSON struct {
	Epoch         int32             `json:"epoch"`
	Subtopologies []subtopologyJSON `json:"subtopologies"`
}

type subtopologyJSON struct {
	ID                      string   `json:"subtopologyId"`
	SourceTopics            []string `json:"sourceTopics,omitempty"`
	StateChangelogTopics    []string `json:"stateChangelogTopics,omitempty"`
	RepartitionSinkTopics   []string `json:"repartitionSinkTopics,omitempty"`
	RepartitionSourceTopics []string `json:"repartitionSourceTopics,omitempty"`
}

func topologyOf(t *protocol.Topology) *topologyJSON {
	if t == nil {
		return nil
	}
	out := &topologyJSON{Epoch: t.Epoch}
	for _, s := range t.Subtopologies {
		out.Subtopologies = append(out.Subtopologies, subtopologyJSON{
			s.ID, s.SourceTopics, topicNames(s.StateChangelogTopics), s.RepartitionSinkTopics, topicNames(s.RepartitionSourceTopics),
		})
	}
	return out
}

func topicNames(topics []protocol.TopicInfo) []string {
	var out []string
	for _, t := range topics {
		out = append(out, t.Name)
	}
	return out
}

func tagsOf(tags []protocol.Tag) *tagSet {
	if tags == nil {
		return nil
	}
	out := tagSet{}
	for _, t := range tags {
		out[t.Key] = t.Value
	}
	return &out
}

func offsetsOf(offsets []protocol.TaskOffset) *offsetSet {
	if offsets == nil {
		return nil
	}
	out := offsetSet{}
	for _, o := range offsets {
		out[protocol.TaskName(o.Task)] = o.Offset
	}
	return &out
}

func endpointOf(e *protocol.Endpoint) string {
	if e == nil {
		return ""
	}
	return e.String()
}

func streamsRequestOf(r *protocol.StreamsGroupHeartbeatRequest) any {
	out := &streamsRequestJSON{
		GroupID: r.GroupID, MemberID: r.MemberID, MemberEpoch: r.MemberEpoch, EndpointInformationEpoch: r.EndpointInformationEpoch,
		InstanceID: r.InstanceID, RackID: r.RackID, Topology: topologyOf(r.Topology),
		ActiveTasks: setOf(r.Owned.Active), StandbyTasks: setOf(r.Owned.Standby), WarmupTasks: setOf(r.Owned.Warmup),
		ProcessID: r.ProcessID, UserEndpoint: endpointOf(r.UserEndpoint), ClientTags: tagsOf(r.ClientTags),
		TaskOffsets: offsetsOf(r.TaskOffsets), TaskEndOffsets: offsetsOf(r.TaskEndOffsets), ShutdownApplication: r.ShutdownApplication,
	}
	if r.RebalanceTimeoutMs != -1 {
		out.RebalanceTimeoutMs = &r.RebalanceTimeoutMs
	}
	return out
}

type streamsResponseJSON struct {
	MemberID                 string        `json:"memberId"`
	MemberEpoch              int32         `json:"memberEpoch"`
	HeartbeatIntervalMs      int32         `json:"heartbeatIntervalMs"`
	TaskOffsetIntervalMs     int32         `json:"taskOffsetIntervalMs"`
	AcceptableRecoveryLag    int32         `json:"acceptableRecoveryLag"`
	Status                   []string      `json:"status"`
	ActiveTasks              *partitionSet `json:"activeTasks,omitempty"`
	StandbyTasks             *partitionSet `json:"standbyTasks,omitempty"`
	WarmupTasks              *partitionSet `json:"warmupTasks,omitempty"`
	EndpointInformationEpoch int32         `json:"endpointInformationEpoch"`
	Endpoints                *[]string     `json:"partitionsByUserEndpoint,omitempty"` // the endpoints it lists
}

func streamsResponseOf(r *protocol.StreamsGroupHeartbeatResponse) any {
	out := &streamsResponseJSON{
		MemberID: r.MemberID, MemberEpoch: r.MemberEpoch, HeartbeatIntervalMs: r.HeartbeatIntervalMs,
		TaskOffsetIntervalMs: r.TaskOffsetIntervalMs, AcceptableRecoveryLag: r.AcceptableRecoveryLag, Status: statusNames(r.Status),
		ActiveTasks: setOf(r.Tasks.Active), StandbyTasks: setOf(r.Tasks.Standby), WarmupTasks: setOf(r.Tasks.Warmup),
		EndpointInformationEpoch: r.EndpointInformationEpoch,
	}
	if r.PartitionsByUserEndpoint != nil {
		out.Endpoints = &[]string{}
		for _, e := range r.PartitionsByUserEndpoint {
			*out.Endpoints = append(*out.Endpoints, e.Endpoint.String())
		}
	}
	return out
}

func statusNames(status []protocol.Status) []string {
	out := []string{}
	for _, s := range status {
		out = append(out, s.Code.String())
	}
	return out
}

func streamsValueOf(v record.Value) any {
	switch v := v.(type) {
	case record.StreamsGroupMetadataValue:
		return struct {
			Epoch                  int32   `json:"epoch"`
			MetadataHash           int64   `json:"metadataHash,omitempty,string"`
			ValidatedTopologyEpoch int32   `json:"validatedTopologyEpoch"`
			Configs                *tagSet `json:"lastAssignmentConfigs,omitempty"`
		}{v.Epoch, v.MetadataHash, v.ValidatedTopologyEpoch, tagsOf(v.LastAssignmentConfigs)}
	case record.StreamsMemberMetadataValue:
		return struct {
			InstanceID         *string `json:"instanceId"`
			RackID             *string `json:"rackId"`
			RebalanceTimeoutMs int32   `json:"rebalanceTimeoutMs"`
			TopologyEpoch      int32   `json:"topologyEpoch"`
			ProcessID          string  `json:"processId"`
			UserEndpoint       string  `json:"userEndpoint,omitempty"`
			ClientTags         *tagSet `json:"clientTags,omitempty"`
		}{v.InstanceID, v.RackID, v.RebalanceTimeoutMs, v.TopologyEpoch, v.ProcessID, endpointOf(v.UserEndpoint), tagsOf(v.ClientTags)}
	case record.StreamsTargetAssignmentMetadataValue:
		return struct {
			AssignmentEpoch     int32            `json:"assignmentEpoch"`
			AssignmentTimestamp protocol.Instant `json:"assignmentTimestamp,omitempty"`
		}{v.AssignmentEpoch, v.AssignmentTimestamp}
	case record.StreamsTargetAssignmentMemberValue:
		return struct {
			Active  *partitionSet `json:"activeTasks"`
			Standby *partitionSet `json:"standbyTasks"`
			Warmup  *partitionSet `json:"warmupTasks"`
		}{setOf(v.Tasks.Active), setOf(v.Tasks.Standby), setOf(v.Tasks.Warmup)}
	case record.StreamsCurrentMemberAssignmentValue:
		return struct {
			MemberEpoch         int32               `json:"memberEpoch"`
			PreviousMemberEpoch int32               `json:"previousMemberEpoch"`
			State               int8                `json:"state"`
			Active              map[string]heldJSON `json:"activeTasks,omitempty"`
			Standby             *partitionSet       `json:"standbyTasks"`
			Warmup              *partitionSet       `json:"warmupTasks"`
			PendingActive       map[string]heldJSON `json:"activeTasksPendingRevocation,omitempty"`
			PendingStandby      *partitionSet       `json:"standbyTasksPendingRevocation"`
			PendingWarmup       *partitionSet       `json:"warmupTasksPendingRevocation"`
		}{v.MemberEpoch, v.PreviousMemberEpoch, int8(v.State) + 1, heldOf(v.Active), setOf(v.Standby), setOf(v.Warmup),
			heldOf(v.PendingActive), setOf(v.PendingStandby), setOf(v.PendingWarmup)}
	case record.StreamsTopologyValue:
		return topologyOf(v.Topology)
	}
	return nil
}
