package assignor

import (
	"errors"
	"slices"

	"groupscope/core/protocol"
)

// Sticky is Kafka's assignor of streams groups. An active task stays where it
// is, or goes to a member with its state, as long as that member has room;
// what is left goes to the process with the least load. Standbys follow in
// the same way, at most one copy of a task in a process.
type Sticky struct{}

// Name implements StreamsAssignor.
func (Sticky) Name() string { return "sticky" }

// Assign implements StreamsAssignor. Members that keep their tasks are left
// out of the count, and so is what they have.
func (Sticky) Assign(spec StreamsSpec) ([]protocol.Tasks, error) {
	s := newSticky(&spec)
	s.keep()
	s.lookBack()
	if s.activeQuota.members > 0 {
		s.placeActive()
		s.placeStandby()
	} else if s.activeQuota.total > 0 && !slices.ContainsFunc(spec.Members, keeps) {
		return nil, errors.New("there is no process to run the tasks")
	}
	return s.result(), nil
}

func keeps(m StreamsMember) bool { return m.Keeps }

// nobody stands for a member, process or standby that is not there.
const nobody int32 = -1

// sticky is one assignment in the making. Tasks, members and processes are
// numbers: members as in the spec, processes in the order of their first
// member.
type sticky struct {
	spec *StreamsSpec
	TaskNumbers
	order []int32 // members as the broker walks them, those that keep left out

	process     []int32   // of each member
	count       []float64 // tasks of each member
	processes   []stickyProcess
	walk        []int32   // processes as the broker walks them
	load        []float64 // of each process: its tasks by its members
	activeQuota quota
	totalQuota  quota

	byPartition []int32 // tasks ordered by partition, then subtopology
	wasActive   []int32 // the member that has a task active now
	candidates  candidates
	active      []int32 // the member that is to have a task active
	standby     []int32 // the last standby placed of a task, in standbys
	standbys    []standbyCopy
}

// stickyProcess is one application instance.
type stickyProcess struct {
	members []int32 // as the broker walks them; none keeps its tasks
	tasks   int
	byCount loadHeap
	built   bool // byCount holds the members
}

// standbyCopy is a copy of a task that is not active; before is the one
// placed before it, so the copies of a task form a list.
type standbyCopy struct {
	process, member, before int32
	warmup                  bool // of a member that keeps its tasks
}

// quota is how many tasks a member may have: the rest, spread evenly over the
// members that still have room.
type quota struct{ total, members, each int }

func newQuota(total, members int) quota {
	q := quota{total: total, members: members}
	q.spread()
	return q
}

func (q *quota) spread() {
	q.each = 0
	if q.members > 0 {
		q.each = (q.total + q.members - 1) / q.members
	}
}

// reached takes a member that has exactly its quota out of the count.
func (q *quota) reached(count int) {
	if count == q.each {
		q.total -= q.each
		q.members--
		q.spread()
	}
}

func newSticky(spec *StreamsSpec) *sticky {
	s := &sticky{spec: spec, TaskNumbers: NumberTasks(spec.Subtopologies)}
	stateful := 0
	for _, sub := range spec.Subtopologies {
		if sub.Stateful {
			stateful += int(sub.Tasks)
		}
	}
	s.active = slices.Repeat([]int32{nobody}, s.Len())
	s.standby = slices.Repeat([]int32{nobody}, s.Len())
	s.wasActive = slices.Repeat([]int32{nobody}, s.Len())
	s.byPartition = s.partitionOrder()
	s.gather()
	if most := min(spec.StandbyReplicas, len(s.processes)-1); most > 0 {
		s.standbys = make([]standbyCopy, 0, most*stateful)
	}
	s.activeQuota = newQuota(s.Len(), len(s.order))
	s.totalQuota = newQuota(s.Len()+spec.StandbyReplicas*stateful, len(s.order))
	return s
}

// partitionOrder lists the tasks by partition, then subtopology.
func (s *sticky) partitionOrder() []int32 {
	out := make([]int32, 0, s.Len())
	left := make([]int, 0, len(s.spec.Subtopologies))
	for i := range s.spec.Subtopologies {
		left = append(left, i)
	}
	for p := int32(0); len(left) > 0; p++ {
		left = slices.DeleteFunc(left, func(i int) bool { return s.spec.Subtopologies[i].Tasks <= p })
		for _, i := range left {
			out = append(out, s.first[i]+p)
		}
	}
	return out
}

// keep places what the members have that keep their tasks: those tasks are
// not handed out, and no other copy of them goes to the same process.
func (s *sticky) keep() {
	for i := range s.spec.Members {
		m := &s.spec.Members[i]
		if !m.Keeps {
			continue
		}
		s.Each(m.Has.Active, func(task int32) {
			s.active[task] = int32(i)
			s.activeQuota.total--
			s.totalQuota.total--
		})
		s.Each(m.Has.Standby, func(task int32) {
			s.copyTo(task, int32(i), false)
			s.totalQuota.total--
		})
		s.Each(m.Has.Warmup, func(task int32) { s.copyTo(task, int32(i), true) })
	}
	s.activeQuota.spread()
	s.totalQuota.spread()
}

// runs reports whether a process has a task already, in whatever role.
func (s *sticky) runs(process, task int32) bool {
	if m := s.active[task]; m != nobody && s.process[m] == process {
		return true
	}
	for c := s.standby[task]; c != nobody; c = s.standbys[c].before {
		if s.standbys[c].process == process {
			return true
		}
	}
	return false
}

func (s *sticky) copyTo(task, member int32, warmup bool) {
	s.standbys = append(s.standbys, standbyCopy{s.process[member], member, s.standby[task], warmup})
	s.standby[task] = int32(len(s.standbys) - 1)
}

// counted notes a task more of a member, and returns how many it has.
func (s *sticky) counted(member int32) int {
	p := s.process[member]
	process := &s.processes[p]
	process.tasks++
	s.load[p] = float64(process.tasks) / float64(len(process.members))
	s.count[member]++
	count := int(s.count[member])
	s.totalQuota.reached(count)
	return count
}

func (s *sticky) placeActiveOn(task, member int32) {
	s.active[task] = member
	s.activeQuota.reached(s.counted(member))
}

func (s *sticky) placeStandbyOn(task, member int32) {
	s.copyTo(task, member, false)
	s.counted(member)
}

// forgetOrder notes that a task was placed otherwise than by load: the broker
// then loses the order in which it had the members of the process.
func (s *sticky) forgetOrder(member int32) { s.processes[s.process[member]].built = false }
