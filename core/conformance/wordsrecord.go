package conformance

import (
	"encoding/base64"

	"groupscope/core/protocol"
	"groupscope/core/record"
)

// records writes what an operation wrote, in the words of Kafka's schemas.
func (r *runner) records(list []record.Record) []any {
	return each(list, func(rec record.Record) object {
		return object{"type": rec.Key.Type.String(), "key": r.recordKey(rec.Key), "value": recordValue(rec.Value)}
	})
}

// recordKey leaves out the group that most records are of. The older types
// call it group.
func (r *runner) recordKey(key record.Key) object {
	out := bare(object{
		"memberId": key.Member, "regularExpression": key.Regex, "topic": key.Topic, "partition": int64(key.Partition),
	})
	name := "groupId"
	if key.Type == record.OffsetCommit || key.Type == record.ClassicGroupMetadata {
		name = "group"
	}
	if key.Group != r.trace.config.group {
		out[name] = key.Group
	}
	return out
}

// recordValue is nil for a tombstone.
func recordValue(v record.Value) any {
	switch v := v.(type) {
	case nil:
		return nil
	case record.OffsetCommitValue:
		return bare(object{"offset": v.Offset, "commitTimestamp": int64(v.CommitTimestamp)})
	case record.ClassicGroupMetadataValue:
		return classicGroupValue(v)
	case record.GroupMetadataValue:
		return withHash(object{"epoch": int64(v.Epoch)}, v.MetadataHash)
	case record.MemberMetadataValue:
		return memberValue(v)
	case record.TargetAssignmentMetadataValue:
		return bare(object{"assignmentEpoch": int64(v.AssignmentEpoch), "assignmentTimestamp": int64(v.AssignmentTimestamp)})
	case record.TargetAssignmentMemberValue:
		return bare(object{"topicPartitions": tree(v.TopicPartitions)})
	case record.CurrentMemberAssignmentValue:
		return bare(object{
			"memberEpoch": int64(v.MemberEpoch), "previousMemberEpoch": int64(v.PreviousMemberEpoch), "state": int64(v.State),
			"assignedPartitions": heldTree(v.Assigned), "partitionsPendingRevocation": heldTree(v.PendingRevocation),
		})
	case record.RegularExpressionValue:
		return bare(object{"topics": texts(v.Topics), "version": v.Version, "timestamp": int64(v.Timestamp)})
	}
	return streamsValue(v)
}

// withHash adds a metadata hash; 0, no known topic, is left out.
func withHash(o object, h int64) object {
	if h != 0 {
		o["metadataHash"] = hash(h)
	}
	return o
}

// memberValue: what may be null has another default, so it is never left out.
func memberValue(v record.MemberMetadataValue) object {
	out := bare(object{
		"clientId": v.ClientID, "clientHost": v.ClientHost, "subscribedTopicNames": texts(v.SubscribedTopicNames),
		"subscribedTopicRegex": v.SubscribedTopicRegex,
	})
	out["instanceId"], out["rackId"], out["serverAssignor"] = text(v.InstanceID), text(v.RackID), text(v.ServerAssignor)
	out["classicMemberMetadata"] = nil
	out["rebalanceTimeoutMs"] = int64(v.RebalanceTimeoutMs)
	if v.Classic != nil {
		out["classicMemberMetadata"] = bare(object{
			"sessionTimeoutMs": int64(v.Classic.SessionTimeoutMs),
			"supportedProtocols": each(v.Classic.SupportedProtocols, func(p protocol.JoinGroupProtocol) object {
				return bare(object{"name": p.Name, "metadata": base64.StdEncoding.EncodeToString(p.Metadata)})
			}),
		})
	}
	return out
}

func classicGroupValue(v record.ClassicGroupMetadataValue) object {
	out := bare(object{
		"protocolType": v.ProtocolType, "generation": int64(v.Generation),
		"members": each(v.Members, func(m record.ClassicMember) object {
			return bare(object{
				"memberId": m.MemberID, "groupInstanceId": text(m.GroupInstanceID), "clientId": m.ClientID, "clientHost": m.ClientHost,
				"rebalanceTimeout": int64(m.RebalanceTimeout), "sessionTimeout": int64(m.SessionTimeout),
				"subscription": base64.StdEncoding.EncodeToString(m.Subscription),
				"assignment":   base64.StdEncoding.EncodeToString(m.Assignment),
			})
		}),
	})
	out["protocol"], out["leader"] = text(v.Protocol), text(v.Leader)
	out["currentStateTimestamp"] = int64(v.CurrentStateTimestamp)
	return out
}
