package coordinator

import (
	"fmt"
	"slices"
	"strings"

	"groupscope/core/protocol"
)

// validate checks a request before its group is looked at, in the broker's
// order. It returns the error, the rule that was broken, and what is wrong;
// None and no words for a good request.
func (c *Coordinator) validate(r *protocol.ConsumerGroupHeartbeatRequest) (code protocol.ErrorCode, rule, text string) {
	for _, name := range r.SubscribedTopicNames {
		if slices.Contains(c.cfg.HiddenTopics, name) {
			return protocol.TopicAuthorizationFailed, ruleAuthorization, r.MemberID + " may not describe topic " + name + "."
		}
	}
	if text := invalidField(r); text != "" {
		return protocol.InvalidRequest, ruleValidation, text
	}
	if a := r.ServerAssignor; a != nil && !slices.Contains(c.cfg.Assignors, *a) {
		return protocol.UnsupportedAssignor, ruleValidation, fmt.Sprintf(
			"The assignor %s is not configured. group.consumer.assignors is %s.", *a, strings.Join(c.cfg.Assignors, ", "))
	}
	return protocol.None, "", ""
}

func invalidField(r *protocol.ConsumerGroupHeartbeatRequest) string {
	if text := invalidIdentity(r.MemberID, r.GroupID, r.InstanceID, r.RackID); text != "" {
		return text
	}
	if r.MemberEpoch == protocol.EpochJoining {
		return invalidJoin(r)
	}
	return invalidEpoch(r.MemberEpoch, r.InstanceID)
}

// invalidIdentity checks who a request says it is from.
func invalidIdentity(member, group string, instance, rack *string) string {
	switch {
	case blank(&member):
		return "MemberId must not be blank."
	case blank(&group):
		return "GroupId must not be blank."
	case blank(instance):
		return "InstanceId must be absent or not blank."
	case blank(rack):
		return "RackId must be absent or not blank."
	}
	return ""
}

// invalidEpoch checks the epoch of a request that does not join.
func invalidEpoch(epoch int32, instance *string) string {
	switch {
	case epoch == protocol.EpochStaticAbsent && instance == nil:
		return "Epoch -2 is for static members: InstanceId must be given."
	case epoch < protocol.EpochStaticAbsent:
		return fmt.Sprintf("MemberEpoch is %d; -2 is the lowest.", epoch)
	}
	return ""
}

func invalidJoin(r *protocol.ConsumerGroupHeartbeatRequest) string {
	switch {
	case r.RebalanceTimeoutMs == -1:
		return "A join (epoch 0) must give RebalanceTimeoutMs."
	case r.TopicPartitions == nil || len(r.TopicPartitions) > 0:
		return "A join (epoch 0) must give TopicPartitions, and they must be empty."
	case r.SubscribedTopicNames == nil && r.SubscribedTopicRegex == nil:
		return "A join (epoch 0) must give SubscribedTopicNames or SubscribedTopicRegex."
	}
	return ""
}

// blank reports whether a field is given and has nothing in it.
func blank(s *string) bool { return s != nil && strings.TrimSpace(*s) == "" }
