package conformance

import (
	"strconv"
	"strings"

	"groupscope/core/coordinator"
	"groupscope/core/protocol"
	"groupscope/core/rules"
)

// What traces are recorded with when they do not say.
const (
	defaultGroup = "group"
	defaultStart = 1_000_000
)

// config is a trace's configuration: the broker's, and the recorder's own.
type config struct {
	group       string // of requests that name none
	broker      coordinator.Config
	groupConfig map[string]string // of that group
	manual      bool              // background tasks run only when a step says so
	compact     bool              // snapshots are deltas
}

// number is a broker config that is a number.
type number struct {
	least int64
	set   func(*coordinator.Config, int64)
}

func duration(field func(*coordinator.Config) *protocol.Duration) number {
	return number{0, func(c *coordinator.Config, n int64) { *field(c) = protocol.Duration(n) }}
}

func size(least int64, field func(*coordinator.Config) *int) number {
	return number{least, func(c *coordinator.Config, n int64) { *field(c) = int(n) }}
}

// numbers are the broker configs that a trace can set, by Kafka's names.
var numbers = map[string]number{
	"group.consumer.session.timeout.ms":        duration(func(c *coordinator.Config) *protocol.Duration { return &c.SessionTimeout }),
	"group.consumer.heartbeat.interval.ms":     duration(func(c *coordinator.Config) *protocol.Duration { return &c.HeartbeatInterval }),
	"group.consumer.assignment.interval.ms":    duration(func(c *coordinator.Config) *protocol.Duration { return &c.AssignmentInterval }),
	"group.consumer.max.size":                  size(1, func(c *coordinator.Config) *int { return &c.MaxSize }),
	"group.consumer.regex.refresh.interval.ms": duration(func(c *coordinator.Config) *protocol.Duration { return &c.RegexRefreshInterval }),
	"group.streams.session.timeout.ms":         duration(func(c *coordinator.Config) *protocol.Duration { return &c.Streams.SessionTimeout }),
	"group.streams.heartbeat.interval.ms":      duration(func(c *coordinator.Config) *protocol.Duration { return &c.Streams.HeartbeatInterval }),
	"group.streams.assignment.interval.ms":     duration(func(c *coordinator.Config) *protocol.Duration { return &c.Streams.AssignmentInterval }),
	"group.streams.initial.rebalance.delay.ms": duration(func(c *coordinator.Config) *protocol.Duration { return &c.Streams.InitialRebalanceDelay }),
	"group.streams.task.offset.interval.ms":    duration(func(c *coordinator.Config) *protocol.Duration { return &c.Streams.TaskOffsetInterval }),
	"group.streams.max.size":                   size(1, func(c *coordinator.Config) *int { return &c.Streams.MaxSize }),
	"group.streams.num.standby.replicas":       size(0, func(c *coordinator.Config) *int { return &c.Streams.StandbyReplicas }),
	"group.streams.num.warmup.replicas":        size(0, func(c *coordinator.Config) *int { return &c.Streams.WarmupReplicas }),
	// These bound what a dynamic config may say; those of a trace were taken.
	"group.consumer.min.heartbeat.interval.ms": {1, func(*coordinator.Config, int64) {}},
	"group.consumer.max.heartbeat.interval.ms": {1, func(*coordinator.Config, int64) {}},
	"group.streams.acceptable.recovery.lag":    {0, func(c *coordinator.Config, n int64) { c.Streams.AcceptableRecoveryLag = n }},
}

// words are those that are texts.
var words = map[string]func(*coordinator.Config, string){
	"group.consumer.assignors":        func(c *coordinator.Config, s string) { c.Assignors = commaList(s) },
	"group.consumer.migration.policy": func(c *coordinator.Config, s string) { c.MigrationPolicy = s },
	"group.streams.assignors":         func(c *coordinator.Config, s string) { c.Streams.Assignors = commaList(s) },
	"group.streams.rack.aware.assignment.tags": func(c *coordinator.Config, s string) {
		c.Streams.RackAwareTags = commaList(s)
	},
}

