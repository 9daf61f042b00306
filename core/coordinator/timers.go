package coordinator

import (
	"container/heap"

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
	key      timerKey
	deadline protocol.Instant
	started  uint64
	epoch    int32 // of the member when a rebalance timer started
	at       int   // its place in the queue
}

// timers are the running timers, soonest first.
type timers struct {
	queue  timerQueue
	byKey  map[timerKey]*timer
	starts uint64
}

func newTimers() timers { return timers{byKey: map[timerKey]*timer{}} }

func (t *timers) clone() timers {
	c := timers{queue: make(timerQueue, len(t.queue)), byKey: make(map[timerKey]*timer, len(t.byKey)), starts: t.starts}
	copies := make([]timer, len(t.queue))
	for i, timer := range t.queue {
		copies[i] = *timer
		c.queue[i] = &copies[i]
		c.byKey[timer.key] = &copies[i]
	}
	return c
}

func (t *timers) start(key timerKey, deadline protocol.Instant, epoch int32) {
	t.starts++
	if running := t.byKey[key]; running != nil {
		running.deadline, running.started, running.epoch = deadline, t.starts, epoch
		heap.Fix(&t.queue, running.at)
		return
	}
	n := &timer{key: key, deadline: deadline, started: t.starts, epoch: epoch}
	t.byKey[key] = n
	heap.Push(&t.queue, n)
}

func (t *timers) cancel(key timerKey) {
	if running := t.byKey[key]; running != nil {
		heap.Remove(&t.queue, running.at)
		delete(t.byKey, key)
	}
}

// deadline is when the timer fires, 0 when it does not run.
func (t *timers) deadline(key timerKey) protocol.Instant {
	if running := t.byKey[key]; running != nil {
		return running.deadline
	}
	return 0
}

func (t *timers) next() (protocol.Instant, bool) {
	if len(t.queue) == 0 {
		return 0, false
	}
	return t.queue[0].deadline, true
}

// pop takes the soonest timer.
func (t *timers) pop() timer {
	first := *t.queue[0]
	t.cancel(first.key)
	return first
}

// timerQueue is a heap that knows where each timer stands.
type timerQueue []*timer

func (q timerQueue) Len() int { return len(q) }

func (q timerQueue) Less(i, j int) bool {
	if q[i].deadline != q[j].deadline {
		return q[i].deadline < q[j].deadline
	}
	return q[i].started < q[j].started
}

func (q timerQueue) Swap(i, j int) {
	q[i], q[j] = q[j], q[i]
	q[i].at, q[j].at = i, j
}

// Push implements heap.Interface.
func (q *timerQueue) Push(x any) {
	t := x.(*timer)
	t.at = len(*q)
	*q = append(*q, t)
}

// Pop implements heap.Interface.
func (q *timerQueue) Pop() any {
	last := len(*q) - 1
	t := (*q)[last]
	(*q)[last] = nil
	*q = (*q)[:last]
	return t
}
