// Package rules holds every place where the texts of KIP-848 and KIP-1071
// differ from the broker as it is. Each difference is one field; a rule set
// is a value of the struct. No other package asks which rule set is in force:
// it asks for the field.
package rules

import "groupscope/core/protocol"

// Rules is a rule set. Each field says what the KIP text has it do and what
// the broker does; where the texts are silent or vague there is no field and
// every rule set does what the broker does.
//
// The two …Default fields only replace Kafka's default of a config: a value
// that is set counts under every rule set.
type Rules struct {
	// Name is the rule set's key in files and links: "kip" or "kafka".
	Name string
	// Title is what a page calls it, StreamsTitle the same for streams groups:
	// the two protocols have texts of their own.
	Title, StreamsTitle string

	// Both protocols.

	// InitialGroupEpoch is the epoch of a group that was just created, and of
	// its (empty) target. KIP: 0, as the worked example of KIP-848 counts.
	// Broker: 1, so the first target is 2 (KAFKA-20268). A streams group that
	// is created while an initial rebalance delay is set starts at 1 even if
	// this is 0: a member that waits must not stand at 0, which means joining.
	InitialGroupEpoch int32
	// AssignmentIntervalDefault replaces the default of
	// group.{consumer,streams}.assignment.interval.ms. KIP: 0, a target is
	// computed at once. Broker: 1000 ms (KIP-1263).
	AssignmentIntervalDefault protocol.Duration
	// RemoveFencedMember says what FENCED_MEMBER_EPOCH does to the member
	// besides the error. KIP (KIP-1071 heartbeat 3.4, KIP-848 fencing): it is
	// removed from the group. Broker: it stays until it rejoins, leaves or
	// times out.
	RemoveFencedMember bool
	// LostResponseOwned bounds what a member may own when it repeats its
	// previous epoch because the answer that advanced it was lost. KIP-848:
	// its target. Broker: what it was granted already.
	LostResponseOwned OwnedBound
	// CommitWithOlderEpoch is what happens to an offset commit with an epoch
	// below the member's. KIP-848: refused with STALE_MEMBER_EPOCH. Broker:
	// decided for each partition by its assignment epoch (KIP-1251).
	CommitWithOlderEpoch OlderCommit

	// Consumer groups.

	// TwoStepJoin: the heartbeat that creates a member leaves it at epoch 0
	// with nothing, and its next heartbeat reconciles it (worked example of
	// KIP-848). Broker: the joining heartbeat reconciles at once. It does not
	// apply to static replacements and rejoins, nor to streams members.
	TwoStepJoin bool
	// ListsWaiting: the record of a member's current assignment also lists the
	// partitions it wants and cannot have yet (worked example of KIP-848,
	// "B - epoch 2, [foo-2]" while A has foo-2). The list is shown and
	// replayed; it owns, blocks and delivers nothing. Broker: no such list.
	ListsWaiting bool
	// JoinAlwaysBumps: a new member bumps the group epoch even if it
	// subscribes to nothing, or only to an unresolved regex (KIP-848). Broker:
	// such a join bumps nothing.
	JoinAlwaysBumps bool
	// AssignorTie breaks equal votes for an assignor. KIP-848: by the order of
	// group.consumer.assignors. Broker: by hash order, which differs between
	// its two counts.
	AssignorTie TieBreak
	// StaleSubscriptionType: the hint to the assignor whether all members
	// subscribe alike may lack the request being handled, if that request did
	// not check the topics' metadata. A fault of the broker; the KIP's way is
	// to work it out with the request applied.
	StaleSubscriptionType bool

	// Streams groups.

	// InitialRebalanceDelayDefault replaces the default of
	// group.streams.initial.rebalance.delay.ms. KIP-1071: 0. Broker: 3000 ms.
	InitialRebalanceDelayDefault protocol.Duration
	// TopologyConflict answers a join whose topology has the group's epoch and
	// another content (KIP-1071 heartbeat 2.3.1). KIP:
	// STREAMS_INVALID_TOPOLOGY_EPOCH. Broker: INVALID_REQUEST.
	TopologyConflict protocol.ErrorCode
	// TopologyBehind answers a join whose topology epoch is below the group's
	// (2.3.2). KIP: STREAMS_TOPOLOGY_FENCED. Broker: None, the join is
	// accepted with status STALE_TOPOLOGY.
	TopologyBehind protocol.ErrorCode
	// TopologyTooFarAhead answers a join whose topology epoch is more than one
	// above the group's (2.3.3). KIP: STREAMS_INVALID_TOPOLOGY_EPOCH. Broker:
	// INVALID_REQUEST.
	TopologyTooFarAhead protocol.ErrorCode
	// TopologyUpdate answers a join whose topology epoch is one above the
	// group's (2.3.4). KIP: None, the topology is replaced. Broker:
	// INVALID_REQUEST.
	TopologyUpdate protocol.ErrorCode
	// TopologyOnHeartbeat answers a topology in a request with epoch > 0
	// (line 3.5). KIP: None, its epoch is read to tell whether the member is
	// stale. Broker: INVALID_REQUEST.
	TopologyOnHeartbeat protocol.ErrorCode
	// StaticMemberBumps says which changes of a static member bump the group
	// epoch (line 4). KIP: any field, as for a dynamic one. Broker: only
	// topology epoch, rack, client tags, process id, or a new instance.
	StaticMemberBumps StaticBumps
	// EndpointInformation says when an answer carries the endpoints of the
	// group (line 7). KIP: when all members have converged on the group's
	// value. Broker: whenever the request's value differs from the group's.
	EndpointInformation EndpointRule
	// WarmupTasks: an active stateful task stays where it is while the
	// proposed owner warms up (KIP-1071). Broker: warm-ups are never assigned.
	WarmupTasks bool
	// FrozenRefinement: members reconcile towards a refined target that is
	// computed once and kept, a fault of the broker. KIP: towards the target.
	FrozenRefinement bool
	// RevokeAgainStepsEpoch: a streams member that must revoke a second time
	// moves its epoch by one, through a value that was never a target. KIP:
	// its epoch stays.
	RevokeAgainStepsEpoch bool
	// CreatingRequestForgets: soft state that the request set which created
	// the group is lost with the throw-away group object. KIP: it is kept.
	CreatingRequestForgets bool
	// FaultEndpointUnconfigured (F1): endpoints with a topology that is not
	// ready are an internal error. Without the fault the list is empty.
	FaultEndpointUnconfigured bool
	// FaultEndpointTopicGone (F2): endpoints with a deleted topic are an
	// internal error. Without the fault that topic is left out.
	FaultEndpointTopicGone bool
	// FaultCopartitionIndex (F3): a copartition index out of range is an
	// internal error. Without the fault: STREAMS_INVALID_TOPOLOGY.
	FaultCopartitionIndex bool
}

