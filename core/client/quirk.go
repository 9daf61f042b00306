package client

import (
	"slices"
	"strings"
)

// Quirk is a fault that a real client library had. The Java client has none of
// them.
type Quirk uint8

// The quirks, by the word of Quirk.String.
const (
	IgnoresEmptyAssignment Quirk = iota
	AcknowledgesBeforeRevoking
	AcknowledgesAtTheInterval
	KeepsOldEpochOnRetry
	BareHeartbeatAfterLostResponse
	NeverSendsLeave
	NewMemberIDAfterEpochError
	RejoinsWithOwnedPartitions
	JoinsWithoutRebalanceTimeout
	WaitsForBrokerMadeMemberID
	RetriesWithoutBackoff
	TreatsPartialMetadataAsFull
	DropsKnownForLateTopics
	AcknowledgesUnnamedPartitions
	AcksOnEveryPoll
	RetriesCommitOfDeletedTopic
	RejoinsWhenGroupIsGone
	TakesEpochOfLateLeave
	KeepsOldStatus
	ListsTopicsInItsOwnOrder
	ReportsActiveTasksOnly
	quirkCount
)

// QuirkDescription is what is known of a quirk.
type QuirkDescription struct {
	Quirk Quirk
	Name  string // in scenario files
	Says  string // what the client does, in a sentence
	Case  int    // the case of the case log that it stems from
	Of    Kind   // which clients can have it
}

// Kind is a kind of client by the groups that it is a member of.
type Kind uint8

// The kinds.
const (
	AnyKind Kind = iota
	ConsumerKind
	StreamsKind
)

var quirks = [quirkCount]QuirkDescription{
	{IgnoresEmptyAssignment, "ignores-empty-assignment", "Takes an empty assignment for none at all, so it never gives up its last partitions.", 9, AnyKind},
	{AcknowledgesBeforeRevoking, "acknowledges-before-revoking", "Reports partitions as given up while its application still reads them.", 1, ConsumerKind},
	{AcknowledgesAtTheInterval, "acknowledges-at-the-interval", "Waits for the next regular heartbeat before it reports what it gave up.", 1, AnyKind},
	{KeepsOldEpochOnRetry, "keeps-old-epoch-on-retry", "After a lost answer sends the same bytes again, old epoch and left-out fields included.", 7, AnyKind},
	{BareHeartbeatAfterLostResponse, "bare-heartbeat-after-lost-response", "After a lost answer sends a heartbeat without any optional field, so the lost assignment is not repeated.", 7, AnyKind},
	{NeverSendsLeave, "never-sends-leave", "Leaves without a heartbeat, so its partitions wait for the session timeout.", 5, AnyKind},
	{NewMemberIDAfterEpochError, "new-member-id-after-epoch-error", "Rejoins under a new member id after it was fenced, and leaves the old member behind.", 15, AnyKind},
	{RejoinsWithOwnedPartitions, "rejoins-with-owned-partitions", "Lists the partitions it had when it was fenced in its join request.", 13, ConsumerKind},
	{JoinsWithoutRebalanceTimeout, "joins-without-rebalance-timeout", "Leaves the rebalance timeout out of its join request.", 13, ConsumerKind},
	{WaitsForBrokerMadeMemberID, "waits-for-broker-made-member-id", "Joins with an empty member id and expects the broker to make one.", 15, ConsumerKind},
	{RetriesWithoutBackoff, "retries-without-backoff", "Repeats a refused request at once, whatever the error.", 15, AnyKind},
	{TreatsPartialMetadataAsFull, "treats-partial-metadata-as-full", "Takes the part of its assignment that it can name for the whole of it, and forgets the rest.", 25, ConsumerKind},
	{DropsKnownForLateTopics, "drops-known-for-late-topics", "When late topic names arrive, takes those partitions for its whole assignment and drops the others.", 25, ConsumerKind},
	{AcknowledgesUnnamedPartitions, "acknowledges-unnamed-partitions", "Reports partitions as taken whose topic it cannot name, and reads none of them.", 25, ConsumerKind},
	{AcksOnEveryPoll, "acks-on-every-poll", "Acknowledges again and again while it waits for the name of an assigned topic.", 25, ConsumerKind},
	{RetriesCommitOfDeletedTopic, "retries-commit-of-deleted-topic", "Before it gives up a deleted topic, tries to commit its offsets until the rebalance timeout.", 23, ConsumerKind},
	{RejoinsWhenGroupIsGone, "rejoins-when-group-is-gone", "Takes GROUP_ID_NOT_FOUND for a reason to join again, so that a deleted group is born anew.", 33, AnyKind},
	{TakesEpochOfLateLeave, "takes-epoch-of-late-leave", "Takes the epoch of a late answer to its leave, and joins with -1.", 45, AnyKind},
	{KeepsOldStatus, "keeps-old-status", "A streams client that goes on by the last status it was told, as if an answer without any said nothing.", 47, StreamsKind},
	{ListsTopicsInItsOwnOrder, "lists-topics-in-its-own-order", "A streams client that lists the topics of its topology in another order than the other clients.", 49, StreamsKind},
	{ReportsActiveTasksOnly, "reports-active-tasks-only", "A streams client that leaves its lists of standby and warm-up tasks out when they are empty.", 53, StreamsKind},
}

// Quirks describes all quirks, sorted by name.
func Quirks() []QuirkDescription {
	return slices.SortedFunc(slices.Values(quirks[:]), func(a, b QuirkDescription) int { return strings.Compare(a.Name, b.Name) })
}

// ParseQuirk finds the quirk of a name.
func ParseQuirk(name string) (Quirk, bool) {
	for _, q := range quirks {
		if q.Name == name {
			return q.Quirk, true
		}
	}
	return 0, false
}

// String is the quirk's name in scenario files.
func (q Quirk) String() string { return quirks[q].Name }

// quirkSet is the quirks of one client.
type quirkSet uint64

func newQuirkSet(list []Quirk) (s quirkSet) {
	for _, q := range list {
		s |= 1 << q
	}
	return s
}

func (s quirkSet) has(q Quirk) bool { return s&(1<<q) != 0 }
