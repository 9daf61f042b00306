package coordinator_test

import "groupscope/core/protocol"

// start is the instant at which tests begin.
const start protocol.Instant = 1_000_000

// joinRequest is a full join of group g.
func joinRequest(member string, topics ...string) protocol.ConsumerGroupHeartbeatRequest {
	return protocol.ConsumerGroupHeartbeatRequest{
		GroupID: "g", MemberID: member, MemberEpoch: protocol.EpochJoining, RebalanceTimeoutMs: 300_000,
		SubscribedTopicNames: topics, TopicPartitions: protocol.Assignment{},
	}
}
