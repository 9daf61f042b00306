package coordinator

import "groupscope/core/consumergroup"

// HardState is what the records alone make, group by group.
func (c *Coordinator) HardState() map[string]*consumergroup.Group {
	out := map[string]*consumergroup.Group{}
	for id, g := range c.groups {
		out[id] = g.Group
	}
	return out
}
