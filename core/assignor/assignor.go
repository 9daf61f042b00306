// Package assignor holds the server-side assignors of consumer groups: pure
// functions from a group's members, subscriptions and previous target to a
// new target.
//
// Ties are decided in the order in which Kafka walks its hash tables, so a
// target comes out as a broker's does, partition by partition (order.go).
package assignor

import (
	"groupscope/core/protocol"
)

// Assignor computes the target assignment of a group.
type Assignor interface {
	// Name is the name by which a config or a member asks for it.
	Name() string
	// Assign returns one assignment for each member of the spec, by index; an
	// empty one for a member that gets nothing. An error means that the spec
	// is not consistent and leaves the group without a new target.
	Assign(spec Spec) ([]protocol.Assignment, error)
}

// Spec is what an assignor sees of a group.
type Spec struct {
	// Members stand in the order of the group's member table, which decides
	// between members of one hash bucket.
	Members []Member
	// Topics are the topics somebody subscribes to, sorted by id.
	Topics []protocol.Topic
	// Homogeneous says that all members subscribe to the same topics. Under
	// the rule StaleSubscriptionType it can be wrong; then the first member's
	// topics stand for everybody's.
	Homogeneous bool
}

// Member is what an assignor sees of a member.
type Member struct {
	ID         string
	InstanceID string             // "" for a dynamic member
	Topics     []protocol.TopicID // subscribed and known to the cluster, sorted
	// Target is the member's part of the previous target.
	Target protocol.Assignment
	// Arrival lists the topics of Target in the order in which they came to
	// the member; nil stands for Target's own order.
	Arrival []protocol.TopicID
}

// ByName finds an assignor: "uniform" or "range".
func ByName(name string) (Assignor, bool) {
	switch name {
	case Uniform{}.Name():
		return Uniform{}, true
	case Range{}.Name():
		return Range{}, true
	}
	return nil, false
}

// Default is the broker's group.consumer.assignors; the first is taken when
// nobody votes.
func Default() []string { return []string{Uniform{}.Name(), Range{}.Name()} }
