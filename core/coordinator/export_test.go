package coordinator

// HardState is what the records alone make, group by group.
func (c *Coordinator) HardState() map[string]any {
	out := map[string]any{}
	for id, g := range c.groups {
		switch g := g.(type) {
		case *group:
			out[id] = g.Group
		case *streamsGroup:
			out[id] = g.Group
		}
	}
	return out
}
