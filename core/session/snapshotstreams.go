package session

import (
	"groupscope/core/coordinator"
	"groupscope/core/protocol"
	"groupscope/core/sim"
)

// What a snapshot of a streams group says beyond that of a consumer group. Its
// owns, revokes, waits and target are active tasks, named like 0_2.

// SnapshotStreamsResponse is what is in an answer in place of an assignment;
// lists that it does not say are left out.
type SnapshotStreamsResponse struct {
	Active        *partitionSet `json:"active,omitempty"`
	Standby       *partitionSet `json:"standby,omitempty"`
	Warmup        *partitionSet `json:"warmup,omitempty"`
	Status        []string      `json:"status"`
	EndpointEpoch int32         `json:"endpoint-epoch"`
}

// SnapshotStreamsGroup is in the header of a streams group.
type SnapshotStreamsGroup struct {
	TopologyEpoch int32    `json:"topology-epoch"`
	EndpointEpoch int32    `json:"endpoint-epoch"`
	Status        []string `json:"status"`
}

// SnapshotStreamsMember is what the coordinator holds of a streams member.
type SnapshotStreamsMember struct {
	Standby        []string `json:"standby"`
	Warmup         []string `json:"warmup"`
	RevokesStandby []string `json:"revokes-standby"`
	RevokesWarmup  []string `json:"revokes-warmup"`
	TargetStandby  []string `json:"target-standby"`
	TargetWarmup   []string `json:"target-warmup"`
	Process        string   `json:"process"`
	TopologyEpoch  int32    `json:"topology-epoch"`
	EndpointEpoch  int32    `json:"endpoint-epoch"`
}

// SnapshotStreamsClient is what a streams client believes.
type SnapshotStreamsClient struct {
	Standby []string `json:"standby"`
	Warmup  []string `json:"warmup"`
	Status  []string `json:"status"`
}

func streamsResponse(r *protocol.StreamsGroupHeartbeatResponse) *SnapshotStreamsResponse {
	return &SnapshotStreamsResponse{
		setOf(r.Tasks.Active), setOf(r.Tasks.Standby), setOf(r.Tasks.Warmup), statusNames(r.Status), r.EndpointInformationEpoch,
	}
}

func streamsGroup(g *coordinator.Group) *SnapshotStreamsGroup {
	s := g.Streams
	if s == nil {
		return nil
	}
	out := &SnapshotStreamsGroup{s.TopologyEpoch, s.EndpointInformationEpoch, []string{}}
	if s.Status != nil {
		out.Status = statusNames([]protocol.Status{*s.Status})
	}
	return out
}

func streamsMember(m *coordinator.Member) *SnapshotStreamsMember {
	s := m.Streams
	if s == nil {
		return nil
	}
	return &SnapshotStreamsMember{
		Standby: set(s.Standby.Partitions(), true), Warmup: set(s.Warmup.Partitions(), true),
		RevokesStandby: set(s.PendingStandby.Partitions(), true), RevokesWarmup: set(s.PendingWarmup.Partitions(), true),
		TargetStandby: set(s.TargetStandby.Partitions(), true), TargetWarmup: set(s.TargetWarmup.Partitions(), true),
		Process: s.ProcessID, TopologyEpoch: s.TopologyEpoch, EndpointEpoch: s.EndpointEpoch,
	}
}

func streamsClient(c *sim.ClientState) *SnapshotStreamsClient {
	s := c.Streams
	if s == nil {
		return nil
	}
	return &SnapshotStreamsClient{set(s.Standby.Partitions(), true), set(s.Warmup.Partitions(), true), statusNames(s.Status)}
}

// heldName is the name of a partition, or of a task.
func heldName(p protocol.Partition, tasks bool) string {
	if tasks {
		return protocol.TaskName(p)
	}
	return p.String()
}

// set lists what is held by names, an empty list for none.
func set(ps []protocol.Partition, tasks bool) []string {
	out := make([]string, len(ps))
	for i, p := range ps {
		out[i] = heldName(p, tasks)
	}
	return out
}
