package conformance

import (
	"groupscope/core/protocol"
	"groupscope/core/record"
)

// streamsValue writes the values of records of streams groups.
func streamsValue(v record.Value) any {
	switch v := v.(type) {
	case record.StreamsGroupMetadataValue:
		out := withHash(bare(object{
			"epoch": int64(v.Epoch), "lastAssignmentConfigs": pairs(v.LastAssignmentConfigs, "key", "value"),
		}), v.MetadataHash)
		if v.ValidatedTopologyEpoch != -1 {
			out["validatedTopologyEpoch"] = int64(v.ValidatedTopologyEpoch)
		}
		return out
	case record.StreamsMemberMetadataValue:
		out := bare(object{
			"clientId": v.ClientID, "clientHost": v.ClientHost, "rebalanceTimeoutMs": int64(v.RebalanceTimeoutMs),
			"topologyEpoch": int64(v.TopologyEpoch), "processId": v.ProcessID, "userEndpoint": endpoint(v.UserEndpoint),
			"clientTags": pairs(v.ClientTags, "key", "value"),
		})
		out["instanceId"], out["rackId"] = text(v.InstanceID), text(v.RackID)
		return out
	case record.StreamsTargetAssignmentMetadataValue:
		return bare(object{"assignmentEpoch": int64(v.AssignmentEpoch), "assignmentTimestamp": int64(v.AssignmentTimestamp)})
	case record.StreamsTargetAssignmentMemberValue:
		return taskLists(v.Tasks)
	case record.StreamsCurrentMemberAssignmentValue:
		return bare(object{
			// Kafka numbers the states of streams members from 1.
			"state":       int64(v.State) + 1,
			"memberEpoch": int64(v.MemberEpoch), "previousMemberEpoch": int64(v.PreviousMemberEpoch),
			"activeTasks": heldTree(v.Active), "activeTasksPendingRevocation": heldTree(v.PendingActive),
			"standbyTasks": tree(v.Standby), "standbyTasksPendingRevocation": tree(v.PendingStandby),
			"warmupTasks": tree(v.Warmup), "warmupTasksPendingRevocation": tree(v.PendingWarmup),
		})
	case record.StreamsTopologyValue:
		return topology(v.Topology)
	}
	return nil
}

// taskLists is {"activeTasks":{"0":[1]},…} without empty lists.
func taskLists(t protocol.Tasks) object {
	return bare(object{"activeTasks": tree(t.Active), "standbyTasks": tree(t.Standby), "warmupTasks": tree(t.Warmup)})
}

func topology(t *protocol.Topology) object {
	return bare(object{"epoch": int64(t.Epoch), "subtopologies": each(t.Subtopologies, subtopology)})
}

func subtopology(s protocol.Subtopology) object {
	return bare(object{
		"subtopologyId": s.ID, "sourceTopics": texts(s.SourceTopics), "sourceTopicRegex": texts(s.SourceTopicRegex),
		"stateChangelogTopics":    each(s.StateChangelogTopics, topicInfo),
		"repartitionSinkTopics":   texts(s.RepartitionSinkTopics),
		"repartitionSourceTopics": each(s.RepartitionSourceTopics, topicInfo),
		"copartitionGroups": each(s.CopartitionGroups, func(g protocol.CopartitionGroup) object {
			return bare(object{
				"sourceTopics": numberList(g.SourceTopics), "sourceTopicRegex": numberList(g.SourceTopicRegex),
				"repartitionSourceTopics": numberList(g.RepartitionSourceTopics),
			})
		}),
	})
}

func topicInfo(t protocol.TopicInfo) object {
	return bare(object{
		"name": t.Name, "partitions": int64(t.Partitions), "replicationFactor": int64(t.ReplicationFactor),
		"topicConfigs": pairs(t.Configs, "key", "value"),
	})
}