// commaList reads a comma list; "" is an empty one.
func commaList(s string) []string {
	var out []string
	for _, part := range strings.Split(s, ",") {
		if part = strings.TrimSpace(part); part != "" {
			out = append(out, part)
		}
	}
	return out
}

// settings are a trace's own names of numbers, what each stands for, and the
// value that traces are recorded with: intervals and delays that would come
// between a cause and its effect are 0.
var settings = []struct {
	name   string
	absent int64
	sets   []string
}{
	{"sessionTimeoutMs", 45_000, []string{"group.consumer.session.timeout.ms", "group.streams.session.timeout.ms"}},
	{"heartbeatIntervalMs", 5_000, []string{"group.consumer.heartbeat.interval.ms", "group.streams.heartbeat.interval.ms"}},
	{"groupMaxSize", 1<<31 - 1, []string{"group.consumer.max.size", "group.streams.max.size"}},
	{"assignmentIntervalMs", 0, []string{"group.consumer.assignment.interval.ms", "group.streams.assignment.interval.ms"}},
	{"initialRebalanceDelayMs", 0, []string{"group.streams.initial.rebalance.delay.ms"}},
	{"numStandbyReplicas", 0, []string{"group.streams.num.standby.replicas"}},
	{"numWarmupReplicas", 2, []string{"group.streams.num.warmup.replicas"}},
	{"acceptableRecoveryLag", 10_000, []string{"group.streams.acceptable.recovery.lag"}},
	{"taskOffsetIntervalMs", 60_000, []string{"group.streams.task.offset.interval.ms"}},
	{"regexRefreshIntervalMs", 600_000, []string{"group.consumer.regex.refresh.interval.ms"}},
}

// readConfig reads a trace's config; nil is all defaults.
func readConfig(r *reader, v any) config {
	if v == nil {
		v = map[string]any{}
	}
	f := r.object("config", v)
	c := config{group: defaultGroup, broker: coordinator.DefaultConfig(rules.Kafka()), compact: f.flag("compact")}
	if f.has("groupId") {
		c.group = f.text("groupId")
	}
	for _, s := range settings {
		n := f.int64(s.name, s.absent)
		for _, name := range s.sets {
			setNumber(f, s.name, name, &c.broker, n)
		}
	}
	c.broker.Assignors, c.broker.Streams.Assignors = []string{"uniform", "range"}, []string{"sticky"}
	if f.has("assignors") {
		c.broker.Assignors = f.texts("assignors")
	}
	if f.has("streamsAssignors") {
		c.broker.Streams.Assignors = f.texts("streamsAssignors")
	}
	c.broker.Streams.RackAwareTags = commaList(f.text("rackAwareAssignmentTags"))
	c.broker.MigrationPolicy = f.choice("migrationPolicy", "bidirectional", "upgrade", "downgrade", "disabled")
	c.manual = f.choice("executor", "auto", "manual") == "manual"
	c.groupConfig = f.textMap("groupConfig")
	c.overrides(f)
	f.int64("startTimeMs", 0) // stands at the trace's own as well
	f.done()
	return c
}

func setNumber(f *fields, field, name string, c *coordinator.Config, n int64) {
	if n < numbers[name].least || n > 1<<31-1 {
		f.wanted(field, "a number from "+strconv.FormatInt(numbers[name].least, 10)+" to 2147483647")
		return
	}
	numbers[name].set(c, n)
}

// overrides reads raw broker configs.
func (c *config) overrides(f *fields) {
	raw := f.textMap("kafka")
	for name, value := range raw {
		n, err := strconv.ParseInt(value, 10, 64)
		switch set, ok := words[name]; {
		case ok:
			set(&c.broker, value)
		case numbers[name].set == nil:
			f.r.fault(f.at("kafka"), "unknown broker config %s", name)
		case err != nil:
			f.r.fault(f.at("kafka"), "%s: want a whole number, got %q", name, value)
		default:
			setNumber(f, "kafka", name, &c.broker, n)
		}
	}
}
