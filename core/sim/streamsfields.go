package sim

import "groupscope/core/protocol"

type streamsRequest = protocol.StreamsGroupHeartbeatRequest

// streamsFields are the fields of a streams client's heartbeat that With may
// replace.
var streamsFields = map[string]field[streamsRequest]{
	"memberId":    {"a text", is[string], func(r *streamsRequest, v any) { r.MemberID = v.(string) }},
	"memberEpoch": {"a number", is[int32], func(r *streamsRequest, v any) { r.MemberEpoch = v.(int32) }},
	"endpointInformationEpoch": {"a number", is[int32], func(r *streamsRequest, v any) {
		r.EndpointInformationEpoch = v.(int32)
	}},
	"rebalanceTimeoutMs": {"a number, or nothing", orNil(is[int32]), func(r *streamsRequest, v any) {
		r.RebalanceTimeoutMs = -1
		if v != nil {
			r.RebalanceTimeoutMs = v.(int32)
		}
	}},
	"instanceId":   text(func(r *streamsRequest) **string { return &r.InstanceID }),
	"rackId":       text(func(r *streamsRequest) **string { return &r.RackID }),
	"processId":    text(func(r *streamsRequest) **string { return &r.ProcessID }),
	"activeTasks":  tasks(func(r *streamsRequest) *protocol.Assignment { return &r.Owned.Active }),
	"standbyTasks": tasks(func(r *streamsRequest) *protocol.Assignment { return &r.Owned.Standby }),
	"warmupTasks":  tasks(func(r *streamsRequest) *protocol.Assignment { return &r.Owned.Warmup }),
	"topology": {"a topology, or nothing", orNil(is[*protocol.Topology]), func(r *streamsRequest, v any) {
		r.Topology, _ = v.(*protocol.Topology)
	}},
	"userEndpoint": {"an endpoint, or nothing", orNil(is[*protocol.Endpoint]), func(r *streamsRequest, v any) {
		r.UserEndpoint, _ = v.(*protocol.Endpoint)
	}},
	"clientTags": {"tags, or nothing", orNil(is[[]protocol.Tag]), func(r *streamsRequest, v any) {
		r.ClientTags, _ = v.([]protocol.Tag)
	}},
	"taskOffsets":    taskOffsets(func(r *streamsRequest) *[]protocol.TaskOffset { return &r.TaskOffsets }),
	"taskEndOffsets": taskOffsets(func(r *streamsRequest) *[]protocol.TaskOffset { return &r.TaskEndOffsets }),
	"shutdownApplication": {"true or false", is[bool], func(r *streamsRequest, v any) {
		r.ShutdownApplication = v.(bool)
	}},
}

func tasks(of func(*streamsRequest) *protocol.Assignment) field[streamsRequest] {
	return field[streamsRequest]{"tasks, or nothing", orNil(is[protocol.Assignment]), func(r *streamsRequest, v any) {
		*of(r), _ = v.(protocol.Assignment)
	}}
}

func taskOffsets(of func(*streamsRequest) *[]protocol.TaskOffset) field[streamsRequest] {
	return field[streamsRequest]{"offsets of tasks, or nothing", orNil(is[[]protocol.TaskOffset]), func(r *streamsRequest, v any) {
		*of(r), _ = v.([]protocol.TaskOffset)
	}}
}
