package scenario

import (
	"fmt"
	"math"
	"slices"

	"groupscope/core/protocol"
)

// What the topics of a topology have to be like, and which tasks follow from
// them.

// part is what the file's topologies say of the subtopologies with an id.
type part struct {
	sources     []string
	repartition bool // it reads a topic whose size may have to be worked out
}

// noteSubtopology remembers a subtopology of one of the file's topologies.
func (w *world) noteSubtopology(s *protocol.Subtopology) {
	if w.parts == nil {
		w.parts = map[string]*part{}
	}
	p := w.parts[s.ID]
	if p == nil {
		p = &part{}
		w.parts[s.ID] = p
		w.subtopologies = append(w.subtopologies, s.ID)
	}
	p.sources = append(p.sources, s.SourceTopics...)
	p.repartition = p.repartition || len(s.RepartitionSourceTopics) > 0
	for _, t := range s.RepartitionSourceTopics {
		w.largest = max(w.largest, t.Partitions)
	}
}

// mostTasks is how many tasks a subtopology can have had so far: one for each
// partition of the largest topic that it reads.
func (w *world) mostTasks(id string) int32 {
	p, most := w.parts[id], int32(0)
	unknown := func(topic string) bool { return !slices.Contains(w.ever, topic) }
	switch {
	case slices.ContainsFunc(p.sources, unknown), len(p.sources) == 0 && !p.repartition:
		return math.MaxInt32 // one mistake is enough
	case !p.repartition:
		for _, topic := range p.sources {
			most = max(most, w.most[topic])
		}
		return most
	}
	most = w.largest
	for _, n := range w.most {
		most = max(most, n)
	}
	return most
}

func (r *reader) knownSubtopology(n *node, id string) bool {
	if r.world.loose || r.anyTask || r.world.parts[id] != nil {
		return true
	}
	r.fault(n, "no subtopology "+id, theFileHas(id, r.world.subtopologies, "subtopologies"))
	return false
}

// knownTask reports a task that its subtopology never has.
func (r *reader) knownTask(n *node, p protocol.Partition) bool {
	if r.world.loose || r.anyTask {
		return true
	}
	id := p.Topic.Name()
	most := r.world.mostTasks(id)
	if p.Number < most {
		return true
	}
	hint := "The topics of subtopology " + id + " have no partitions so far"
	if most > 0 {
		hint = fmt.Sprintf("Subtopology %s has tasks %s_0 to %s_%d", id, id, id, most-1)
	}
	r.fault(n, "no task "+protocol.TaskName(p), hint)
	return false
}

// roles are the keys of a subtopology that list topics.
var roles = []string{"source", "repartition-source", "changelog", "repartition-sink"}

// topicsOnce reports topics that have two places in a topology where Kafka
// Streams has one for each. A part may write the topic that it reads.
func (r *reader) topicsOnce(parts *node) {
	type use struct{ id, role string }
	seen := map[string][]use{}
	for _, e := range parts.entries {
		for _, role := range roles {
			for _, topic := range namesIn(e.value.get(role)) {
				is := use{e.key.text, role}
				for _, was := range seen[topic.text] {
					if fault := clash(topic.text, was.id, was.role, is.id, is.role); fault != "" {
						r.fault(topic, fault, "")
						break
					}
				}
				seen[topic.text] = append(seen[topic.text], is)
			}
		}
	}
}

// clash says why a topic cannot have two places, "" when it can.
func clash(topic, wasOf, was, isOf, is string) string {
	const sink = "repartition-sink"
	reads := []string{"source", "repartition-source"}
	readTwice := slices.Contains(reads, was) && slices.Contains(reads, is)
	switch {
	case wasOf == isOf && was == is:
		return topic + " stands under " + is + " twice"
	case is == sink && (was == sink || was == "repartition-source"), was == sink && is == "repartition-source":
		return "" // several may write it, and one of them may read it
	case readTwice && wasOf != isOf:
		return topic + " is read by subtopology " + wasOf + " already"
	case was == is:
		return topic + " is a " + is + " of subtopology " + wasOf + " already"
	}
	return topic + " cannot be both " + was + " and " + is
}

// namesIn are the names of a list, or of a mapping from names.
func namesIn(n *node) []*node {
	switch {
	case n == nil:
		return nil
	case n.kind == mapping:
		out := make([]*node, len(n.entries))
		for i, e := range n.entries {
			out[i] = e.key
		}
		return out
	case n.scalar():
		return []*node{n}
	}
	return n.items
}
