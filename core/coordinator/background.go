package coordinator

import (
	"groupscope/core/protocol"
	"groupscope/core/record"
)

// BackgroundTask is work that the broker does outside a request, on a thread
// of its own: the resolution of a group's regexes. Its Name is Kafka's, the
// group's id and "-regex".
type BackgroundTask struct {
	Name  string
	Group string
}

// BackgroundRun is what a task did when it ran.
type BackgroundRun struct {
	Task      BackgroundTask
	Records   []record.Record
	Decisions []Decision
}

// background is a task that waits: what it was started with, which may be
// out of date when it runs.
type background struct {
	BackgroundTask
	regexes []string // sorted
	topics  []string // the topics that existed, sorted
	version int64    // of the metadata they are from
}

// Background lists the tasks that wait to be run, oldest first. A coordinator
// that is loaded has none.
func (c *Coordinator) Background() []BackgroundTask {
	out := make([]BackgroundTask, len(c.background))
	for i, t := range c.background {
		out[i] = t.BackgroundTask
	}
	return out
}

// RunBackground runs all tasks that wait. Nothing that they write can be seen
// before. A broker runs them at once on another thread; when that is, is up
// to the caller.
func (c *Coordinator) RunBackground(now protocol.Instant) []BackgroundRun {
	waiting := c.background
	c.background = nil
	var out []BackgroundRun
	for _, t := range waiting {
		out = append(out, c.refreshRegexes(now, t))
	}
	return out
}
