package streamsgroup

import (
	"slices"

	"groupscope/core/assignor"
	"groupscope/core/protocol"
)

// warmUp keeps a stateful task where it runs until the member that is to have
// it is caught up, and has that member warm it up meanwhile (the rule
// WarmupTasks). Tasks are looked at in their order, so the first ones get the
// warm-ups that there may be.
func (c *Computation) warmUp(spec *assignor.StreamsSpec, proposed []protocol.Tasks) []protocol.Tasks {
	if c.Warmups < 0 {
		return proposed
	}
	w := newWarming(c, spec, proposed)
	now := w.owning(func(i int) protocol.Assignment { return spec.Members[i].Has.Active })
	then := w.owning(func(i int) protocol.Assignment { return proposed[i].Active })
	number := 0
	for _, s := range spec.Subtopologies {
		for n := range s.Tasks {
			from, to := now[number], then[number]
			number++
			task := protocol.Partition{Topic: s.ID, Number: n}
			if s.Stateful && from != nobody && to != nobody && from != to && !w.mayMove(task, int(from), int(to)) {
				w.stay(task, int(from), int(to))
			}
		}
	}
	for i, e := range w.tasks {
		proposed[i] = e.tasks()
	}
	return proposed
}

// nobody stands for the member of a task that none has.
const nobody int32 = -1

// warming is the work of warmUp.
type warming struct {
	*Computation
	assignor.TaskNumbers
	spec     *assignor.StreamsSpec
	proposed []protocol.Tasks
	process  map[string][]int // the members of each process, those that keep their tasks left out
	tasks    map[int]*edited  // members whose part is no longer as proposed
	placed   int              // warm-ups so far
}

func newWarming(c *Computation, spec *assignor.StreamsSpec, proposed []protocol.Tasks) *warming {
	w := &warming{
		Computation: c, TaskNumbers: assignor.NumberTasks(spec.Subtopologies), spec: spec, proposed: proposed,
		process: map[string][]int{}, tasks: map[int]*edited{},
	}
	for i := range spec.Members {
		if m := &spec.Members[i]; !m.Keeps {
			w.process[m.ProcessID] = append(w.process[m.ProcessID], i)
		}
	}
	return w
}

// owning finds the member of each active task, by number.
func (w *warming) owning(active func(member int) protocol.Assignment) []int32 {
	out := slices.Repeat([]int32{nobody}, w.Len())
	for i := range w.spec.Members {
		w.Each(active(i), func(task int32) { out[task] = int32(i) })
	}
	return out
}

// edited is a member's part of the target while it changes.
type edited struct{ Roles }

func (e *edited) tasks() protocol.Tasks {
	for _, list := range []*[]protocol.Partition{&e.Active, &e.Standby, &e.Warmup} {
		slices.SortFunc(*list, protocol.Partition.Compare)
	}
	return protocol.Tasks{Active: setOf(e.Active), Standby: setOf(e.Standby), Warmup: setOf(e.Warmup)}
}

func (w *warming) edit(i int) *edited {
	e := w.tasks[i]
	if e == nil {
		p := w.proposed[i]
		e = &edited{Roles{p.Active.Partitions(), p.Standby.Partitions(), p.Warmup.Partitions()}}
		w.tasks[i] = e
	}
	return e
}

// mayMove reports whether a task moves without warming up first.
func (w *warming) mayMove(task protocol.Partition, from, to int) bool {
	return w.spec.Members[from].ProcessID == w.spec.Members[to].ProcessID || w.caughtUp(w.spec.Members[to].ID, task)
}

func (c *Computation) caughtUp(member string, task protocol.Partition) bool {
	offsets, ends := c.Offsets.Of(member)
	return CaughtUp(offsets, ends, task, c.RecoveryLag)
}

// CaughtUp reports whether a member that reported these offsets is close
// enough to the end of a task's changelogs to take the task over.
func CaughtUp(offsets, ends []protocol.TaskOffset, task protocol.Partition, lag int64) bool {
	offset, ok := offsetOf(offsets, task)
	end, known := offsetOf(ends, task)
	return ok && known && end-offset <= lag
}

func offsetOf(list []protocol.TaskOffset, task protocol.Partition) (int64, bool) {
	i, ok := slices.BinarySearchFunc(list, task, func(o protocol.TaskOffset, t protocol.Partition) int { return o.Task.Compare(t) })
	if !ok {
		return 0, false
	}
	return list[i].Offset, true
}

// stay leaves a task where it is. The member that was to have it warms it up
// if there may be another warm-up; a standby in the process that goes on
// running the task is left out.
func (w *warming) stay(task protocol.Partition, from, to int) {
	remove := func(list *[]protocol.Partition) {
		*list = slices.DeleteFunc(*list, func(p protocol.Partition) bool { return p == task })
	}
	remove(&w.edit(to).Active)
	present := w.edit(from)
	present.Active = append(present.Active, task)
	for _, i := range w.process[w.spec.Members[from].ProcessID] {
		if w.proposed[i].Standby.Contains(task) {
			remove(&w.edit(i).Standby)
		}
	}
	if w.placed < w.Warmups {
		w.edit(to).Warmup = append(w.edit(to).Warmup, task)
		w.placed++
	}
}
