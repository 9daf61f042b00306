package coordinator_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/core/coordinator"
	"groupscope/core/protocol"
	"groupscope/core/rules"
)

// mixed is a chaos in which members of the classic protocol take part.
type mixed struct {
	*chaos
	waits map[int64]bool
}

func (m *mixed) someID() string { return fmt.Sprintf("classic-%d", 1+m.rand.IntN(4)) }

func (m *mixed) someInstance() *string {
	if m.rand.IntN(3) > 0 {
		return nil
	}
	id := fmt.Sprintf("i%d", m.rand.IntN(3))
	return &id
}

// generation is mostly the one that a member is at.
func (m *mixed) generation(id string) int32 {
	at := int32(m.rand.IntN(2))
	if group, ok := m.c.Group("g"); ok {
		if group.Classic != nil {
			return group.Classic.Generation + at
		}
		for _, member := range group.Members {
			if member.ID == id {
				return member.MemberEpoch + at
			}
		}
	}
	return at
}

func (m *mixed) classic() {
	id := m.someID()
	var r coordinator.ClassicResult
	switch m.rand.IntN(6) {
	case 0, 1:
		r = m.classicJoin(id)
	case 2, 3:
		sync := protocol.SyncGroupRequest{GroupID: "g", MemberID: id, GenerationID: m.generation(id), ProtocolName: "range"}
		for range m.rand.IntN(4) {
			sync.Assignments = append(sync.Assignments, protocol.SyncGroupAssignment{MemberID: m.someID(), Assignment: m.someAssignment()})
		}
		r = m.c.ClassicSync(m.now, sync)
	case 4:
		r = m.c.ClassicHeartbeat(m.now, protocol.HeartbeatRequest{GroupID: "g", MemberID: id, GenerationID: m.generation(id)})
	default:
		r = m.c.ClassicLeave(m.now, protocol.LeaveGroupRequest{GroupID: "g", Members: []protocol.LeavingMember{{MemberID: id}}})
	}
	m.answered(&r)
}

// someAssignment is what a leader in its right mind would not give: topics
// that are not there, partitions that others have.
func (m *mixed) someAssignment() []byte {
	var list []protocol.NamedPartitions
	for _, topic := range append(m.someTopics(), "gone") {
		list = append(list, protocol.NamedPartitions{Topic: topic, Partitions: []int32{int32(m.rand.IntN(4)), int32(m.rand.IntN(9)) - 1}})
	}
	out := protocol.EncodeAssignment(protocol.ClassicAssignment{Version: 1, Partitions: list})
	return out[:len(out)-m.rand.IntN(2)*m.rand.IntN(2)]
}

func (m *mixed) classicJoin(id string) coordinator.ClassicResult {
	if m.rand.IntN(2) == 0 {
		id = ""
	}
	metadata := protocol.EncodeSubscription(protocol.ClassicSubscription{Version: 2, Topics: m.someTopics(), GenerationID: -1})
	return m.c.ClassicJoin(m.now, protocol.JoinGroupRequest{
		GroupID: "g", MemberID: id, GroupInstanceID: m.someInstance(), SessionTimeoutMs: 10_000, RebalanceTimeoutMs: 8_000,
		ProtocolType: "consumer", RequireKnownMemberID: m.rand.IntN(2) == 0,
		Protocols: []protocol.JoinGroupProtocol{{Name: "range", Metadata: metadata}},
	})
}

// answered checks that each request is answered once: at once, or by its
// ticket later.
func (m *mixed) answered(r *coordinator.ClassicResult) {
	answers := 0
	for _, given := range []bool{r.Join != nil, r.Sync != nil, r.Heartbeat != nil, r.Leave != nil, r.Ticket != 0} {
		if given {
			answers++
		}
	}
	assert.Equal(m.t, 1, answers, "one answer, or a ticket for it")
	if r.Ticket != 0 {
		m.waits[r.Ticket] = true
	}
	m.completed(r.Completed)
	m.settle(r.Decisions)
}

func (m *mixed) completed(list []coordinator.Completion) {
	for _, done := range list {
		assert.True(m.t, m.waits[done.Ticket], "ticket %d was given out and not answered before", done.Ticket)
		delete(m.waits, done.Ticket)
	}
}

// settle checks what always holds. A group that changes its protocol starts
// counting anew.
func (m *mixed) settle(decisions []coordinator.Decision) {
	if m.c.TypeOf("g") != coordinator.ConsumerType {
		m.epoch = 0
	}
	m.check(decisions)
}

func (m *mixed) consume() {
	id := fmt.Sprintf("m%d", m.rand.IntN(3))
	req := joinRequest(id, m.someTopics()...)
	req.InstanceID = m.someInstance()
	for _, member := range m.known() {
		if member.ID == id && member.MemberEpoch > 0 && m.rand.IntN(4) > 0 {
			req.MemberEpoch, req.TopicPartitions = member.MemberEpoch, nil
			if m.rand.IntN(2) == 0 {
				req.MemberEpoch = protocol.EpochLeaving
			}
		}
	}
	if m.c.TypeOf("g") != coordinator.ConsumerType {
		m.epoch = 0
	}
	r := m.c.Heartbeat(m.now, req)
	m.completed(r.Completed)
	m.settle(r.Decisions)
}

func (m *mixed) tick() {
	m.now = m.now.Add(protocol.Duration(m.rand.IntN(9_000)))
	for _, e := range m.c.Expire(m.now) {
		m.completed(e.Completed)
		m.settle(e.Decisions)
	}
}

func TestWhateverMembersOfBothProtocolsDoEveryRequestIsAnsweredOnce(t *testing.T) {
	turns := map[string]int{}
	for seed := range uint64(40) {
		m := &mixed{chaos: newChaos(t, rules.Kafka(), seed), waits: map[int64]bool{}}
		for range 150 {
			before := m.c.TypeOf("g")
			switch n := m.rand.IntN(40); {
			case n < 8:
				m.tick()
			case n == 8:
				m.reload()
				clear(m.waits) // who waits is told that the coordinator is gone
			case n < 14 && (m.rand.IntN(3) == 0 || before == coordinator.ConsumerType):
				m.consume()
			default:
				m.classic()
			}
			if after := m.c.TypeOf("g"); after != before {
				turns[before.String()+" to "+after.String()]++
			}
		}
		require.False(t, t.Failed(), "seed %d", seed)
	}
	assert.Greater(t, turns["classic to consumer"], 20, "%v", turns)
	assert.Greater(t, turns["consumer to classic"], 10, "%v", turns)
}
