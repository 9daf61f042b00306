package streamsgroup

import (
	"fmt"
	"iter"
	"maps"
	"slices"

	"groupscope/core/protocol"
	"groupscope/core/record"
)

// owners says which processes run a task, in which role: what a member has
// assigned, and what it has yet to give up. Of two members of one process
// that have the same task, the one that lets go of it speaks for both, as in
// the broker.
type owners struct {
	numbers map[string]int32 // of processes, from 1
	tasks   map[protocol.TopicID]*taskOwners
}

// taskOwners are the owners of a subtopology's tasks, by partition. A list of
// processes is never changed once made.
type taskOwners struct {
	active          []int32 // 0: nobody
	standby, warmup [][]int32
}

func newOwners() owners {
	return owners{numbers: map[string]int32{}, tasks: map[protocol.TopicID]*taskOwners{}}
}

func (o *owners) clone() owners {
	c := owners{numbers: maps.Clone(o.numbers), tasks: make(map[protocol.TopicID]*taskOwners, len(o.tasks))}
	for id, t := range o.tasks {
		c.tasks[id] = &taskOwners{slices.Clone(t.active), slices.Clone(t.standby), slices.Clone(t.warmup)}
	}
	return c
}

// number is the number of a process, a new one for one not seen yet.
func (o *owners) number(process string) int32 {
	n, ok := o.numbers[process]
	if !ok {
		n = int32(len(o.numbers)) + 1
		o.numbers[process] = n
	}
	return n
}

// of makes room for a task.
func (o *owners) of(task protocol.Partition) *taskOwners {
	t := o.tasks[task.Topic]
	if t == nil {
		t = &taskOwners{}
		o.tasks[task.Topic] = t
	}
	if n := int(task.Number) + 1; n > len(t.active) {
		t.active = append(t.active, make([]int32, n-len(t.active))...)
		t.standby = append(t.standby, make([][]int32, n-len(t.standby))...)
		t.warmup = append(t.warmup, make([][]int32, n-len(t.warmup))...)
	}
	return t
}

// look finds a task's owners without making room; nil when it has none.
func (o *owners) look(task protocol.Partition) *taskOwners {
	if t := o.tasks[task.Topic]; t != nil && int(task.Number) < len(t.active) {
		return t
	}
	return nil
}

// move replaces what one state of a member runs with what the next runs. An
// error means that a task cannot exist; nothing is changed then.
func (o *owners) move(from, to *Member) error {
	for role, task := range runs(to) {
		if task.Number < 0 {
			return fmt.Errorf("there is no %s task %s", role, protocol.TaskName(task))
		}
	}
	if from != nil {
		process := o.number(from.Meta.ProcessID)
		for role, task := range runs(from) {
			o.of(task).drop(role, task.Number, process)
		}
	}
	if to != nil {
		process := o.number(to.Meta.ProcessID)
		for role, task := range runs(to) {
			o.of(task).put(role, task.Number, process)
		}
	}
	return nil
}

// Role is what a member runs a task as.
type Role int8

// The roles of KIP-1071.
const (
	Active Role = iota
	Standby
	Warmup
)

// String is KIP-1071's word for the role.
func (r Role) String() string { return [...]string{"active", "standby", "warm-up"}[r] }

// runs are the tasks that a member has, and those it has yet to give up.
func runs(m *Member) iter.Seq2[Role, protocol.Partition] {
	return func(yield func(Role, protocol.Partition) bool) {
		if m == nil {
			return
		}
		c := &m.Current
		for _, held := range [...][]record.Held{c.Active, c.PendingActive} {
			for _, h := range held {
				if !yield(Active, h.Partition) {
					return
				}
			}
		}
		for i, set := range [...]protocol.Assignment{c.Standby, c.PendingStandby, c.Warmup, c.PendingWarmup} {
			for _, tp := range set {
				for _, n := range tp.Partitions {
					if !yield(Standby+Role(i/2), protocol.Partition{Topic: tp.Topic, Number: n}) {
						return
					}
				}
			}
		}
	}
}

func (t *taskOwners) put(role Role, task, process int32) {
	if role == Active {
		t.active[task] = process
		return
	}
	if list := t.list(role, task); !slices.Contains(*list, process) {
		*list = append(slices.Clone(*list), process)
	}
}

func (t *taskOwners) drop(role Role, task, process int32) {
	if role == Active {
		t.active[task] = 0
		return
	}
	list := t.list(role, task)
	if i := slices.Index(*list, process); i >= 0 {
		*list = slices.Delete(slices.Clone(*list), i, i+1)
	}
	if len(*list) == 0 {
		*list = nil
	}
}

func (t *taskOwners) list(role Role, task int32) *[]int32 {
	if role == Standby {
		return &t.standby[task]
	}
	return &t.warmup[task]
}

// roles are who runs a task, as a member of one process sees it.
type roles struct {
	active  bool // any process runs it active
	ours    bool // this process runs it active
	standby bool // this process has a standby of it
	warmup  bool // this process warms it up
}

func (o *owners) roles(task protocol.Partition, process string) roles {
	t := o.look(task)
	if t == nil {
		return roles{}
	}
	p, n := o.numbers[process], task.Number
	return roles{
		active:  t.active[n] != 0,
		ours:    t.active[n] != 0 && t.active[n] == p,
		standby: slices.Contains(t.standby[n], p),
		warmup:  slices.Contains(t.warmup[n], p),
	}
}
