package consumergroup

import (
	"maps"
	"slices"

	"groupscope/core/protocol"
)

// Topics is the cluster's metadata: which topics exist now.
type Topics struct {
	byName map[string]protocol.Topic
}

// NewTopics indexes topics by name; where a name stands twice the last one
// counts.
func NewTopics(topics []protocol.Topic) Topics {
	t := Topics{byName: make(map[string]protocol.Topic, len(topics))}
	for _, topic := range topics {
		t.byName[topic.Name] = topic
	}
	return t
}

// Named finds the topic that has the name now.
func (t Topics) Named(name string) (protocol.Topic, bool) {
	topic, ok := t.byName[name]
	return topic, ok
}

// Names lists the topics that exist, sorted.
func (t Topics) Names() []string { return slices.Sorted(maps.Keys(t.byName)) }

// Has reports whether the topic of that id exists. The old id of a topic that
// was made anew does not.
func (t Topics) Has(id protocol.TopicID) bool {
	topic, ok := t.byName[id.Name()]
	return ok && topic.ID == id
}

// Subscription is what a member subscribes to: topics by name, and those
// that its regex matched when it was resolved. Both are sorted.
type Subscription struct{ Names, Matched []string }

// Subscription is the member's with the regexes of the group as they are
// resolved; one that is not resolved yet stands for no topic.
func (g *Group) Subscription(m *Member) Subscription {
	s := Subscription{Names: m.Meta.SubscribedTopicNames}
	if regex := m.Meta.SubscribedTopicRegex; regex != "" {
		s.Matched = g.resolved[regex].Topics
	}
	return s
}

// same reports whether both are the same.
func (s Subscription) same(o Subscription) bool {
	return sameStrings(s.Names, o.Names) && sameStrings(s.Matched, o.Matched)
}

// sameStrings looks at the memory first: members mostly share their lists.
func sameStrings(a, b []string) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0] || slices.Equal(a, b))
}

// Empty reports whether there is no topic in it, known to the cluster or not.
func (s Subscription) Empty() bool { return len(s.Names) == 0 && len(s.Matched) == 0 }

// Has reports whether the topic is in it.
func (s Subscription) Has(name string) bool {
	if _, ok := slices.BinarySearch(s.Names, name); ok {
		return true
	}
	_, ok := slices.BinarySearch(s.Matched, name)
	return ok
}

// HasTopic reports whether the topic of that id exists and is in it.
func (s Subscription) HasTopic(t Topics, id protocol.TopicID) bool {
	return t.Has(id) && s.Has(id.Name())
}

// Restrict leaves of a target what is subscribed to. It returns the target
// itself when that is all of it.
func (s Subscription) Restrict(t Topics, target protocol.Assignment) protocol.Assignment {
	for i, tp := range target {
		if s.HasTopic(t, tp.Topic) {
			continue
		}
		out := slices.Clone(target[:i])
		for _, rest := range target[i+1:] {
			if s.HasTopic(t, rest.Topic) {
				out = append(out, rest)
			}
		}
		return out
	}
	return target
}

// ids lists the ids of the known topics in it, sorted.
func (s Subscription) ids(t Topics) []protocol.TopicID {
	out := make([]protocol.TopicID, 0, len(s.Names)+len(s.Matched))
	for _, names := range [][]string{s.Names, s.Matched} {
		for _, name := range names {
			if topic, ok := t.byName[name]; ok {
				out = append(out, topic.ID)
			}
		}
	}
	slices.Sort(out)
	if len(s.Matched) == 0 {
		return out
	}
	return slices.Compact(out)
}

// Counts are a group's subscriptions by topic, with a request applied: how
// much each stored count changes.
type Counts struct {
	group   *Group
	members int
	byName  map[string]int // members that name a topic
	byRegex map[string]int // resolved regexes that match a topic
	users   map[string]int // members that subscribe to a regex
}

// CountsWith applies a request: before is the member as stored (nil for a
// member the group does not have), after as it will be, nil for removed.
func (g *Group) CountsWith(before, after *Member) Counts {
	c := Counts{group: g, members: len(g.members)}
	c.Replace(before, after)
	return c
}

// Replace applies one more change of a member; see CountsWith.
func (c *Counts) Replace(before, after *Member) {
	c.add(before, -1)
	c.add(after, 1)
	if before == nil {
		return
	}
	// The resolution of a regex goes with the last member that uses it.
	regex := before.Meta.SubscribedTopicRegex
	if regex != "" && c.users[regex] < 0 && c.group.regexUsers[regex]+c.users[regex] == 0 {
		for _, topic := range c.group.resolved[regex].Topics {
			change(&c.byRegex, topic, -1)
		}
	}
}

func (c *Counts) add(m *Member, by int) {
	if m == nil {
		return
	}
	c.members += by
	for _, name := range m.Meta.SubscribedTopicNames {
		change(&c.byName, name, by)
	}
	if regex := m.Meta.SubscribedTopicRegex; regex != "" {
		change(&c.users, regex, by)
	}
}

func change(counts *map[string]int, key string, by int) {
	if *counts == nil {
		*counts = map[string]int{}
	}
	(*counts)[key] += by
}

// Resolve applies a new resolution of a regex.
func (c *Counts) Resolve(regex string, topics []string) {
	for _, topic := range c.group.resolved[regex].Topics {
		change(&c.byRegex, topic, -1)
	}
	for _, topic := range topics {
		change(&c.byRegex, topic, 1)
	}
}

// topics walks the topics somebody subscribes to, in no order; one may come
// more than once.
func (c *Counts) topics(yield func(string) bool) {
	for _, counts := range []map[string]int{c.group.subscribers, c.group.matches, c.byName, c.byRegex} {
		for name := range counts {
			if c.named(name)+c.matched(name) > 0 && !yield(name) {
				return
			}
		}
	}
}

// names lists the topics somebody subscribes to, sorted.
func (c *Counts) names() []string {
	out := make([]string, 0, len(c.group.subscribers)+len(c.group.matches)+len(c.byName)+len(c.byRegex))
	for name := range c.topics {
		out = append(out, name)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func (c *Counts) named(topic string) int   { return c.group.subscribers[topic] + c.byName[topic] }
func (c *Counts) matched(topic string) int { return c.group.matches[topic] + c.byRegex[topic] }

// Regexes lists the regexes that somebody subscribes to, sorted.
func (c *Counts) Regexes() []string {
	out := make([]string, 0, len(c.group.regexUsers)+len(c.users))
	for _, counts := range []map[string]int{c.group.regexUsers, c.users} {
		for regex := range counts {
			if c.group.regexUsers[regex]+c.users[regex] > 0 {
				out = append(out, regex)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Unused lists the regexes that lose their last member by the request,
// sorted.
func (c *Counts) Unused() []string {
	var out []string
	for regex, change := range c.users {
		if change < 0 && c.group.regexUsers[regex]+change == 0 {
			out = append(out, regex)
		}
	}
	slices.Sort(out)
	return out
}

// Homogeneous reports whether all members subscribe to the same topics, as
// the broker tells it: everybody to the same names, or everybody to the same
// one regex and to no name.
func (c *Counts) Homogeneous() bool {
	regexes := c.Regexes()
	wanted, unwanted := c.named, c.matched
	count := c.members
	if len(regexes) > 0 {
		if len(regexes) > 1 || c.group.regexUsers[regexes[0]]+c.users[regexes[0]] != c.members {
			return false
		}
		wanted, unwanted, count = c.matched, c.named, 1
	}
	for name := range c.topics {
		if wanted(name) != count || len(regexes) > 0 && unwanted(name) != 0 {
			return false
		}
	}
	return true
}
