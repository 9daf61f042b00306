package main

import (
	"fmt"
	"strings"

	"groupscope/core/coordinator"
	"groupscope/core/protocol"
	"groupscope/core/record"
	"groupscope/core/sim"
)

// state writes the group and the members that a step changed.
func (t *transcript) state(s *sim.State) {
	group := "none"
	present := map[string]*coordinator.Member{}
	if s.Group != nil {
		group = fmt.Sprintf("epoch %d, target %d, %v", s.Group.GroupEpoch, s.Group.AssignmentEpoch, s.Group.State)
		for _, m := range s.Group.Members {
			present[m.ID] = m
		}
	}
	t.changed("group", group)
	for _, c := range s.Clients {
		if _, listed := present[c.ID]; !listed && t.before[c.ID] != "" {
			t.changed(c.ID, "not in the group")
		}
	}
	if s.Group != nil {
		for _, m := range s.Group.Members {
			t.changed(m.ID, memberText(m))
		}
	}
	for _, c := range s.Clients {
		t.changed(c.Member+"'s view", clientText(c))
	}
}

func (t *transcript) changed(who, line string) {
	if t.before[who] == line {
		return
	}
	t.before[who] = line
	fmt.Fprintf(t.w, "  %8s  %-9s %s\n", "", who, line)
}

func memberText(m *coordinator.Member) string {
	parts := []string{fmt.Sprintf("epoch %d, %v", m.MemberEpoch, m.State)}
	for _, set := range []struct {
		word string
		held protocol.Assignment
	}{
		{"owns", protocol.NewAssignment(record.Partitions(m.Assigned))}, {"revokes", protocol.NewAssignment(record.Partitions(m.PendingRevocation))},
		{"waits for", protocol.NewAssignment(m.Waiting)}, {"may take", protocol.NewAssignment(m.Free)}, {"target", m.Target},
	} {
		if set.held.Len() > 0 || set.word == "owns" {
			parts = append(parts, fmt.Sprintf("%s %v", set.word, set.held))
		}
	}
	return strings.Join(parts, "; ")
}

func clientText(c *sim.ClientState) string {
	owned := c.Owned
	if owned == nil {
		owned = protocol.Assignment{}
	}
	out := fmt.Sprintf("%s at epoch %d, owns %v", c.State, c.Epoch, owned)
	if c.Revoking.Len() > 0 {
		out += fmt.Sprintf(", gives up %v", c.Revoking)
	}
	return out
}

// requestText writes the fields of a request that are present.
func requestText(r protocol.ConsumerGroupHeartbeatRequest) string {
	parts := []string{fmt.Sprintf("epoch %d", r.MemberEpoch)}
	if r.InstanceID != nil {
		parts = append(parts, "instance "+*r.InstanceID)
	}
	if r.SubscribedTopicNames != nil {
		parts = append(parts, "subscribes to ["+strings.Join(r.SubscribedTopicNames, ", ")+"]")
	}
	if r.ServerAssignor != nil {
		parts = append(parts, "assignor "+*r.ServerAssignor)
	}
	if r.TopicPartitions != nil {
		parts = append(parts, fmt.Sprintf("owns %v", r.TopicPartitions))
	}
	return strings.Join(parts, ", ")
}

func recordNames(records []record.Record) []string {
	out := make([]string, len(records))
	for i, r := range records {
		out[i] = r.Short()
	}
	return out
}

func topicsText(topics []protocol.Topic) string {
	out := make([]string, len(topics))
	for i, t := range topics {
		out[i] = fmt.Sprintf("%s has %d partitions", t.Name, t.Partitions)
	}
	return strings.Join(out, ", ")
}
