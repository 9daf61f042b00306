package scenario

import (
	"math"
	"slices"
	"strings"

	"groupscope/core/sim"
)

// requestField reads one field of a heartbeat request, under the protocol's
// name. optional fields may be null, which makes them absent.
type requestField struct {
	name     string
	optional bool
	read     func(r *reader, n *node) (any, bool)
}

var requestFields = []requestField{
	{"memberId", false, readString},
	{"memberEpoch", false, readInt32},
	{"instanceId", true, readString},
	{"rackId", true, readString},
	{"rebalanceTimeoutMs", true, readInt32},
	{"subscribedTopicNames", true, readStrings},
	{"subscribedTopicRegex", true, readString},
	{"serverAssignor", true, readString},
	{"topicPartitions", true, func(r *reader, n *node) (any, bool) { return r.partitions(n) }},
}

func readInt32(r *reader, n *node) (any, bool) {
	v, ok := r.integer(n, "a whole number belongs here", math.MinInt32, math.MaxInt32)
	return int32(v), ok
}

// readString reads a text, which may be empty: brokers have rules for that too.
func readString(r *reader, n *node) (any, bool) {
	if n.kind == text {
		return n.text, true
	}
	return r.text(n, "a text belongs here")
}

func readStrings(r *reader, n *node) (any, bool) {
	items, ok := r.names(n, "a list of topics belongs here")
	out := make([]string, len(items))
	for i, item := range items {
		out[i] = item.text
	}
	return out, ok
}

// overrides reads what "with" replaces in the request, in the order of the
// file.
func (r *reader) overrides(n *node) []sim.Override {
	if n.kind != mapping {
		r.wanted(n, "with is a mapping from fields of the request, {memberEpoch: 1}")
		return nil
	}
	fields := r.requestFields()
	var names []string
	for _, f := range fields {
		names = append(names, f.name)
	}
	var out []sim.Override
	for _, e := range n.entries {
		i := slices.IndexFunc(fields, func(f requestField) bool { return f.name == e.key.text })
		if i < 0 {
			r.unknownField(e.key, names)
			continue
		}
		field := fields[i]
		if e.value.kind == nothing && !e.value.blank {
			if !field.optional {
				r.fault(e.value, "every request has "+field.name+", so it cannot be null", "")
				continue
			}
			out = append(out, sim.Override{Field: field.name})
			continue
		}
		if v, ok := field.read(r, e.value); ok {
			out = append(out, sim.Override{Field: field.name, Value: v})
		}
	}
	return out
}

func (r *reader) unknownField(key *node, names []string) {
	switch near := nearest(key.text, names); {
	case near != "":
		r.fault(key, "no such field: "+key.text, "Did you mean "+near+"?")
	default:
		r.fault(key, "no such field in a heartbeat: "+key.text, "One of: "+strings.Join(names, ", "))
	}
}
