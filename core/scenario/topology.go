package scenario

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"groupscope/core/protocol"
)

var (
	topologyKeys    = []string{"epoch", "subtopologies"}
	subtopologyKeys = []string{"source", "changelog", "repartition-source", "repartition-sink", "copartition"}
)

// MaxSubtopologies is how many parts a topology may have.
const MaxSubtopologies = 100

const topologyShape = "a topology is {epoch: 0, subtopologies: {0: {source: [in]}}}"

// topologies reads the topologies that members may be given by name.
func (r *reader) topologies(n *node) {
	if n.kind != mapping {
		r.wanted(n, "topologies are a mapping from names, {v2: {epoch: 1, subtopologies: {…}}}")
		return
	}
	for _, e := range n.entries {
		name, ok := r.name(e.key, "the name of a topology belongs here")
		if t := r.topology(e.value); ok && t != nil {
			r.world.topologies[name] = t
		}
	}
}

// topologyOrName reads a topology, or the name of one of the file's.
func (r *reader) topologyOrName(n *node) *protocol.Topology {
	if !n.scalar() {
		return r.topology(n)
	}
	name, ok := r.name(n, "the name of a topology belongs here")
	t := r.world.topologies[name]
	if ok && t == nil {
		var known []string
		for name := range r.world.topologies {
			known = append(known, name)
		}
		slices.Sort(known)
		hint := "Give it under topologies"
		if len(known) > 0 {
			hint = theFileHas(name, known, "topologies")
		}
		r.fault(n, "no topology "+name, hint)
	}
	return t
}

// topology reads what an application consists of; nil when it cannot.
func (r *reader) topology(n *node) *protocol.Topology {
	before := len(r.diagnostics)
	if !r.mapping(n, topologyShape, topologyKeys) {
		return nil
	}
	out := &protocol.Topology{}
	if v := n.get("epoch"); v != nil {
		epoch, _ := r.integer(v, "a topology's epoch is a whole number", 0, math.MaxInt32)
		out.Epoch = int32(epoch)
	}
	parts := n.get("subtopologies")
	switch {
	case parts == nil:
		r.fault(n, "the key subtopologies is missing", topologyShape)
	case parts.kind != mapping || len(parts.entries) == 0:
		r.wanted(parts, "subtopologies are a mapping from their ids, {0: {source: [in]}}")
	case len(parts.entries) > MaxSubtopologies:
		r.fault(parts, fmt.Sprintf("%d subtopologies: the limit is %d", len(parts.entries), MaxSubtopologies), "")
	default:
		for _, e := range parts.entries {
			out.Subtopologies = append(out.Subtopologies, r.subtopology(e))
		}
		r.topicsOnce(parts)
	}
	if len(r.diagnostics) > before {
		return nil
	}
	slices.SortFunc(out.Subtopologies, func(a, b protocol.Subtopology) int { return strings.Compare(a.ID, b.ID) })
	return out
}

// subtopology reads one part. Its lists are sorted, as a client sorts them.
func (r *reader) subtopology(e entry) protocol.Subtopology {
	id, ok := r.name(e.key, "the id of a subtopology belongs here")
	if ok && strings.Contains(id, "_") {
		r.fault(e.key, "no id with a _ in it: tasks are named 0_2", "")
	}
	out := protocol.Subtopology{ID: id}
	defer func() { r.world.noteSubtopology(&out) }()
	n := e.value
	if !r.mapping(n, "a subtopology is {source: [in], changelog: [counts]}", subtopologyKeys) {
		return out
	}
	if v := n.get("source"); v != nil {
		out.SourceTopics = r.subscription(v)
		slices.Sort(out.SourceTopics)
	}
	if v := n.get("changelog"); v != nil {
		out.StateChangelogTopics = r.internalTopics(v)
	}
	if v := n.get("repartition-source"); v != nil {
		out.RepartitionSourceTopics = r.internalTopics(v)
	}
	if v := n.get("repartition-sink"); v != nil {
		if v.kind == mapping && len(v.entries) > 0 {
			r.fault(v.entries[0].value, "a repartition-sink is a name and has no size",
				"Say how many partitions where the topic is read: repartition-source; here write repartition-sink: ["+v.entries[0].key.text+"]")
		}
		for _, t := range r.internalTopics(v) {
			out.RepartitionSinkTopics = append(out.RepartitionSinkTopics, t.Name)
		}
	}
	if len(out.SourceTopics)+len(out.RepartitionSourceTopics) == 0 {
		r.fault(e.key, "subtopology "+id+" reads nothing", "Give it source or repartition-source")
	}
	if v := n.get("copartition"); v != nil {
		out.CopartitionGroups = r.copartition(v, &out)
	}
	return out
}

