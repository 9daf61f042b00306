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

func textLost(m *consumergroup.Member) string {
	return "The log has " + m.ID + " in a state that is not known here, so it must give everything up and join again."
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
	if regex := m.Meta.SubscribedTopicRegex; regex != "" {
		return fmt.Sprintf("%s subscribes by %s, which is not resolved yet, so the group epoch stays at %d.", m.ID, regex, epoch)
	}
	return fmt.Sprintf("%s subscribes to nothing, so the group epoch stays at %d.", m.ID, epoch)
}

func textBump(reasons []string, from, to int32) string {
	text := and(reasons)
	return fmt.Sprintf("%s%s. The group epoch goes from %d to %d.", strings.ToUpper(text[:1]), text[1:], from, to)
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
	return text + ". It differs for " + strconv.Itoa(len(target.Changed)) + " of " + strconv.Itoa(target.Len()) + "."
}

func textFirstStep(id string, target int32) string {
	return fmt.Sprintf("%s is in at epoch 0. Its next heartbeat takes it to target %d.", id, target)
}

// textSettled is what most heartbeats come to, so it takes care to allocate
// no more than its words.
func textSettled(m *consumergroup.Member) string {
	text := make([]byte, 0, 128)
	text = append(text, m.ID...)
	text = append(text, " is at epoch "...)
	text = strconv.AppendInt(text, int64(m.Epoch()), 10)
	text = append(text, " and has all that its target gives it. Nothing changes."...)
	return string(text)
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
	ps := record.Partitions(had)
	slices.SortFunc(ps, protocol.Partition.Compare)
	return fmt.Sprintf("Nobody has %s now. The group epoch goes to %d.", listOf(ps), epoch)
}

func textTimerOfNobody(member string) string {
	return "The timer of " + member + " ends, but there is no such member any more."
}

func textTimerTooLate(m *consumergroup.Member, epoch int32) string {
	return fmt.Sprintf("%s has moved from epoch %d to %d since the timer started. Nothing changes.", m.ID, epoch, m.Epoch())
}

func textTimerOfNoGroup(group string) string {
	return "The timer ends, but there is no group " + group + " any more."
}

func textTimerOfOldGroup(group string) string {
	return "Group " + group + " has changed its protocol since the timer started. Nothing changes."
}

func (o *operation) textExpired(kind TimerKind, m *consumergroup.Member) string {
	epoch := o.group.Epoch + 1
	did := map[TimerKind]string{
		RebalanceTimer: "did not give up what it was asked to",
		JoinTimer:      "did not join again",
		SyncTimer:      "did not ask for its assignment",
	}[kind]
	if did != "" {
		return fmt.Sprintf("%s %s within %s and is removed. %s",
			m.ID, did, protocol.Duration(m.Meta.RebalanceTimeoutMs), textRemoved(m, epoch))
	}
	return fmt.Sprintf("%s sent no heartbeat for %s and is removed. %s", m.ID, o.c.sessionTimeout(o.group.ID, m), textRemoved(m, epoch))
}
