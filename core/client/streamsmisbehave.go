package client

import (
	"slices"

	"groupscope/core/protocol"
)

// What a streams client with quirks does differently.

// topology is what a streams client joins with.
func (c *Client) topology() *protocol.Topology {
	if !c.has(ListsTopicsInItsOwnOrder) {
		return c.cfg.Streams.Topology
	}
	out := *c.cfg.Streams.Topology
	out.Subtopologies = slices.Clone(out.Subtopologies)
	for i := range out.Subtopologies {
		s := &out.Subtopologies[i]
		s.CopartitionGroups = slices.Clone(s.CopartitionGroups)
		for j := range s.CopartitionGroups {
			g := &s.CopartitionGroups[j]
			g.SourceTopics = fromTheEnd(g.SourceTopics, len(s.SourceTopics))
			g.RepartitionSourceTopics = fromTheEnd(g.RepartitionSourceTopics, len(s.RepartitionSourceTopics))
		}
		s.SourceTopics = backwards(s.SourceTopics)
		s.RepartitionSinkTopics = backwards(s.RepartitionSinkTopics)
		s.StateChangelogTopics = backwards(s.StateChangelogTopics)
		s.RepartitionSourceTopics = backwards(s.RepartitionSourceTopics)
		for _, list := range [][]protocol.TopicInfo{s.StateChangelogTopics, s.RepartitionSourceTopics} {
			for j := range list {
				list[j].Configs = backwards(list[j].Configs)
			}
		}
	}
	return &out
}

// fromTheEnd are indexes into a list that is turned round.
func fromTheEnd(indexes []int16, length int) []int16 {
	out := make([]int16, len(indexes))
	for i, n := range indexes {
		out[i] = int16(length) - 1 - n
	}
	return out
}

func backwards[T any](list []T) []T {
	out := slices.Clone(list)
	slices.Reverse(out)
	return out
}

// reported are the tasks that a streams client reports as owned.
func (c *Client) reported() protocol.Tasks {
	out := c.confirmed.tasks()
	if !c.has(ReportsActiveTasksOnly) {
		return out
	}
	if len(out.Standby) == 0 {
		out.Standby = nil
	}
	if len(out.Warmup) == 0 {
		out.Warmup = nil
	}
	return out
}
