package coordinator

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"groupscope/core/consumergroup"
	"groupscope/core/protocol"
	"groupscope/core/record"
	"groupscope/core/rules"
)

// The rules that a Decision names.
const (
	ruleValidation = "KIP-848, request validation"
	ruleLookup     = "KIP-848, group lookup"
	ruleMaxSize    = "group.consumer.max.size"
	ruleJoin       = "KIP-848, join"
	ruleStatic     = "KIP-848, static membership"
	ruleFencing    = "KIP-848, fencing"
	ruleLeave      = "KIP-848, leave"
	ruleGroupEpoch = "KIP-848, group epoch"
	ruleTarget     = "KIP-848, target assignment"
	ruleInterval   = "KIP-1263, assignment interval"
	ruleReconcile  = "KIP-848, member reconciliation"
)

// String names the timer as a rule: "session timeout".
func (k TimerKind) String() string {
	return [...]string{"session timeout", "rebalance timeout"}[k]
}

// lostResponseRule names whose bound on the owned partitions is in force.
func (h *heartbeat) lostResponseRule() string {
	if h.c.cfg.Rules.LostResponseOwned == rules.WithinTarget {
		return "KIP-848, lost-response rule"
	}
	return "Kafka, lost-response rule"
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

func and(words []string) string {
	switch n := len(words); n {
	case 0:
		return "nothing"
	case 1:
		return words[0]
	default:
		return strings.Join(words[:n-1], ", ") + " and " + words[n-1]
	}
}

// it is the pronoun for the partitions just named.
func it(ps []protocol.Partition) string {
	if len(ps) == 1 {
		return "it"
	}
	return "them"
}

func itoa(n int32) string { return strconv.Itoa(int(n)) }

func textFull(g *consumergroup.Group, limit int) string {
	return fmt.Sprintf("Group %s has %d members and may have %d.", g.ID, g.Size(), limit)
}

func textUnknown(r *protocol.ConsumerGroupHeartbeatRequest) string {
	if r.InstanceID != nil {
		return "Group " + r.GroupID + " has no static member " + *r.InstanceID + "."
	}
	return "Group " + r.GroupID + " has no member " + r.MemberID + "."
}

func textUnreleased(stored *consumergroup.Member) string {
	return fmt.Sprintf("Instance %s is in use: %s stands at epoch %d and has not left.", stored.InstanceID(), stored.ID, stored.Epoch())
}

func textFencedInstance(stored *consumergroup.Member, id string) string {
	return fmt.Sprintf("Instance %s belongs to %s now, not to %s.", stored.InstanceID(), stored.ID, id)
}

func textReplaced(old *consumergroup.Member, id string) string {
	if old.ID == id {
		return fmt.Sprintf("Static member %s comes back as %s and finds its partitions kept.", old.InstanceID(), id)
	}
	return fmt.Sprintf("Static member %s comes back: %s takes the place of %s, with its partitions and its target.", old.InstanceID(), id, old.ID)
}

func textRejoin(stored *consumergroup.Member) string {
	if stored.Epoch() == protocol.EpochJoining {
		return stored.ID + " is in the group already, at epoch 0. This is its next heartbeat."
	}
	return fmt.Sprintf("%s joins again. It is in the group already and keeps epoch %d and its partitions.", stored.ID, stored.Epoch())
}

func textNewerEpoch(m *consumergroup.Member, epoch int32) string {
	return fmt.Sprintf("%s sent epoch %d, which lies ahead of its epoch %d.", m.ID, epoch, m.Epoch())
}

func textOlderEpoch(m *consumergroup.Member, epoch int32) string {
	return fmt.Sprintf("%s sent epoch %d. It is at epoch %d and was at %d before.", m.ID, epoch, m.Epoch(), m.Current.PreviousMemberEpoch)
}

func textOwnedAbsent(m *consumergroup.Member, epoch int32) string {
	return fmt.Sprintf("%s sent its previous epoch %d, but not what it owns. It is at epoch %d.", m.ID, epoch, m.Epoch())
}

func textOwnsTooMuch(m *consumergroup.Member, epoch int32, bound string) string {
	return fmt.Sprintf("%s sent its previous epoch %d and owns more than %s. It is at epoch %d.", m.ID, epoch, bound, m.Epoch())
}

func textLostResponse(m *consumergroup.Member, epoch int32) string {
	return fmt.Sprintf("%s sent its previous epoch %d, so the answer that took it to epoch %d was lost. What it owns fits: it is accepted.", m.ID, epoch, m.Epoch())
}

func textSubscription(m *consumergroup.Member, isNew bool) string {
	topics := and(m.Meta.SubscribedTopicNames)
	if isNew {
		return m.ID + " joins and subscribes to " + topics
	}
	return m.ID + " now subscribes to " + topics
}

func textNoBump(m *consumergroup.Member, epoch int32) string {
	return fmt.Sprintf("%s subscribes to nothing, so the group epoch stays at %d.", m.ID, epoch)
}

func textBump(reasons []string, from, to int32) string {
	text := and(reasons)
	return fmt.Sprintf("%s%s. The group epoch goes from %d to %d.", strings.ToUpper(text[:1]), text[1:], from, to)
}

func textInterval(target, group int32, wait protocol.Duration) string {
	return fmt.Sprintf("Target %d is too young to be replaced: the target of group epoch %d may come in %s.", target, group, wait)
}

func textTarget(epoch int32, assignor string, target map[string]protocol.Assignment, changed []string) string {
	text := "Target " + itoa(epoch) + ", by " + assignor + ": "
	members := slices.Sorted(maps.Keys(target))
	for i, id := range members[:min(len(members), namedMembers)] {
		if i > 0 {
			text += "; "
		}
		text += id + " " + target[id].String()
	}
	if more := len(members) - namedMembers; more > 0 {
		text += "; and " + strconv.Itoa(more) + " more"
	}
	return text + ". It differs for " + strconv.Itoa(len(changed)) + " of " + strconv.Itoa(len(members)) + "."
}

func textFirstStep(id string, target int32) string {
	return fmt.Sprintf("%s is in the group at epoch 0 and is told nothing yet. Its next heartbeat takes it to target %d.", id, target)
}

func textSettled(m *consumergroup.Member) string {
	return m.ID + " is at epoch " + itoa(m.Epoch()) + " and has all that its target gives it. Nothing changes."
}

func textAbsent(m *consumergroup.Member) string {
	return fmt.Sprintf("Static member %s (%s) is away and keeps its partitions. Its session timer goes on.", m.InstanceID(), m.ID)
}

func textLeaves(m *consumergroup.Member, epoch int32) string {
	return m.ID + " leaves. " + textRemoved(m, epoch)
}

// textRemoved says what becomes of a removed member's partitions.
func textRemoved(m *consumergroup.Member, epoch int32) string {
	had := slices.Concat(m.Current.Assigned, m.Current.PendingRevocation)
	if len(had) == 0 {
		return fmt.Sprintf("It had no partitions. The group epoch goes to %d.", epoch)
	}
	ps := make([]protocol.Partition, len(had))
	for i, h := range had {
		ps[i] = h.Partition
	}
	slices.SortFunc(ps, protocol.Partition.Compare)
	return fmt.Sprintf("Nobody has %s now. The group epoch goes to %d.", listOf(ps), epoch)
}

func textTimerOfNobody(member string) string {
	return "The timer of " + member + " ends, but there is no such member any more."
}

func textTimerTooLate(m *consumergroup.Member, epoch int32) string {
	return fmt.Sprintf("%s has moved from epoch %d to %d since the timer started. Nothing changes.", m.ID, epoch, m.Epoch())
}

func (c *Coordinator) textExpired(kind TimerKind, m *consumergroup.Member, epoch int32) string {
	if kind == RebalanceTimer {
		return fmt.Sprintf("%s did not give up what it was asked to within %s and is removed. %s",
			m.ID, protocol.Duration(m.Meta.RebalanceTimeoutMs), textRemoved(m, epoch))
	}
	return fmt.Sprintf("%s sent no heartbeat for %s and is removed. %s", m.ID, c.cfg.SessionTimeout, textRemoved(m, epoch))
}

// sayOutcome explains a reconciliation.
func (h *heartbeat) sayOutcome(out *consumergroup.Outcome) {
	before, id := &h.after.Current, h.after.ID
	if before.State == record.UnrevokedPartitions && out.Step != consumergroup.StillRevoking && out.Step != consumergroup.Trimmed {
		h.say(effect, ruleReconcile, textAcknowledged(id, before, out, h.targetEpoch))
		if out.Step == consumergroup.Reached {
			return
		}
	}
	w := effect
	if !out.Changed {
		w = idle
	}
	h.say(w, ruleReconcile, h.textOutcome(out))
}

func textAcknowledged(id string, before *record.CurrentMemberAssignmentValue, out *consumergroup.Outcome, target int32) string {
	gone := make([]protocol.Partition, len(before.PendingRevocation))
	for i, held := range before.PendingRevocation {
		gone[i] = held.Partition
	}
	text := listOf(gone) + isAre(gone) + " no longer among what " + id + " owns."
	if out.Next.MemberEpoch != before.MemberEpoch {
		text += " " + id + " moves to epoch " + itoa(target) + "."
	}
	return text
}

func (h *heartbeat) textOutcome(out *consumergroup.Outcome) string {
	id, before, next := h.after.ID, &h.after.Current, &out.Next
	moves := id + " moves to epoch " + itoa(next.MemberEpoch)
	if next.MemberEpoch == before.MemberEpoch {
		moves = id + " is at epoch " + itoa(next.MemberEpoch)
	}
	switch out.Step {
	case consumergroup.StillRevoking:
		return h.textStillRevoking(before)
	case consumergroup.MustRevoke:
		return fmt.Sprintf("Target %d takes %s from %s. %s must revoke %s first, so %s stays at epoch %d.",
			h.targetEpoch, listOf(out.Dropped), id, id, it(out.Dropped), id, next.MemberEpoch)
	case consumergroup.Trimmed:
		return h.textTrimmed(out)
	case consumergroup.Took:
		text := moves + " and gets " + listOf(out.Got) + "."
		if before.State == record.UnreleasedPartitions {
			text = listOf(out.Got) + isAre(out.Got) + " free now. " + text
		}
		if len(out.Blocked) > 0 {
			text += " It waits for " + h.textBlocked(out.Blocked) + "."
		}
		return text
	case consumergroup.Waits:
		if !out.Changed {
			return id + " still waits for " + h.textBlocked(out.Blocked) + "."
		}
		if next.MemberEpoch == before.MemberEpoch && before.State == record.UnreleasedPartitions {
			return id + " still waits for " + h.textBlocked(out.Blocked) + ". Its record now says that it has been at epoch " + itoa(next.MemberEpoch) + " before."
		}
		return moves + ". It cannot have " + listOf(out.Blocked) + " yet: " + h.textHolders(out.Blocked) + "."
	case consumergroup.Reached:
		if len(h.target) == 0 {
			return moves + ". Target " + itoa(h.targetEpoch) + " has nothing for it."
		}
		return moves + ". It has nothing to give up and nothing to take."
	}
	return textSettled(h.after)
}

func (h *heartbeat) textStillRevoking(current *record.CurrentMemberAssignmentValue) string {
	pending := make([]protocol.Partition, len(current.PendingRevocation))
	for i, held := range current.PendingRevocation {
		pending[i] = held.Partition
	}
	how := "still owns some of "
	if h.req.TopicPartitions == nil {
		how = "does not say what it owns, so it may still have "
	}
	return h.after.ID + " " + how + listOf(pending) + ". It stays at epoch " + itoa(current.MemberEpoch) + "."
}

func (h *heartbeat) textTrimmed(out *consumergroup.Outcome) string {
	if len(out.Dropped) == 0 {
		return h.after.ID + " subscribes to nothing and has nothing to give up."
	}
	text := h.after.ID + " no longer subscribes to the topics of " + listOf(out.Dropped)
	if out.Next.State == record.UnrevokedPartitions {
		return text + ". It must revoke them before it can move on."
	}
	return text + ", and has given them up already."
}

// textBlocked names wanted partitions and who has them.
func (h *heartbeat) textBlocked(blocked []protocol.Partition) string {
	return listOf(blocked) + " (" + h.textHolders(blocked) + ")"
}

// textHolders reads "A still has it".
func (h *heartbeat) textHolders(blocked []protocol.Partition) string {
	var holders []string
	for _, p := range blocked[:min(len(blocked), namedPartitions)] {
		if m := h.group.Holder(p); m != nil && !slices.Contains(holders, m.ID) {
			holders = append(holders, m.ID)
		}
	}
	verb := " still has "
	if len(holders) > 1 {
		verb = " still have "
	}
	return and(holders) + verb + it(blocked)
}

func isAre(ps []protocol.Partition) string {
	if len(ps) == 1 {
		return " is"
	}
	return " are"
}
