package client

import (
	"slices"

	"groupscope/core/protocol"
)

// Restore is how the application of a streams client restores the state of
// its tasks from their changelogs.
type Restore struct {
	Rate int64 // records a second, of each task by itself
	End  int64 // how many records each changelog has
}

// TaskProgress is how far the application has restored a task's state, and
// where the task's changelog ends.
type TaskProgress struct {
	Task        protocol.Partition
	Offset, End int64
}

// store is the state that the application has of a task: up to an offset at an
// instant, and more since.
type store struct {
	TaskProgress
	since protocol.Instant
}

// Progress is what state the application of a streams client has now, sorted
// by task.
func (c *Client) Progress(now protocol.Instant) []TaskProgress {
	out := make([]TaskProgress, len(c.stores))
	for i, s := range c.stores {
		out[i] = s.TaskProgress
		if r := c.cfg.Streams.Restore; r != nil {
			out[i].Offset = min(s.End, s.Offset+r.Rate*int64(now.Sub(s.since))/int64(protocol.Second))
		}
	}
	return out
}

// ReportOffsets replaces what state the application has: the tasks sorted.
// It goes with a heartbeat once it is time.
func (c *Client) ReportOffsets(now protocol.Instant, tasks []TaskProgress) []Output {
	c.begin()
	c.stores = make([]store, len(tasks))
	for i, t := range tasks {
		c.stores[i] = store{t, now}
	}
	return c.act(now)
}

// openStores has the application begin to restore the tasks that it took up,
// and drop the state of those that it has no longer.
func (c *Client) openStores(now protocol.Instant) {
	s := c.cfg.Streams
	if s.Restore == nil {
		return
	}
	var out []store
	for _, list := range []protocol.Assignment{c.confirmed.partitions, c.confirmed.standby, c.confirmed.warmup} {
		for _, task := range list.Partitions() {
			if sub := s.subtopology(task.Topic); sub == nil || !sub.Stateful() {
				continue
			}
			next := store{TaskProgress{Task: task, End: s.Restore.End}, now}
			if i := slices.IndexFunc(c.stores, func(o store) bool { return o.Task == task }); i >= 0 {
				next = c.stores[i]
			}
			out = append(out, next)
		}
	}
	slices.SortStableFunc(out, func(a, b store) int { return a.Task.Compare(b.Task) })
	c.stores = slices.CompactFunc(out, func(a, b store) bool { return a.Task == b.Task })
}

// offsets are two lists of a request, as the application's state is now.
func (c *Client) offsets(now protocol.Instant) (at, end []protocol.TaskOffset) {
	tasks := c.Progress(now)
	at, end = make([]protocol.TaskOffset, len(tasks)), make([]protocol.TaskOffset, len(tasks))
	for i, t := range tasks {
		at[i] = protocol.TaskOffset{Task: t.Task, Offset: t.Offset}
		end[i] = protocol.TaskOffset{Task: t.Task, Offset: t.End}
	}
	return at, end
}

// reportOffsets puts the lists that changed into a request.
func (c *Client) reportOffsets(now protocol.Instant, req *protocol.StreamsGroupHeartbeatRequest, all bool) {
	m := &c.sent
	at, end := c.offsets(now)
	if all || m.offsets == nil || !slices.Equal(m.offsets, at) {
		m.offsets = at
		req.TaskOffsets, c.offsetsSent = at, now
	}
	if all || m.ends == nil || !slices.Equal(m.ends, end) {
		m.ends = end
		req.TaskEndOffsets, c.offsetsSent = end, now
	}
}

// warmedUp reports whether a warm-up task has caught up.
func (c *Client) warmedUp(now protocol.Instant) bool {
	return slices.ContainsFunc(c.Progress(now), func(t TaskProgress) bool {
		return t.End-t.Offset <= c.recoveryLag && c.confirmed.warmup.Contains(t.Task)
	})
}
