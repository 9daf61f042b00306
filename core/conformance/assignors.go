package conformance

import (
	"groupscope/core/assignor"
	"groupscope/core/protocol"
)

// newTargets takes the places of all assignors in a broker's config.
func newTargets(c *config, opts Options) *targets {
	t := &targets{group: c.group, own: opts.OwnAssignors, books: map[string]map[string]protocol.Tasks{}}
	c.broker.Custom = []assignor.Assignor{scripted{t}}
	for _, name := range assignor.Default() {
		own, _ := assignor.ByName(name)
		c.broker.Custom = append(c.broker.Custom, judged{own, t})
	}
	c.broker.Streams.Custom = []assignor.StreamsAssignor{streamsScripted{t}}
	for _, name := range assignor.DefaultStreams() {
		own, _ := assignor.StreamsByName(name)
		c.broker.Streams.Custom = append(c.broker.Streams.Custom, streamsJudged{own, t})
	}
	return t
}

// judged is an assignor of consumer groups whose targets are judged, or
// taken from the trace.
type judged struct {
	assignor.Assignor
	targets *targets
}

// Assign implements assignor.Assignor.
func (j judged) Assign(spec assignor.Spec) ([]protocol.Assignment, error) {
	tasks, err := j.targets.decide(memberIDs(spec), func() ([]protocol.Tasks, error) {
		parts, err := j.Assignor.Assign(spec)
		tasks := make([]protocol.Tasks, len(parts))
		for i := range parts {
			tasks[i].Active = parts[i]
		}
		return tasks, err
	})
	return active(tasks), err
}

// scripted is an assignor that answers what it was told.
type scripted struct{ targets *targets }

// Name implements assignor.Assignor.
func (scripted) Name() string { return "scripted" }

// Assign implements assignor.Assignor.
func (s scripted) Assign(spec assignor.Spec) ([]protocol.Assignment, error) {
	return active(s.targets.scripted(memberIDs(spec))), nil
}

func memberIDs(spec assignor.Spec) []string {
	out := make([]string, len(spec.Members))
	for i := range spec.Members {
		out[i] = spec.Members[i].ID
	}
	return out
}

// active leaves the partitions of a consumer group; none is absent.
func active(tasks []protocol.Tasks) []protocol.Assignment {
	out := make([]protocol.Assignment, len(tasks))
	for i := range tasks {
		out[i] = tasks[i].Active
		if out[i] == nil {
			out[i] = protocol.Assignment{}
		}
	}
	return out
}

// streamsJudged is judged for streams groups.
type streamsJudged struct {
	assignor.StreamsAssignor
	targets *targets
}

// Assign implements assignor.StreamsAssignor.
func (j streamsJudged) Assign(spec assignor.StreamsSpec) ([]protocol.Tasks, error) {
	tasks, err := j.targets.decide(streamsMemberIDs(spec), func() ([]protocol.Tasks, error) { return j.StreamsAssignor.Assign(spec) })
	return present(tasks), err
}

// streamsScripted is scripted for streams groups.
type streamsScripted struct{ targets *targets }

// Name implements assignor.StreamsAssignor.
func (streamsScripted) Name() string { return "scripted" }

// Assign implements assignor.StreamsAssignor.
func (s streamsScripted) Assign(spec assignor.StreamsSpec) ([]protocol.Tasks, error) {
	return present(s.targets.scripted(streamsMemberIDs(spec))), nil
}

func streamsMemberIDs(spec assignor.StreamsSpec) []string {
	out := make([]string, len(spec.Members))
	for i := range spec.Members {
		out[i] = spec.Members[i].ID
	}
	return out
}

// present makes empty lists of absent ones.
func present(list []protocol.Tasks) []protocol.Tasks {
	for i := range list {
		for _, tasks := range []*protocol.Assignment{&list[i].Active, &list[i].Standby, &list[i].Warmup} {
			if *tasks == nil {
				*tasks = protocol.Assignment{}
			}
		}
	}
	return list
}
