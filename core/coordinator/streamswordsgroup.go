package coordinator

import (
	"fmt"

	"groupscope/core/protocol"
	"groupscope/core/record"
	"groupscope/core/streamsgroup"
)

// The texts about a streams group and who is in it.

func (h *streamsHeartbeat) wasRevoking() bool {
	return h.after.Current.State == record.UnrevokedPartitions
}

// streamsPending are the tasks that a member was asked to give up.
func streamsPending(c *record.StreamsCurrentMemberAssignmentValue) streamsgroup.Roles {
	return streamsgroup.Roles{
		Active: record.Partitions(c.PendingActive), Standby: c.PendingStandby.Partitions(), Warmup: c.PendingWarmup.Partitions(),
	}
}

func textOtherType(id string, found hosted) string {
	if found.groupType() == ClassicType && !found.empty() {
		return "Group " + id + " is a classic group with members."
	}
	return "Group " + id + " is a " + found.groupType().String() + " group."
}

func textStreamsFull(g *streamsgroup.Group, limit int) string {
	return fmt.Sprintf("Group %s has %d members and may have %d.", g.ID, g.Size(), limit)
}

func textStreamsUnknown(r *protocol.StreamsGroupHeartbeatRequest) string {
	if r.InstanceID != nil {
		return "Group " + r.GroupID + " has no static member " + *r.InstanceID + "."
	}
	return "Group " + r.GroupID + " has no member " + r.MemberID + "."
}

func textStreamsUnreleased(stored *streamsgroup.Member) string {
	return fmt.Sprintf("Instance %s is in use: %s stands at epoch %d and has not left.", stored.InstanceID(), stored.ID, stored.Epoch())
}

func textStreamsFencedInstance(stored *streamsgroup.Member, id string) string {
	return fmt.Sprintf("Instance %s belongs to %s now, not to %s.", stored.InstanceID(), stored.ID, id)
}

func textStreamsReplaced(old *streamsgroup.Member, id string) string {
	if old.ID == id {
		return fmt.Sprintf("Static member %s comes back as %s and finds its tasks kept.", old.InstanceID(), id)
	}
	return fmt.Sprintf("Static member %s comes back: %s takes the place of %s, with its tasks and its target.", old.InstanceID(), id, old.ID)
}

func textStreamsRejoin(stored *streamsgroup.Member) string {
	return fmt.Sprintf("%s joins again. It is in the group already and keeps epoch %d and its tasks.", stored.ID, stored.Epoch())
}

func textStreamsNewerEpoch(m *streamsgroup.Member, epoch int32) string {
	return fmt.Sprintf("%s sent epoch %d, which lies ahead of its epoch %d.", m.ID, epoch, m.Epoch())
}

func textStreamsOlderEpoch(m *streamsgroup.Member, epoch int32) string {
	return fmt.Sprintf("%s sent epoch %d. It is at epoch %d and was at %d before.", m.ID, epoch, m.Epoch(), m.Current.PreviousMemberEpoch)
}

func textStreamsOwnedAbsent(m *streamsgroup.Member, epoch int32) string {
	return fmt.Sprintf("%s sent its previous epoch %d, but not all three lists of what it owns. It is at epoch %d.", m.ID, epoch, m.Epoch())
}

func textStreamsOwnsTooMuch(m *streamsgroup.Member, epoch int32, bound string) string {
	return fmt.Sprintf("%s sent its previous epoch %d and owns more than %s. It is at epoch %d.", m.ID, epoch, bound, m.Epoch())
}

func textStreamsLostResponse(m *streamsgroup.Member, epoch int32) string {
	return fmt.Sprintf("%s sent its previous epoch %d, so the answer that took it to epoch %d was lost. What it owns fits: it is accepted.", m.ID, epoch, m.Epoch())
}

func textStreamsAbsent(m *streamsgroup.Member) string {
	return fmt.Sprintf("Static member %s (%s) is away and keeps its tasks. Its session timer goes on.", m.InstanceID(), m.ID)
}

func textStreamsLeaves(m *streamsgroup.Member, epoch int32) string {
	return m.ID + " leaves. " + textStreamsRemoved(m, epoch)
}

// textStreamsRemoved says what becomes of a removed member's tasks.
func textStreamsRemoved(m *streamsgroup.Member, epoch int32) string {
	active := make([]protocol.Partition, 0, len(m.Current.Active)+len(m.Current.PendingActive))
	for _, held := range [...][]record.Held{m.Current.Active, m.Current.PendingActive} {
		active = append(active, record.Partitions(held)...)
	}
	if len(active) == 0 {
		return fmt.Sprintf("It had no active tasks. The group epoch goes to %d.", epoch)
	}
	sorted := protocol.NewAssignment(active).Partitions()
	return fmt.Sprintf("Nobody runs %s now. The group epoch goes to %d.", tasksOf(sorted), epoch)
}

func textStreamsTooLate(m *streamsgroup.Member, epoch int32) string {
	return fmt.Sprintf("%s has moved from epoch %d to %d since the timer started. Nothing changes.", m.ID, epoch, m.Epoch())
}

func (o *streamsOperation) textExpired(kind TimerKind, m *streamsgroup.Member) string {
	removed := textStreamsRemoved(m, o.group.Epoch+1)
	if kind == RebalanceTimer {
		return fmt.Sprintf("%s did not give up what it was asked to within %s and is removed. %s",
			m.ID, protocol.Duration(m.Meta.RebalanceTimeoutMs), removed)
	}
	return fmt.Sprintf("%s sent no heartbeat for %s and is removed. %s", m.ID, o.c.streamsSession(o.group.ID), removed)
}

func textDelay(delay protocol.Duration) string {
	return fmt.Sprintf("The group was empty, so its first target waits %s for more members.", delay)
}

func textWaitsForOthers(id string) string {
	return "The first target of group " + id + " waits for more members. Nobody gets a task before."
}

func textShutdown(member, first string) string {
	if member != first {
		return member + " asks to shut the application down, as " + first + " did before."
	}
	return member + " asks to shut the application down. Every member will be told."
}

func textWarmedUp(id string, task protocol.Partition) string {
	return id + " has warmed up " + protocol.TaskName(task) + " and can take it over"
}

func textRefines(id string) string {
	return id + " settled on less than its target gives it"
}

func textConfigs(is, was []protocol.Tag) string {
	if len(was) == 0 {
		return "the assignment configs are noted"
	}
	text := "the assignment configs changed to"
	for i, tag := range is {
		if i > 0 {
			text += ","
		}
		text += " " + tag.Key + " " + tag.Value
	}
	return text
}

func textEndpoints(id string, epoch int32) string {
	return fmt.Sprintf("%s is sent the endpoint information of epoch %d.", id, epoch)
}

func textEndpointsUnconfigured(id string) string {
	return id + " has an endpoint, and the topics leave open which tasks there are. The broker fails over that: nothing is written."
}

func textEndpointTopicGone(id, topic string) string {
	return id + " has an endpoint and runs a task that reads " + topic + ", which does not exist. The broker fails over that: nothing is written."
}
