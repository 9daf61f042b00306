package conformance

import (
	"container/heap"
	"fmt"
	"maps"

	"groupscope/core/protocol"
)

// liveRun lets the clients of a trace live anew, with a network and a
// coordinator between them, by the conventions that the trace was recorded
// under: what happens at one instant comes in the order in which it was
// scheduled, the coordinator's timers first.
type liveRun struct {
	run     *ClientRun
	answers answers
	now     protocol.Instant
	queue   schedule
	order   int
	clients []*liveClient
	outage  outage
	changes []topicChange // of topics, as metadata answers show them
	events  []object      // what happened
	things  int           // that happened
	fault   error         // something of the trace cannot be done
}

// answers is who answers the clients: the coordinator, or the trace.
type answers interface {
	fmt.Stringer // says so in a difference, if that matters
	// answer handles a request; nil: no answer is known.
	answer(r *liveRun, c *liveClient, l *letter) *answer
	// expire fires the timers that are due up to an instant.
	expire(r *liveRun, until protocol.Instant)
	// tellGroup tells of the group if it changed.
	tellGroup(r *liveRun)
	setTopics(r *liveRun, a *RunAction)
	setGroupConfig(r *liveRun, a *RunAction) error
	setTarget(r *liveRun, a *RunAction)
	deleteGroup(r *liveRun, a *RunAction)
}

// outage is a time in which the broker answers everything with an error.
type outage struct {
	until          protocol.Instant
	code, findCode protocol.ErrorCode
}

// due is something that will happen.
type due struct {
	at    protocol.Instant
	order int
	do    func()
}

// schedule is what will happen, a heap with the next first.
type schedule []due

func (s schedule) Len() int { return len(s) }
func (s schedule) Less(i, j int) bool {
	return s[i].at < s[j].at || s[i].at == s[j].at && s[i].order < s[j].order
}
func (s schedule) Swap(i, j int) { s[i], s[j] = s[j], s[i] }
func (s *schedule) Push(x any)   { *s = append(*s, x.(due)) }
func (s *schedule) Pop() any {
	old := *s
	last := old[len(old)-1]
	*s = old[:len(old)-1]
	return last
}

// at schedules something, and returns its place in the order.
func (r *liveRun) at(when protocol.Instant, do func()) int {
	r.order++
	heap.Push(&r.queue, due{when, r.order, do})
	return r.order
}

// tell adds an event.
func (r *liveRun) tell(kind string, c *liveClient, tree object) object {
	tree["atMs"], tree["type"] = int64(r.now-RunStart), kind
	if c != nil {
		tree["member"] = c.name()
	}
	r.events = append(r.events, tree)
	return tree
}

// play runs a trace with somebody who answers, and returns what happened. An
// error says what of the trace cannot be done.
func play(t *ClientRun, a answers) ([]object, error) {
	r := &liveRun{run: t, answers: a, now: RunStart}
	for i := range t.Members {
		c := newLiveClient(&t.Members[i])
		r.clients = append(r.clients, c)
		r.at(c.member.Start, func() { r.start(c) })
	}
	for i := range t.Actions {
		act := &t.Actions[i]
		r.at(act.At, func() { r.act(act) })
	}
	for len(r.queue) > 0 && r.queue[0].at <= t.Until && r.goesOn() {
		next := heap.Pop(&r.queue).(due)
		r.passTo(next.at)
		next.do()
	}
	r.passTo(t.Until)
	return r.events, r.fault
}

// mostThings bounds what may happen in a run. Where there are many partitions
// each thing counts for more. The longest traces have some ten thousand.
const mostThings = 200_000

// goesOn counts what happens. A run that would hardly ever end is no trace.
func (r *liveRun) goesOn() bool {
	if r.things += 1 + r.partitions()/100; r.things > mostThings && r.fault == nil {
		r.fault = fmt.Errorf("more than %d things happen up to %d ms", mostThings, r.now-RunStart)
	}
	return r.fault == nil
}

// partitions counts those that there are, as clients know.
func (r *liveRun) partitions() (n int) {
	for _, t := range r.visible() {
		n += int(t.Partitions)
	}
	return n
}

// passTo moves the clock, firing the coordinator's timers on the way.
func (r *liveRun) passTo(when protocol.Instant) {
	r.answers.expire(r, when)
	r.now = when
}

func (r *liveRun) named(member string) *liveClient {
	for _, c := range r.clients {
		if c.member.Config.MemberID == member {
			return c
		}
	}
	return nil
}

// act does what an action says.
func (r *liveRun) act(a *RunAction) {
	c := r.named(a.Member)
	r.tell("action", c, maps.Clone(a.Tree))
	if of := ofAll[a.Op]; of != nil {
		of(r, a)
	} else if c.lives() {
		ofMembers[a.Op](r, c, a)
	}
}
