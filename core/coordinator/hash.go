package coordinator

// TopicsHash is the metadata hash of the topics that a consumer group
// subscribes to, as they are now; 0 without such a group, or such topics.
func (c *Coordinator) TopicsHash(id string) int64 {
	g := c.consumer(id)
	if g == nil {
		return 0
	}
	counts := g.CountsWith(nil, nil)
	return counts.Hash(c.meta)
}
