package assignor

import "groupscope/core/protocol"

// StreamsAssignor computes the target assignment of a streams group.
type StreamsAssignor interface {
	// Name is the name by which a config asks for it.
	Name() string
	// Assign returns the tasks of each member of the spec, by index, with no
	// list absent. An error leaves the group without a new target.
	Assign(spec StreamsSpec) ([]protocol.Tasks, error)
}

// StreamsSpec is what an assignor sees of a streams group.
type StreamsSpec struct {
	// Members stand in the order of the group's member table, which decides
	// between members of one hash bucket.
	Members         []StreamsMember
	Subtopologies   []StreamsSubtopology // sorted by id
	StandbyReplicas int                  // num.standby.replicas
}

// StreamsSubtopology is a subtopology and how many tasks it has.
type StreamsSubtopology struct {
	ID       protocol.TopicID // a task's Topic
	Tasks    int32
	Stateful bool
}

// StreamsMember is what an assignor sees of a member.
type StreamsMember struct {
	ID        string
	ProcessID string
	Has       protocol.Tasks        // assigned to it now, whatever its last target was
	Offsets   []protocol.TaskOffset // as reported, sorted by task
	// Keeps says that the member is to keep exactly what it has: it runs an
	// older topology (the rule TopologyUpdate).
	Keeps bool
}

// StreamsByName finds a streams assignor: "sticky".
func StreamsByName(name string) (StreamsAssignor, bool) {
	if name == (Sticky{}).Name() {
		return Sticky{}, true
	}
	return nil, false
}

// DefaultStreams is the broker's group.streams.assignors.
func DefaultStreams() []string { return []string{Sticky{}.Name()} }
