package coordinator

import (
	"cmp"
	"strconv"

	"groupscope/core/prose"
	"groupscope/core/protocol"
	"groupscope/core/rules"
)

// The rules that a Decision names: the KIP's, a config, a limit of our own,
// or Kafka's, where the KIP is silent. Where the two disagree the name depends
// on the field that decides; see below.
const (
	ruleValidation = "KIP-848, request validation"
	ruleLookup     = "KIP-848, group lookup"
	ruleMember     = "KIP-848, member lookup"
	ruleMaxSize    = "group.consumer.max.size"
	ruleJoin       = "KIP-848, join"
	ruleMetadata   = "KIP-848, member metadata"
	ruleStatic     = "KIP-848, static membership"
	ruleLeave      = "KIP-848, leave"
	ruleGroupEpoch = "KIP-848, group epoch"
	ruleTarget     = "KIP-848, target assignment"
	ruleInterval   = "KIP-1263, assignment interval"
	ruleReconcile  = "KIP-848, member reconciliation"
	ruleAssignor   = "Kafka, change of assignor"
	ruleTrim       = "Kafka, change of subscription"
	ruleRegex      = "KIP-848, regular expressions"
	ruleClassic    = "Kafka, classic protocol"
	ruleMigration  = "group.consumer.migration.policy"
	ruleDelete     = "Kafka, group deletion"
	ruleExpiry     = "Kafka, group expiration"

	ruleCommit        = "KIP-848, offset commit"
	ruleFetch         = "KIP-848, offset fetch"
	ruleOlderCommit   = "KIP-1251, offset commit with an older epoch"
	ruleOffsetExpiry  = "offsets.retention.minutes"
	ruleAuthorization = "KIP-848, authorization"
)

// fencingRule names whose way of fencing a member is in force.
func (h *heartbeat) fencingRule() string {
	return kipOrKafka(h.c.cfg.Rules.RemoveFencedMember, "fencing")
}

// joinRule names whose rule keeps the group epoch at the join of a member
// without a subscription.
func (h *heartbeat) joinRule() string {
	return kipOrKafka(h.c.cfg.Rules.JoinAlwaysBumps, "group epoch")
}

func kipOrKafka(kip bool, what string) string {
	if kip {
		return "KIP-848, " + what
	}
	return "Kafka, " + what
}

// String is the timer's word: "session", "rebalance" and so on.
func (k TimerKind) String() string {
	return [...]string{"session", "rebalance", "join", "sync", "initial rebalance", "heartbeat"}[k]
}

// rule names the timeout whose end the timer is.
func (k TimerKind) rule() string { return k.String() + " timeout" }

// lostResponseRule names whose bound on the owned partitions is in force.
func (h *heartbeat) lostResponseRule() string {
	return kipOrKafka(h.c.cfg.Rules.LostResponseOwned == rules.WithinTarget, "lost-response rule")
}

func (h *heartbeat) bound() string {
	if h.c.cfg.Rules.LostResponseOwned == rules.WithinTarget {
		return "its target"
	}
	return "what it was granted"
}

// namedPartitions is how many partitions a text names before it counts.
const namedPartitions = 4

// namedMembers is how many members' targets a text spells out.
const namedMembers = 4

// listOf reads "foo-0, foo-1 and foo-2", or "foo-0, … and 12 more".
func listOf(ps []protocol.Partition) string {
	named := min(len(ps), namedPartitions)
	words := make([]string, 0, named+1)
	for _, p := range ps[:named] {
		words = append(words, p.String())
	}
	if more := len(ps) - named; more > 0 {
		words = append(words, strconv.Itoa(more)+" more")
	}
	return and(words)
}

// and lists words, "nothing" for none.
func and(words []string) string { return cmp.Or(prose.And(words), "nothing") }

// it is the pronoun for the partitions just named.
func it(ps []protocol.Partition) string {
	if len(ps) == 1 {
		return "it"
	}
	return "them"
}

func itoa(n int32) string { return strconv.Itoa(int(n)) }
