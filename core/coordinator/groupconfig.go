package coordinator

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"groupscope/core/protocol"
)

// groupConfig is the dynamic config of one group: what replaces the broker's.
type groupConfig struct {
	numbers map[string]int64
	words   map[string]string
}

// The dynamic configs that are numbers, and the least that each may be.
var groupNumbers = map[string]int64{
	"consumer.session.timeout.ms":     1,
	"consumer.heartbeat.interval.ms":  1,
	"consumer.assignment.interval.ms": 0,

	"streams.session.timeout.ms":         1,
	"streams.heartbeat.interval.ms":      1,
	"streams.assignment.interval.ms":     0,
	"streams.num.standby.replicas":       0,
	"streams.num.warmup.replicas":        0,
	"streams.acceptable.recovery.lag":    0,
	"streams.initial.rebalance.delay.ms": 0,
	"streams.task.offset.interval.ms":    1,
}

// The dynamic configs that are words.
var groupWords = []string{
	"consumer.assignor.offload.enable", // Kafka reads it nowhere
	"streams.assignor.name",
	"streams.assignor.offload.enable",
	"streams.rack.aware.assignment.tags",
}

// SetGroupConfig replaces the dynamic config of a group, whether the group
// exists or not; a config that is not named falls back to the broker's. The
// names are Kafka's, for instance consumer.session.timeout.ms. An error
// names the first bad entry and leaves the config as it was. Timers that run
// keep their deadlines.
func (c *Coordinator) SetGroupConfig(_ protocol.Instant, id string, config map[string]string) error {
	next := groupConfig{numbers: map[string]int64{}, words: map[string]string{}}
	for _, key := range slices.Sorted(maps.Keys(config)) {
		value := config[key]
		least, isNumber := groupNumbers[key]
		switch {
		case isNumber:
			n, err := strconv.ParseInt(value, 10, 32)
			if err != nil || n < least {
				return fmt.Errorf("coordinator: %s is %q; it must be a whole number of at least %d", key, value, least)
			}
			next.numbers[key] = n
		case slices.Contains(groupWords, key):
			next.words[key] = value
		default:
			known := slices.Sorted(maps.Keys(groupNumbers))
			return fmt.Errorf("coordinator: a group has no config %s; it has %s", key, strings.Join(append(known, groupWords...), ", "))
		}
	}
	configs := maps.Clone(c.configs)
	if configs == nil {
		configs = map[string]groupConfig{}
	}
	configs[id] = next
	c.configs = configs
	return nil
}

// groupNumber is a config of the group, or else the broker's.
func (c *Coordinator) groupNumber(group, key string, broker int64) int64 {
	if len(c.configs) == 0 {
		return broker
	}
	if n, ok := c.configs[group].numbers[key]; ok {
		return n
	}
	return broker
}

// groupDuration is groupNumber for a length of time.
func (c *Coordinator) groupDuration(group, key string, broker protocol.Duration) protocol.Duration {
	return protocol.Duration(c.groupNumber(group, key, int64(broker)))
}

// groupWord is a config of the group that is a word; false when it has none.
func (c *Coordinator) groupWord(group, key string) (string, bool) {
	if len(c.configs) == 0 {
		return "", false
	}
	word, ok := c.configs[group].words[key]
	return word, ok
}
