package assignor

import "groupscope/core/protocol"

// result lists the tasks of each member.
func (s *sticky) result() []protocol.Tasks {
	of := make([]int32, s.Len()) // the subtopology of each task
	for i := range s.spec.Subtopologies {
		for task := s.first[i]; task < s.first[i+1]; task++ {
			of[task] = int32(i)
		}
	}
	actives, standbys := s.lists(of, s.eachActive), s.lists(of, s.eachStandby)
	out := make([]protocol.Tasks, len(s.spec.Members))
	for i := range out {
		if m := &s.spec.Members[i]; m.Keeps {
			out[i] = m.Has
		} else {
			out[i].Active, out[i].Standby, out[i].Warmup = actives[i], standbys[i], protocol.Assignment{}
		}
	}
	return out
}

// eachActive calls f with every active task, in order, and its member.
func (s *sticky) eachActive(f func(task, member int32)) {
	for task, m := range s.active {
		if m != nobody {
			f(int32(task), m)
		}
	}
}

// eachStandby calls f with every copy of every task, in the tasks' order, and
// its member.
func (s *sticky) eachStandby(f func(task, member int32)) {
	for task, c := range s.standby {
		for ; c != nobody; c = s.standbys[c].before {
			f(int32(task), s.standbys[c].member)
		}
	}
}

// lists are one role's tasks of every member. All are cut from two slabs: the
// tasks are dealt to the members' parts of one, which then become numbers.
func (s *sticky) lists(of []int32, each func(f func(task, member int32))) []protocol.Assignment {
	members := len(s.spec.Members)
	start := make([]int32, members+2)
	each(func(_, m int32) { start[m+2]++ })
	for m := range members {
		start[m+2] += start[m+1]
	}
	tasks := make([]int32, start[members+1])
	each(func(task, m int32) {
		tasks[start[m+1]] = task
		start[m+1]++
	})
	entries := 0
	for m := range members {
		last := nobody
		for _, task := range tasks[start[m]:start[m+1]] {
			if of[task] != last {
				last = of[task]
				entries++
			}
		}
	}
	slab := make(protocol.Assignment, entries)
	out := make([]protocol.Assignment, members)
	for m := range out {
		n := 0
		for own := tasks[start[m]:start[m+1]]; len(own) > 0; n++ {
			i, length := of[own[0]], 0
			for length < len(own) && of[own[length]] == i {
				own[length] -= s.first[i]
				length++
			}
			set(&slab[n], s.spec.Subtopologies[i].ID, own[:length:length])
			own = own[length:]
		}
		out[m], slab = slab[:n:n], slab[n:]
	}
	return out
}
