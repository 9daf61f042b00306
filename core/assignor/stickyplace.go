package assignor

import (
	"slices"
)

// placeActive gives every task that nobody keeps to a member: to the one that
// has it active, else to one with its state, else by load.
func (s *sticky) placeActive() {
	hasRoom := func(m int32) bool { return int(s.count[m]) < s.activeQuota.each }
	for _, task := range s.byPartition {
		if m := s.wasActive[task]; m != nobody && s.active[task] == nobody && hasRoom(m) {
			s.placeActiveOn(task, m)
			s.forgetOrder(m)
		}
	}
	if s.candidates.any() {
		for _, task := range s.byPartition {
			if s.active[task] != nobody {
				continue
			}
			if m := s.best(task); m != nobody && hasRoom(m) {
				s.placeActiveOn(task, m)
				s.forgetOrder(m)
			}
		}
	}
	heap := s.processHeap()
	var passed []int32
	for i := range s.active {
		if task := int32(i); s.active[i] == nobody {
			s.placeByLoad(&heap, &passed, task, s.placeActiveOn)
		}
	}
}

// best is the candidate for a task: the first that may run it, or a later one
// whose process and who itself have less to do.
func (s *sticky) best(task int32) int32 {
	best := nobody
	for _, c := range s.candidates.of(task) {
		m := c.member
		if s.runs(s.process[m], task) {
			continue
		}
		if best == nobody || s.load[s.process[m]] < s.load[s.process[best]] && s.count[m] < s.count[best] {
			best = m
		}
	}
	return best
}

// placeByLoad gives a task to the least loaded member of the least loaded
// process that does not run it yet. It reports whether there was one. Passed
// is scratch space.
func (s *sticky) placeByLoad(heap *loadHeap, passed *[]int32, task int32, place func(task, member int32)) bool {
	aside, chosen := (*passed)[:0], nobody
	for heap.len() > 0 {
		p := heap.pop()
		if !s.runs(p, task) {
			chosen = p
			break
		}
		aside = append(aside, p)
	}
	if chosen != nobody {
		if members := s.processes[chosen].members; len(members) == 1 {
			place(task, members[0])
		} else {
			members := s.memberHeap(chosen)
			m := members.pop()
			place(task, m)
			members.push(m)
		}
		heap.push(chosen)
	}
	for _, p := range slices.Backward(aside) {
		heap.push(p)
	}
	*passed = aside
	return chosen != nobody
}

// placeStandby places the copies of stateful tasks: on the member that had
// the task active, else on one with its state, else by load.
func (s *sticky) placeStandby() {
	if s.spec.StandbyReplicas == 0 {
		return
	}
	stateful := s.statefulTasks()
	rest := make([]int, s.Len()) // copies for which nobody with the state has room
	for _, task := range slices.Backward(s.byPartition) {
		if !stateful[task] {
			continue
		}
		for left := s.spec.StandbyReplicas - s.kept(task); left > 0; left-- {
			m := s.standbyFor(task)
			if m == nobody {
				rest[task] = left
				break
			}
			s.placeStandbyOn(task, m)
			s.forgetOrder(m)
		}
	}
	heap := s.processHeap()
	var passed []int32
	for task, copies := range slices.Backward(rest) {
		for range copies {
			if !s.placeByLoad(&heap, &passed, int32(task), s.placeStandbyOn) {
				break
			}
		}
	}
}

// standbyFor is who should have a copy of a task because of its state, if it
// has room.
func (s *sticky) standbyFor(task int32) int32 {
	hasRoom := func(m int32) bool { return int(s.count[m]) < s.totalQuota.each }
	if m := s.wasActive[task]; m != nobody && !s.runs(s.process[m], task) && hasRoom(m) {
		return m
	}
	if m := s.best(task); m != nobody && hasRoom(m) {
		return m
	}
	return nobody
}

// kept counts the standbys of a task on members that keep theirs.
func (s *sticky) kept(task int32) int {
	n := 0
	for c := s.standby[task]; c != nobody; c = s.standbys[c].before {
		if !s.standbys[c].warmup {
			n++
		}
	}
	return n
}

func (s *sticky) statefulTasks() []bool {
	out := make([]bool, s.Len())
	for i, sub := range s.spec.Subtopologies {
		if sub.Stateful {
			for task := s.first[i]; task < s.first[i+1]; task++ {
				out[task] = true
			}
		}
	}
	return out
}
