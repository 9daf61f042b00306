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
