package coordinator

import (
	"fmt"

	"groupscope/core/consumergroup"
	"groupscope/core/protocol"
	"groupscope/core/record"
)

// The texts about members of the classic protocol.

func textNoClassicGroup(group string) string {
	return "Group " + group + " is not there, or nobody of the classic protocol is in it."
}

func textClassicFull(group string, limit int) string {
	return fmt.Sprintf("Group %s has all the %d members that it may have.", group, limit)
}

func textClassicDelay(delay protocol.Duration) string {
	if delay == 0 {
		return "The group was empty. Its first generation begins at once."
	}
	return "The group was empty. It waits " + delay.String() + " for others before its first generation."
}

func textAskAgain(id string) string {
	return "The new member is called " + id + " and must ask again under that name."
}

func textProtocols(group string) string {
	return "Group " + group + " uses another protocol, or none that all its members support would be left."
}

func textNotFound(group, member string, instance *string) string {
	if instance != nil {
		return "Group " + group + " does not know instance " + *instance + " as member " + member + "."
	}
	return "Group " + group + " has no member " + member + "."
}

func textGeneration(member string, sent, actual int32) string {
	return fmt.Sprintf("%s sent generation %d; it is %d.", member, sent, actual)
}

func textMustRejoin(m *consumergroup.Member, target int32) string {
	switch {
	case m.Current.State == record.UnrevokedPartitions:
		return m.ID + " must give partitions up and join again."
	case m.Epoch() < target:
		return fmt.Sprintf("%s is at epoch %d and the target at %d. It must join again.", m.ID, m.Epoch(), target)
	}
	return m.ID + " waits for partitions that are free now. It must join again to get them."
}
