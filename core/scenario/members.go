package scenario

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"

	"groupscope/core/protocol"
	"groupscope/core/sim"
)

func memberKeys(streams bool) []string {
	if streams {
		return settingKeys(true)
	}
	return append([]string{"subscribe", "regex"}, settingKeys(false)...)
}

// unknownMemberKey reports a key of a member that does not belong there.
func (r *reader) unknownMemberKey(key *node) {
	switch {
	case r.world.streams && key.text == "auto-commit":
		r.fault(key, "auto-commit belongs to consumer groups", "A streams application commits by itself")
	case r.world.streams && slices.Contains(memberKeys(false), key.text):
		r.fault(key, key.text+" belongs to consumer groups", "Members of a streams group read what their topology says")
	case !r.world.streams && slices.Contains(memberKeys(true), key.text):
		r.misplaced(key, key.text, streamsProtocol)
	default:
		r.unknownKey(key, memberKeys(r.world.streams))
	}
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
		r.wanted(n, r.memberShape())
		return
	}
	var given sim.MemberChange
	for _, f := range n.entries {
		setting := r.settingOf(f.key.text)
		switch {
		case f.key.text == "subscribe" && !r.world.streams:
			m.Subscribe = r.subscription(f.value)
		case f.key.text == "regex" && !r.world.streams:
			m.Regex, _ = r.regex(f.value)
		case setting != nil:
			setting.read(r, f.value, &given)
		default:
			r.unknownMemberKey(f.key)
		}
	}
	*m = given.Apply(*m)
	if m.Classic && m.Regex != "" {
		r.fault(e.key, "a pattern of the classic protocol is the client's own to match", "Write subscribe: [foo], or protocol: consumer")
	}
	switch named, byRegex := n.has("subscribe"), n.has("regex"); {
	case r.world.streams:
	case named && byRegex:
		r.fault(e.key, "member "+m.Name+" subscribes to names or by a regex, not both", "")
	case !named && !byRegex:
		r.fault(e.key, "member "+m.Name+" does not say what it subscribes to", "Write subscribe: [foo], or subscribe: [] for nothing")
	}
}

func (r *reader) memberShape() string {
	if r.world.streams {
		return "a member is a mapping, {process: app-1}, or {}"
	}
	return "a member is a mapping, {subscribe: [foo]}"
}

// maxRegex is how long a regex may be.
const maxRegex = 200

// regex reads a pattern of topics. One that is none can be sent by a request
// with other fields, for the coordinator to refuse.
func (r *reader) regex(n *node) (string, bool) {
	s, ok := r.text(n, "a regex is a text, such as orders-.*")
	if ok && len(s) > maxRegex {
		r.fault(n, fmt.Sprintf("%d characters are too long: at most %d", len(s), maxRegex), "")
		return "", false
	}
	var wrong *syntax.Error
	if _, err := regexp.Compile(s); ok && errors.As(err, &wrong) {
		r.fault(n, "not a regex: "+wrong.Code.String()+" in "+quoted(wrong.Expr), "A request can carry it: with: {subscribedTopicRegex: …}")
		return "", false
	}
	return s, ok
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
