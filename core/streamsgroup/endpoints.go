package streamsgroup

import (
	"groupscope/core/protocol"
	"groupscope/core/record"
)

// EndpointPartitions lists what a member with a user endpoint can answer for:
// the partitions of the topics that its tasks read. Missing names a topic that
// its tasks read and that does not exist, "" for none; such topics are left
// out.
func (c *Configured) EndpointPartitions(m *Member, topics Topics) (out protocol.EndpointPartitions, missing string) {
	out.Endpoint = *m.Meta.UserEndpoint
	if !c.Known() {
		return out, ""
	}
	add := func(list *[]protocol.NamedPartitions, set protocol.Assignment) {
		for _, tp := range set {
			s := c.Subtopology(tp.Topic)
			if s == nil {
				continue
			}
			for _, name := range sources(s) {
				topic, ok := topics.Named(name)
				if !ok {
					missing = name
					continue
				}
				if there := below(tp.Partitions, topic.Partitions); len(there) > 0 {
					*list = append(*list, protocol.NamedPartitions{Topic: name, Partitions: there})
				}
			}
		}
	}
	add(&out.Active, m.active)
	add(&out.Standby, union(m.Current.Standby, m.Current.Warmup))
	return out, missing
}

// below are the numbers, ascending, that are smaller than a limit.
func below(numbers []int32, limit int32) []int32 {
	for i, n := range numbers {
		if n >= limit {
			return numbers[:i:i]
		}
	}
	return numbers
}

func union(a, b protocol.Assignment) protocol.Assignment {
	switch {
	case len(a) == 0:
		return b
	case len(b) == 0:
		return a
	}
	return setOf(merge(a.Partitions(), b.Partitions()))
}

// Hash is the metadata hash of the topics that a topology needs.
func Hash(t *protocol.Topology, topics Topics) int64 {
	var known []protocol.Topic
	for _, name := range Needed(t) {
		if topic, ok := topics.Named(name); ok {
			known = append(known, topic)
		}
	}
	return record.MetadataHash(known)
}
