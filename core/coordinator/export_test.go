package coordinator

import "groupscope/core/consumergroup"

// HardState is what the records alone make, group by group.
func (c *Coordinator) HardState() map[string]*consumergroup.Group {
	out := map[string]*consumergroup.Group{}
	for id := range c.groups {
		if g := c.consumer(id); g != nil {
			out[id] = g.Group
		}
	}
	return out
}
