package streamsgroup

import (
	"cmp"
	"fmt"
	"slices"

	"groupscope/core/protocol"
)

// Needed lists the topics that a topology needs: sources, repartition sources
// and changelogs. Sorted, each once.
func Needed(t *protocol.Topology) []string {
	var out []string
	for i := range t.Subtopologies {
		s := &t.Subtopologies[i]
		out = append(out, s.SourceTopics...)
		for _, list := range [][]protocol.TopicInfo{s.RepartitionSourceTopics, s.StateChangelogTopics} {
			for _, topic := range list {
				out = append(out, topic.Name)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// SameTopology reports whether two topologies have the same content, their
// epochs left aside. The order of subtopologies is free, any other order
// counts.
func SameTopology(a, b *protocol.Topology) bool {
	if a == b {
		return true
	}
	return slices.EqualFunc(byID(a), byID(b), sameSubtopology)
}

// byID lists the subtopologies sorted by id.
func byID(t *protocol.Topology) []*protocol.Subtopology {
	out := make([]*protocol.Subtopology, len(t.Subtopologies))
	for i := range t.Subtopologies {
		out[i] = &t.Subtopologies[i]
	}
	slices.SortStableFunc(out, func(a, b *protocol.Subtopology) int { return cmp.Compare(a.ID, b.ID) })
	return out
}

func sameSubtopology(a, b *protocol.Subtopology) bool {
	return a.ID == b.ID && slices.Equal(a.SourceTopics, b.SourceTopics) &&
		slices.Equal(a.SourceTopicRegex, b.SourceTopicRegex) &&
		slices.EqualFunc(a.StateChangelogTopics, b.StateChangelogTopics, sameTopic) &&
		slices.Equal(a.RepartitionSinkTopics, b.RepartitionSinkTopics) &&
		slices.EqualFunc(a.RepartitionSourceTopics, b.RepartitionSourceTopics, sameTopic) &&
		slices.EqualFunc(a.CopartitionGroups, b.CopartitionGroups, sameCopartition)
}

func sameTopic(a, b protocol.TopicInfo) bool {
	return a.Name == b.Name && a.Partitions == b.Partitions && a.ReplicationFactor == b.ReplicationFactor &&
		slices.Equal(a.Configs, b.Configs)
}

func sameCopartition(a, b protocol.CopartitionGroup) bool {
	return slices.Equal(a.SourceTopics, b.SourceTopics) && slices.Equal(a.SourceTopicRegex, b.SourceTopicRegex) &&
		slices.Equal(a.RepartitionSourceTopics, b.RepartitionSourceTopics)
}

// Broken says why a topology cannot even be looked at, "" when it can.
func Broken(t *protocol.Topology) string {
	if t.Epoch < 0 {
		return fmt.Sprintf("Topology epoch %d is negative.", t.Epoch)
	}
	sorted := byID(t)
	for i := 1; i < len(sorted); i++ {
		if sorted[i].ID == sorted[i-1].ID {
			return "Two subtopologies have the id " + sorted[i].ID + "."
		}
	}
	return ""
}

// Described is a topology as DescribeGroups shows it: subtopologies and
// topics sorted, copartition groups left out.
func Described(t *protocol.Topology) *protocol.Topology {
	out := &protocol.Topology{Epoch: t.Epoch}
	byName := func(a, b protocol.TopicInfo) int { return cmp.Compare(a.Name, b.Name) }
	for _, s := range byID(t) {
		out.Subtopologies = append(out.Subtopologies, protocol.Subtopology{
			ID:                      s.ID,
			SourceTopics:            slices.Sorted(slices.Values(s.SourceTopics)),
			SourceTopicRegex:        slices.Sorted(slices.Values(s.SourceTopicRegex)),
			StateChangelogTopics:    slices.SortedFunc(slices.Values(s.StateChangelogTopics), byName),
			RepartitionSinkTopics:   slices.Sorted(slices.Values(s.RepartitionSinkTopics)),
			RepartitionSourceTopics: slices.SortedFunc(slices.Values(s.RepartitionSourceTopics), byName),
		})
	}
	return out
}
