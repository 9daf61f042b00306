package scenario

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"groupscope/core/protocol"
)

// topicName checks Kafka's rules for the name of a topic. A "#2" behind it
// means the second topic of that name.
func (r *reader) topicName(n *node) (string, bool) {
	s, ok := r.text(n, "the name of a topic belongs here")
	if !ok {
		return "", false
	}
	name, again, repeated := strings.Cut(s, "#")
	fine := name != "" && len(name) <= 249 && name != "." && name != ".."
	for _, c := range name {
		fine = fine && (c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune("._-", c))
	}
	if repeated {
		v, err := strconv.Atoi(again)
		fine = fine && err == nil && v > 1
	}
	if !fine {
		r.fault(n, "not the name of a topic: "+quoted(s), "Letters, digits, . _ and -")
	}
	return s, fine
}

// surveyTopics notes every topic that the file ever names: members may
// subscribe to one that a later step creates.
func (r *reader) surveyTopics(root *node) {
	found := []*node{root.get("topics")}
	if steps := root.get("steps"); steps != nil {
		for _, step := range steps.items {
			found = append(found, step.get("topics"))
		}
	}
	for _, n := range found {
		if n == nil {
			continue
		}
		for _, e := range n.entries {
			if !slices.Contains(r.world.ever, e.key.text) {
				r.world.ever = append(r.world.ever, e.key.text)
			}
		}
	}
}

// topics reads {foo: 3, bar: {partitions: 3, racks: […]}}, in the
// order of the file, and the names of those that are hidden, sorted.
func (r *reader) topics(n *node) (out []protocol.Topic, hidden []string) {
	if n.kind != mapping {
		r.wanted(n, "topics are a mapping from names to numbers of partitions, {foo: 3}")
		return nil, nil
	}
	if len(n.entries) > MaxTopics {
		r.fault(n, fmt.Sprintf("%s topics: the limit is %s", grouped(len(n.entries)), grouped(MaxTopics)), "")
		return nil, nil
	}
	for _, e := range n.entries {
		name, ok := r.topicName(e.key)
		if strings.Contains(name, "#") {
			r.fault(e.key, "a topic that is created again has the same name: leave #… out", "")
		}
		topic := protocol.Topic{ID: protocol.TopicID(name), Name: name}
		before := len(r.diagnostics)
		r.topicSize(e.value, &topic)
		if ok {
			out = append(out, topic)
		}
		if v := e.value.get("hidden"); v != nil {
			if is, fine := r.truth(v, "hidden is true or false"); fine && is {
				hidden = append(hidden, name)
			}
		}
		if len(r.diagnostics) > before {
			r.world.noteTopic(name, math.MaxInt32) // one mistake is enough
			continue
		}
		r.world.noteTopic(name, topic.Partitions)
		if passed := r.world.growth(name, topic.Partitions); passed != "" {
			r.fault(e.value, passed, "Topics that were deleted count")
		}
	}
	slices.Sort(hidden)
	return out, hidden
}

var topicKeys = []string{"partitions", "racks", "hidden"}

func (r *reader) topicSize(n *node, topic *protocol.Topic) {
	const what = "a topic is a number of partitions, or {partitions: 3, racks: [r1, r2]}"
	count := n
	if n.kind == mapping {
		r.mapping(n, what, topicKeys)
		if count = n.get("partitions"); count == nil {
			r.fault(n, "the key partitions is missing", "")
			return
		}
	}
	if count.kind != number {
		r.wanted(count, what)
		return
	}
	v, err := strconv.ParseInt(count.text, 10, 64)
	switch {
	case err != nil || v < 0:
		r.wanted(count, "a number of partitions is a whole number")
		return
	case v > MaxPartitions:
		r.fault(count, fmt.Sprintf("%s partitions: the limit is %s for all topics together", grouped(int(v)), grouped(MaxPartitions)), "")
		return
	}
	topic.Partitions = int32(v)
	if racks := n.get("racks"); racks != nil {
		topic.Racks = r.racks(racks, int(v))
	}
}

// racks reads the racks of a topic's replicas: a list with an item a
// partition, each a rack or a list of racks; a list shorter than the topic is
// repeated.
func (r *reader) racks(n *node, partitions int) [][]string {
	if n.kind != list || len(n.items) == 0 || len(n.items) > max(partitions, 1) {
		r.wanted(n, "racks are a list with an item for each partition, repeated when it is shorter")
		return nil
	}
	given := make([][]string, len(n.items))
	for i, item := range n.items {
		names, ok := r.names(item, "the racks of a partition are a name or a list of names")
		if !ok {
			return nil
		}
		for _, name := range names {
			given[i] = append(given[i], name.text)
		}
	}
	out := make([][]string, partitions)
	for i := range out {
		out[i] = given[i%len(given)]
	}
	return out
}

// partitions reads a set of partitions: [foo-0, foo-1] or {foo: [0, 1]}.
func (r *reader) partitions(n *node) (protocol.Assignment, bool) {
	const what = "partitions are a list of names, [foo-0, foo-1], or a mapping, {foo: [0, 1]}"
	var found []protocol.Partition
	before := len(r.diagnostics)
	switch n.kind {
	case list:
		for _, item := range n.items {
			if p, ok := r.partition(item); ok {
				found = append(found, p)
			}
		}
	case mapping:
		for _, e := range n.entries {
			topic, _ := r.topic(e.key)
			numbers := e.value.items
			if e.value.kind == number {
				numbers = []*node{e.value}
			} else if e.value.kind != list {
				r.wanted(e.value, "the numbers of the topic's partitions belong here, [0, 1]")
			}
			for _, item := range numbers {
				if v, ok := r.integer(item, "a partition's number belongs here", 0, MaxPartitions-1); ok {
					found = append(found, r.inTopic(item, protocol.Partition{Topic: protocol.TopicID(topic), Number: int32(v)}))
				}
			}
		}
	default:
		r.wanted(n, what)
	}
	if len(r.diagnostics) > before || n.kind == refused {
		return nil, false
	}
	set := protocol.NewAssignment(found)
	if set.Len() < len(found) {
		r.fault(n, "a partition stands here twice", "")
		return nil, false
	}
	return set, true
}

// partition reads the name of one partition, "foo-2".
func (r *reader) partition(n *node) (protocol.Partition, bool) {
	const what = "a partition is a topic, a dash and a number, such as foo-2"
	s, ok := r.text(n, what)
	if !ok {
		return protocol.Partition{}, false
	}
	dash := strings.LastIndexByte(s, '-')
	v, err := strconv.ParseInt(s[dash+1:], 10, 32)
	if dash <= 0 || err != nil || v < 0 || v >= MaxPartitions {
		r.wanted(n, what)
		return protocol.Partition{}, false
	}
	at := n.at
	at.length = min(at.length, dash)
	topic, ok := r.topic(&node{kind: text, at: at, text: s[:dash]})
	if !ok {
		return protocol.Partition{}, false
	}
	return r.inTopic(n, protocol.Partition{Topic: protocol.TopicID(topic), Number: int32(v)}), true
}

// inTopic reports a partition that its topic never has.
func (r *reader) inTopic(n *node, p protocol.Partition) protocol.Partition {
	most, known := r.world.most[p.Topic.Name()]
	if known && p.Number >= most {
		hint := fmt.Sprintf("%s has partitions 0 to %d", p.Topic.Name(), most-1)
		if most == 0 {
			hint = p.Topic.Name() + " has no partitions"
		}
		r.fault(n, "no partition "+p.String(), hint)
	}
	return p
}
