package conformance

import (
	"encoding/json"
	"slices"
	"strconv"

	"groupscope/core/protocol"
	"groupscope/core/record"
)

// labels names values in the order in which they are first seen, so that two
// series of hashes can be compared though the functions differ.
type labels map[string]string

func (l labels) of(hash string) string {
	if hash == "0" {
		return "none"
	}
	if _, ok := l[hash]; !ok {
		l[hash] = "hash " + strconv.Itoa(len(l)+1)
	}
	return l[hash]
}

// assignment reads a map of topics to partitions; nil stays nil.
func assignment(m map[string][]int32) protocol.Assignment {
	if m == nil {
		return nil
	}
	var ps []protocol.Partition
	for topic, numbers := range m {
		for _, n := range numbers {
			ps = append(ps, protocol.Partition{Topic: protocol.TopicID(topic), Number: n})
		}
	}
	return protocol.NewAssignment(ps)
}

func partitions(a protocol.Assignment) map[string][]int32 {
	out := map[string][]int32{}
	for _, tp := range a {
		out[string(tp.Topic)] = tp.Partitions
	}
	return out
}

// heldPartitions and heldEpochs are the two halves of held partitions.
func heldPartitions(held []record.Held) map[string][]int32 {
	out := map[string][]int32{}
	for _, h := range held {
		out[string(h.Partition.Topic)] = append(out[string(h.Partition.Topic)], h.Partition.Number)
	}
	return out
}

func heldEpochs(held []record.Held) map[string][]int32 {
	out := map[string][]int32{}
	for _, h := range held {
		out[string(h.Partition.Topic)] = append(out[string(h.Partition.Topic)], h.AssignmentEpoch)
	}
	return out
}

func response(r *protocol.ConsumerGroupHeartbeatResponse) map[string]any {
	out := map[string]any{"memberId": r.MemberID, "memberEpoch": r.MemberEpoch}
	if r.HeartbeatIntervalMs != 0 {
		out["heartbeatIntervalMs"] = r.HeartbeatIntervalMs
	}
	if r.Assignment != nil {
		out["assignment"] = partitions(r.Assignment)
	}
	return out
}

// theirs prepares the broker's records for comparison: its hashes labelled,
// and target records in a row, whose order is free, sorted by member.
func (r *runner) theirs(records []Record) []Record {
	out := append([]Record{}, records...)
	for i, rec := range out {
		if rec.Type != record.GroupMetadata.String() || rec.Value == nil {
			continue
		}
		hash := "0"
		if n, ok := rec.Value["metadataHash"].(json.Number); ok {
			hash = n.String()
		}
		out[i].Value = map[string]any{"epoch": rec.Value["epoch"], "metadataHash": r.theirHashes.of(hash)}
	}
	isTarget := func(rec Record) bool {
		return rec.Type == record.TargetAssignmentMember.String() && rec.Value != nil
	}
	for i := 0; i < len(out); i++ {
		end := i
		for end < len(out) && isTarget(out[end]) {
			end++
		}
		slices.SortFunc(out[i:end], func(a, b Record) int {
			if a.Key["memberId"] < b.Key["memberId"] {
				return -1
			}
			return 1
		})
		i = max(i, end-1)
	}
	return out
}

// ours writes our records in the broker's words, default values left out.
func (r *runner) ours(records []record.Record) []Record {
	out := make([]Record, 0, len(records))
	for _, rec := range records {
		key := map[string]string{}
		if rec.Key.Member != "" {
			key["memberId"] = rec.Key.Member
		}
		if rec.Key.Group != defaultGroup {
			key["groupId"] = rec.Key.Group
		}
		if _, ok := rec.Value.(record.TargetAssignmentMetadataValue); ok {
			r.targets++
		}
		out = append(out, Record{Type: rec.Key.Type.String(), Key: key, Value: r.value(rec.Value)})
	}
	return out
}

func (r *runner) value(v record.Value) map[string]any {
	switch v := v.(type) {
	case record.GroupMetadataValue:
		return map[string]any{"epoch": v.Epoch, "metadataHash": r.ourHashes.of(strconv.FormatInt(v.MetadataHash, 10))}
	case record.MemberMetadataValue:
		out := map[string]any{
			"instanceId": v.InstanceID, "rackId": v.RackID, "clientId": v.ClientID, "clientHost": v.ClientHost,
			"rebalanceTimeoutMs": v.RebalanceTimeoutMs, "serverAssignor": v.ServerAssignor, "classicMemberMetadata": nil,
		}
		if len(v.SubscribedTopicNames) > 0 {
			out["subscribedTopicNames"] = v.SubscribedTopicNames
		}
		return out
	case record.TargetAssignmentMetadataValue:
		return compact(map[string]any{"assignmentEpoch": v.AssignmentEpoch, "assignmentTimestamp": int64(v.AssignmentTimestamp)})
	case record.TargetAssignmentMemberValue:
		if len(v.TopicPartitions) == 0 {
			return map[string]any{}
		}
		return map[string]any{"topicPartitions": partitions(v.TopicPartitions)}
	case record.CurrentMemberAssignmentValue:
		out := compact(map[string]any{
			"memberEpoch": v.MemberEpoch, "previousMemberEpoch": v.PreviousMemberEpoch, "state": int8(v.State),
		})
		putHeld(out, "assignedPartitions", v.Assigned)
		putHeld(out, "partitionsPendingRevocation", v.PendingRevocation)
		return out
	}
	return nil
}

// compact drops zeros: the schema's default of these fields.
func compact(m map[string]any) map[string]any {
	for k, v := range m {
		switch v {
		case int32(0), int64(0), int8(0):
			delete(m, k)
		}
	}
	return m
}

func putHeld(out map[string]any, field string, held []record.Held) {
	if len(held) == 0 {
		return
	}
	numbers, epochs := heldPartitions(held), heldEpochs(held)
	topics := map[string]any{}
	for topic := range numbers {
		topics[topic] = map[string]any{"partitions": numbers[topic], "assignmentEpochs": epochs[topic]}
	}
	out[field] = topics
}
