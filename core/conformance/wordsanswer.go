package conformance

import (
	"slices"
	"strconv"
	"strings"

	"groupscope/core/protocol"
)

// answer puts a response or the error in its place.
func (o outcome) answer(code protocol.ErrorCode, response object) {
	if code != protocol.None {
		o["error"] = object{"code": code.String()}
		return
	}
	if response != nil {
		o["response"] = response
	}
}

// consumerResponse: an assignment that is empty is not one that is absent.
func consumerResponse(a *protocol.ConsumerGroupHeartbeatResponse) object {
	out := bare(object{"memberId": a.MemberID, "heartbeatIntervalMs": int64(a.HeartbeatIntervalMs)})
	out["memberEpoch"] = int64(a.MemberEpoch)
	if a.Assignment != nil {
		out["assignment"] = tree(a.Assignment)
	}
	return out
}

func streamsResponse(a *protocol.StreamsGroupHeartbeatResponse) object {
	out := bare(object{
		"memberId": a.MemberID, "heartbeatIntervalMs": int64(a.HeartbeatIntervalMs),
		"acceptableRecoveryLag": int64(a.AcceptableRecoveryLag), "taskOffsetIntervalMs": int64(a.TaskOffsetIntervalMs),
		"endpointInformationEpoch": int64(a.EndpointInformationEpoch),
		"status": each(a.Status, func(s protocol.Status) object {
			return object{"statusCode": int64(s.Code), "status": s.Code.String()}
		}),
	})
	out["memberEpoch"] = int64(a.MemberEpoch)
	for name, tasks := range map[string]protocol.Assignment{
		"activeTasks": a.Tasks.Active, "standbyTasks": a.Tasks.Standby, "warmupTasks": a.Tasks.Warmup,
	} {
		if tasks != nil {
			out[name] = tree(tasks)
		}
	}
	if a.PartitionsByUserEndpoint != nil {
		list := each(a.PartitionsByUserEndpoint, func(e protocol.EndpointPartitions) object {
			return bare(object{
				"userEndpoint":     endpoint(&e.Endpoint),
				"activePartitions": named(e.Active), "standbyPartitions": named(e.Standby),
			})
		})
		out["partitionsByUserEndpoint"] = byText(list, "userEndpoint", "activePartitions", "standbyPartitions")
	}
	return out
}

// named are partitions by the topic's name; a list where a name stands twice.
func named(list []protocol.NamedPartitions) any {
	byName := object{}
	for _, p := range list {
		byName[p.Topic] = numberList(p.Partitions)
	}
	if len(byName) == len(list) {
		return byName
	}
	return byText(each(list, func(p protocol.NamedPartitions) object {
		return bare(object{"topic": p.Topic, "partitions": numberList(p.Partitions)})
	}), "topic", "partitions")
}

// byText sorts objects as the recorder does, by their JSON with the fields in
// that order.
func byText(list []any, fields ...string) []any {
	slices.SortStableFunc(list, func(a, b any) int { return strings.Compare(written(a, fields), written(b, fields)) })
	return list
}

func written(v any, fields []string) string {
	var parts []string
	for _, name := range fields {
		if part, ok := v.(object)[name]; ok {
			parts = append(parts, strconv.Quote(name)+":"+asText(part))
		}
	}
	return "{" + strings.Join(parts, ",") + "}"
}

func creatable(list []protocol.CreatableTopic) object {
	out := object{}
	for _, t := range list {
		topic := bare(object{"name": t.Name, "configs": pairs(t.Configs, "name", "value")})
		topic["numPartitions"], topic["replicationFactor"] = int64(t.Partitions), int64(t.ReplicationFactor)
		out[t.Name] = topic
	}
	return out
}
