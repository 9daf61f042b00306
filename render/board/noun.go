package board

import (
	"strconv"

	"groupscope/core/protocol"
)

// noun is what the slots of a board are called: partitions of a consumer
// group, or tasks of a streams group.
type noun struct{ one, many string }

var (
	aPartition = noun{"partition", "partitions"}
	aTask      = noun{"task", "tasks"}
)

func nounOf(streams bool) noun {
	if streams {
		return aTask
	}
	return aPartition
}

// count is "1 task", "3 tasks".
func (n noun) count(count int) string {
	if count == 1 {
		return "1 " + n.one
	}
	return strconv.Itoa(count) + " " + n.many
}

// name is "foo-2" or, of a task, "0_2".
func (n noun) name(p protocol.Partition) string {
	if n == aTask {
		return protocol.TaskName(p)
	}
	return p.String()
}
