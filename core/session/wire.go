package session

import (
	"groupscope/core/protocol"
	"groupscope/core/record"
)

// Raw values carry the names of the protocol's JSON schemas; what is absent
// in a message is left out. Sets of partitions are {"foo": [0, 1]}.

type partitionSet map[string][]int32

func setOf(a protocol.Assignment) *partitionSet {
	if a == nil {
		return nil
	}
	out := partitionSet{}
	for _, t := range a {
		out[string(t.Topic)] = t.Partitions
	}
	return &out
}

type requestJSON struct {
	GroupID              string        `json:"groupId"`
	MemberID             string        `json:"memberId"`
	MemberEpoch          int32         `json:"memberEpoch"`
	InstanceID           *string       `json:"instanceId,omitempty"`
	RackID               *string       `json:"rackId,omitempty"`
	RebalanceTimeoutMs   *int32        `json:"rebalanceTimeoutMs,omitempty"`
	SubscribedTopicNames *[]string     `json:"subscribedTopicNames,omitempty"`
	SubscribedTopicRegex *string       `json:"subscribedTopicRegex,omitempty"`
	ServerAssignor       *string       `json:"serverAssignor,omitempty"`
	TopicPartitions      *partitionSet `json:"topicPartitions,omitempty"`
}

func requestOf(r *protocol.ConsumerGroupHeartbeatRequest) any {
	if r == nil {
		return nil
	}
	out := &requestJSON{
		GroupID: r.GroupID, MemberID: r.MemberID, MemberEpoch: r.MemberEpoch,
		InstanceID: r.InstanceID, RackID: r.RackID, SubscribedTopicRegex: r.SubscribedTopicRegex,
		ServerAssignor: r.ServerAssignor, TopicPartitions: setOf(r.TopicPartitions),
	}
	if r.RebalanceTimeoutMs != -1 {
		out.RebalanceTimeoutMs = &r.RebalanceTimeoutMs
	}
	if r.SubscribedTopicNames != nil {
		out.SubscribedTopicNames = &r.SubscribedTopicNames
	}
	return out
}

type responseJSON struct {
	MemberID            string        `json:"memberId"`
	MemberEpoch         int32         `json:"memberEpoch"`
	HeartbeatIntervalMs int32         `json:"heartbeatIntervalMs"`
	Assignment          *partitionSet `json:"assignment,omitempty"`
}

type errorJSON struct {
	ErrorCode    int16  `json:"errorCode"`
	Error        string `json:"error"` // Kafka's constant
	ErrorMessage string `json:"errorMessage,omitempty"`
}

func responseOf(r *protocol.ConsumerGroupHeartbeatResponse) any {
	switch {
	case r == nil:
		return nil
	case r.Error != protocol.None:
		return errorJSON{int16(r.Error), r.Error.String(), r.ErrorMessage}
	}
	return responseJSON{r.MemberID, r.MemberEpoch, r.HeartbeatIntervalMs, setOf(r.Assignment)}
}

type recordJSON struct {
	Type  string  `json:"type"`
	Key   keyJSON `json:"key"`
	Value any     `json:"value"` // null: a tombstone
}

type keyJSON struct {
	GroupID  string `json:"groupId"`
	MemberID string `json:"memberId,omitempty"`
	Regex    string `json:"regularExpression,omitempty"`
	Topic    string `json:"topic,omitempty"`
	// Partition goes with Topic.
	Partition *int32 `json:"partition,omitempty"`
}

func keyOf(k record.Key) keyJSON {
	out := keyJSON{GroupID: k.Group, MemberID: k.Member, Regex: k.Regex, Topic: k.Topic}
	if k.Topic != "" {
		out.Partition = &k.Partition
	}
	return out
}

type heldJSON struct {
	Partitions       []int32 `json:"partitions"`
	AssignmentEpochs []int32 `json:"assignmentEpochs"`
}

func heldOf(hs []record.Held) map[string]heldJSON {
	if len(hs) == 0 {
		return nil
	}
	out := map[string]heldJSON{}
	for _, h := range hs {
		t := out[string(h.Partition.Topic)]
		t.Partitions = append(t.Partitions, h.Partition.Number)
		t.AssignmentEpochs = append(t.AssignmentEpochs, h.AssignmentEpoch)
		out[string(h.Partition.Topic)] = t
	}
	return out
}

func recordsOf(rs []record.Record) []recordJSON {
	out := make([]recordJSON, 0, len(rs))
	for _, r := range rs {
		out = append(out, recordJSON{r.Key.Type.String(), keyOf(r.Key), valueOf(r.Value)})
	}
	return out
}

func valueOf(v record.Value) any {
	switch v := v.(type) {
	case record.GroupMetadataValue:
		return struct {
			Epoch        int32 `json:"epoch"`
			MetadataHash int64 `json:"metadataHash,omitempty,string"`
		}{v.Epoch, v.MetadataHash}
	case record.MemberMetadataValue:
		return struct {
			InstanceID           *string  `json:"instanceId"`
			RackID               *string  `json:"rackId"`
			ClientID             string   `json:"clientId"`
			ClientHost           string   `json:"clientHost"`
			SubscribedTopicNames []string `json:"subscribedTopicNames"`
			SubscribedTopicRegex string   `json:"subscribedTopicRegex,omitempty"`
			RebalanceTimeoutMs   int32    `json:"rebalanceTimeoutMs"`
			ServerAssignor       *string  `json:"serverAssignor"`
		}{v.InstanceID, v.RackID, v.ClientID, v.ClientHost, v.SubscribedTopicNames, v.SubscribedTopicRegex, v.RebalanceTimeoutMs, v.ServerAssignor}
	case record.RegularExpressionValue:
		return struct {
			Topics    []string         `json:"topics"`
			Version   int64            `json:"version"`
			Timestamp protocol.Instant `json:"timestamp"`
		}{v.Topics, v.Version, v.Timestamp}
	case record.OffsetCommitValue:
		return struct {
			Offset          int64            `json:"offset"`
			CommitTimestamp protocol.Instant `json:"commitTimestamp"`
		}{v.Offset, v.CommitTimestamp}
	case record.TargetAssignmentMetadataValue:
		return struct {
			AssignmentEpoch     int32            `json:"assignmentEpoch"`
			AssignmentTimestamp protocol.Instant `json:"assignmentTimestamp,omitempty"`
		}{v.AssignmentEpoch, v.AssignmentTimestamp}
	case record.TargetAssignmentMemberValue:
		return struct {
			TopicPartitions *partitionSet `json:"topicPartitions"`
		}{setOf(v.TopicPartitions)}
	case record.CurrentMemberAssignmentValue:
		return struct {
			MemberEpoch         int32               `json:"memberEpoch"`
			PreviousMemberEpoch int32               `json:"previousMemberEpoch"`
			State               int8                `json:"state"`
			Assigned            map[string]heldJSON `json:"assignedPartitions,omitempty"`
			Revoking            map[string]heldJSON `json:"partitionsPendingRevocation,omitempty"`
			Waiting             []string            `json:"partitionsPendingAssignment,omitempty"`
		}{v.MemberEpoch, v.PreviousMemberEpoch, int8(v.State), heldOf(v.Assigned), heldOf(v.PendingRevocation), names(v.PendingAssignment)}
	}
	return streamsValueOf(v)
}

// names lists partitions by their names; never nil unless there are none.
func names(ps []protocol.Partition) []string {
	var out []string
	for _, p := range ps {
		out = append(out, p.String())
	}
	return out
}
