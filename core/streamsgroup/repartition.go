package streamsgroup

import (
	"fmt"
	"slices"

	"groupscope/core/protocol"
)

// decideRepartition finds the partition count of every repartition topic. One
// without a count of its own gets the largest count of what the subtopology
// reads that writes it, as far as that is known when its turn comes.
func (c *configuration) decideRepartition() error {
	for _, s := range c.walk {
		for _, topic := range s.RepartitionSourceTopics {
			if topic.Partitions < 0 {
				return invalid("Repartition topic %s cannot have %d partitions.", topic.Name, topic.Partitions)
			}
			if topic.Partitions > 0 {
				c.decided[topic.Name] = topic.Partitions
				c.explicit[topic.Name] = true
			}
		}
	}
	for open := true; open; {
		progress := false
		open = false
		for _, s := range c.walk {
			for _, sink := range s.RepartitionSinkTopics {
				if _, ok := c.decided[sink]; ok {
					continue
				}
				if n, ok := c.mostRead(s); ok {
					c.decided[sink] = n
					progress = true
				} else {
					open = true
				}
			}
		}
		if open && !progress {
			return invalid("The partitions of the repartition topics cannot be worked out: the topology loops, or nobody writes one that it reads.")
		}
	}
	for _, s := range c.walk {
		for _, topic := range s.RepartitionSourceTopics {
			if _, ok := c.decided[topic.Name]; !ok {
				return invalid("Nobody writes the repartition topic %s that subtopology %s reads.", topic.Name, s.ID)
			}
		}
	}
	return nil
}

// mostRead is the largest count known so far of what a subtopology reads;
// false when none is known.
func (c *configuration) mostRead(s *protocol.Subtopology) (int32, bool) {
	most, found := int32(0), false
	for _, topic := range s.RepartitionSourceTopics {
		if n, ok := c.decided[topic.Name]; ok {
			most, found = max(most, n), true
		}
	}
	for _, name := range s.SourceTopics {
		if topic, ok := c.topics.Named(name); ok {
			most, found = max(most, topic.Partitions), true
		}
	}
	return most, found
}

// checkIndexes looks for copartition groups that name topics by an index
// that their subtopology does not have.
func (c *configuration) checkIndexes() error {
	for _, s := range c.walk {
		for _, group := range s.CopartitionGroups {
			for _, indexes := range []struct {
				of   string
				list []int16
				size int
			}{
				{"source topics", group.SourceTopics, len(s.SourceTopics)},
				{"source topic regexes", group.SourceTopicRegex, len(s.SourceTopicRegex)},
				{"repartition source topics", group.RepartitionSourceTopics, len(s.RepartitionSourceTopics)},
			} {
				for _, i := range indexes.list {
					if i < 0 || int(i) >= indexes.size {
						return &InvalidTopology{CopartitionIndex: true, Text: fmt.Sprintf(
							"A copartition group of subtopology %s has index %d, but there are %d %s.", s.ID, i, indexes.size, indexes.of)}
					}
				}
			}
		}
	}
	return nil
}

// copartition gives the repartition topics of each copartition group one
// count, and checks that all of the group have the same.
func (c *configuration) copartition() error {
	for _, s := range c.walk {
		for _, group := range s.CopartitionGroups {
			var repartition, others []string
			for _, i := range group.RepartitionSourceTopics {
				repartition = append(repartition, s.RepartitionSourceTopics[i].Name)
			}
			for _, i := range group.SourceTopics {
				if name := s.SourceTopics[i]; c.isRepartition(name) {
					repartition = append(repartition, name)
				} else {
					others = append(others, name)
				}
			}
			if err := c.level(repartition, others); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *configuration) isRepartition(name string) bool {
	for _, s := range c.walk {
		if slices.ContainsFunc(s.RepartitionSourceTopics, func(t protocol.TopicInfo) bool { return t.Name == name }) {
			return true
		}
	}
	return false
}

// level decides the count of one copartition group. Topics from outside
// decide it if there are any, else the explicit counts of the whole topology,
// else the largest count in the group.
func (c *configuration) level(repartition, others []string) error {
	if len(repartition)+len(others) == 0 {
		return nil
	}
	deciding := others
	if len(others) == 0 {
		for name := range c.explicit {
			deciding = append(deciding, name)
		}
		slices.Sort(deciding)
	}
	var count int32
	if len(deciding) > 0 {
		n, err := c.common(deciding)
		if err != nil {
			return err
		}
		count = n
	} else {
		for _, name := range repartition {
			n, _ := c.partitions(name)
			count = max(count, n)
		}
	}
	for _, name := range repartition {
		if n, _ := c.partitions(name); c.explicit[name] && n != count {
			return &mismatch{fmt.Sprintf("Repartition topic %s has %d partitions and must have %d, as the topics it is joined with.", name, n, count),
				[]string{name}}
		}
		c.decided[name] = count
	}
	return nil
}

// common is the one partition count of some topics.
func (c *configuration) common(names []string) (int32, error) {
	first, _ := c.partitions(names[0])
	for _, name := range names[1:] {
		if n, _ := c.partitions(name); n != first {
			return 0, &mismatch{fmt.Sprintf("%s has %d partitions and %s has %d, but they are joined and must have equally many.",
				names[0], first, name, n), slices.Clone(names)}
		}
	}
	return first, nil
}
