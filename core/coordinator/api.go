// Package coordinator is Kafka's group coordinator: it keeps groups, answers
// heartbeats, fires timers and writes a log of records.
//
// Time is an argument, timers are data (NextDeadline, Expire), and records
// are the only writer of hard state, so a coordinator can be cloned, and
// rebuilt from its log by Load. Session and rebalance timers are soft state:
// Load starts them anew, as a broker does on failover.
package coordinator

import (
	"strings"

	"groupscope/core/assignor"
	"groupscope/core/protocol"
	"groupscope/core/record"
	"groupscope/core/rules"
)

// Config is what a broker is configured with. Kafka's names are in the
// comments; durations in milliseconds.
type Config struct {
	Rules              rules.Rules
	SessionTimeout     protocol.Duration // group.consumer.session.timeout.ms
	HeartbeatInterval  protocol.Duration // group.consumer.heartbeat.interval.ms
	AssignmentInterval protocol.Duration // group.consumer.assignment.interval.ms
	Assignors          []string          // group.consumer.assignors, the first is the default
	MaxSize            int               // group.consumer.max.size
	// Custom are assignors of one's own that Assignors may name, as a broker
	// takes class names there. They must decide by their Spec alone.
	Custom []assignor.Assignor
	// RegexRefreshInterval is how old the resolution of a regex may get:
	// group.consumer.regex.refresh.interval.ms.
	RegexRefreshInterval protocol.Duration
	// MigrationPolicy says whether groups change between the classic and the
	// consumer protocol: group.consumer.migration.policy ("disabled",
	// "upgrade", "downgrade", "bidirectional").
	MigrationPolicy string
	Streams         StreamsConfig

	// What only members of the classic protocol and offsets depend on.
	ClassicMaxSize        int               // group.max.size
	InitialRebalanceDelay protocol.Duration // group.initial.rebalance.delay.ms
	OffsetsRetention      protocol.Duration // offsets.retention.minutes

	// HiddenTopics are names of topics that clients may not DESCRIBE: a regex
	// does not resolve to them, and to name one is refused.
	HiddenTopics []string

	// Groups are the dynamic configs of groups, by the group's id, that Load
	// begins with: see SetGroupConfig.
	Groups map[string]map[string]string
}

// assignor finds an assignor by the name it has in the config.
func (c *Config) assignor(name string) (assignor.Assignor, bool) {
	for _, a := range c.Custom {
		if a.Name() == name {
			return a, true
		}
	}
	return assignor.ByName(name)
}

// Decision names a rule that decided something. Decisions stand in the order
// the coordinator went through them; exactly one of an operation is its Main.
type Decision struct {
	// Rule is the rule's source, for instance
	// "KIP-848, member reconciliation" or "Kafka, lost-response rule".
	Rule string
	// Text is one or two plain sentences: what was decided and why, with the
	// epochs and partitions that matter.
	Text string
	// Main marks the decision that explains the outcome best: the refusal if
	// there is one, else what was done for the member. A caption shows it.
	Main bool
}

// Settled reports whether the decision is that nothing is to be done. Each text
// of the kind ends with the same words.
func (d *Decision) Settled() bool { return strings.HasSuffix(d.Text, "Nothing changes.") }

// Result is what an operation did.
type Result struct {
	Response  protocol.ConsumerGroupHeartbeatResponse
	Records   []record.Record
	Decisions []Decision
	Completed []Completion // requests of the classic protocol that it answers
}

// AdminResult is what an operator, or the broker's own housekeeping, did.
type AdminResult struct {
	Error     protocol.ErrorCode
	Records   []record.Record
	Decisions []Decision
}

// TimerKind tells the timers of a member apart.
type TimerKind int8

// The timers. A join or sync timer without a Member is that of a classic
// group.
const (
	SessionTimer TimerKind = iota
	RebalanceTimer
	JoinTimer             // of a classic member that was told to rejoin
	SyncTimer             // of a classic member that was told its generation
	InitialRebalanceTimer // of a streams group; Member is ""
	HeartbeatTimer        // the session of a classic group's member
)

// Expiry is one timer that fired.
type Expiry struct {
	Timer     TimerKind
	Group     string
	Member    string
	At        protocol.Instant
	Records   []record.Record // empty when the timer found nothing to do
	Decisions []Decision
	Completed []Completion // requests of the classic protocol that it answers
}

// GroupState is a consumer or streams group's state.
type GroupState int8

// Group states, in the order in which they are checked. Only streams groups
// are ever NotReady (checked after Empty).
const (
	Empty GroupState = iota
	Assigning
	Reconciling
	Stable
	NotReady
)

// String is Kafka's word for the state.
func (s GroupState) String() string {
	return [...]string{"Empty", "Assigning", "Reconciling", "Stable", "NotReady"}[s]
}

// ClassicGroup is what the read model of a classic group has instead of
// epochs.
type ClassicGroup struct {
	// State is Kafka's word: Empty, PreparingRebalance, CompletingRebalance,
	// Stable or Dead.
	State        string
	Generation   int32
	ProtocolType string
	Protocol     string // "" before the first generation
	Leader       string // "" before the first generation
	JoinDeadline protocol.Instant
}

// Group is the read model of a group: everything a picture, a table or an
// expectation may ask for. It is never changed once made. Its Members are
// shared between the read models of successive states as long as they did
// not change.
type Group struct {
	ID                string
	State             GroupState
	GroupEpoch        int32
	AssignmentEpoch   int32
	MetadataHash      int64
	PreferredAssignor string
	Members           []*Member // sorted by id
	// ResolvedRegexes are the regex subscriptions that are resolved, sorted.
	ResolvedRegexes []ResolvedRegex
	Type            GroupType
	Streams         *StreamsGroup // nil unless Type is StreamsType
	Classic         *ClassicGroup // nil unless Type is ClassicType
}

// ResolvedRegex is a regex and the topics that matched when it was resolved.
type ResolvedRegex struct {
	Regex  string
	Topics []string // sorted
}

// Member is the read model of a member. It is never changed once made.
type Member struct {
	ID                   string
	InstanceID           string // "" for a dynamic member
	RackID               string
	ClientID             string
	ClientHost           string
	SubscribedTopicNames []string
	SubscribedTopicRegex string // "" for none
	Classic              bool   // the member uses the classic protocol
	ServerAssignor       string
	RebalanceTimeout     protocol.Duration
	MemberEpoch          int32
	PreviousMemberEpoch  int32
	State                record.MemberState
	Assigned             []record.Held
	PendingRevocation    []record.Held
	// Waiting are the partitions of the target that the member wants and did
	// not get, as they stood when it was last reconciled. Under the rule
	// ListsWaiting they come from its record; else they are what an UNRELEASED
	// member lacks of its target. One that was released since stays in the
	// list until the member's next heartbeat, and is in Free as well.
	Waiting []protocol.Partition
	// Free are the partitions of the target that the member could take with
	// its next heartbeat: wanted, and held by nobody else.
	Free []protocol.Partition
	// Target is the member's part of the target assignment; nil when the
	// target has no entry for it.
	Target            protocol.Assignment
	SessionDeadline   protocol.Instant // 0: not running
	RebalanceDeadline protocol.Instant // 0: not running
	Streams           *StreamsMember   // nil: a consumer group's member
}
