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

func textOtherType(id string, found hosted) string {
	if found.groupType() == ClassicType && !found.empty() {
		return "Group " + id + " is a classic group with members."
	}
	return "Group " + id + " is a " + found.groupType().String() + " group."
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

func (o *streamsOperation) textExpired(kind TimerKind, m *streamsgroup.Member) string {
	return textExpired(kind, m.ID, o.c.streamsSession(o.group.ID), protocol.Duration(m.Meta.RebalanceTimeoutMs),
		textStreamsRemoved(m, o.group.Epoch+1))
}

func textDelay(delay protocol.Duration) string {
	return fmt.Sprintf("The group was empty, so its first target waits %s for more members. Nobody gets a task before.", delay)
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
		return "the assignment configs are noted for the first time"
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

func textEndpoints(id string, answer *protocol.StreamsGroupHeartbeatResponse) string {
	if len(answer.PartitionsByUserEndpoint) == 0 {
		return id + " is told that nobody has an endpoint."
	}
	return fmt.Sprintf("%s is sent the endpoints, as of endpoint epoch %d.", id, answer.EndpointInformationEpoch)
}

func textEndpointsLater(id string, epoch int32) string {
	return fmt.Sprintf("%s is sent no endpoints yet: not every member has heard of endpoint epoch %d.", id, epoch)
}

func textEndpointsUnconfigured(id string) string {
	return id + " has an endpoint, and the topics leave open which tasks there are. The broker fails over that: nothing is written."
}

func textEndpointTopicGone(id, topic string) string {
	return id + " has an endpoint and runs a task that reads " + topic + ", which does not exist. The broker fails over that: nothing is written."
}
