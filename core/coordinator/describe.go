package coordinator

import (
	"slices"

	"groupscope/core/protocol"
	"groupscope/core/record"
)

// Description is the answer to a DescribeGroups request of the group's type
// (ConsumerGroupDescribe, StreamsGroupDescribe). When Error is not None no
// other field but GroupID and ErrorMessage means anything.
type Description struct {
	Error           protocol.ErrorCode
	ErrorMessage    string
	GroupID         string
	GroupState      string
	GroupEpoch      int32
	AssignmentEpoch int32
	AssignorName    string // the one that would be used next
	Members         []DescribedMember
	// Topology is a streams group's, subtopologies and topics sorted, with the
	// partition counts that were decided if the topics are all there.
	Topology *protocol.Topology
}

// DescribedMember is a member in a Description; sorted by id. Topics that do
// not exist any more are left out of its assignments.
type DescribedMember struct {
	MemberID             string
	InstanceID           string
	RackID               string
	MemberEpoch          int32
	ClientID             string
	ClientHost           string
	SubscribedTopicNames []string
	SubscribedTopicRegex string
	Assignment           protocol.Assignment // assigned and to be revoked
	TargetAssignment     protocol.Assignment
	Classic              bool
	// Tasks and TargetTasks are what a streams member has and is to have, in
	// place of the assignments; Streams is what else is told of it.
	Tasks, TargetTasks protocol.Tasks
	Streams            *StreamsMember
}

// Describe answers a request for a group of that type.
func (c *Coordinator) Describe(id string, t GroupType) Description {
	out := Description{GroupID: id, Error: protocol.GroupIDNotFound}
	switch found := c.TypeOf(id); {
	case found == NoGroup:
		out.ErrorMessage = "Group " + id + " not found."
		return out
	case found != t:
		out.ErrorMessage = "Group " + id + " is not a " + t.String() + " group."
		return out
	}
	view, _ := c.Group(id)
	out.Error = protocol.None
	out.GroupState = view.State.String()
	out.GroupEpoch, out.AssignmentEpoch = view.GroupEpoch, view.AssignmentEpoch
	out.AssignorName = view.PreferredAssignor
	if t == StreamsType {
		describeStreams(&out, view)
		return out
	}
	for _, m := range view.Members {
		out.Members = append(out.Members, c.describeMember(m))
	}
	return out
}

func (c *Coordinator) describeMember(m *Member) DescribedMember {
	held := protocol.NewAssignment(record.Partitions(slices.Concat(m.Assigned, m.PendingRevocation)))
	return DescribedMember{
		MemberID:             m.ID,
		InstanceID:           m.InstanceID,
		RackID:               m.RackID,
		MemberEpoch:          m.MemberEpoch,
		ClientID:             m.ClientID,
		ClientHost:           m.ClientHost,
		SubscribedTopicNames: m.SubscribedTopicNames,
		SubscribedTopicRegex: m.SubscribedTopicRegex,
		Assignment:           c.existing(held),
		TargetAssignment:     c.existing(m.Target),
		Classic:              m.Classic,
	}
}

// existing leaves out topics that do not exist any more.
func (c *Coordinator) existing(a protocol.Assignment) protocol.Assignment {
	out := protocol.Assignment{}
	for _, tp := range a {
		if topic, ok := c.meta.Named(tp.Topic.Name()); ok && topic.ID == tp.Topic {
			out = append(out, tp)
		}
	}
	return out
}
