package coordinator

// HideTopics replaces the topics that clients may not DESCRIBE: access rights
// changed (Config.HiddenTopics). It changes nothing by itself; the next
// resolution of a regex goes by it.
func (c *Coordinator) HideTopics(names []string) { c.cfg.HiddenTopics = names }
