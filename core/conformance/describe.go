package conformance

import (
	"groupscope/core/coordinator"
	"groupscope/core/protocol"
)

// description writes a DescribedGroup.
func description(d *coordinator.Description) object {
	if d.Error != protocol.None {
		return object{"groupId": d.GroupID, "errorCode": int64(d.Error), "errorMessage": d.ErrorMessage}
	}
	out := bare(object{
		"groupId": d.GroupID, "groupState": d.GroupState, "groupEpoch": int64(d.GroupEpoch),
		"assignmentEpoch": int64(d.AssignmentEpoch), "assignorName": d.AssignorName,
		"members": each(d.Members, described),
	})
	if d.Topology != nil {
		out["topology"] = topology(d.Topology)
	}
	return out
}

func described(m coordinator.DescribedMember) object {
	if m.Streams != nil {
		return describedStreams(m)
	}
	return describedConsumer(m)
}

// describedStreams: a list of tasks that is empty is left out.
func describedStreams(m coordinator.DescribedMember) object {
	s := m.Streams
	out := bare(object{
		"memberId": m.MemberID, "instanceId": m.InstanceID, "rackId": m.RackID, "clientId": m.ClientID, "clientHost": m.ClientHost,
		"topologyEpoch": int64(s.TopologyEpoch), "processId": s.ProcessID, "userEndpoint": endpoint(s.UserEndpoint),
		"clientTags":  pairs(s.ClientTags, "key", "value"),
		"taskOffsets": each(s.TaskOffsets, taskOffset), "taskEndOffsets": each(s.TaskEndOffsets, taskOffset),
		"assignment": taskLists(m.Tasks), "targetAssignment": taskLists(m.TargetTasks),
	})
	out["memberEpoch"] = int64(m.MemberEpoch)
	return out
}

func taskOffset(o protocol.TaskOffset) object {
	return bare(object{"subtopologyId": string(o.Task.Topic), "partition": int64(o.Task.Number), "offset": o.Offset})
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
