package assignor

import (
	"cmp"
	"slices"

	"groupscope/core/protocol"
)

// span is a run of consecutive partitions of one topic: from … to-1.
type span struct {
	topic    int32 // rank
	from, to int32
}

func (s span) len() int32 { return s.to - s.from }

func compareSpans(a, b span) int {
	return cmp.Or(cmp.Compare(a.topic, b.topic), cmp.Compare(a.from, b.from))
}

// press makes assignments that share memory: assignments are never changed,
// so a run of partitions can be a part of one list 0, 1, 2, … that all use,
// and what does not fit there is cut from large pieces.
type press struct {
	topics  []protocol.Topic
	count   []int32
	entries []protocol.TopicPartitions // the unused part of a piece
	numbers []int32                    // likewise
}

func newPress(topics []protocol.Topic) press {
	p := press{topics: topics}
	most := int32(0)
	for i := range topics {
		most = max(most, topics[i].Partitions)
	}
	p.count = make([]int32, most)
	for i := range p.count {
		p.count[i] = int32(i)
	}
	return p
}

// run are the partitions from … to-1.
func (p *press) run(from, to int32) []int32 { return p.count[from:to:to] }

// room is an empty assignment to which n topics can be appended.
func (p *press) room(n int) protocol.Assignment {
	if n == 0 {
		return protocol.Assignment{}
	}
	if n > len(p.entries) {
		p.entries = make([]protocol.TopicPartitions, max(n, 32))
	}
	out := p.entries[:0:n]
	p.entries = p.entries[n:]
	return protocol.Assignment(out)
}

// list is an empty list to which n partitions can be appended.
func (p *press) list(n int) []int32 {
	if n > len(p.numbers) {
		p.numbers = make([]int32, max(n, 256))
	}
	out := p.numbers[:0:n]
	p.numbers = p.numbers[n:]
	return out
}

// reserve prepares for so many topics in all.
func (p *press) reserve(entries int) { p.entries = make([]protocol.TopicPartitions, entries) }

// set fills an entry field by field: a copy of a whole one takes twice as
// long, and there are many.
func set(e *protocol.TopicPartitions, topic protocol.TopicID, partitions []int32) {
	e.Topic = topic
	e.Partitions = partitions
}

// merge adds spans to an assignment. It sorts the spans.
func (p *press) merge(a protocol.Assignment, spans []span) protocol.Assignment {
	if len(a) == 0 && len(spans) == 1 {
		out := p.room(1)[:1]
		set(&out[0], p.topics[spans[0].topic].ID, p.run(spans[0].from, spans[0].to))
		return out
	}
	slices.SortFunc(spans, compareSpans)
	out := p.room(len(a) + topicsIn(spans))
	for len(spans) > 0 {
		topic := spans[0].topic
		n := 1
		for n < len(spans) && spans[n].topic == topic {
			n++
		}
		id := p.topics[topic].ID
		for len(a) > 0 && a[0].Topic < id {
			out, a = append(out, a[0]), a[1:]
		}
		var held []int32
		if len(a) > 0 && a[0].Topic == id {
			held, a = a[0].Partitions, a[1:]
		}
		out = append(out, protocol.TopicPartitions{Topic: id, Partitions: p.join(held, spans[:n])})
		spans = spans[n:]
	}
	return append(out, a...)
}

// topicsIn counts the topics of sorted spans.
func topicsIn(spans []span) int {
	n := 0
	for i := range spans {
		if i == 0 || spans[i].topic != spans[i-1].topic {
			n++
		}
	}
	return n
}

// join merges spans of one topic, sorted, into a sorted list.
func (p *press) join(held []int32, spans []span) []int32 {
	if len(held) == 0 && len(spans) == 1 {
		return p.run(spans[0].from, spans[0].to)
	}
	size := len(held)
	for _, s := range spans {
		size += int(s.len())
	}
	out := p.list(size)
	for _, s := range spans {
		for len(held) > 0 && held[0] < s.from {
			out, held = append(out, held[0]), held[1:]
		}
		for n := s.from; n < s.to; n++ {
			out = append(out, n)
		}
	}
	return append(out, held...)
}
