package assignor

import (
	"cmp"
	"slices"
)

// gather numbers the members and the processes in the orders in which the
// broker walks them.
func (s *sticky) gather() {
	members := s.spec.Members
	hashes := make([]uint32, len(members))
	for i := range members {
		hashes[i] = StringHash(members[i].ID)
	}
	s.process = make([]int32, len(members))
	s.count = make([]float64, len(members))
	s.order = make([]int32, 0, len(members))
	for _, i := range new(hashOrder).of(len(members), func(i int) uint32 { return hashes[i] }) {
		if !members[i].Keeps {
			s.order = append(s.order, i)
		}
	}
	table := newProcessTable(len(s.order))
	for _, m := range s.order {
		s.process[m] = table.look(members[m].ProcessID)
	}
	s.join(table.size())
	s.walk = table.walk()
	for i := range members {
		if members[i].Keeps {
			s.process[i] = table.look(members[i].ProcessID)
		}
	}
	for int(table.size()) > len(s.processes) {
		s.processes = append(s.processes, stickyProcess{})
	}
	var sorted hashOrder
	s.load = make([]float64, len(s.processes))
	for i := range s.processes {
		s.processes[i].sortMembers(hashes, &sorted)
	}
}

// join puts the members into their processes.
func (s *sticky) join(processes int) {
	s.processes = make([]stickyProcess, processes)
	counts := make([]int32, processes)
	for _, m := range s.order {
		counts[s.process[m]]++
	}
	slab := make([]int32, len(s.order))
	for i, n := range counts {
		s.processes[i].members, slab = slab[:0:n], slab[n:]
	}
	for _, m := range s.order {
		p := &s.processes[s.process[m]]
		p.members = append(p.members, m)
	}
}

// sortMembers orders the members as the process's own hash table has them.
func (p *stickyProcess) sortMembers(hashes []uint32, sorted *hashOrder) {
	if len(p.members) > 1 {
		sorted.permute(p.members, func(i int) uint32 { return hashes[p.members[i]] })
	}
}

// processTable is the hash table in which the broker has the processes. It
// starts as large as there are members, grows at a look-up, and puts a new
// process at the front of its bucket.
type processTable struct {
	numbers  map[string]int32
	hashes   []uint32
	capacity int
}

func newProcessTable(members int) *processTable {
	t := &processTable{numbers: make(map[string]int32, members), capacity: 1}
	for t.capacity < members {
		t.capacity *= 2
	}
	return t
}

func (t *processTable) size() int { return len(t.hashes) }

// look finds the number of a process, a new one for a process not seen yet.
func (t *processTable) look(id string) int32 {
	if t.size() > t.capacity*3/4 {
		t.capacity *= 2
	}
	n, ok := t.numbers[id]
	if !ok {
		n = int32(t.size())
		t.numbers[id] = n
		h := StringHash(id)
		t.hashes = append(t.hashes, h^h>>16)
	}
	return n
}

// walk lists the processes as the table is read: bucket by bucket, the latest
// of a bucket first.
func (t *processTable) walk() []int32 {
	out := make([]int32, t.size())
	for i := range out {
		out[i] = int32(i)
	}
	mask := uint32(t.capacity - 1)
	slices.SortFunc(out, func(a, b int32) int {
		return cmp.Or(cmp.Compare(t.hashes[a]&mask, t.hashes[b]&mask), cmp.Compare(b, a))
	})
	return out
}

// processHeap orders the processes by load.
func (s *sticky) processHeap() loadHeap {
	h := loadHeap{key: s.load}
	for _, p := range s.walk {
		h.push(p)
	}
	return h
}

// memberHeap orders the members of a process by how many tasks they have. It
// lives on until a task is placed there otherwise than by load.
func (s *sticky) memberHeap(process int32) *loadHeap {
	p := &s.processes[process]
	if !p.built {
		p.byCount = loadHeap{items: p.byCount.items[:0], key: s.count}
		for _, m := range p.members {
			p.byCount.push(m)
		}
		p.built = true
	}
	return &p.byCount
}

// loadHeap is a binary heap, the item with the smallest key first. Which of
// equal items comes first follows from the way it is kept, so it is kept as
// Java's PriorityQueue is.
type loadHeap struct {
	items []int32
	key   []float64 // by item
}

func (h *loadHeap) len() int { return len(h.items) }

func (h *loadHeap) push(item int32) {
	h.items = append(h.items, item)
	i, key := len(h.items)-1, h.key[item]
	for i > 0 {
		parent := (i - 1) / 2
		if key >= h.key[h.items[parent]] {
			break
		}
		h.items[i] = h.items[parent]
		i = parent
	}
	h.items[i] = item
}

func (h *loadHeap) pop() int32 {
	first, n := h.items[0], len(h.items)-1
	item := h.items[n]
	h.items = h.items[:n]
	if n == 0 {
		return first
	}
	i, key := 0, h.key[item]
	for {
		child := 2*i + 1
		if child >= n {
			break
		}
		if right := child + 1; right < n && h.key[h.items[child]] > h.key[h.items[right]] {
			child = right
		}
		if key <= h.key[h.items[child]] {
			break
		}
		h.items[i] = h.items[child]
		i = child
	}
	h.items[i] = item
	return first
}
