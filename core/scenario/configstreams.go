package scenario

import (
	"slices"
	"strings"

	"groupscope/core/coordinator"
	"groupscope/core/protocol"
)

const (
	consumerPrefix = "group.consumer."
	streamsPrefix  = "group.streams."

	streamsAssignorsKey = "group.streams.assignors"
	rackAwareTagsKey    = "group.streams.rack.aware.assignment.tags"
	// The defaults of these two are the rule set's.
	streamsIntervalKey = "group.streams.assignment.interval.ms"
	initialDelayKey    = "group.streams.initial.rebalance.delay.ms"
)

// StreamsAssignors are the names that group.streams.assignors may list.
var StreamsAssignors = []string{"sticky"}

// The configs of a streams group that act.
var streamsNumericSettings = []setting{
	{"group.streams.session.timeout.ms", 45_000, 1, 1<<31 - 1, func(c *coordinator.Config, v int64) { c.Streams.SessionTimeout = protocol.Duration(v) }},
	{"group.streams.min.session.timeout.ms", 45_000, 1, 1<<31 - 1, nil},
	{"group.streams.max.session.timeout.ms", 60_000, 1, 1<<31 - 1, nil},
	{"group.streams.heartbeat.interval.ms", 5_000, 1, 1<<31 - 1, func(c *coordinator.Config, v int64) { c.Streams.HeartbeatInterval = protocol.Duration(v) }},
	{"group.streams.min.heartbeat.interval.ms", 5_000, 1, 1<<31 - 1, nil},
	{"group.streams.max.heartbeat.interval.ms", 15_000, 1, 1<<31 - 1, nil},
	{streamsIntervalKey, 0, 0, 1<<31 - 1, func(c *coordinator.Config, v int64) { c.Streams.AssignmentInterval = protocol.Duration(v) }},
	{"group.streams.min.assignment.interval.ms", 0, 0, 1<<31 - 1, nil},
	{"group.streams.max.assignment.interval.ms", 15_000, 0, 1<<31 - 1, nil},
	{initialDelayKey, 0, 0, 1<<31 - 1, func(c *coordinator.Config, v int64) { c.Streams.InitialRebalanceDelay = protocol.Duration(v) }},
	{"group.streams.task.offset.interval.ms", 60_000, 15_000, 1<<31 - 1, func(c *coordinator.Config, v int64) { c.Streams.TaskOffsetInterval = protocol.Duration(v) }},
	{"group.streams.max.size", 1<<31 - 1, 1, 1<<31 - 1, func(c *coordinator.Config, v int64) { c.Streams.MaxSize = int(v) }},
	{"group.streams.num.standby.replicas", 0, 0, 1<<31 - 1, func(c *coordinator.Config, v int64) { c.Streams.StandbyReplicas = int(v) }},
	{"group.streams.max.standby.replicas", 2, 0, 1<<31 - 1, nil},
	{"group.streams.num.warmup.replicas", 2, 0, 1<<31 - 1, func(c *coordinator.Config, v int64) { c.Streams.WarmupReplicas = int(v) }},
	{"group.streams.max.warmup.replicas", 20, 0, 1<<31 - 1, nil},
	{"group.streams.acceptable.recovery.lag", 10_000, 0, 1<<31 - 1, func(c *coordinator.Config, v int64) { c.Streams.AcceptableRecoveryLag = v }},
}

func allNumericSettings() []setting { return slices.Concat(numericSettings, streamsNumericSettings) }

// foreign says that a config is of the other protocol, "" if it is not.
func (r *reader) foreign(key string) string {
	key = "group." + strings.TrimPrefix(key, "group.")
	switch {
	case strings.HasPrefix(key, consumerPrefix) && r.world.streams:
		return "It is of consumer groups, and this is a streams group"
	case strings.HasPrefix(key, streamsPrefix) && !r.world.streams:
		return "It is of streams groups: write protocol: streams for one"
	}
	return ""
}

// tagKeys reads the keys of client tags that instances are told apart by.
func (r *reader) tagKeys(n *node) []string {
	items, ok := r.names(n, rackAwareTagsKey+" is a list of keys of client tags")
	if !ok {
		return nil
	}
	out := []string{}
	for _, item := range items {
		if name, fine := r.name(item, "the key of a client tag belongs here"); fine {
			out = append(out, name)
		}
	}
	return out
}
