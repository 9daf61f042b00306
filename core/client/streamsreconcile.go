package client

import "groupscope/core/protocol"

// callStreams has the application run a callback, also when there is nothing
// to tell it of.
func (c *Client) callStreams(what CallbackKind, tasks localAssignment, next continuation) {
	c.version++
	c.app.background = append(c.app.background, callback{what: what, tasks: tasks, next: next})
}

// reconcileTasks starts a reconciliation: active tasks that were taken away
// are given up first. Standby and warm-up tasks are opened and closed as the
// new assignment is taken up.
func (c *Client) reconcileTasks(now protocol.Instant) {
	c.reconciliation = reconciliation{running: true, to: c.target}
	if s := c.cfg.Streams; !s.inputs(c.current.partitions).Equal(s.inputs(c.owned)) {
		// The application threw when it was told of the new tasks, whose topics
		// it is subscribed to by now. Kafka's client takes that for a fault of
		// its own, and the reconciliation never ends.
		return
	}
	c.version++
	c.revokeTasks(now, minus(c.current.partitions, c.target.partitions), assignNext)
}

// revokeTasks has the application give up active tasks, if there are any.
func (c *Client) revokeTasks(now protocol.Instant, active protocol.Assignment, next continuation) {
	if len(active) == 0 {
		c.continueAt(now, next, false)
		return
	}
	c.callStreams(TasksRevoked, localAssignment{partitions: active}, next)
}

// assignTasks asks the application to take up all that it is to have.
func (c *Client) assignTasks() {
	if c.aborted() {
		return
	}
	c.owned = c.reconciliation.to.partitions
	c.callStreams(TasksAssigned, c.reconciliation.to, acknowledge)
}

// took notes what the application has, now that a callback returned.
func (c *Client) took(now protocol.Instant, done callback, failed bool) {
	if failed {
		return
	}
	switch done.what {
	case TasksRevoked:
		c.runs = minus(c.runs, done.tasks.partitions)
		return
	case TasksAssigned:
		c.confirmed, c.runs = done.tasks, done.tasks.partitions
	case AllTasksLost:
		c.confirmed, c.runs = empty, nothing
	default:
		return
	}
	c.openStores(now)
}

// networkPassed tells of an epoch that changed without a transition, which a
// streams client does before its application hears of the reason.
func (c *Client) networkPassed() {
	if c.cfg.Streams != nil {
		c.tellNews()
	}
}

// startStreamsClose runs the callback of close() in the application's own
// thread; it is told even if it has no tasks.
func (c *Client) startStreamsClose() {
	c.app.waiting = inCloseCallbacks
	c.app.running = callback{what: AllTasksLost, tasks: empty, next: leaveOnClose}
	if c.epoch > 0 {
		c.app.running.what, c.app.running.tasks.partitions = TasksRevoked, c.confirmed.partitions
	}
	c.emit(c.entered())
}
