package consumergroup

import (
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

// Subscribes reports whether the topic of that id exists and the member
// subscribes to it. The old id of a topic that was made anew does not exist.
func (t Topics) Subscribes(m *Member, id protocol.TopicID) bool {
	topic, ok := t.byName[id.Name()]
	return ok && topic.ID == id && m.SubscribesTo(topic.Name)
}

// Restrict leaves of a target what the member subscribes to. It returns the
// target itself when that is all of it.
func (t Topics) Restrict(m *Member, target protocol.Assignment) protocol.Assignment {
	keep := func(tp protocol.TopicPartitions) bool { return t.Subscribes(m, tp.Topic) }
	for i, tp := range target {
		if keep(tp) {
			continue
		}
		out := slices.Clone(target[:i])
		for _, rest := range target[i+1:] {
			if keep(rest) {
				out = append(out, rest)
			}
		}
		return out
	}
	return target
}

// subscribed lists the ids of the known topics among names, sorted.
func (t Topics) subscribed(names []string) []protocol.TopicID {
	out := make([]protocol.TopicID, 0, len(names))
	for _, name := range names {
		if topic, ok := t.byName[name]; ok {
			out = append(out, topic.ID)
		}
	}
	slices.Sort(out)
	return out
}

// Counts are a group's subscriptions by topic, with one request applied.
type Counts struct {
	members int
	changed map[string]int // by how much the stored count changes
	group   *Group
}

// CountsWith applies a request: before is the member as stored (nil for a
// member the group does not have), after as it will be, nil for removed.
func (g *Group) CountsWith(before, after *Member) Counts {
	c := Counts{members: len(g.members), group: g}
	if before != nil {
		c.members--
		c.add(before, -1)
	}
	if after != nil {
		c.members++
		c.add(after, 1)
	}
	return c
}

func (c *Counts) add(m *Member, by int) {
	if c.changed == nil {
		c.changed = make(map[string]int, len(m.Meta.SubscribedTopicNames))
	}
	for _, name := range m.Meta.SubscribedTopicNames {
		c.changed[name] += by
	}
}

// names lists the topics somebody subscribes to, sorted.
func (c *Counts) names() []string {
	out := make([]string, 0, len(c.group.subscribers)+len(c.changed))
	for name, n := range c.group.subscribers {
		if n+c.changed[name] > 0 {
			out = append(out, name)
		}
	}
	for name, n := range c.changed {
		if n > 0 && c.group.subscribers[name] == 0 {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

// Homogeneous reports whether all members subscribe to the same topics.
func (c *Counts) Homogeneous() bool {
	for _, name := range c.names() {
		if c.group.subscribers[name]+c.changed[name] != c.members {
			return false
		}
	}
	return true
}

func homogeneous(subscribers map[string]int, members int) bool {
	for _, n := range subscribers {
		if n != members {
			return false
		}
	}
	return true
}
