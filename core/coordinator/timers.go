package coordinator

import (
	"maps"
	"slices"

	"groupscope/core/protocol"
)

// timerKey addresses a timer; starting one that runs replaces it.
type timerKey struct {
	kind   TimerKind
	group  string
	member string
}

// timer is a deadline. Timers of one deadline fire in the order in which
// they were started.
type timer struct {
	key timerKey
	moment
	epoch int32 // of the member when a rebalance timer started
	// queued is the moment by which it stands in the queue. A timer that is
	// started again keeps its place until it gets to the front, since most
	// are started again long before.
	queued moment `canon:"-"`
	at     int32  `canon:"-"` // its place in the queue
}

// moment orders timers: by deadline, then by when they were started.
type moment struct {
	deadline protocol.Instant
	started  uint64 `canon:"-"`
}

func (m moment) before(o moment) bool {
	if m.deadline != o.deadline {
		return m.deadline < o.deadline
	}
	return m.started < o.started
}

// timers are the running timers. They are numbered, so that a copy of them
// needs no new numbers.
type timers struct {
	numbers map[timerKey]int32 `canon:"-"`
	all     []timer            `canon:"set"` // by number; those in free do not run
	free    []int32            `canon:"-"`
	queue   []int32            `canon:"-"` // a heap, the soonest first
	starts  uint64             `canon:"-"`
}

func newTimers() timers { return timers{numbers: map[timerKey]int32{}} }

func (t *timers) clone() timers {
	return timers{
		numbers: maps.Clone(t.numbers), all: slices.Clone(t.all), free: slices.Clone(t.free),
		queue: slices.Clone(t.queue), starts: t.starts,
	}
}

func (t *timers) start(key timerKey, deadline protocol.Instant, epoch int32) {
	t.starts++
	m := moment{deadline, t.starts}
	if n, ok := t.numbers[key]; ok {
		running := &t.all[n]
		running.moment, running.epoch = m, epoch
		if m.before(running.queued) {
			t.requeue(n)
		}
		return
	}
	n := t.number()
	t.numbers[key] = n
	t.all[n] = timer{key: key, moment: m, queued: m, epoch: epoch, at: int32(len(t.queue))}
	t.queue = append(t.queue, n)
	t.up(t.all[n].at)
}

// number is one that no running timer has.
func (t *timers) number() int32 {
	if last := len(t.free) - 1; last >= 0 {
		n := t.free[last]
		t.free = t.free[:last]
		return n
	}
	t.all = append(t.all, timer{})
	return int32(len(t.all) - 1)
}

func (t *timers) cancel(key timerKey) {
	n, ok := t.numbers[key]
	if !ok {
		return
	}
	delete(t.numbers, key)
	at, last := t.all[n].at, int32(len(t.queue)-1)
	if at != last {
		t.place(at, t.queue[last])
	}
	t.queue = t.queue[:last]
	if at != last {
		t.fix(at)
	}
	t.all[n] = timer{}
	t.free = append(t.free, n)
}

// deadline is when the timer fires, 0 when it does not run.
func (t *timers) deadline(key timerKey) protocol.Instant {
	if n, ok := t.numbers[key]; ok {
		return t.all[n].deadline
	}
	return 0
}

// next is when the soonest timer fires, false when none runs.
func (t *timers) next() (protocol.Instant, bool) {
	for len(t.queue) > 0 {
		n := t.queue[0]
		first := &t.all[n]
		if first.queued == first.moment {
			return first.deadline, true
		}
		t.requeue(n)
	}
	return 0, false
}

// pop takes the soonest timer, which next has found.
func (t *timers) pop() timer {
	first := t.all[t.queue[0]]
	t.cancel(first.key)
	return first
}

// requeue puts a timer where its moment belongs.
func (t *timers) requeue(n int32) {
	t.all[n].queued = t.all[n].moment
	t.fix(t.all[n].at)
}

// fix mends the heap where one place has changed.
func (t *timers) fix(at int32) {
	if !t.up(at) {
		t.down(at)
	}
}

// up moves a timer to the front as far as it belongs; false if it stays.
func (t *timers) up(at int32) bool {
	n, start := t.queue[at], at
	for at > 0 {
		parent := (at - 1) / 2
		if !t.all[n].queued.before(t.all[t.queue[parent]].queued) {
			break
		}
		t.place(at, t.queue[parent])
		at = parent
	}
	t.place(at, n)
	return at != start
}

func (t *timers) down(at int32) {
	n := t.queue[at]
	for {
		child := 2*at + 1
		if int(child) >= len(t.queue) {
			break
		}
		if right := child + 1; int(right) < len(t.queue) && t.all[t.queue[right]].queued.before(t.all[t.queue[child]].queued) {
			child = right
		}
		if !t.all[t.queue[child]].queued.before(t.all[n].queued) {
			break
		}
		t.place(at, t.queue[child])
		at = child
	}
	t.place(at, n)
}

func (t *timers) place(at, n int32) {
	t.queue[at] = n
	t.all[n].at = at
}
