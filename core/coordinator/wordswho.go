package coordinator

import (
	"fmt"

	"groupscope/core/consumergroup"
	"groupscope/core/prose"
	"groupscope/core/protocol"
	"groupscope/core/streamsgroup"
)

// The texts about who is in a group, whatever its protocol.

// who is a member as these texts see it.
type who struct {
	id, instance    string
	epoch, previous int32
	has             string // what it holds: partitions or tasks
	owned           string // what it reports of that
}

func whoReads(m *consumergroup.Member) who {
	return who{m.ID, m.InstanceID(), m.Epoch(), m.Current.PreviousMemberEpoch, "partitions", "what it owns"}
}

func whoRuns(m *streamsgroup.Member) who {
	return who{m.ID, m.InstanceID(), m.Epoch(), m.Current.PreviousMemberEpoch, "tasks", "all three lists of what it owns"}
}

func textFull(group string, size, limit int) string {
	return fmt.Sprintf("Group %s has %s and may have %d.", group, prose.Count(size, "member"), limit)
}

func textUnknown(group, member string, instance *string) string {
	if instance != nil {
		return "Group " + group + " has no static member " + *instance + "."
	}
	return "Group " + group + " has no member " + member + "."
}

func textUnreleased(stored who) string {
	return fmt.Sprintf("Instance %s is in use: %s stands at epoch %d and has not left.", stored.instance, stored.id, stored.epoch)
}

func textFencedInstance(stored who, id string) string {
	return fmt.Sprintf("Instance %s belongs to %s now, not to %s.", stored.instance, stored.id, id)
}

func textReplaced(old who, id string) string {
	if old.id == id {
		return fmt.Sprintf("Static member %s comes back as %s and finds its %s kept.", old.instance, id, old.has)
	}
	return fmt.Sprintf("Static member %s comes back: %s takes the place of %s, with its %s and its target.", old.instance, id, old.id, old.has)
}

func textRejoin(stored who) string {
	if stored.epoch == protocol.EpochJoining {
		return stored.id + " is in the group already, at epoch 0. This is its next heartbeat."
	}
	return fmt.Sprintf("%s joins again. It is in the group already and keeps epoch %d and its %s.", stored.id, stored.epoch, stored.has)
}

func textNewerEpoch(m who, epoch int32) string {
	return fmt.Sprintf("%s sent epoch %d, which lies ahead of its epoch %d.", m.id, epoch, m.epoch)
}

func textOlderEpoch(m who, epoch int32) string {
	return fmt.Sprintf("%s sent epoch %d. It is at epoch %d and was at %d before.", m.id, epoch, m.epoch, m.previous)
}

func textOwnedAbsent(m who, epoch int32) string {
	return fmt.Sprintf("%s sent its previous epoch %d, but not %s. It is at epoch %d.", m.id, epoch, m.owned, m.epoch)
}

func textOwnsTooMuch(m who, epoch int32, bound string) string {
	return fmt.Sprintf("%s sent its previous epoch %d and owns more than %s. It is at epoch %d.", m.id, epoch, bound, m.epoch)
}

func textLostResponse(m who, epoch int32) string {
	return fmt.Sprintf("%s is accepted with its previous epoch %d, as what it owns fits: the answer that took it to epoch %d was lost.", m.id, epoch, m.epoch)
}

func textLost(id string) string {
	return "The log has " + id + " in a state that is not known here, so it must give everything up and join again."
}

func textSettled(id string, epoch int32) string {
	return id + " is at epoch " + itoa(epoch) + " and has all that its target gives it. Nothing changes."
}

func textAbsent(m who) string {
	return fmt.Sprintf("Static member %s (%s) is away and keeps its %s. Its session timer goes on.", m.instance, m.id, m.has)
}

func textTimerTooLate(m who, epoch int32) string {
	return fmt.Sprintf("%s has moved from epoch %d to %d since the timer started. Nothing changes.", m.id, epoch, m.epoch)
}

// textExpired says why a timer removes a member, and what that leaves.
func textExpired(kind TimerKind, id string, session, rebalance protocol.Duration, removed string) string {
	did := map[TimerKind]string{
		RebalanceTimer: "did not give up what it was asked to",
		JoinTimer:      "did not join again",
		SyncTimer:      "did not ask for its assignment",
	}[kind]
	if did != "" {
		return fmt.Sprintf("%s %s within %s and is removed. %s", id, did, rebalance, removed)
	}
	return fmt.Sprintf("%s sent no heartbeat for %s and is removed. %s", id, session, removed)
}
