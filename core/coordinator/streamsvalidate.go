package coordinator

import (
	"fmt"
	"regexp"
	"slices"

	"groupscope/core/protocol"
)

// validateStreams checks a request before its group is looked at, in the
// broker's order. It returns the error, the rule that was broken, and what is
// wrong; None and no words for a good request.
func (c *Coordinator) validateStreams(r *protocol.StreamsGroupHeartbeatRequest) (code protocol.ErrorCode, rule, text string) {
	if r.Topology != nil {
		if code, text := c.refusedTopics(r.Topology); code != protocol.None {
			return code, ruleStreamsValidation, text
		}
		if slices.ContainsFunc(r.Topology.Subtopologies, func(s protocol.Subtopology) bool { return len(s.SourceTopicRegex) > 0 }) {
			return protocol.InvalidRequest, ruleStreamsValidation, "SourceTopicRegex is not supported: it must be empty."
		}
	}
	if text := invalidStreamsField(r); text != "" {
		return protocol.InvalidRequest, ruleStreamsValidation, text
	}
	if r.MemberEpoch == protocol.EpochJoining {
		if name := countedChangelog(r.Topology); name != "" {
			return protocol.StreamsInvalidTopology, ruleStreamsValidation,
				"Changelog topic " + name + " must not give a number of partitions: it follows from what the subtopology reads."
		}
	}
	if !allOrNone(r.Owned) {
		return protocol.InvalidRequest, ruleStreamsValidation, "ActiveTasks, StandbyTasks and WarmupTasks must be given together or not at all."
	}
	if refused := c.cfg.Rules.TopologyOnHeartbeat; r.Topology != nil && r.MemberEpoch != protocol.EpochJoining && refused != protocol.None {
		return refused, ruleStreamsValidation, fmt.Sprintf("Topology is for a join (epoch 0), not for epoch %d.", r.MemberEpoch)
	}
	return protocol.None, "", ""
}

func invalidStreamsField(r *protocol.StreamsGroupHeartbeatRequest) string {
	if text := invalidIdentity(r.MemberID, r.GroupID, r.InstanceID, r.RackID); text != "" {
		return text
	}
	if r.MemberEpoch == protocol.EpochJoining {
		return invalidStreamsJoin(r)
	}
	return invalidEpoch(r.MemberEpoch, r.InstanceID)
}

func invalidStreamsJoin(r *protocol.StreamsGroupHeartbeatRequest) string {
	switch {
	case r.RebalanceTimeoutMs == -1:
		return "A join (epoch 0) must give RebalanceTimeoutMs."
	case !r.Owned.Present() || len(r.Owned.Active)+len(r.Owned.Standby)+len(r.Owned.Warmup) > 0:
		return "A join (epoch 0) must give ActiveTasks, StandbyTasks and WarmupTasks, and they must be empty."
	case r.Topology == nil:
		return "A join (epoch 0) must give Topology."
	}
	return ""
}

// allOrNone reports whether the three lists are all there or all absent.
func allOrNone(t protocol.Tasks) bool {
	return t.Present() || t.Active == nil && t.Standby == nil && t.Warmup == nil
}

// countedChangelog finds a changelog topic with a number of partitions, ""
// for none.
func countedChangelog(t *protocol.Topology) string {
	for i := range t.Subtopologies {
		for _, topic := range t.Subtopologies[i].StateChangelogTopics {
			if topic.Partitions != 0 {
				return topic.Name
			}
		}
	}
	return ""
}

// legalTopic is what Kafka accepts as a topic's name.
var legalTopic = regexp.MustCompile(`^[a-zA-Z0-9._-]{1,249}$`)

// kafkaTopics belong to the broker itself.
var kafkaTopics = []string{"__consumer_offsets", "__share_group_state", "__transaction_state"}

// refusedTopics finds a topic of a topology that the broker refuses by its
// name, or that the client may not see.
func (c *Coordinator) refusedTopics(t *protocol.Topology) (protocol.ErrorCode, string) {
	names := topicsOf(t)
	for _, name := range names {
		switch {
		case slices.Contains(kafkaTopics, name):
			return protocol.StreamsInvalidTopology, "Topic " + name + " belongs to Kafka itself and cannot be part of a topology."
		case name == "." || name == ".." || !legalTopic.MatchString(name):
			return protocol.StreamsInvalidTopology, fmt.Sprintf(
				"%q is no name of a topic: 1 to 249 letters, digits, dots, underscores and hyphens are.", name)
		}
	}
	for _, name := range names {
		if slices.Contains(c.cfg.HiddenTopics, name) {
			return protocol.TopicAuthorizationFailed, "The client may not see topic " + name + "."
		}
	}
	return protocol.None, ""
}

// topicsOf lists every topic that a topology names.
func topicsOf(t *protocol.Topology) []string {
	var out []string
	for i := range t.Subtopologies {
		s := &t.Subtopologies[i]
		out = append(append(out, s.SourceTopics...), s.RepartitionSinkTopics...)
		for _, list := range [][]protocol.TopicInfo{s.RepartitionSourceTopics, s.StateChangelogTopics} {
			for _, topic := range list {
				out = append(out, topic.Name)
			}
		}
	}
	return out
}
