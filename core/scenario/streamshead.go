package scenario

import (
	"fmt"

	"groupscope/core/protocol"
	"groupscope/core/sim"
)

// streamsHead reads what only files about streams groups have.
func (r *reader) streamsHead(root *node, setup *sim.Setup) {
	r.world.topologies = map[string]*protocol.Topology{}
	keys := []string{"topology", "topologies", "internal-topics"}
	if !r.world.streams {
		for _, e := range root.entries {
			for _, key := range keys {
				if e.key.text == key {
					r.misplaced(e.key, key, streamsProtocol)
				}
			}
		}
		return
	}
	if n := root.get("topologies"); n != nil {
		r.topologies(n)
	}
	if n := root.get("topology"); n != nil {
		setup.Topology = r.topologyOrName(n)
	} else {
		r.fault(root, "the key topology is missing", "For instance topology: {subtopologies: {0: {source: [in], changelog: [counts]}}}")
	}
	if setup.Topology == nil {
		setup.Topology = &protocol.Topology{} // reported
	}
	if n := root.get("internal-topics"); n != nil {
		setup.InternalTopics, _ = r.creation(n)
	}
	r.checkTasks(root)
}

// checkTasks holds the number of tasks to the limit: each subtopology may have
// as many as the largest topic has partitions.
func (r *reader) checkTasks(root *node) {
	most := int32(1)
	for _, n := range r.world.most {
		most = max(most, n)
	}
	if all := int(most) * len(r.world.subtopologies); all > MaxPartitions && int(most) <= MaxPartitions {
		at := root.get("topology")
		if at == nil {
			return
		}
		r.fault(at, fmt.Sprintf("%d subtopologies of %s tasks: the limit is %s for all together",
			len(r.world.subtopologies), grouped(int(most)), grouped(MaxPartitions)), "")
	}
}

// The words for how the broker creates internal topics.
const (
	createRefused = "refused"
	createAsUsual = "created"
)

// creation reads how the broker creates internal topics.
func (r *reader) creation(n *node) (sim.Creation, bool) {
	switch n.text {
	case createRefused:
		return sim.Creation{Refused: true}, true
	case createAsUsual:
		return sim.Creation{}, true
	}
	d, err := protocol.ParseDuration(n.text)
	if !n.scalar() || err != nil || d > MaxRun {
		r.wanted(n, "internal topics are created, refused, or created after a time, such as 10s")
		return sim.Creation{}, false
	}
	return sim.Creation{After: &d}, true
}

func encodeCreation(c sim.Creation) string {
	switch {
	case c.Refused:
		return createRefused
	case c.After == nil:
		return createAsUsual
	}
	return c.After.String()
}
