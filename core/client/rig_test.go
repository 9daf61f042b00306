package client_test

import (
	"cmp"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"groupscope/core/client"
	"groupscope/core/coordinator"
	"groupscope/core/protocol"
	"groupscope/core/rules"
)

// rig is a coordinator and clients that live by themselves, every message 5 ms
// on its way: small enough to see what one client does to the others.
type rig struct {
	t           *testing.T
	now         protocol.Instant
	coordinator *coordinator.Coordinator
	topics      []protocol.Topic
	clients     map[string]*rigged
	queue       []due
	order       int
}

// rigged is a client in the rig and what it has sent and heard.
type rigged struct {
	*client.Client
	rig       *rig
	requests  []protocol.ConsumerGroupHeartbeatRequest
	responses []protocol.ConsumerGroupHeartbeatResponse
	raised    []protocol.ErrorCode
	lose      int // that many answers get lost from now on
	delay     protocol.Duration
	wake      int
}

type due struct {
	at    protocol.Instant
	order int
	do    func()
}

const oneWay = 5 * protocol.Millisecond

func newRig(t *testing.T, topics map[string]int32) *rig {
	cfg := coordinator.DefaultConfig(rules.Kafka())
	cfg.AssignmentInterval = 0
	r := &rig{t: t, now: start, coordinator: coordinator.New(cfg), clients: map[string]*rigged{}}
	r.setTopics(topics)
	return r
}

func (r *rig) setTopics(topics map[string]int32) {
	r.topics = nil
	for name, n := range topics {
		r.topics = append(r.topics, protocol.Topic{ID: protocol.TopicID(name), Name: name, Partitions: n})
	}
	slices.SortFunc(r.topics, func(a, b protocol.Topic) int { return cmp.Compare(a.Name, b.Name) })
	r.coordinator.SetTopics(r.now, r.topics)
}

func (r *rig) after(d protocol.Duration, do func()) int {
	r.order++
	r.queue = append(r.queue, due{r.now.Add(d), r.order, do})
	return r.order
}

// start makes a client that subscribes to topics, all of which it knows.
func (r *rig) start(cfg client.Config, topics ...string) *rigged {
	cfg.GroupID = "group"
	m := &rigged{Client: client.New(cfg), rig: r}
	r.clients[cfg.MemberID] = m
	m.react(m.Start(r.now, client.Subscription{Topics: topics}, topicIDs(topics)))
	return m
}

// run lets everybody live for so long.
func (r *rig) run(d protocol.Duration) {
	for end := r.now.Add(d); ; {
		i := 0
		for j := range r.queue {
			if cmp.Or(cmp.Compare(r.queue[j].at, r.queue[i].at), cmp.Compare(r.queue[j].order, r.queue[i].order)) < 0 {
				i = j
			}
		}
		if len(r.queue) == 0 || r.queue[i].at > end {
			r.now = end
			r.coordinator.Expire(r.now)
			return
		}
		next := r.queue[i]
		r.queue = slices.Delete(r.queue, i, i+1)
		r.now = next.at
		r.coordinator.Expire(r.now)
		next.do()
	}
}

// react carries out what a client did.
func (m *rigged) react(outs []client.Output) {
	for _, o := range slices.Clone(outs) {
		switch o := o.(type) {
		case client.Send:
			m.send(o)
		case client.FindCoordinator:
			m.rig.after(0, func() { m.react(m.Found(m.rig.now, false)) })
		case client.Callback:
			if !o.Done {
				m.rig.after(o.Takes, func() { m.react(m.CallbackReturned(m.rig.now)) })
			}
		case client.Raised:
			m.raised = append(m.raised, o.Error)
		}
	}
	if at, ok := m.NextDeadline(m.rig.now); ok {
		var order int
		order = m.rig.after(at.Sub(m.rig.now), func() {
			if order == m.wake {
				m.react(m.Wake(m.rig.now))
			}
		})
		m.wake = order
	}
}

func (m *rigged) send(s client.Send) {
	m.requests = append(m.requests, s.Request)
	sentAt := m.rig.now
	m.rig.after(oneWay, func() {
		result := m.rig.coordinator.Heartbeat(m.rig.now, s.Request)
		if m.lose > 0 {
			m.lose--
			m.rig.after(sentAt.Add(m.RequestTimeout()).Sub(m.rig.now), func() { m.react(m.Failed(m.rig.now, s.ID)) })
			return
		}
		m.rig.after(oneWay+m.delay, func() {
			m.responses = append(m.responses, result.Response)
			m.react(m.Answer(m.rig.now, s.ID, result.Response))
		})
	})
}

// last is the client's last request.
func (m *rigged) last() protocol.ConsumerGroupHeartbeatRequest {
	require.NotEmpty(m.rig.t, m.requests)
	return m.requests[len(m.requests)-1]
}

// errors are the errors that the client was answered, in order.
func (m *rigged) errors() []protocol.ErrorCode {
	var out []protocol.ErrorCode
	for _, r := range m.responses {
		if r.Error != protocol.None {
			out = append(out, r.Error)
		}
	}
	return out
}

// group is the coordinator's group; member is one of its members.
func (r *rig) group() *coordinator.Group {
	g, ok := r.coordinator.Group("group")
	require.True(r.t, ok, "there is no group")
	return g
}

func (r *rig) member(id string) *coordinator.Member {
	for _, m := range r.group().Members {
		if m.ID == id {
			return m
		}
	}
	return nil
}

// readers counts who reads a partition, by what the applications know.
func (r *rig) readers(p protocol.Partition) (n int) {
	for _, m := range r.clients {
		if m.Owned().Contains(p) {
			n++
		}
	}
	return n
}
