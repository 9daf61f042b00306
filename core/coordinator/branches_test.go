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

// branch is a world in the middle of the worked example; d is what its
// epochs are ahead of the KIP's numbering.
type branch struct {
	*rig
	d int32
}

// branchesAt runs a test at one row of the worked example, under both rule
// sets. The row is named as in the KIP.
func branchesAt(t *testing.T, kipRow, kafkaRow string, test func(t *testing.T, b branch)) {
	t.Helper()
	for _, story := range []struct {
		rules rules.Rules
		rows  []storyRow
		last  string
		d     int32
	}{{rules.Kip(), kipStory(), kipRow, 0}, {rules.Kafka(), kafkaStory(), kafkaRow, 1}} {
		t.Run(story.rules.Name, func(t *testing.T) {
			b := branch{rig: newRig(t, story.rules), d: story.d}
			for i, row := range story.rows {
				if row.name == story.last {
					b.play(story.rows[:i+1])
					test(t, b)
					return
				}
			}
			require.Fail(t, "no row "+story.last)
		})
	}
}

func (b branch) isKip() bool { return b.cfg.Rules.TwoStepJoin }

func TestAMemberThatNeverAcknowledgesIsRemovedAfterItsRebalanceTimeout(t *testing.T) {
	branchesAt(t, "K5", "4", func(t *testing.T, b branch) {
		for range 7 {
			require.Empty(t, b.advance(40*protocol.Second), "heartbeats keep both sessions alive")
			b.send("A", epoch(1+b.d))
			b.send("B", epoch(2+b.d))
		}
		fired := b.advance(20 * protocol.Second)
		require.Len(t, fired, 1)
		assert.Equal(t, coordinator.RebalanceTimer, fired[0].Timer)
		assert.Equal(t, start+300_000, fired[0].At)
		assert.Equal(t, "T8A T7A T5A 3", short(fired[0].Records))
		assert.Equal(t, numbered(b.d, "rebalance timeout: A did not give up what it was asked to within 5m and is removed. "+
			"Nobody has foo-0, foo-1 and foo-2 now. The group epoch goes to %d.", 3), main(fired[0].Decisions))
		assert.Equal(t, numbered(b.d, "%d/%d Assigning", 3, 2), b.state())
		bTakesAll(t, b)
	})
}

func TestAMemberThatCrashesIsRemovedAfterItsSession(t *testing.T) {
	branchesAt(t, "K5", "4", func(t *testing.T, b branch) {
		b.advance(40 * protocol.Second)
		b.send("B", epoch(2+b.d))
		fired := b.advance(5 * protocol.Second)
		require.Len(t, fired, 1)
		assert.Equal(t, coordinator.SessionTimer, fired[0].Timer)
		assert.Equal(t, start+45_000, fired[0].At)
		assert.Equal(t, numbered(b.d, "session timeout: A sent no heartbeat for 45s and is removed. "+
			"Nobody has foo-0, foo-1 and foo-2 now. The group epoch goes to %d.", 3), main(fired[0].Decisions))
		bTakesAll(t, b)
		_, running := b.c.NextDeadline()
		assert.True(t, running)
		assert.Empty(t, b.advance(300 * protocol.Second)[0].Records[0].Value, "B is next; A left no timer behind")
	})
}

// bTakesAll: the next heartbeat of B computes target 3 and B gets all at once.
func bTakesAll(t *testing.T, b branch) {
	t.Helper()
	result := b.send("B", epoch(2+b.d))
	assert.Equal(t, numbered(b.d, "%d, [0 1 2]", 3), answer(result))
	assert.Equal(t, "7B 6 8B", short(result.Records))
	assert.Equal(t, numbered(b.d, "%d/%d Stable", 3, 3), b.state())
}

func TestARequestRepeatedAfterALostResponseIsAccepted(t *testing.T) {
	branchesAt(t, "K6", "5", func(t *testing.T, b branch) {
		result := b.send("A", full, epoch(1+b.d), owns(0, 1))
		assert.Equal(t, numbered(b.d, "%d, [0 1]", 2), answer(result))
		assert.Empty(t, result.Records)
		rule := "Kafka, lost-response rule"
		if b.isKip() {
			rule = "KIP-848, lost-response rule"
		}
		assert.Equal(t, rule+numbered(b.d, ": A is accepted with its previous epoch %d, as what it owns fits: "+
			"the answer that took it to epoch %d was lost.", 1, 2), main(result.Decisions))
	})
}

func TestARequestRepeatedWithoutWhatIsOwnedIsFenced(t *testing.T) {
	branchesAt(t, "K6", "5", func(t *testing.T, b branch) {
		result := b.send("A", epoch(1+b.d))
		assert.Equal(t, "FENCED_MEMBER_EPOCH", answer(result))
		if !b.isKip() {
			assert.Empty(t, result.Records)
			assert.Equal(t, "Kafka, fencing: A sent its previous epoch 2, but not what it owns. It is at epoch 3. It stays in the group.", main(result.Decisions))
			assert.Equal(t, "A@3[0 1], B@3[] waits[2]", b.members())
			assert.Equal(t, "3, [0 1]", answer(b.send("A", join)), "it joins again and finds all it had")
			return
		}
		assert.Equal(t, "T8A T7A T5A 3", short(result.Records))
		assert.Equal(t, "KIP-848, fencing: A sent its previous epoch 1, but not what it owns. It is at epoch 2. It is removed.", main(result.Decisions))
		assert.Equal(t, "3/2 Assigning", b.state())
		bTakesAll(t, b)
		assert.Equal(t, "0, []", answer(b.send("A", join)), "its rejoin is a new join")
		assert.Equal(t, int32(4), b.group().GroupEpoch)
	})
}

