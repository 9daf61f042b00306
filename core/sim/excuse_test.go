package sim_test

import (
	"slices"
	"strings"

	"groupscope/core/protocol"
	"groupscope/core/sim"
)

// excuse finds the violations that are Kafka's own. Its streams client reports
// what its application took up last, not what the coordinator gave it
// (client.md, "when the applied assignment differs from sent memory"). So a
// report that goes while onTasksAssigned is awaited or runs lacks the tasks
// that are being taken up. The coordinator takes that for giving them up, may
// give them to somebody else at once, and the application takes them up all
// the same: for a while, two threads run them.
type excuse struct {
	// taken is how far a member has got with a task that it was given: false
	// until its application has taken it up.
	taken map[string]map[protocol.Partition]bool
	// early are tasks that a member was given, and reported itself without
	// before its application had taken them up.
	early map[string]map[protocol.Partition]bool
}

func newExcuse() *excuse {
	return &excuse{map[string]map[protocol.Partition]bool{}, map[string]map[protocol.Partition]bool{}}
}

// follow takes in what happened, and says which violations have no excuse.
func (x *excuse) follow(events []sim.Event) (inexcusable []sim.Violation) {
	for _, e := range events {
		switch what := e.What.(type) {
		case sim.Received:
			if r := what.Streams; r != nil && r.Tasks.Present() {
				x.given(what.Member, r.Tasks.Active)
			}
		case sim.Sent:
			if r := what.Streams; r != nil && r.Owned.Present() && !what.Raw {
				x.reported(what.Member, r.Owned.Active)
			}
		case sim.Called:
			x.called(what)
		case sim.Violated:
			if !x.excuses(what.Violation) {
				inexcusable = append(inexcusable, what.Violation)
			}
		}
	}
	return inexcusable
}

func (x *excuse) given(member string, tasks protocol.Assignment) {
	for _, p := range tasks.Partitions() {
		if _, known := x.taken[member][p]; !known {
			put(x.taken, member, p, false)
		}
	}
}

func (x *excuse) reported(member string, tasks protocol.Assignment) {
	for p, taken := range x.taken[member] {
		if !taken && !tasks.Contains(p) {
			put(x.early, member, p, true)
		}
	}
}

func (x *excuse) called(c sim.Called) {
	if !c.Done || c.Failed {
		return
	}
	switch c.What {
	case "onTasksAssigned":
		for _, p := range c.Partitions.Partitions() {
			put(x.taken, c.Member, p, true)
		}
	case "onTasksRevoked":
		for _, p := range c.Partitions.Partitions() {
			delete(x.taken[c.Member], p)
			delete(x.early[c.Member], p)
		}
	case "onAllTasksLost":
		delete(x.taken, c.Member)
		delete(x.early, c.Member)
	}
}

// excuses reports whether a violation is that two threads run a task of which
// one has reported itself without it too early.
func (x *excuse) excuses(v sim.Violation) bool {
	return v.Invariant == "one reader" && slices.ContainsFunc(v.Members, func(id string) bool {
		member, _, _ := strings.Cut(id, "~") // of a client that was started again
		return x.early[member][v.Partitions[0]]
	})
}

func put(in map[string]map[protocol.Partition]bool, member string, p protocol.Partition, value bool) {
	if in[member] == nil {
		in[member] = map[protocol.Partition]bool{}
	}
	in[member][p] = value
}
