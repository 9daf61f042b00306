package conformance

import (
	"groupscope/core/coordinator"
	"groupscope/core/protocol"
)

// description writes a DescribedGroup. The message of an error is in words of
// our own, so that only its being there counts.
func description(d *coordinator.Description) object {
	if d.Error != protocol.None {
		return object{"groupId": d.GroupID, "errorCode": int64(d.Error), "errorMessage": message(d.ErrorMessage)}
	}
	out := bare(object{
		"groupId": d.GroupID, "groupState": d.GroupState, "groupEpoch": int64(d.GroupEpoch),
		"assignmentEpoch": int64(d.AssignmentEpoch), "assignorName": d.AssignorName,
		"members": each(d.Members, describedConsumer),
	})
	return out
}

// describedConsumer: the regex and the type of a member are always told.
func describedConsumer(m coordinator.DescribedMember) object {
	out := bare(object{
		"memberId": m.MemberID, "instanceId": m.InstanceID, "rackId": m.RackID, "clientId": m.ClientID, "clientHost": m.ClientHost,
		"subscribedTopicNames": texts(m.SubscribedTopicNames),
		"assignment":           bare(object{"topicPartitions": tree(m.Assignment)}),
		"targetAssignment":     bare(object{"topicPartitions": tree(m.TargetAssignment)}),
	})
	out["memberEpoch"], out["subscribedTopicRegex"], out["memberType"] = int64(m.MemberEpoch), m.SubscribedTopicRegex, int64(1)
	if m.Classic {
		out["memberType"] = int64(0)
	}
	return out
}
