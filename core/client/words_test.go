package client_test

import (
	"fmt"
	"slices"
	"strings"

	"groupscope/core/protocol"
)

func instant(at int64) protocol.Instant { return start + protocol.Instant(at) }

func topicIDs(names []string) []protocol.TopicID {
	out := make([]protocol.TopicID, len(names))
	for i, n := range names {
		out[i] = protocol.TopicID(n)
	}
	return out
}

func failedMark(failed bool) string {
	if failed {
		return " failed"
	}
	return ""
}

// byName writes partitions by the name of their topic, as an application
// knows them.
func byName(a protocol.Assignment) string {
	var ps []protocol.Partition
	for _, p := range a.Partitions() {
		ps = append(ps, protocol.Partition{Topic: protocol.TopicID(p.Topic.Name()), Number: p.Number})
	}
	return protocol.NewAssignment(ps).String()
}

func requestText(r *protocol.ConsumerGroupHeartbeatRequest) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s@%d", r.MemberID, r.MemberEpoch)
	for _, f := range []struct {
		name  string
		value *string
	}{{"instance", r.InstanceID}, {"rack", r.RackID}, {"regex", r.SubscribedTopicRegex}, {"assignor", r.ServerAssignor}} {
		if f.value != nil {
			fmt.Fprintf(&b, " %s=%q", f.name, *f.value)
		}
	}
	if r.RebalanceTimeoutMs != -1 {
		fmt.Fprintf(&b, " timeout=%d", r.RebalanceTimeoutMs)
	}
	if r.SubscribedTopicNames != nil {
		names := slices.Sorted(slices.Values(r.SubscribedTopicNames))
		fmt.Fprintf(&b, " names=%q", names)
	}
	if r.TopicPartitions != nil {
		fmt.Fprintf(&b, " owned=%s", r.TopicPartitions)
	}
	return b.String()
}