func TestAFullRequestAfterALostRevocationIsToldAgainWhatItMayKeep(t *testing.T) {
	branchesAt(t, "K5", "4", func(t *testing.T, b branch) {
		result := b.send("A", full, epoch(1+b.d), owns(0, 1, 2))
		assert.Equal(t, numbered(b.d, "%d, [0 1]", 1), answer(result))
		assert.Empty(t, result.Records)
		assert.Equal(t, numbered(b.d, "KIP-848, member reconciliation: A still owns some of foo-2. It stays at epoch %d.", 1), main(result.Decisions))
	})
}

func TestAMemberThatJoinsDuringARevocationMakesTheOwnerRevokeAgain(t *testing.T) {
	branchesAt(t, "K5", "4", func(t *testing.T, b branch) {
		b.advance(10 * protocol.Second)
		if b.isKip() {
			assert.Equal(t, "0, []", answer(b.send("C", join)))
		}
		assert.Equal(t, numbered(b.d, "%d, []", 3), answer(b.send("C", join)))
		assert.Equal(t, numbered(b.d, "T%d: A[0] B[2] C[1]", 3), b.target())
		assert.Equal(t, record.UnreleasedPartitions, b.member("C").State)

		result := b.send("A", epoch(1+b.d), owns(0, 1))
		assert.Equal(t, numbered(b.d, "%d, [0]", 1), answer(result))
		a := b.member("A")
		assert.Equal(t, record.UnrevokedPartitions, a.State)
		assert.Equal(t, "[1]", held(a.PendingRevocation))
		assert.Equal(t, 1+b.d, a.PreviousMemberEpoch)
		assert.Equal(t, start+310_000, a.RebalanceDeadline, "the rebalance timer starts anew")
		assert.Equal(t, numbered(b.d, "KIP-848, member reconciliation: Target %d takes foo-1 from A. A must revoke it first, so A stays at epoch %d.", 3, 1), main(result.Decisions))

		assert.Equal(t, numbered(b.d, "%d, [2]", 3), answer(b.send("B", epoch(2+b.d))), "B may take foo-2 now")
	})
}

func TestWhatALeavingMemberHadGoesToTheOthersAtTheirNextHeartbeat(t *testing.T) {
	branchesAt(t, "K7", "7", func(t *testing.T, b branch) {
		left := b.send("B", epoch(protocol.EpochLeaving))
		assert.Equal(t, "-1, none", answer(left))
		assert.Equal(t, "T8B T7B T5B 3", short(left.Records))
		assert.Equal(t, numbered(b.d, "KIP-848, leave: B leaves. Nobody has foo-2 now. The group epoch goes to %d.", 3), main(left.Decisions))
		assert.Equal(t, numbered(b.d, "%d/%d Assigning", 3, 2), b.state())

		assert.Equal(t, numbered(b.d, "%d, [0 1 2]", 3), answer(b.send("A", epoch(2+b.d))))
		assert.Equal(t, numbered(b.d, "[0@%d 1@%d 2@%d]", 1, 1, 3), epochs(b.member("A").Assigned))
	})
}

func TestTheLastMemberLeavesAnEmptyGroupBehind(t *testing.T) {
	branchesAt(t, "K2", "1", func(t *testing.T, b branch) {
		left := b.send("A", epoch(protocol.EpochLeaving))
		assert.Equal(t, "T8A T7A T5A 3 6", short(left.Records))
		assert.Equal(t, numbered(b.d, "%d/%d Empty", 2, 2), b.state())
		_, running := b.c.NextDeadline()
		assert.False(t, running)
	})
}

func withInterval(c *coordinator.Config) { c.AssignmentInterval = 1000 }

func TestAJoinWithinTheAssignmentIntervalWaitsForTheNextTarget(t *testing.T) {
	g := newRig(t, rules.Kafka(), withInterval)
	g.send("A", join)
	g.advance(500)
	result := g.send("B", join)
	assert.Equal(t, "2, []", answer(result), "B is stable at the old epoch with nothing")
	assert.Equal(t, "5B 3 8B", short(result.Records))
	assert.Equal(t, "3/2 Assigning", g.state())
	assert.Equal(t, record.Stable, g.member("B").State)
	assert.Equal(t, "KIP-1263, assignment interval: Target 2 is too young to be replaced: the target of group epoch 3 may come in 500ms.", main(result.Decisions))

	g.advance(500)
	result = g.send("A", epoch(2))
	assert.Equal(t, "2, [0 1]", answer(result), "the first heartbeat after the interval computes the target")
	assert.Equal(t, "7A 7B 6 8A", short(result.Records))
}

func TestUnderTheKIPAnIntervalThatIsSetCountsToo(t *testing.T) {
	g := newRig(t, rules.Kip(), withInterval)
	g.send("A", join)
	g.advance(500)
	assert.Equal(t, "0, []", answer(g.send("B", join)))
	assert.Equal(t, "1, []", answer(g.send("B", join)), "B goes on with the old target")
	assert.Equal(t, "2/1 Assigning", g.state())
}
