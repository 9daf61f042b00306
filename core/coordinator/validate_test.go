package coordinator_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"groupscope/core/protocol"
	"groupscope/core/rules"
)

func regex(pattern string) request {
	return func(r *protocol.ConsumerGroupHeartbeatRequest) { r.SubscribedTopicRegex = &pattern }
}

func rack(id string) request {
	return func(r *protocol.ConsumerGroupHeartbeatRequest) { r.RackID = &id }
}

func groupID(id string) request {
	return func(r *protocol.ConsumerGroupHeartbeatRequest) { r.GroupID = id }
}

func without(field func(r *protocol.ConsumerGroupHeartbeatRequest)) request { return field }

func TestABadRequestIsRefusedWithWhatIsWrongWithIt(t *testing.T) {
	noTimeout := without(func(r *protocol.ConsumerGroupHeartbeatRequest) { r.RebalanceTimeoutMs = -1 })
	noOwned := without(func(r *protocol.ConsumerGroupHeartbeatRequest) { r.TopicPartitions = nil })
	noTopics := without(func(r *protocol.ConsumerGroupHeartbeatRequest) { r.SubscribedTopicNames = nil })
	for _, test := range []struct {
		name   string
		member string
		fields []request
		code   protocol.ErrorCode
		text   string
	}{
		{"a blank member id", " ", []request{join, groupID("")}, protocol.InvalidRequest, "MemberId must not be blank."},
		{"a blank group id", "A", []request{join, groupID(" "), instance("")}, protocol.InvalidRequest, "GroupId must not be blank."},
		{"a blank instance id", "A", []request{join, instance(""), rack("")}, protocol.InvalidRequest, "InstanceId must be absent or not blank."},
		{"a blank rack id", "A", []request{join, rack(" "), noTimeout}, protocol.InvalidRequest, "RackId must be absent or not blank."},
		{"a join without a timeout", "A", []request{join, noTimeout, noOwned}, protocol.InvalidRequest, "A join (epoch 0) must give RebalanceTimeoutMs."},
		{"a join without owned partitions", "A", []request{join, noOwned, noTopics}, protocol.InvalidRequest, "A join (epoch 0) must give TopicPartitions, and they must be empty."},
		{"a join that owns something", "A", []request{join, owns(0)}, protocol.InvalidRequest, "A join (epoch 0) must give TopicPartitions, and they must be empty."},
		{"a join without a subscription", "A", []request{join, noTopics, votes("sticky")}, protocol.InvalidRequest, "A join (epoch 0) must give SubscribedTopicNames or SubscribedTopicRegex."},
		{"a dynamic member that leaves for a while", "A", []request{epoch(-2)}, protocol.InvalidRequest, "Epoch -2 is for static members: InstanceId must be given."},
		{"an epoch below -2", "A", []request{epoch(-3), votes("sticky")}, protocol.InvalidRequest, "MemberEpoch is -3; -2 is the lowest."},
		{"an assignor nobody configured", "A", []request{join, votes("sticky"), regex("f.*")}, protocol.UnsupportedAssignor, "The assignor sticky is not configured. group.consumer.assignors is uniform, range."},
	} {
		t.Run(test.name, func(t *testing.T) {
			g := newRig(t, rules.Kafka())
			result := g.send(test.member, test.fields...)
			assert.Equal(t, test.code, result.Response.Error)
			assert.Equal(t, test.text, result.Response.ErrorMessage)
			assert.Equal(t, "KIP-848, request validation: "+test.text, main(result.Decisions))
			assert.Empty(t, g.c.Log())
		})
	}
}

func TestAnEmptyRegexIsNoSubscriptionToAnything(t *testing.T) {
	g := newRig(t, rules.Kafka())
	onlyRegex := func(r *protocol.ConsumerGroupHeartbeatRequest) { r.SubscribedTopicNames = nil }
	assert.Equal(t, "1, []", answer(g.send("A", join, onlyRegex, regex(""))))
}

func TestARefusedRequestTouchesNoTimer(t *testing.T) {
	g := newRig(t, rules.Kafka())
	g.send("A", join)
	g.advance(1000)
	g.send("A", epoch(-3))
	assert.Equal(t, start+45_000, g.member("A").SessionDeadline)
}
