package main

import (
	"fmt"
	"slices"
	"strings"

	"groupscope/core/coordinator"
	"groupscope/core/playback"
	"groupscope/core/protocol"
	"groupscope/core/sim"
)

// What a transcript says of a streams group where it differs from a consumer
// group: tasks by their names and roles, statuses, the further epochs.

// tasksText writes tasks: "0_0 and 0_1", "nothing".
func tasksText(a protocol.Assignment) string { return playback.Tasks(a.Partitions()) }

// rolesText writes the lists of a message, "absent" where it has none.
func rolesText(t protocol.Tasks) string {
	if !t.Present() {
		return "absent"
	}
	return tasksText(t.Active) + listsText([]held{{"standby", t.Standby}, {"warm-up", t.Warmup}})
}

// listsText writes the lists that are not empty, each after a comma.
func listsText(lists []held) string {
	var b strings.Builder
	for _, h := range lists {
		if h.set.Len() > 0 {
			b.WriteString(", " + h.word + " " + tasksText(h.set))
		}
	}
	return b.String()
}

// backupSets are a member's tasks that are not active.
func backupSets(s *coordinator.StreamsMember) []held {
	return []held{
		{"standby", s.Standby}, {"warm-up", s.Warmup}, {"closes standby", s.PendingStandby}, {"closes warm-up", s.PendingWarmup},
		{"target standby", s.TargetStandby}, {"target warm-up", s.TargetWarmup},
	}
}

func streamsClientText(c *sim.StreamsClient) string {
	if c == nil {
		return ""
	}
	return listsText([]held{
		{"standby", c.Standby}, {"warm-up", c.Warmup},
		{"closes standby", c.RevokingStandby}, {"closes warm-up", c.RevokingWarmup},
	}) + statusText(c.Status)
}

func (t *transcript) streamsGroupText(g *coordinator.Group) string {
	if g == nil || g.Streams == nil {
		return ""
	}
	s := g.Streams
	text := fmt.Sprintf(", topology %d", s.TopologyEpoch) + t.endpointEpoch(s.EndpointInformationEpoch)
	if s.Status != nil {
		text += statusText([]protocol.Status{*s.Status})
	}
	return text
}

// endpointEpoch writes the epoch of the endpoint information, "" where nobody
// has an endpoint.
func (t *transcript) endpointEpoch(epoch int32) string {
	if !t.endpoints {
		return ""
	}
	return fmt.Sprintf(", endpoint epoch %d", epoch)
}

// statusText writes statuses: ", status MISSING_SOURCE_TOPICS", "" for none.
func statusText(status []protocol.Status) string {
	if len(status) == 0 {
		return ""
	}
	names := make([]string, len(status))
	for i, s := range status {
		names[i] = s.Code.String()
	}
	return ", status " + strings.Join(names, " ")
}

// streamsRequestText writes the fields of a request that are present.
func (t *transcript) streamsRequestText(r *protocol.StreamsGroupHeartbeatRequest) string {
	parts := []string{fmt.Sprintf("epoch %d", r.MemberEpoch)}
	add := func(there bool, format string, args ...any) {
		if there {
			parts = append(parts, fmt.Sprintf(format, args...))
		}
	}
	if r.InstanceID != nil {
		add(true, "instance %s", *r.InstanceID)
	}
	if r.ProcessID != nil {
		add(true, "process %s", *r.ProcessID)
	}
	if r.Topology != nil {
		add(true, "topology %d", r.Topology.Epoch)
	}
	if r.UserEndpoint != nil {
		add(true, "endpoint %s", r.UserEndpoint)
	}
	add(t.endpoints && r.EndpointInformationEpoch >= 0, "knows endpoint epoch %d", r.EndpointInformationEpoch)
	add(r.Owned.Present(), "runs %s", rolesText(r.Owned))
	if some := partialText(r.Owned); some != "" {
		add(!r.Owned.Present(), "lists only %s", some)
	}
	add(len(r.TaskOffsets)+len(r.TaskEndOffsets) > 0, "restored %s", offsetsText(r.TaskOffsets, r.TaskEndOffsets))
	add(r.ShutdownApplication, "shuts the application down")
	return strings.Join(parts, ", ")
}

// partialText writes the lists of tasks that are there.
func partialText(t protocol.Tasks) string {
	var there []string
	for _, h := range []held{{"active", t.Active}, {"standby", t.Standby}, {"warm-up", t.Warmup}} {
		if h.set != nil {
			there = append(there, h.word+" "+tasksText(h.set))
		}
	}
	return strings.Join(there, ", ")
}

// offsetsText writes how far the state of tasks goes, and where their
// changelogs end: "0_0 500 of 2000".
func offsetsText(offsets, ends []protocol.TaskOffset) string {
	out := make([]string, len(offsets))
	for i, o := range offsets {
		out[i] = fmt.Sprintf("%s %d", protocol.TaskName(o.Task), o.Offset)
		if n := slices.IndexFunc(ends, func(e protocol.TaskOffset) bool { return e.Task == o.Task }); n >= 0 {
			out[i] += fmt.Sprintf(" of %d", ends[n].Offset)
		}
	}
	return strings.Join(out, ", ")
}

// streamsAnswerText is an answer without an error.
func (t *transcript) streamsAnswerText(r *protocol.StreamsGroupHeartbeatResponse) string {
	text := fmt.Sprintf("epoch %d, tasks %s", r.MemberEpoch, rolesText(r.Tasks)) + t.endpointEpoch(r.EndpointInformationEpoch)
	for i, e := range r.PartitionsByUserEndpoint {
		text += [...]string{": ", "; "}[min(i, 1)] + e.Endpoint.String() + " " + readsText(e.Active)
		if len(e.Standby) > 0 {
			text += ", standby " + readsText(e.Standby)
		}
	}
	return text + statusText(r.Status)
}

// readsText writes the partitions whose data an instance has.
func readsText(list []protocol.NamedPartitions) string {
	out := protocol.Assignment{}
	for _, t := range list {
		out = append(out, protocol.TopicPartitions{Topic: protocol.TopicID(t.Topic), Partitions: t.Partitions})
	}
	return out.String()
}
