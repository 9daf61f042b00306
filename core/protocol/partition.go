package protocol

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// TopicID identifies one incarnation of a topic: "foo" for the first, "foo#2"
// for the topic of that name that was created after the first was deleted.
// Kafka uses a UUID; the protocol only ever compares it.
type TopicID string

// Name returns the topic's name, which incarnations share.
func (id TopicID) Name() string {
	name, _, _ := strings.Cut(string(id), "#")
	return name
}

// Topic is what the cluster's metadata says of a topic.
type Topic struct {
	ID         TopicID
	Name       string
	Partitions int32
	// Racks[i] are the racks of the replicas of partition i; nil when the
	// brokers have no rack.
	Racks [][]string
	// UUID is Kafka's id of the incarnation. Kafka walks hash tables of it, so
	// it decides ties of the uniform assignor. A world of our own leaves it
	// zero and gets a fixed order instead.
	UUID [16]byte
}

// Partition names one partition of one incarnation of a topic.
type Partition struct {
	Topic  TopicID
	Number int32
}

// String is the partition's name as Kafka writes it: "foo-2".
func (p Partition) String() string { return string(p.Topic) + "-" + strconv.Itoa(int(p.Number)) }

// Compare orders partitions by topic, then number.
func (p Partition) Compare(o Partition) int {
	if c := strings.Compare(string(p.Topic), string(o.Topic)); c != 0 {
		return c
	}
	return int(p.Number) - int(o.Number)
}

// TopicPartitions lists partitions of one topic, ascending.
type TopicPartitions struct {
	Topic      TopicID
	Partitions []int32
}

// Assignment is a set of partitions: sorted by topic, numbers ascending, no
// topic without partitions. In a message nil means "absent" (unchanged), and
// an empty non-nil Assignment means "present, nothing".
type Assignment []TopicPartitions

// NewAssignment collects partitions, in any order, into an Assignment that is
// never nil.
func NewAssignment(ps []Partition) Assignment {
	ps = slices.Clone(ps)
	slices.SortFunc(ps, Partition.Compare)
	ps = slices.Compact(ps)
	out := Assignment{}
	for _, p := range ps {
		if n := len(out); n == 0 || out[n-1].Topic != p.Topic {
			out = append(out, TopicPartitions{Topic: p.Topic})
		}
		last := &out[len(out)-1]
		last.Partitions = append(last.Partitions, p.Number)
	}
	return out
}

// Partitions lists the set's partitions in order.
func (a Assignment) Partitions() []Partition {
	out := make([]Partition, 0, a.Len())
	for _, t := range a {
		for _, n := range t.Partitions {
			out = append(out, Partition{t.Topic, n})
		}
	}
	return out
}

// Len is the number of partitions.
func (a Assignment) Len() int {
	n := 0
	for _, t := range a {
		n += len(t.Partitions)
	}
	return n
}

// Contains reports whether p is in the set.
func (a Assignment) Contains(p Partition) bool {
	i, ok := slices.BinarySearchFunc(a, p.Topic, func(t TopicPartitions, id TopicID) int {
		return strings.Compare(string(t.Topic), string(id))
	})
	if !ok {
		return false
	}
	_, ok = slices.BinarySearch(a[i].Partitions, p.Number)
	return ok
}

// Equal reports whether both hold the same partitions and are both present or
// both absent.
func (a Assignment) Equal(o Assignment) bool {
	if len(a) != len(o) || (a == nil) != (o == nil) {
		return false
	}
	if len(a) == 0 || &a[0] == &o[0] {
		return true // the very same memory
	}
	return slices.EqualFunc(a, o, func(x, y TopicPartitions) bool {
		return x.Topic == y.Topic && slices.Equal(x.Partitions, y.Partitions)
	})
}

// Clone copies the set; the copy shares no memory with it.
func (a Assignment) Clone() Assignment {
	if a == nil {
		return nil
	}
	out := make(Assignment, len(a))
	for i, t := range a {
		out[i] = TopicPartitions{t.Topic, slices.Clone(t.Partitions)}
	}
	return out
}

// String reads "foo [0, 1], bar [2]"; an empty set is "nothing", an absent
// one "absent".
func (a Assignment) String() string {
	if a == nil {
		return "absent"
	}
	if len(a) == 0 {
		return "nothing"
	}
	var b strings.Builder
	for i, t := range a {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%s [", t.Topic)
		for j, n := range t.Partitions {
			if j > 0 {
				b.WriteString(", ")
			}
			b.WriteString(strconv.Itoa(int(n)))
		}
		b.WriteString("]")
	}
	return b.String()
}
