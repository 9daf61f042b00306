package assignor

import (
	"cmp"
	"slices"

	"groupscope/core/protocol"
)

// candidates are the members that have some state of a task without having
// it active, best first.
type candidates struct {
	start []int32 // of each task in list
	list  []candidate
}

type candidate struct {
	task, member int32
	standby      bool // it has a standby, not only an offset
	offset       int64
}

func (c *candidates) any() bool { return len(c.list) > 0 }

func (c *candidates) of(task int32) []candidate {
	if !c.any() {
		return nil
	}
	return c.list[c.start[task]:c.start[task+1]]
}

// lookBack notes who has which task now.
func (s *sticky) lookBack() {
	var found []candidate
	for _, i := range s.order {
		m := &s.spec.Members[i]
		s.Each(m.Has.Active, func(task int32) { s.wasActive[task] = i })
		s.Each(m.Has.Standby, func(task int32) {
			found = append(found, candidate{task: task, member: i, standby: true, offset: s.offset(m, task)})
		})
		for _, o := range m.Offsets {
			if task, ok := s.Of(o.Task); ok && !m.Has.Standby.Contains(o.Task) {
				found = append(found, candidate{task: task, member: i, offset: o.Offset})
			}
		}
	}
	if len(found) > 0 {
		s.candidates = byTask(found, s.Len())
	}
}

// byTask sorts candidates by task, and those of a task by what they have; the
// order in which they were found decides between equals.
func byTask(found []candidate, tasks int) candidates {
	c := candidates{start: make([]int32, tasks+1), list: make([]candidate, len(found))}
	for _, f := range found {
		c.start[f.task+1]++
	}
	for i := range tasks {
		c.start[i+1] += c.start[i]
	}
	next := slices.Clone(c.start)
	for _, f := range found {
		c.list[next[f.task]] = f
		next[f.task]++
	}
	for task := range int32(tasks) {
		if of := c.of(task); len(of) > 1 {
			slices.SortStableFunc(of, func(a, b candidate) int {
				if a.standby != b.standby {
					if a.standby {
						return -1
					}
					return 1
				}
				return cmp.Compare(b.offset, a.offset)
			})
		}
	}
	return c
}

// offset is what the member reported for a task, 0 for nothing.
func (s *sticky) offset(m *StreamsMember, task int32) int64 {
	if len(m.Offsets) == 0 {
		return 0
	}
	i, ok := slices.BinarySearchFunc(m.Offsets, s.Name(task), func(o protocol.TaskOffset, p protocol.Partition) int {
		return o.Task.Compare(p)
	})
	if !ok {
		return 0
	}
	return m.Offsets[i].Offset
}

// result lists the tasks of each member.
func (s *sticky) result() []protocol.Tasks {
	actives, standbys := newLists(s), newLists(s)
	for i := range s.spec.Subtopologies {
		for task := s.first[i]; task < s.first[i+1]; task++ {
			actives.count(s.active[task], i)
			for c := s.standby[task]; c != nobody; c = s.standbys[c].before {
				standbys.count(s.standbys[c].member, i)
			}
		}
	}
	actives.allocate()
	standbys.allocate()
	for i, sub := range s.spec.Subtopologies {
		for task := s.first[i]; task < s.first[i+1]; task++ {
			actives.add(s.active[task], sub.ID, task-s.first[i])
			for c := s.standby[task]; c != nobody; c = s.standbys[c].before {
				standbys.add(s.standbys[c].member, sub.ID, task-s.first[i])
			}
		}
	}
	out := make([]protocol.Tasks, len(s.spec.Members))
	for i := range out {
		if m := &s.spec.Members[i]; m.Keeps {
			out[i] = m.Has
		} else {
			out[i] = protocol.Tasks{Active: actives.of[i], Standby: standbys.of[i], Warmup: protocol.Assignment{}}
		}
	}
	return out
}

// lists are one role's tasks of every member. All are cut from two slabs, so
// tasks are first counted, then added, both in their order.
type lists struct {
	of      []protocol.Assignment // by member
	numbers [][]int32             // of each member's tasks, in order
	tasks   []int32               // how many tasks a member has
	groups  []int32               // in how many subtopologies
	last    []int32               // the subtopology counted last
}

func newLists(s *sticky) *lists {
	n := len(s.spec.Members)
	return &lists{
		of: make([]protocol.Assignment, n), numbers: make([][]int32, n), tasks: make([]int32, n),
		groups: make([]int32, n), last: slices.Repeat([]int32{nobody}, n),
	}
}

func (l *lists) count(member int32, subtopology int) {
	if member == nobody {
		return
	}
	l.tasks[member]++
	if l.last[member] != int32(subtopology) {
		l.last[member] = int32(subtopology)
		l.groups[member]++
	}
}

func (l *lists) allocate() {
	tasks, groups := int32(0), int32(0)
	for i := range l.of {
		tasks += l.tasks[i]
		groups += l.groups[i]
	}
	numbers, of := make([]int32, tasks), make(protocol.Assignment, groups)
	for i := range l.of {
		n, g := l.tasks[i], l.groups[i]
		l.numbers[i], numbers = numbers[:0:n], numbers[n:]
		l.of[i], of = of[:0:g], of[g:]
	}
}

func (l *lists) add(member int32, subtopology protocol.TopicID, number int32) {
	if member == nobody {
		return
	}
	list, numbers := l.of[member], append(l.numbers[member], number)
	if n := len(list); n == 0 || list[n-1].Topic != subtopology {
		list = append(list, protocol.TopicPartitions{Topic: subtopology})
		l.of[member] = list
	}
	last, n := &list[len(list)-1], len(numbers)
	last.Partitions = numbers[n-len(last.Partitions)-1 : n : n]
	l.numbers[member] = numbers
}