// internalTopics reads [counts], or {counts: 6} for a number of partitions
// that the application decided itself.
func (r *reader) internalTopics(n *node) []protocol.TopicInfo {
	var out []protocol.TopicInfo
	if n.kind == mapping {
		for _, e := range n.entries {
			name, ok := r.topicName(e.key)
			count, fine := r.integer(e.value, "a number of partitions belongs here, 0 to be worked out", 0, MaxPartitions)
			if ok && fine {
				out = append(out, protocol.TopicInfo{Name: name, Partitions: int32(count)})
			}
		}
	} else {
		items, _ := r.names(n, "topics are a list of names, or {name: partitions}")
		for _, item := range items {
			if name, ok := r.topicName(item); ok {
				out = append(out, protocol.TopicInfo{Name: name})
			}
		}
	}
	slices.SortFunc(out, func(a, b protocol.TopicInfo) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// copartition reads groups of topics that must have equally many partitions.
func (r *reader) copartition(n *node, of *protocol.Subtopology) []protocol.CopartitionGroup {
	const what = "copartition is a list of lists of topics, [[left, right]]"
	if n.kind != list {
		r.wanted(n, what)
		return nil
	}
	var out []protocol.CopartitionGroup
	for _, item := range n.items {
		if item.kind != list {
			r.wanted(item, what)
			continue
		}
		var group protocol.CopartitionGroup
		for i, topic := range item.items {
			if slices.ContainsFunc(item.items[:i], func(n *node) bool { return n.text == topic.text }) {
				r.fault(topic, topic.text+" stands here twice", "")
				continue
			}
			source := slices.Index(of.SourceTopics, topic.text)
			repartition := slices.IndexFunc(of.RepartitionSourceTopics, func(t protocol.TopicInfo) bool { return t.Name == topic.text })
			switch {
			case source >= 0:
				group.SourceTopics = append(group.SourceTopics, int16(source))
			case repartition >= 0:
				group.RepartitionSourceTopics = append(group.RepartitionSourceTopics, int16(repartition))
			default:
				r.fault(topic, "subtopology "+of.ID+" does not read "+topic.text, "")
			}
		}
		out = append(out, group)
	}
	return out
}

// encodeTopology writes a topology as a step has it.
func encodeTopology(t *protocol.Topology) string {
	parts := make([]string, len(t.Subtopologies))
	for i := range t.Subtopologies {
		parts[i] = scalar(t.Subtopologies[i].ID) + ": " + encodeSubtopology(&t.Subtopologies[i])
	}
	return "{epoch: " + strconv.Itoa(int(t.Epoch)) + ", subtopologies: {" + strings.Join(parts, ", ") + "}}"
}

func encodeSubtopology(s *protocol.Subtopology) string {
	var out []string
	if len(s.SourceTopics) > 0 {
		out = append(out, "source: "+flowList(s.SourceTopics))
	}
	if len(s.StateChangelogTopics) > 0 {
		out = append(out, "changelog: "+encodeInternal(s.StateChangelogTopics))
	}
	if len(s.RepartitionSourceTopics) > 0 {
		out = append(out, "repartition-source: "+encodeInternal(s.RepartitionSourceTopics))
	}
	if len(s.RepartitionSinkTopics) > 0 {
		out = append(out, "repartition-sink: "+flowList(s.RepartitionSinkTopics))
	}
	if len(s.CopartitionGroups) > 0 {
		groups := make([]string, len(s.CopartitionGroups))
		for i, g := range s.CopartitionGroups {
			var topics []string
			for _, n := range g.SourceTopics {
				topics = append(topics, s.SourceTopics[n])
			}
			for _, n := range g.RepartitionSourceTopics {
				topics = append(topics, s.RepartitionSourceTopics[n].Name)
			}
			groups[i] = flowList(topics)
		}
		out = append(out, "copartition: ["+strings.Join(groups, ", ")+"]")
	}
	return "{" + strings.Join(out, ", ") + "}"
}

func encodeInternal(topics []protocol.TopicInfo) string {
	out := make([]string, len(topics))
	for i, t := range topics {
		out[i] = scalar(t.Name) + ": " + strconv.Itoa(int(t.Partitions))
	}
	return "{" + strings.Join(out, ", ") + "}"
}
