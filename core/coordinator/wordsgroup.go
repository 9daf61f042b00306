package coordinator

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"groupscope/core/consumergroup"
	"groupscope/core/protocol"
	"groupscope/core/record"
)

// The texts about a group and who is in it.

func textSubscription(m *consumergroup.Member, isNew bool) string {
	topics := and(m.Meta.SubscribedTopicNames)
	if isNew {
		return m.ID + " joins and subscribes to " + topics
	}
	return m.ID + " now subscribes to " + topics
}

func textNoBump(m *consumergroup.Member, epoch int32) string {
	if regex := m.Meta.SubscribedTopicRegex; regex != "" {
		return fmt.Sprintf("%s subscribes by %s, which is not resolved yet, so the group epoch stays at %d.", m.ID, regex, epoch)
	}
	return fmt.Sprintf("%s subscribes to nothing, so the group epoch stays at %d.", m.ID, epoch)
}

// textBump begins with a capital letter unless it begins with a member's id.
func textBump(reasons []string, from, to int32) string {
	text := and(reasons)
	if rest, ok := strings.CutPrefix(text, "the "); ok {
		text = "The " + rest
	}
	return fmt.Sprintf("%s. The group epoch goes from %d to %d.", text, from, to)
}

func textInterval(target, group int32, wait protocol.Duration) string {
	return fmt.Sprintf("Target %d is too young to be replaced: the target of group epoch %d may come in %s.", target, group, wait)
}

func textTarget(epoch int32, assignor string, target *consumergroup.Target) string {
	text := "Target " + itoa(epoch) + ", by " + assignor + ": "
	for i, part := range target.First(namedMembers) {
		if i > 0 {
			text += "; "
		}
		text += part.Member + " " + part.Assignment.String()
	}
	if more := target.Len() - namedMembers; more > 0 {
		text += "; and " + strconv.Itoa(more) + " more"
	}
	return text + ". " + textDiffers(len(target.Changed), target.Len())
}

// textDiffers says for how many members a target is another than the one before.
func textDiffers(changed, all int) string {
	switch {
	case changed == 0:
		return "It differs for nobody."
	case changed < all:
		return "It differs for " + strconv.Itoa(changed) + " of " + strconv.Itoa(all) + " members."
	case all == 1:
		return "It differs for the only member."
	case all == 2:
		return "It differs for both members."
	}
	return "It differs for all " + strconv.Itoa(all) + " members."
}

func textFirstStep(id string, target int32) string {
	return fmt.Sprintf("%s is in at epoch 0. Its next heartbeat takes it to target %d.", id, target)
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
	ps := record.Partitions(had)
	slices.SortFunc(ps, protocol.Partition.Compare)
	return fmt.Sprintf("Nobody has %s now. The group epoch goes to %d.", listOf(ps), epoch)
}

func textTimerOfNobody(member string) string {
	return "The timer of " + member + " ends, but there is no such member any more."
}

func textTimerOfNoGroup(group string) string {
	return "The timer ends, but there is no group " + group + " any more."
}

func textTimerOfOldGroup(group string) string {
	return "Group " + group + " has changed its protocol since the timer started. Nothing changes."
}

func (o *operation) textExpired(kind TimerKind, m *consumergroup.Member) string {
	return textExpired(kind, m.ID, o.c.sessionTimeout(o.group.ID, m), protocol.Duration(m.Meta.RebalanceTimeoutMs), textRemoved(m, o.group.Epoch+1))
}
