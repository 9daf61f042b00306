package playback

import (
	"fmt"
	"strconv"

	"groupscope/core/coordinator"
	"groupscope/core/prose"
	"groupscope/core/protocol"
	"groupscope/core/sim"
)

// streamsMemberRows are what the coordinator holds of a streams member beyond
// what it does of a consumer.
func streamsMemberRows(m *coordinator.Member) []Row {
	s := m.Streams
	if s == nil {
		return nil
	}
	var rows []Row
	add := func(name string, tasks protocol.Assignment) {
		if len(tasks) > 0 {
			rows = append(rows, text(name, wording{true}.names(tasks.Partitions())))
		}
	}
	add("Standby", s.Standby)
	add("Warm-up", s.Warmup)
	add("Standby to close", s.PendingStandby)
	add("Warm-up to close", s.PendingWarmup)
	add("Target, standby", s.TargetStandby)
	add("Target, warm-up", s.TargetWarmup)
	if r := s.Refined; r != nil {
		rows = append(rows, text("Reconciled towards", inRoles(r.Active, r.Standby, r.Warmup)))
	}
	rows = append(rows, text("Topology epoch", strconv.Itoa(int(s.TopologyEpoch))), text("Process", s.ProcessID))
	if s.UserEndpoint != nil {
		rows = append(rows, text("Endpoint", s.UserEndpoint.String()), text("Knows endpoints of epoch", strconv.Itoa(int(s.EndpointEpoch))))
	}
	for _, t := range s.ClientTags {
		rows = append(rows, text("Tag "+t.Key, t.Value))
	}
	return rows
}

// streamsClientRows are what a streams client believes beyond a consumer.
func streamsClientRows(c *sim.StreamsClient) []Row {
	var rows []Row
	add := func(name string, tasks protocol.Assignment) {
		if len(tasks) > 0 {
			rows = append(rows, text(name, wording{true}.names(tasks.Partitions())))
		}
	}
	add("Runs as standby", c.Standby)
	add("Warms up", c.Warmup)
	for _, t := range c.Progress {
		if t.Offset < t.End {
			rows = append(rows, text("Restores "+protocol.TaskName(t.Task), fmt.Sprintf("%d of %d records", t.Offset, t.End)))
		}
	}
	for _, s := range c.Status {
		rows = append(rows, text("Status", s.Code.String()))
	}
	return rows
}

// streamsGroupRows are what there is to a streams group beyond a consumer
// group.
func streamsGroupRows(g *coordinator.StreamsGroup) []Row {
	if g == nil {
		return nil
	}
	rows := []Row{text("Topology epoch", strconv.Itoa(int(g.TopologyEpoch))), text("Endpoint epoch", strconv.Itoa(int(g.EndpointInformationEpoch)))}
	for _, t := range g.Tasks {
		kind := "without state"
		if t.Stateful {
			kind = "with state"
		}
		rows = append(rows, text("Subtopology "+t.Subtopology, prose.Count(int(t.Tasks), "task")+" "+kind))
	}
	if g.Status != nil {
		rows = append(rows, text("Status", g.Status.Code.String()))
	}
	for _, t := range g.Creatable {
		rows = append(rows, text("To be created", fmt.Sprintf("%s with %s", t.Name, prose.Count(int(t.Partitions), "partition"))))
	}
	if g.ShutdownRequestMember != "" {
		rows = append(rows, text("Shutdown", "asked for by "+g.ShutdownRequestMember))
	}
	return rows
}

// subscribes tells what a member reads, and which assignor it asks for: of a
// streams member its topology says the one and the group the other.
func subscribes(m *coordinator.Member, assignor string) []Row {
	if m.Streams != nil {
		return nil
	}
	return []Row{text("Subscribes to", subscription(m)), text("Assignor", assignor)}
}