// OwnedBound is a set that bounds what a member may say it owns.
type OwnedBound int8

// The bounds of the lost-response rule.
const (
	WithinTarget   OwnedBound = iota // the member's part of the stored target
	WithinAssigned                   // the member's assigned partitions
)

// OlderCommit is how a commit with an older member epoch is treated.
type OlderCommit int8

// The treatments of an older commit.
const (
	RefusedAsStale    OlderCommit = iota // STALE_MEMBER_EPOCH
	ByAssignmentEpoch                    // accepted where the partition was assigned at or before that epoch
)

// TieBreak decides between assignors with equally many votes.
type TieBreak int8

// The tie breaks of the assignor vote.
const (
	FirstConfigured TieBreak = iota // the first in group.consumer.assignors
	HashOrder                       // the first in the broker's hash tables
)

// StaticBumps says which changes of a static streams member count.
type StaticBumps int8

// The changes that bump the group epoch.
const (
	OnAnyField     StaticBumps = iota
	OnListedFields             // topology epoch, rack, client tags, process id, new instance
)

// EndpointRule says when endpoint information is sent.
type EndpointRule int8

// The endpoint rules.
const (
	WhenConverged EndpointRule = iota
	WhenDifferent
)

// TitleFor is the title for the groups of a protocol, "consumer" or "streams".
func (r Rules) TitleFor(protocol string) string {
	if protocol == "streams" {
		return r.StreamsTitle
	}
	return r.Title
}
