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

// ForgetViews drops the read models, so that the next ones are made anew.
func (c *Coordinator) ForgetViews() {
	for _, g := range c.groups {
		switch g := g.(type) {
		case *group:
			g.view = groupView{}
		case *streamsGroup:
			g.view = streamsView{}
		}
	}
}
