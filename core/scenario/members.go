package scenario

import (
	"fmt"
	"slices"

	"groupscope/core/protocol"
	"groupscope/core/sim"
)

func memberKeys() []string { return append([]string{"subscribe"}, settingKeys()...) }

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
	var given sim.MemberChange
	for _, f := range n.entries {
		setting := settingOf(f.key.text)
		switch hint, later := notYet[f.key.text]; {
		case f.key.text == "subscribe":
			m.Subscribe = r.subscription(f.value)
		case setting != nil:
			setting.read(r, f.value, &given)
		case later:
			r.fault(f.key, "not yet: "+f.key.text, hint)
		default:
			r.unknownKey(f.key, memberKeys())
		}
	}
	*m = given.Apply(*m)
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
