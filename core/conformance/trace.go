package conformance

import (
	"encoding/base64"
	"fmt"

	"groupscope/core/protocol"
)

// trace is the input side of a recorded run of the coordinator.
type trace struct {
	kind     string // consumer or streams: the default of its steps
	config   config
	topics   []protocol.Topic
	start    protocol.Instant
	topicIDs map[string][16]byte // by qualified name; nil: the trace has none
	steps    []element
}

// mostPartitions and mostTopics bound what a trace may ask to be held in
// memory; traces have a few.
const (
	mostPartitions = 100_000
	mostTopics     = 10_000
)

// readTrace reads everything but the steps.
func readTrace(doc *document) (*trace, error) {
	r := &reader{}
	f := r.object("", doc.head)
	t := &trace{kind: f.text("kind"), steps: doc.lists["steps"]}
	f.text("name")
	f.text("doc")
	f.any("seed")
	f.choice("assignorVotes", "none", "range", "uniform", "mixed")
	f.any("errorCounts")
	t.readIDs(f.object("topicIds"))
	t.start = protocol.Instant(f.int64("startTimeMs", defaultStart))
	if t.start <= 0 {
		f.wanted("startTimeMs", "an instant above 0")
	}
	t.config = readConfig(r, f.any("config"))
	t.topics = t.readTopics(f.objects("topics"))
	f.done()
	if t.steps == nil {
		r.fault("steps", "want a list of steps, got none")
	}
	if _, ok := doc.lists["events"]; ok {
		r.fault("events", "unknown field: only traces of clients have events")
	}
	return t, r.err
}

func (t *trace) readIDs(f *fields) {
	if f == nil {
		return
	}
	t.topicIDs = map[string][16]byte{}
	for _, name := range f.names() {
		id, err := base64.RawURLEncoding.DecodeString(f.text(name))
		if err != nil || len(id) != 16 {
			f.wanted(name, "16 bytes in base64")
			continue
		}
		t.topicIDs[name] = [16]byte(id)
	}
}

// readTopics reads topic metadata. Without a Kafka id a topic has none, and
// the order in which Kafka walks its tables is not the broker's.
func (t *trace) readTopics(list []*fields) []protocol.Topic {
	out := make([]protocol.Topic, 0, len(list))
	for _, f := range list {
		topic := protocol.Topic{Name: f.text("name"), Partitions: f.int32("partitions", 0)}
		gen := f.int32("gen", 1)
		topic.ID = protocol.TopicID(topic.Name)
		if gen > 1 {
			topic.ID = protocol.TopicID(fmt.Sprintf("%s#%d", topic.Name, gen))
		}
		topic.Racks = f.textLists("racks")
		f.done()
		switch {
		case topic.Name == "":
			f.wanted("name", "the topic's name")
		case topic.Partitions < 1 || topic.Partitions > mostPartitions:
			f.wanted("partitions", fmt.Sprintf("1 to %d", mostPartitions))
		case gen < 1:
			f.wanted("gen", "1 or more")
		case topic.Racks != nil && len(topic.Racks) != int(topic.Partitions):
			f.wanted("racks", "the racks of each partition")
		case len(out) == mostTopics:
			f.r.fault(f.path, "more than %d topics", mostTopics)
		}
		if t.topicIDs != nil {
			uuid, ok := t.topicIDs[string(topic.ID)]
			if !ok {
				f.r.fault("topicIds", "topic %s has none", topic.ID)
			}
			topic.UUID = uuid
		}
		out = append(out, topic)
	}
	return out
}
