package scenario

import (
	"fmt"
	"math"
	"slices"

	"groupscope/core/protocol"
	"groupscope/core/sim"
)

var memberKeys = []string{"subscribe", "instance", "rack", "assignor", "rebalance-timeout", "latency", "revoke-time", "assign-time"}

// notYet are keys of members that later versions will read.
var notYet = map[string]string{
	"regex":    "Subscriptions by pattern cannot be shown yet: write subscribe",
	"process":  "It belongs to streams groups, which cannot be shown yet",
	"endpoint": "It belongs to streams groups, which cannot be shown yet",
	"tags":     "It belongs to streams groups, which cannot be shown yet",
}

// members reads the members in the order of the file.
func (r *reader) members(n *node) []sim.MemberSetup {
	if n.kind != mapping {
		r.wanted(n, "members are a mapping from names, {A: {subscribe: [foo]}}")
		return nil
	}
	if len(n.entries) > MaxMembers {
		r.fault(n, fmt.Sprintf("%s members: the limit is %s", grouped(len(n.entries)), grouped(MaxMembers)), "")
		return nil
	}
	out := make([]sim.MemberSetup, 0, len(n.entries))
	for _, e := range n.entries {
		name, ok := r.memberName(e.key)
		if !ok {
			continue
		}
		r.world.members = append(r.world.members, name)
		m := sim.MemberSetup{Name: name}
		r.memberFields(e, &m)
		out = append(out, m)
	}
	return out
}

// memberName reads the name of a member: it begins with a letter, so that
// records can be written as 5A.
func (r *reader) memberName(n *node) (string, bool) {
	name, ok := r.name(n, "the name of a member belongs here")
	if !ok {
		return "", false
	}
	if n.kind == truth || name[0] >= '0' && name[0] <= '9' || name == "absent" {
		r.fault(n, "not the name of a member: "+name, "It begins with a letter, and is not true, false or absent")
		return "", false
	}
	return name, true
}

func (r *reader) memberFields(e entry, m *sim.MemberSetup) {
	n := e.value
	if n.kind != mapping {
		r.wanted(n, "a member is a mapping, {subscribe: [foo]}")
		return
	}
	for _, f := range n.entries {
		v := f.value
		switch f.key.text {
		case "subscribe":
			m.Subscribe = r.subscription(v)
		case "instance":
			m.InstanceID, _ = r.name(v, "an instance id is a name")
		case "rack":
			m.RackID, _ = r.name(v, "a rack is a name")
		case "assignor":
			m.Assignor, _ = r.oneOf(v, "assignor", Assignors)
		case "rebalance-timeout":
			if d, ok := r.duration(v); ok && (d < 1 || d > math.MaxInt32) {
				r.fault(v, "out of range: a rebalance timeout is from 1ms to 24 days", "")
			} else {
				m.RebalanceTimeout = d
			}
		case "latency":
			if low, high, ok := r.span(v); ok {
				m.Latency = &sim.Range{Min: low, Max: high}
			}
		case "revoke-time":
			m.RevokeTime, _ = r.duration(v)
		case "assign-time":
			m.AssignTime, _ = r.duration(v)
		default:
			if hint, known := notYet[f.key.text]; known {
				r.fault(f.key, "not yet: "+f.key.text, hint)
				continue
			}
			r.unknownKey(f.key, memberKeys)
		}
	}
	if !n.has("subscribe") {
		r.fault(e.key, "member "+m.Name+" does not say what it subscribes to", "Write subscribe: [foo], or subscribe: [] for nothing")
	}
}

// subscription reads topics to subscribe to, each of which the file creates
// at some time.
func (r *reader) subscription(n *node) []string {
	items, ok := r.names(n, "a subscription is a list of topics, [foo]")
	if !ok {
		return nil
	}
	out := make([]string, 0, len(items))
	for _, item := range items {
		name, ok := r.topicName(item)
		switch {
		case !ok:
		case protocol.TopicID(name).Name() != name:
			r.fault(item, "a subscription is to a name: leave #… out", "")
		case !r.world.loose && !slices.Contains(r.world.ever, name):
			r.fault(item, "no topic "+name, theFileHas(name, r.world.ever, "topics")+". For one that does not exist write "+name+": 0 under topics")
		}
		out = append(out, name)
	}
	return out
}
