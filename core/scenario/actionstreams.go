package scenario

import "groupscope/core/sim"

func readOffsets(r *reader, step, value *node) sim.Action {
	name, ok := r.member(value)
	tasks := step.get("tasks")
	if tasks == nil {
		r.fault(value, "offsets needs the key tasks", "Write tasks: {0_0: [500, 2000]} beside it")
		return nil
	}
	a := sim.ReportOffsets{Member: name}
	progress, fine := r.progress(tasks)
	if !ok || !fine {
		return nil
	}
	a.Tasks = progress
	return a
}

func readInternalTopics(r *reader, _, value *node) sim.Action {
	if c, ok := r.creation(value); ok {
		return sim.InternalTopics{Creation: c}
	}
	return nil
}

func encodeStreams(action sim.Action) []string {
	switch a := action.(type) {
	case sim.ShutDown:
		return []string{pair("shut-down", a.Member)}
	case sim.ReportOffsets:
		return []string{pair("offsets", a.Member), pair("tasks", encodeProgress(a.Tasks))}
	case sim.InternalTopics:
		return []string{pair("internal-topics", encodeCreation(a.Creation))}
	}
	return nil
}

// streamsRequestFields are the fields of a streams client's heartbeat.
var streamsRequestFields = []requestField{
	{"memberId", false, readString},
	{"memberEpoch", false, readInt32},
	{"endpointInformationEpoch", false, readInt32},
	{"instanceId", true, readString},
	{"rackId", true, readString},
	{"rebalanceTimeoutMs", true, readInt32},
	{"topology", true, func(r *reader, n *node) (any, bool) {
		t := r.topologyOrName(n)
		return t, t != nil
	}},
	{"activeTasks", true, readTasks},
	{"standbyTasks", true, readTasks},
	{"warmupTasks", true, readTasks},
	{"processId", true, readString},
	{"userEndpoint", true, func(r *reader, n *node) (any, bool) { return r.endpoint(n) }},
	{"clientTags", true, func(r *reader, n *node) (any, bool) { return r.tags(n) }},
	{"taskOffsets", true, readTaskOffsets},
	{"taskEndOffsets", true, readTaskOffsets},
	{"shutdownApplication", false, func(r *reader, n *node) (any, bool) {
		return r.truth(n, "shutdownApplication is true or false")
	}},
}

// readTasks reads tasks of a request: any, as a client can be wrong about them.
func readTasks(r *reader, n *node) (any, bool) {
	r.anyTask = true
	defer func() { r.anyTask = false }()
	return r.tasks(n)
}

func readTaskOffsets(r *reader, n *node) (any, bool) {
	r.anyTask = true
	defer func() { r.anyTask = false }()
	return r.taskOffsets(n)
}

// requestFields are the fields of the heartbeats that the file's members send.
// A lone action may be about a group of either protocol.
func (r *reader) requestFields() []requestField {
	switch {
	case r.world.loose:
		return append(requestFields[:len(requestFields):len(requestFields)], streamsRequestFields...)
	case r.world.streams:
		return streamsRequestFields
	}
	return requestFields
}
