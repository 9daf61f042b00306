package sim

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"groupscope/core/protocol"
)

// field is a field of a request that With may replace. set gets a value that
// takes has approved.
type field[R any] struct {
	is    string // what belongs there, in words
	takes func(any) bool
	set   func(*R, any)
}

var fields = map[string]field[protocol.ConsumerGroupHeartbeatRequest]{
	"memberId": {"a text", is[string], func(r *protocol.ConsumerGroupHeartbeatRequest, v any) { r.MemberID = v.(string) }},
	"memberEpoch": {"a number", is[int32], func(r *protocol.ConsumerGroupHeartbeatRequest, v any) {
		r.MemberEpoch = v.(int32)
	}},
	"rebalanceTimeoutMs": {"a number, or nothing", orNil(is[int32]), func(r *protocol.ConsumerGroupHeartbeatRequest, v any) {
		r.RebalanceTimeoutMs = -1
		if v != nil {
			r.RebalanceTimeoutMs = v.(int32)
		}
	}},
	"subscribedTopicNames": {"a list of topics, or nothing", orNil(is[[]string]), func(r *protocol.ConsumerGroupHeartbeatRequest, v any) {
		r.SubscribedTopicNames, _ = v.([]string)
	}},
	"topicPartitions": {"partitions, or nothing", orNil(is[protocol.Assignment]), func(r *protocol.ConsumerGroupHeartbeatRequest, v any) {
		r.TopicPartitions, _ = v.(protocol.Assignment)
	}},
	"instanceId":           text(func(r *protocol.ConsumerGroupHeartbeatRequest) **string { return &r.InstanceID }),
	"rackId":               text(func(r *protocol.ConsumerGroupHeartbeatRequest) **string { return &r.RackID }),
	"serverAssignor":       text(func(r *protocol.ConsumerGroupHeartbeatRequest) **string { return &r.ServerAssignor }),
	"subscribedTopicRegex": text(func(r *protocol.ConsumerGroupHeartbeatRequest) **string { return &r.SubscribedTopicRegex }),
}

func is[T any](v any) bool { _, ok := v.(T); return ok }

func orNil(takes func(any) bool) func(any) bool {
	return func(v any) bool { return v == nil || takes(v) }
}

func text[R any](of func(*R) **string) field[R] {
	return field[R]{"a text, or nothing", orNil(is[string]), func(r *R, v any) {
		*of(r) = nil
		if s, ok := v.(string); ok {
			*of(r) = &s
		}
	}}
}

// checkOverrides says what is wrong with overrides, "" if nothing is.
func checkOverrides[R any](fields map[string]field[R], with []Override) string {
	for _, o := range with {
		f, known := fields[o.Field]
		if !known {
			names := slices.Sorted(maps.Keys(fields))
			return fmt.Sprintf("A heartbeat has no field %s. The fields are %s.", o.Field, strings.Join(names, ", "))
		}
		if !f.takes(o.Value) {
			return fmt.Sprintf("%s is %s, not %v.", o.Field, f.is, o.Value)
		}
	}
	return ""
}

// replace replaces fields of a request. The overrides have been checked.
func replace[R any](fields map[string]field[R], r *R, with []Override) {
	for _, o := range with {
		fields[o.Field].set(r, o.Value)
	}
}
