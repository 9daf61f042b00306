package scenario

import (
	"fmt"

	"groupscope/core/coordinator"
	"groupscope/core/rules"
)

// bounds holds the settings to what a broker checks when it starts. What the
// file does not set has its default, which may depend on the rule set.
type bounds struct {
	*reader
	settings
	config *node
	rules  rules.Rules
}

// checkBounds checks the settings under each rule set of the file, up to the
// first under which a broker would not start.
func (r *reader) checkBounds(config *node, s settings, ruleSets []string) {
	r.checkGroupBounds(config, s)
	before := len(r.diagnostics)
	for _, name := range ruleSets {
		set, known := rules.ByName(name)
		if known && len(r.diagnostics) == before {
			b := &bounds{r, s, config, set}
			b.check()
		}
	}
}

func (b *bounds) check() {
	prefix := b.world.prefix()
	for _, what := range []string{"session.timeout", "heartbeat.interval", "assignment.interval"} {
		key := prefix + what + ".ms"
		low, high := prefix+"min."+what+".ms", prefix+"max."+what+".ms"
		switch {
		case b.now(low) > b.now(high):
			b.disorder(low, "above", high)
		case b.now(key) < b.now(low):
			b.disorder(key, "below", low)
		case b.now(key) > b.now(high):
			b.disorder(key, "above", high)
		}
	}
	for _, what := range []string{"standby.replicas", "warmup.replicas"} {
		key, high := streamsPrefix+"num."+what, streamsPrefix+"max."+what
		if b.now(key) > b.now(high) {
			b.disorder(key, "above", high)
		}
	}
	heartbeat, session := prefix+"heartbeat.interval.ms", prefix+"session.timeout.ms"
	if b.now(heartbeat) < b.now(session) || b.unreadable(heartbeat) || b.unreadable(session) {
		return
	}
	at := b.config.get(heartbeat)
	if at == nil {
		at = b.config.get(session)
	}
	b.fault(at, fmt.Sprintf("the heartbeat interval (%d) must be shorter than the session timeout (%d)", b.now(heartbeat), b.now(session)), "")
}

// now is the value in force.
func (b *bounds) now(key string) int64 {
	if _, set := b.numbers[key]; set {
		return b.value(key)
	}
	standard := coordinator.DefaultConfig(b.rules)
	switch key {
	case assignmentIntervalKey:
		return int64(standard.AssignmentInterval)
	case streamsIntervalKey:
		return int64(standard.Streams.AssignmentInterval)
	}
	return b.value(key)
}

// unreadable: what the file sets has been reported, and is not known.
func (b *bounds) unreadable(key string) bool {
	_, set := b.numbers[key]
	return b.config.has(key) && !set
}

// disorder reports that a setting is on the wrong side of another one, at
// whichever of them the file sets.
func (b *bounds) disorder(key, side, other string) {
	if b.unreadable(key) || b.unreadable(other) {
		return
	}
	if !b.config.has(key) {
		key, other = other, key
		side = map[string]string{"below": "above", "above": "below"}[side]
	}
	standard := ""
	if !b.config.has(other) {
		standard = " by default"
	}
	b.fault(b.config.get(key), fmt.Sprintf("%d is %s %s, which is %d%s", b.now(key), side, other, b.now(other), standard),
		"Kafka would not start; set that one too")
}
