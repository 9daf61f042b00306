package sim

import (
	"cmp"
	"slices"

	"groupscope/core/protocol"
)

// shelves tell who has which partition, and since when nobody has one.
type shelves struct {
	topics  []shelf // sorted by topic
	shared  int     // number of partitions that two or more have
	version uint64  // grows when a partition finds or loses its holder
}

// shelf is the partitions of one topic.
type shelf struct {
	topic  protocol.TopicID
	places []place
	taken  int  // places with a holder
	shared bool // with a clone: copied before it is changed
}

// place is one partition: its holders, and since when it has none.
type place struct {
	holders int
	holder  string // the last one to take it
	since   protocol.Instant
	never   bool // it has had no holder so far
}

func (s *shelves) clone() shelves {
	c := *s
	for i := range s.topics {
		s.topics[i].shared = true
	}
	c.topics = slices.Clone(s.topics)
	return c
}

// exists makes room for a topic's partitions.
func (s *shelves) exists(now protocol.Instant, t protocol.Topic) {
	room := s.open(t.ID)
	for int32(len(room.places)) < t.Partitions {
		room.places = append(room.places, place{since: now, never: true})
		s.version++
	}
}

// size counts the partitions and the topics that there have been so far.
func (s *shelves) size() (partitions, topics int) {
	for _, t := range s.topics {
		partitions += len(t.places)
	}
	return partitions, len(s.topics)
}

// open is a topic's shelf, to be changed.
func (s *shelves) open(topic protocol.TopicID) *shelf {
	t := s.shelf(topic)
	if t.shared {
		t.places, t.shared = slices.Clone(t.places), false
	}
	return t
}

func (s *shelves) shelf(topic protocol.TopicID) *shelf {
	i, found := slices.BinarySearchFunc(s.topics, topic, func(t shelf, id protocol.TopicID) int { return cmp.Compare(t.topic, id) })
	if !found {
		s.topics = slices.Insert(s.topics, i, shelf{topic: topic})
	}
	return &s.topics[i]
}

func (s *shelves) place(now protocol.Instant, p protocol.Partition) (*shelf, *place) {
	t := s.open(p.Topic)
	for int32(len(t.places)) <= p.Number {
		t.places = append(t.places, place{since: now, never: true})
	}
	return t, &t.places[p.Number]
}

// move notes that what one has changes from before to after, both sorted.
func (s *shelves) move(now protocol.Instant, who string, before, after []protocol.Partition) {
	for len(before) > 0 || len(after) > 0 {
		switch {
		case len(after) == 0 || len(before) > 0 && before[0].Compare(after[0]) < 0:
			s.release(now, before[0])
			before = before[1:]
		case len(before) == 0 || after[0].Compare(before[0]) < 0:
			s.grant(now, after[0], who)
			after = after[1:]
		default:
			before, after = before[1:], after[1:]
		}
	}
}

func (s *shelves) release(now protocol.Instant, p protocol.Partition) {
	on, at := s.place(now, p)
	if at.holders == 2 {
		s.shared--
	}
	at.holders--
	if at.holders == 0 {
		at.holder, at.since = "", now
		on.taken--
		s.version++
	}
}

func (s *shelves) grant(now protocol.Instant, p protocol.Partition, who string) {
	on, at := s.place(now, p)
	if at.holders == 0 {
		on.taken++
		s.version++
	}
	if at.holders == 1 {
		s.shared++
	}
	at.holders++
	at.holder, at.never = who, false
}

// free lists the first n partitions of a topic less those that somebody has.
func (s *shelves) free(topic protocol.TopicID, n int32) []protocol.Partition {
	t := s.shelf(topic)
	if t.taken == len(t.places) && len(t.places) >= int(n) {
		return nil
	}
	var out []protocol.Partition
	for i := range n {
		if int(i) >= len(t.places) || t.places[i].holders == 0 {
			out = append(out, protocol.Partition{Topic: topic, Number: i})
		}
	}
	return out
}

// contested lists the partitions that two or more have.
func (s *shelves) contested() []protocol.Partition {
	if s.shared == 0 {
		return nil
	}
	var out []protocol.Partition
	for _, t := range s.topics {
		for n, at := range t.places {
			if at.holders > 1 {
				out = append(out, protocol.Partition{Topic: t.topic, Number: int32(n)})
			}
		}
	}
	return out
}

// unowned lists the partitions of topics that nobody has.
func (s *shelves) unowned(topics []protocol.Topic) []Unowned {
	var out []Unowned
	for _, t := range topics {
		for n, at := range s.shelf(t.ID).places[:t.Partitions] {
			if at.holders == 0 {
				out = append(out, Unowned{protocol.Partition{Topic: t.ID, Number: int32(n)}, at.since, at.never})
			}
		}
	}
	return out
}
