package main

import (
	"fmt"
	"strings"

	"groupscope/core/client"
	"groupscope/core/coordinator"
	"groupscope/core/prose"
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
	if o := s.Other; o != nil {
		group = fmt.Sprintf("none, the id belongs to a %s group, %v", o.Type, o.State)
	}
	if s.Group != nil && s.Group.Classic != nil {
		group, present = classicGroupText(s.Group.Classic), nil
	}
	t.changed("group", group+t.streamsGroupText(s.Group))
	for _, c := range s.Clients {
		if _, listed := present[c.ID]; !listed && t.before[c.ID] != "" && present != nil {
			t.changed(c.ID, "not in the group")
		}
	}
	if s.Group != nil && present != nil { // who has what in a classic group, only its leader knows
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

// held is one of the lists of what a member has, in the transcript's words.
type held struct {
	word string
	set  protocol.Assignment
}

func memberText(m *coordinator.Member) string {
	name := heldText
	sets := []held{
		{"owns", protocol.NewAssignment(record.Partitions(m.Assigned))}, {"revokes", protocol.NewAssignment(record.Partitions(m.PendingRevocation))},
		{"waits for", protocol.NewAssignment(m.Waiting)}, {"may take", protocol.NewAssignment(m.Free)}, {"target", m.Target},
	}
	if m.Streams != nil {
		name, sets = tasksText, append(sets, backupSets(m.Streams)...)
	}
	parts := []string{fmt.Sprintf("epoch %d, %s", m.MemberEpoch, m.StateName())}
	for _, h := range sets {
		if h.set.Len() > 0 || h.word == "owns" {
			parts = append(parts, h.word+" "+name(h.set))
		}
	}
	if s := m.Streams; s != nil {
		parts = append(parts, fmt.Sprintf("topology %d", s.TopologyEpoch))
	}
	return strings.Join(parts, "; ")
}

func clientText(c *sim.ClientState) string {
	owns, name := "owns", heldText
	if c.Streams != nil {
		owns, name = "runs", tasksText
	}
	if c.Owned.Len() == 0 && (c.State == client.Absent.String() || c.State == client.Crashed.String()) {
		return c.State
	}
	out := fmt.Sprintf("%s at epoch %d, %s %s", c.State, c.Epoch, owns, name(c.Owned))
	if c.Revoking.Len() > 0 {
		out += ", gives up " + name(c.Revoking)
	}
	return out + streamsClientText(c.Streams)
}

// heldText writes partitions, "nothing" for none.
func heldText(a protocol.Assignment) string { return present(a).String() }

// present makes a list that is not there an empty one.
func present(a protocol.Assignment) protocol.Assignment {
	if a == nil {
		return protocol.Assignment{}
	}
	return a
}

// askedText is a request; streams is the whole of a streams client's heartbeat,
// classic that of a request of the classic protocol.
func (t *transcript) askedText(r protocol.ConsumerGroupHeartbeatRequest, streams *protocol.StreamsGroupHeartbeatRequest, classic *client.ClassicRequest) string {
	switch {
	case streams != nil:
		return t.streamsRequestText(streams)
	case classic != nil:
		return classicRequestText(classic, r)
	}
	return requestText(r)
}

// answerText is what the coordinator answered.
func (t *transcript) answerText(h sim.Handled) string {
	r := h.Answer()
	switch {
	case h.Waits:
		return "none yet, it waits for the others"
	case h.Response.Error != protocol.None:
		return h.Response.Error.String()
	case r != nil:
		return t.streamsAnswerText(r)
	case h.Classic != nil:
		return classicAnswerText(h)
	}
	return fmt.Sprintf("epoch %d, assignment %v", h.Response.MemberEpoch, h.Response.Assignment)
}

// toldText is what a callback tells an application, "" for nothing.
func toldText(c sim.Called) string {
	tasks := strings.Contains(c.What, "Tasks")
	switch {
	case c.Partitions.Len()+c.Standby.Len()+c.Warmup.Len() == 0:
		return ""
	case tasks:
		return rolesText(protocol.Tasks{Active: present(c.Partitions), Standby: present(c.Standby), Warmup: present(c.Warmup)})
	}
	return c.Partitions.String()
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
		out[i] = t.Name + " has " + prose.Count(int(t.Partitions), "partition")
	}
	return strings.Join(out, ", ")
}
