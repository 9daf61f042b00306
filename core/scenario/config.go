package scenario

import (
	"slices"
	"strconv"
	"strings"

	"groupscope/core/coordinator"
	"groupscope/core/protocol"
	"groupscope/core/sim"
)

// Assignors are the names that group.consumer.assignors may list.
var Assignors = []string{"uniform", "range"}

// setting is a broker config that is a number between bounds of its own.
type setting struct {
	key       string
	standard  int64
	low, high int64
	set       func(*coordinator.Config, int64) // nil: it only bounds another
}

// The configs of a consumer group that act. The bounds of the timeouts are
// configs themselves, as in Kafka.
var numericSettings = []setting{
	{"group.consumer.session.timeout.ms", 45_000, 1, 1<<31 - 1, func(c *coordinator.Config, v int64) { c.SessionTimeout = protocol.Duration(v) }},
	{"group.consumer.min.session.timeout.ms", 45_000, 1, 1<<31 - 1, nil},
	{"group.consumer.max.session.timeout.ms", 60_000, 1, 1<<31 - 1, nil},
	{"group.consumer.heartbeat.interval.ms", 5_000, 1, 1<<31 - 1, func(c *coordinator.Config, v int64) { c.HeartbeatInterval = protocol.Duration(v) }},
	{"group.consumer.min.heartbeat.interval.ms", 5_000, 1, 1<<31 - 1, nil},
	{"group.consumer.max.heartbeat.interval.ms", 15_000, 1, 1<<31 - 1, nil},
	{assignmentIntervalKey, 0, 0, 1<<31 - 1, func(c *coordinator.Config, v int64) { c.AssignmentInterval = protocol.Duration(v) }},
	{"group.consumer.min.assignment.interval.ms", 0, 0, 1<<31 - 1, nil},
	{"group.consumer.max.assignment.interval.ms", 15_000, 0, 1<<31 - 1, nil},
	{"group.consumer.max.size", 1<<31 - 1, 1, 1<<31 - 1, func(c *coordinator.Config, v int64) { c.MaxSize = int(v) }},
	{"group.initial.rebalance.delay.ms", 3_000, 0, 1<<31 - 1, func(c *coordinator.Config, v int64) { c.InitialRebalanceDelay = protocol.Duration(v) }},
	{"group.max.size", 1<<31 - 1, 1, 1<<31 - 1, func(c *coordinator.Config, v int64) { c.ClassicMaxSize = int(v) }},
	{"group.consumer.regex.refresh.interval.ms", 600_000, 10_000, 1<<31 - 1, func(c *coordinator.Config, v int64) { c.RegexRefreshInterval = protocol.Duration(v) }},
}

const (
	assignorsKey = "group.consumer.assignors"
	policyKey    = "group.consumer.migration.policy"
	// The default of this one is the rule set's.
	assignmentIntervalKey = "group.consumer.assignment.interval.ms"
)

// elsewhere are Kafka's names that mean something, but not here.
var elsewhere = map[string]string{
	"max.poll.interval.ms":                   "It is a client's: write rebalance-timeout under the member",
	"group.remote.assignor":                  "It is a client's: write assignor under the member",
	"group.instance.id":                      "It is a client's: write instance under the member",
	"client.rack":                            "It is a client's: write rack under the member",
	"session.timeout.ms":                     "With this protocol the broker decides: group.consumer.session.timeout.ms",
	"heartbeat.interval.ms":                  "With this protocol the broker decides: group.consumer.heartbeat.interval.ms",
	"group.consumer.assignor.offload.enable": "Kafka reads it nowhere, so it has no place here",
	"num.standby.replicas":                   "With this protocol the broker decides: group.streams.num.standby.replicas",
	"acceptable.recovery.lag":                "With this protocol the broker decides: group.streams.acceptable.recovery.lag",
	"application.server":                     "It is a client's: write endpoint under the member",
	"partition.assignment.strategy":          "With this protocol the broker assigns: " + assignorsKey,
}

// policies say whether groups change between the classic and the consumer
// protocol.
var policies = []string{"bidirectional", "upgrade", "downgrade", "disabled"}

// settings are the configs that a file sets.
type settings struct {
	numbers map[string]int64
	names   []string // assignors
	tags    []string // of rack-aware assignment
	policy  string   // of migration, "" for the default
	group   []sim.GroupSetting
}

