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
	most := 0
	for _, i := range s.order {
		m := &s.spec.Members[i]
		most += len(m.Offsets)
		for _, tp := range m.Has.Standby {
			most += len(tp.Partitions)
		}
	}
	found := make([]candidate, 0, most)
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
