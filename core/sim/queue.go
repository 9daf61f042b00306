package sim

import "groupscope/core/protocol"

// parcel is a message on its way. It is never changed once sent.
type parcel struct {
	at       protocol.Instant `canon:"-"` // of arrival
	order    uint64           `canon:"-"` // among those of one instant
	member   int              // index of the member it comes from or goes to
	life     int              // which client of that member
	id       uint32           `canon:"-"` // the client's id of the request
	response bool
	lost     bool // it will not arrive
	held     bool // it was delayed on purpose
	// twice: the request will arrive again, so long after the first time;
	// again: it is the one that does.
	twice, again bool
	after        protocol.Duration
	sentAt       protocol.Instant `canon:"-"`
	event        uint64           `canon:"-"` // the Sent or Handled event that made it

	// requested is the message that is sent, or answered.
	request *protocol.ConsumerGroupHeartbeatRequest
	streams *StreamsExchange // of a streams client: both, whole
	classic *ClassicExchange // of a client of the classic protocol: both, whole
	answer  *protocol.ConsumerGroupHeartbeatResponse
}

func (p *parcel) before(o *parcel) bool {
	return p.at < o.at || p.at == o.at && p.order < o.order
}

// queue is what is on its way, a binary heap with the next arrival first.
type queue []*parcel

func (q *queue) push(p *parcel) {
	*q = append(*q, p)
	q.up(len(*q) - 1)
}

func (q queue) up(i int) {
	for i > 0 {
		parent := (i - 1) / 2
		if !q[i].before(q[parent]) {
			return
		}
		q[i], q[parent] = q[parent], q[i]
		i = parent
	}
}

func (q queue) down(i int) {
	for {
		child := 2*i + 1
		if child >= len(q) {
			return
		}
		if child+1 < len(q) && q[child+1].before(q[child]) {
			child++
		}
		if !q[child].before(q[i]) {
			return
		}
		q[i], q[child] = q[child], q[i]
		i = child
	}
}

// remove takes out the parcel at index i.
func (q *queue) remove(i int) *parcel {
	old := *q
	p, last := old[i], len(old)-1
	old[i] = old[last]
	old[last] = nil
	*q = old[:last]
	if i < last {
		q.down(i)
		q.up(i)
	}
	return p
}

// firstOf is the index of the next parcel of a member, -1 if there is none.
func (q queue) firstOf(member int) int {
	first := -1
	for i, p := range q {
		if p.member == member && (first < 0 || p.before(q[first])) {
			first = i
		}
	}
	return first
}

// drop takes out all parcels for which the condition holds.
func (q *queue) drop(gone func(*parcel) bool) {
	for i := len(*q) - 1; i >= 0; i-- {
		if gone((*q)[i]) {
			q.remove(i)
			i = len(*q) // the heap was reordered: look again
		}
	}
}