func (s settings) value(key string) int64 {
	if v, set := s.numbers[key]; set {
		return v
	}
	all := allNumericSettings()
	return all[slices.IndexFunc(all, func(x setting) bool { return x.key == key })].standard
}

func (s settings) heartbeatInterval(prefix string) protocol.Duration {
	return protocol.Duration(s.value(prefix + "heartbeat.interval.ms"))
}

// apply changes what the file sets, and leaves all else at its default.
func (s settings) apply(c *coordinator.Config, streams bool) {
	for _, x := range allNumericSettings() {
		if v, set := s.numbers[x.key]; set && x.set != nil {
			x.set(c, v)
		}
	}
	if s.names != nil && streams {
		c.Streams.Assignors = slices.Clone(s.names)
	} else if s.names != nil {
		c.Assignors = slices.Clone(s.names)
	}
	if s.policy != "" {
		c.MigrationPolicy = s.policy
	}
	if s.tags != nil {
		c.Streams.RackAwareTags = slices.Clone(s.tags)
	}
}

// configKeys are the configs that act on a group of the protocol.
func configKeys(streams bool) []string {
	keys, numeric := []string{assignorsKey, policyKey}, numericSettings
	if streams {
		keys, numeric = []string{streamsAssignorsKey, rackAwareTagsKey}, streamsNumericSettings
	}
	for _, x := range numeric {
		keys = append(keys, x.key)
	}
	keys = append(keys, groupConfigKeys(streams)...)
	slices.Sort(keys)
	return keys
}

func (r *reader) config(n *node) settings {
	out := settings{numbers: map[string]int64{}}
	if n.kind != mapping {
		r.wanted(n, "config is a mapping from Kafka's names to values")
		return out
	}
	for _, e := range n.entries {
		if hint := r.foreign(e.key.text); hint != "" {
			r.fault(e.key, e.key.text+" does not act here", hint)
			continue
		}
		switch e.key.text {
		case assignorsKey:
			out.names = r.assignorList(e.value, assignorsKey, Assignors)
		case policyKey:
			out.policy, _ = r.oneOf(e.value, policyKey, policies)
		case streamsAssignorsKey:
			out.names = r.assignorList(e.value, streamsAssignorsKey, StreamsAssignors)
		case rackAwareTagsKey:
			out.tags = r.tagKeys(e.value)
		default:
			if !r.groupConfig(e, &out) {
				r.numericConfig(e, &out)
			}
		}
	}
	return out
}

func (r *reader) numericConfig(e entry, out *settings) {
	all := allNumericSettings()
	i := slices.IndexFunc(all, func(x setting) bool { return x.key == e.key.text })
	if i < 0 {
		r.unknownConfig(e.key)
		return
	}
	if v, ok := r.configNumber(e.value, all[i]); ok {
		out.numbers[all[i].key] = v
	}
}

func (r *reader) unknownConfig(key *node) {
	if hint, known := elsewhere[key.text]; known {
		r.fault(key, key.text+" does not act here", hint)
		return
	}
	keys := configKeys(r.world.streams)
	if near := nearest(key.text, keys); near != "" {
		r.fault(key, "no such config: "+key.text, "Did you mean "+near+"?")
		return
	}
	r.fault(key, "no such config here: "+key.text, "One of: "+strings.Join(keys, ", "))
}

func (r *reader) configNumber(n *node, x setting) (int64, bool) {
	if d, err := protocol.ParseDuration(n.text); n.kind == text && err == nil && strings.HasSuffix(x.key, ".ms") {
		r.fault(n, x.key+" is in milliseconds", "Write "+strconv.FormatInt(int64(d), 10))
		return 0, false
	}
	return r.integer(n, x.key+" is a whole number", x.low, x.high)
}

func (r *reader) assignorList(n *node, key string, known []string) []string {
	items, ok := r.names(n, key+" is a list of assignors")
	if !ok {
		return nil
	}
	var out []string
	for _, item := range items {
		name, ok := r.oneOf(item, "assignor", known)
		switch {
		case ok && slices.Contains(out, name):
			r.fault(item, "the assignor "+name+" stands here twice", "")
		case ok:
			out = append(out, name)
		}
	}
	if len(items) == 0 {
		r.fault(n, "the list is empty: Kafka wants at least one assignor", "")
	}
	return out
}
