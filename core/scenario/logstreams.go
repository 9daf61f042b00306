package scenario

import (
	"math"
	"slices"

	"groupscope/core/protocol"
	"groupscope/core/record"
	"groupscope/core/sim"
)

// The records of a streams group.

// streamsRecordKeys are the keys of those that have more than one value.
var streamsRecordKeys = map[record.Type][]string{
	record.StreamsGroupMetadata:            {"epoch", "topology-epoch"},
	record.StreamsMemberMetadata:           {"process", "endpoint", "tags", "topology-epoch", "instance", "rack", "rebalance-timeout"},
	record.StreamsTargetAssignmentMetadata: {"epoch"},
	record.StreamsTargetAssignmentMember:   {"active", "standby", "warmup"},
	record.StreamsCurrentMemberAssignment: {"epoch", "previous-epoch", "state", "owns", "standby", "warmup",
		"revokes", "revokes-standby", "revokes-warmup", "assignment-epochs"},
}

// streamsRecord reads the value of a record of a streams group, whose file has
// topology as its own.
func (r *reader) streamsRecord(k record.Key, n *node, topology *protocol.Topology) record.Value {
	r.world.streams = true
	defer func() { r.world.streams = false }()
	if keys, has := streamsRecordKeys[k.Type]; has && !r.mapping(n, "a record is a mapping, 17: {epoch: 2}", keys) {
		return nil
	}
	switch k.Type {
	case record.StreamsGroupMetadata:
		return record.StreamsGroupMetadataValue{Epoch: r.recordEpoch(n, "epoch", 1), ValidatedTopologyEpoch: r.recordEpoch(n, "topology-epoch", topology.Epoch)}
	case record.StreamsTargetAssignmentMetadata:
		return record.StreamsTargetAssignmentMetadataValue{AssignmentEpoch: r.recordEpoch(n, "epoch", 1)}
	case record.StreamsTopology:
		if t := r.topologyOrName(n); t != nil {
			return record.StreamsTopologyValue{Topology: t}
		}
		return record.StreamsTopologyValue{Topology: topology}
	case record.StreamsMemberMetadata:
		return r.streamsMemberRecord(k.Member, n, topology)
	case record.StreamsTargetAssignmentMember:
		return record.StreamsTargetAssignmentMemberValue{Tasks: protocol.Tasks{
			Active: r.recordTasks(n, "active"), Standby: r.recordTasks(n, "standby"), Warmup: r.recordTasks(n, "warmup"),
		}}
	}
	return r.streamsAssignmentRecord(n)
}

// recordTasks reads a list of tasks of a record, empty when it is left out.
func (r *reader) recordTasks(n *node, key string) protocol.Assignment {
	if v := n.get(key); v != nil {
		if set, ok := r.tasks(v); ok {
			return set
		}
	}
	return protocol.Assignment{}
}

func (r *reader) streamsMemberRecord(name string, n *node, topology *protocol.Topology) record.Value {
	var given sim.MemberChange
	for _, e := range n.entries {
		if setting := r.settingOf(e.key.text); setting != nil {
			setting.read(r, e.value, &given)
		}
	}
	m := given.Apply(sim.MemberSetup{Name: name})
	timeout := m.RebalanceTimeout
	if timeout == 0 {
		timeout = 5 * protocol.Minute
	}
	process := m.Streams.Process
	if process == "" {
		process = name
	}
	return record.StreamsMemberMetadataValue{
		InstanceID: presentText(m.InstanceID), RackID: presentText(m.RackID), RebalanceTimeoutMs: int32(timeout),
		TopologyEpoch: r.recordEpoch(n, "topology-epoch", topology.Epoch),
		ProcessID:     process, UserEndpoint: m.Streams.Endpoint, ClientTags: m.Streams.Tags,
	}
}

func (r *reader) streamsAssignmentRecord(n *node) record.Value {
	out := record.StreamsCurrentMemberAssignmentValue{MemberEpoch: r.recordEpoch(n, "epoch", 0)}
	out.PreviousMemberEpoch = r.recordEpoch(n, "previous-epoch", out.MemberEpoch)
	if v := n.get("state"); v != nil {
		states := memberStates(true)
		if word, ok := r.oneOf(v, "member state", states); ok {
			out.State = record.MemberState(slices.Index(states, word))
		}
	}
	since := r.sinceEpochs(n, "assignment-epochs are a mapping from tasks to epochs, {0_0: 2}", r.task)
	out.Active = heldSince(r.recordTasks(n, "owns"), since, out.MemberEpoch)
	out.PendingActive = heldSince(r.recordTasks(n, "revokes"), since, out.MemberEpoch)
	out.Standby, out.Warmup = r.recordTasks(n, "standby"), r.recordTasks(n, "warmup")
	out.PendingStandby, out.PendingWarmup = r.recordTasks(n, "revokes-standby"), r.recordTasks(n, "revokes-warmup")
	return out
}

// sinceEpochs reads since which epochs a member has had what it names.
func (r *reader) sinceEpochs(n *node, what string, name func(*node) (protocol.Partition, bool)) map[protocol.Partition]int32 {
	since := map[protocol.Partition]int32{}
	if v := n.get("assignment-epochs"); v != nil && r.mapping(v, what, keysOf(v)) {
		for _, e := range v.entries {
			if p, ok := name(e.key); ok {
				epoch, _ := r.integer(e.value, "an epoch is a whole number", 0, math.MaxInt32)
				since[p] = int32(epoch)
			}
		}
	}
	return since
}

// heldSince is a set as a record has it: since an epoch of its own, or else
// the member's.
func heldSince(set protocol.Assignment, since map[protocol.Partition]int32, standard int32) []record.Held {
	var list []record.Held
	for _, p := range set.Partitions() {
		epoch, said := since[p]
		if !said {
			epoch = standard
		}
		list = append(list, record.Held{Partition: p, AssignmentEpoch: epoch})
	}
	return list
}

func presentText(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
