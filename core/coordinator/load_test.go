package coordinator_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/core/coordinator"
	"groupscope/core/protocol"
	"groupscope/core/record"
	"groupscope/core/rules"
)

func TestAFailoverStartsTheTimersAnew(t *testing.T) {
	branchesAt(t, "K5", "4", func(t *testing.T, b branch) {
		later := b.now.Add(20_000)
		loaded, err := coordinator.Load(b.cfg, b.c.Log(), b.topics, later)
		require.NoError(t, err)
		g, ok := loaded.Group("g")
		require.True(t, ok)
		for _, m := range g.Members {
			assert.Equal(t, later+45_000, m.SessionDeadline, m.ID)
		}
		assert.Equal(t, later+300_000, g.Members[0].RebalanceDeadline, "A still has something to revoke")
		assert.Zero(t, g.Members[1].RebalanceDeadline)
		assert.Equal(t, b.c.Log(), loaded.Log())
	})
}

func TestAfterAFailoverTheStoryGoesOn(t *testing.T) {
	rows := kipStory()
	g := newRig(t, rules.Kip())
	for i := range rows {
		g.play(rows[i : i+1])
		loaded, err := coordinator.Load(g.cfg, g.c.Log(), g.topics, g.now)
		require.NoError(t, err)
		g.c = loaded
	}
}

func TestALogThatCannotBeIsRefusedWithItsOffset(t *testing.T) {
	key := func(kind record.Type, member string) record.Key {
		return record.Key{Type: kind, Group: "g", Member: member}
	}
	joined := newRig(t, rules.Kafka())
	joined.send("A", join)
	log := joined.c.Log()
	for name, test := range map[string]struct {
		bad  record.Record
		text string
	}{
		"a member deleted before its assignment": {
			record.Record{Key: key(record.MemberMetadata, "A")},
			"coordinator: offset 5: group g, record T5A: the member's current assignment was not deleted first",
		},
		"a partition with two holders": {
			record.Record{Key: key(record.CurrentMemberAssignment, "B"), Value: record.CurrentMemberAssignmentValue{
				MemberEpoch: 2, Assigned: []record.Held{{Partition: protocol.Partition{Topic: "foo", Number: 1}, AssignmentEpoch: 2}},
			}},
			"coordinator: offset 5: group g, record 8B: foo-1 is held at epoch 2 and cannot be taken at epoch 2",
		},
		"a record of another kind": {
			record.Record{Key: key(4, ""), Value: record.GroupMetadataValue{}},
			"coordinator: offset 5: group g, record 4: a consumer group has no record of type 4",
		},
		"a value of another kind": {
			record.Record{Key: key(record.GroupMetadata, ""), Value: record.TargetAssignmentMemberValue{}},
			"coordinator: offset 5: group g, record 3: it carries a record.TargetAssignmentMemberValue",
		},
		"a group deleted with members": {
			record.Record{Key: key(record.GroupMetadata, "")},
			"coordinator: offset 5: group g, record T3: the group still has 1 members",
		},
		"a target deleted with members": {
			record.Record{Key: key(record.TargetAssignmentMetadata, "")},
			"coordinator: offset 5: group g, record T6: the target still has 1 members",
		},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := coordinator.Load(joined.cfg, append(log, test.bad), joined.topics, start)
			assert.EqualError(t, err, test.text)
		})
	}
}

func TestADeletedGroupIsGone(t *testing.T) {
	g := newRig(t, rules.Kafka())
	g.send("A", join)
	g.send("A", epoch(protocol.EpochLeaving))
	log := append(g.c.Log(),
		record.Record{Key: record.Key{Type: record.TargetAssignmentMetadata, Group: "g"}},
		record.Record{Key: record.Key{Type: record.GroupMetadata, Group: "g"}},
	)
	loaded, err := coordinator.Load(g.cfg, log, g.topics, start)
	require.NoError(t, err)
	_, ok := loaded.Group("g")
	assert.False(t, ok)
}

func TestTimersOfOneInstantFireInTheOrderOfTheirStart(t *testing.T) {
	g := newRig(t, rules.Kafka())
	for _, id := range []string{"B", "C", "A"} {
		g.send(id, join)
	}
	g.send("B", epoch(2), owns(0, 1, 2))
	at, ok := g.c.NextDeadline()
	require.True(t, ok)
	assert.Equal(t, start+45_000, at)
	var order string
	for _, e := range g.advance(46 * protocol.Second) {
		order += e.Member
		assert.Equal(t, start+45_000, e.At)
	}
	assert.Equal(t, "CAB", order, "B's heartbeat started its session anew")
}

func TestARebalanceTimerIgnoresAMemberThatIsNoLongerAtItsEpoch(t *testing.T) {
	g := newRig(t, rules.Kafka())
	g.send("A", join, instance("i1"), rebalanceTimeout(30*protocol.Second))
	g.send("B", join)
	require.Equal(t, "2, [0 1]", answer(g.send("A", epoch(2))), "A must revoke")
	g.send("A", epoch(protocol.EpochStaticAbsent), instance("i1"))
	fired := g.advance(30 * protocol.Second)
	require.Len(t, fired, 1)
	assert.Equal(t, coordinator.RebalanceTimer, fired[0].Timer)
	assert.Empty(t, fired[0].Records)
	assert.Equal(t, "rebalance timeout: A has moved from epoch 2 to -2 since the timer started. Nothing changes.", main(fired[0].Decisions))
}

func TestALeaveWhileRevokingLeavesNoTimer(t *testing.T) {
	branchesAt(t, "K5", "4", func(t *testing.T, b branch) {
		b.send("A", epoch(protocol.EpochLeaving))
		fired := b.advance(400 * protocol.Second)
		require.Len(t, fired, 1)
		assert.Equal(t, "B", fired[0].Member)
	})
}

func TestTheReadModelSharesWhatDidNotChange(t *testing.T) {
	branchesAt(t, "K7", "7", func(t *testing.T, b branch) {
		before := b.group()
		again, _ := b.c.Group("g")
		assert.Same(t, before, again, "nothing happened")

		b.advance(1000)
		b.send("A", epoch(2+b.d))
		after := b.group()
		assert.NotSame(t, before, after)
		assert.NotSame(t, before.Members[0], after.Members[0], "A's session goes on")
		assert.Same(t, before.Members[1], after.Members[1], "nothing happened to B")

		b.send("C", join)
		joined := b.group()
		assert.Same(t, after.Members[1], joined.Members[1], "B has the same part of the target")
	})
}

// A later release may know states that this one does not.
func TestAMemberInAnUnknownStateMustGiveEverythingUp(t *testing.T) {
	bothRules(t, func(t *testing.T, r rules.Rules) {
		g, e := oneStatic(t, r)
		log := append(g.c.Log(), record.Record{
			Key:   record.Key{Type: record.CurrentMemberAssignment, Group: "g", Member: "A"},
			Value: record.CurrentMemberAssignmentValue{MemberEpoch: e, PreviousMemberEpoch: e, State: 9},
		})
		loaded, err := coordinator.Load(g.cfg, log, g.topics, g.now)
		require.NoError(t, err)
		g.c = loaded
		assert.Equal(t, "UNKNOWN", g.member("A").State.String())
		fenced := g.send("A", epoch(e))
		assert.Equal(t, "FENCED_MEMBER_EPOCH", answer(fenced))
		assert.Contains(t, main(fenced.Decisions), "The log has A in a state that is not known here")
		if !r.RemoveFencedMember {
			assert.Equal(t, numbered(e, "%d, [0 1 2]", 0), answer(g.send("A", epoch(e), owns())))
		}
	})
}
