package scenario

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"groupscope/core/sim"
)

// groupSetting is a config that one group may have instead of the broker's.
type groupSetting struct {
	key string
	low int64
	// bounded: the broker's min and max configs bound it.
	bounded bool
}

// groupSettings are those of both protocols, by Kafka's names.
var groupSettings = []groupSetting{
	{"consumer.session.timeout.ms", 1, true},
	{"consumer.heartbeat.interval.ms", 1, true},
	{"consumer.assignment.interval.ms", 0, true},
	{"streams.session.timeout.ms", 1, true},
	{"streams.heartbeat.interval.ms", 1, true},
	{"streams.assignment.interval.ms", 0, true},
	{"streams.initial.rebalance.delay.ms", 0, false},
	{"streams.num.standby.replicas", 0, false},
	{"streams.num.warmup.replicas", 0, false},
	{"streams.acceptable.recovery.lag", 0, false},
	{"streams.task.offset.interval.ms", 1, false},
}

// groupKeys are the configs that act on a group of the protocol.
func groupConfigKeys(streams bool) []string {
	var out []string
	for _, s := range groupSettings {
		if strings.HasPrefix(s.key, "streams.") == streams {
			out = append(out, s.key)
		}
	}
	return out
}

// groupConfig reads a config of the group, false if it is none.
func (r *reader) groupConfig(e entry, out *settings) bool {
	i := slices.IndexFunc(groupSettings, func(s groupSetting) bool { return s.key == e.key.text })
	if i < 0 || !r.world.loose && strings.HasPrefix(e.key.text, "streams.") != r.world.streams {
		return false
	}
	x := groupSettings[i]
	v, ok := r.configNumber(e.value, setting{key: x.key, low: x.low, high: 1<<31 - 1})
	if !ok {
		return true
	}
	out.group = append(out.group, sim.GroupSetting{Name: x.key, Value: strconv.FormatInt(v, 10)})
	slices.SortFunc(out.group, func(a, b sim.GroupSetting) int { return strings.Compare(a.Name, b.Name) })
	if r.world.inSteps {
		r.inBounds(e, x, v, r.world.config)
	}
	return true
}

// inBounds holds a group's config to the broker's bounds.
func (r *reader) inBounds(e entry, x groupSetting, v int64, broker settings) {
	if !x.bounded || r.world.loose {
		return
	}
	protocol, what, _ := strings.Cut(x.key, ".")
	low, high := "group."+protocol+".min."+what, "group."+protocol+".max."+what
	switch {
	case v < broker.value(low):
		r.fault(e.value, fmt.Sprintf("%d is below %s, which is %d", v, low, broker.value(low)), "Kafka would refuse it")
	case v > broker.value(high):
		r.fault(e.value, fmt.Sprintf("%d is above %s, which is %d", v, high, broker.value(high)), "Kafka would refuse it")
	}
}

// checkGroupBounds holds the group's configs to bounds that may stand after
// them in the file.
func (r *reader) checkGroupBounds(config *node, broker settings) {
	for _, e := range config.entries {
		i := slices.IndexFunc(groupSettings, func(s groupSetting) bool { return s.key == e.key.text })
		v, err := strconv.ParseInt(e.value.text, 10, 64)
		if i >= 0 && err == nil && e.value.kind == number {
			r.inBounds(e, groupSettings[i], v, broker)
		}
	}
}

// unknownGroupConfig reports a config that is none of a group.
func (r *reader) unknownGroupConfig(key *node) {
	keys := groupConfigKeys(r.world.streams)
	switch near := nearest(key.text, keys); {
	case slices.Contains(configKeys(r.world.streams), key.text):
		r.fault(key, key.text+" is the broker's: a step changes those of the group", "One of: "+strings.Join(keys, ", "))
	case near != "":
		r.fault(key, "no such config: "+key.text, "Did you mean "+near+"?")
	default:
		r.fault(key, "no such config here: "+key.text, "One of: "+strings.Join(keys, ", "))
	}
}
