package coordinator

import (
	"groupscope/core/protocol"
	"groupscope/core/streamsgroup"
)

// AssignmentConfigs are the configs that the target of a streams group depends
// on, as they are now; nil without such a group.
func (c *Coordinator) AssignmentConfigs(id string) []protocol.Tag {
	g := c.streams(id)
	if g == nil {
		return nil
	}
	o := streamsOperation{operation: operation{c: c}, group: g}
	return o.assignmentConfigs()
}

// TopicsHash is the metadata hash of the topics that a consumer group
// subscribes to, or that the topology of a streams group needs, as they are
// now; 0 without such a group, or such topics.
func (c *Coordinator) TopicsHash(id string) int64 {
	if g := c.streams(id); g != nil && g.Topology != nil {
		return streamsgroup.Hash(g.Topology, c.meta)
	}
	g := c.consumer(id)
	if g == nil {
		return 0
	}
	counts := g.CountsWith(nil, nil)
	return counts.Hash(c.meta)
}
