package board

import (
	"strings"

	"groupscope/core/protocol"
)

// What the arrows of a streams group say: tasks in their roles, and statuses.

func streamsRequestWords(q *protocol.StreamsGroupHeartbeatRequest) string {
	words := comesOrGoes(q.MemberEpoch)
	switch {
	case words != "":
	case q.Owned.Present():
		words = "runs " + tasksInRoles(q.Owned)
	case len(q.TaskOffsets) > 0:
		words = "tells its offsets"
	default:
		words = "heartbeat"
	}
	if q.ShutdownApplication {
		words = "shut down all"
	}
	return words
}

// streamsAnswerWords puts a status first: it is what the member has to heed.
func streamsAnswerWords(a *protocol.StreamsGroupHeartbeatResponse) string {
	var parts []string
	for _, s := range a.Status {
		parts = append(parts, statusWord(s.Code))
	}
	switch {
	case a.Tasks.Present() && (len(parts) == 0 || !noTasks(a.Tasks)):
		parts = append(parts, tasksInRoles(a.Tasks))
	case len(parts) > 0:
	case a.PartitionsByUserEndpoint != nil:
		parts = append(parts, "endpoints")
	default:
		parts = append(parts, "no change")
	}
	return strings.Join(parts, ", ")
}

func noTasks(t protocol.Tasks) bool { return t.Active.Len()+t.Standby.Len()+t.Warmup.Len() == 0 }

// tasksInRoles is "0_0, 0_1; standby 0_2": active tasks are what goes without
// saying.
func tasksInRoles(t protocol.Tasks) string {
	var parts []string
	for _, l := range []struct {
		role  string
		tasks protocol.Assignment
	}{{"", t.Active}, {"standby ", t.Standby}, {"warm-up ", t.Warmup}} {
		if l.tasks.Len() > 0 {
			parts = append(parts, l.role+fewTasks(l.tasks))
		}
	}
	if parts == nil {
		return "nothing"
	}
	return strings.Join(parts, "; ")
}

// fewTasks names up to three tasks, or counts them.
func fewTasks(a protocol.Assignment) string {
	tasks := a.Partitions()
	if len(tasks) > 3 {
		return aTask.count(len(tasks))
	}
	names := make([]string, len(tasks))
	for i, task := range tasks {
		names[i] = protocol.TaskName(task)
	}
	return strings.Join(names, ", ")
}

// statusWord is "stale topology": an arrow has no room for constants.
func statusWord(s protocol.StatusCode) string {
	return strings.ToLower(strings.ReplaceAll(s.String(), "_", " "))
}
