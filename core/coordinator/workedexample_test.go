package coordinator_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"groupscope/core/coordinator"
	"groupscope/core/record"
	"groupscope/core/rules"
)

// storyRow is one row of the worked example of KIP-848.
type storyRow struct {
	name    string
	member  string
	fields  []request
	answer  string
	state   string
	target  string
	members string
	records string
}

func (g *rig) play(rows []storyRow) {
	g.t.Helper()
	for _, row := range rows {
		result := g.send(row.member, row.fields...)
		assert.Equal(g.t, row.answer, answer(result), "%s, answer", row.name)
		assert.Equal(g.t, row.records, short(result.Records), "%s, records", row.name)
		assert.Equal(g.t, row.state, g.state(), "%s, state", row.name)
		assert.Equal(g.t, row.target, g.target(), "%s, target", row.name)
		assert.Equal(g.t, row.members, g.members(), "%s, members", row.name)
	}
}

const (
	kipT1 = "T1: A[0 1 2]"
	kipT3 = "T3: A[0] B[2] C[1]"
)

// kipStory is the example in the KIP's own numbering, K1 to K13.
func kipStory() []storyRow {
	f := func(fields ...request) []request { return fields }
	return []storyRow{
		{"K1", "A", f(join), "0, []", "1/1 Reconciling", kipT1, "A@0[]", "5A 3 7A 6 8A"},
		{"K2", "A", f(join), "1, [0 1 2]", "1/1 Stable", kipT1, "A@1[0 1 2]", "8A"},
		{"K3", "B", f(join), "0, []", "2/2 Reconciling", "T2: A[0 1] B[2]", "A@1[0 1 2], B@0[]", "5B 3 7A 7B 6 8B"},
		{"K4", "B", f(join), "2, []", "2/2 Reconciling", "T2: A[0 1] B[2]", "A@1[0 1 2], B@2[] waits[2]", "8B"},
		{"K5", "A", f(epoch(1)), "1, [0 1]", "2/2 Reconciling", "T2: A[0 1] B[2]", "A@1[0 1] drops[2], B@2[] waits[2]", "8A"},
		{"K6", "A", f(epoch(1), owns(0, 1)), "2, none", "2/2 Reconciling", "T2: A[0 1] B[2]", "A@2[0 1], B@2[] waits[2]", "8A"},
		{"K7", "B", f(epoch(2)), "2, [2]", "2/2 Stable", "T2: A[0 1] B[2]", "A@2[0 1], B@2[2]", "8B"},
		{"K8", "C", f(join), "0, []", "3/3 Reconciling", kipT3, "A@2[0 1], B@2[2], C@0[]", "5C 3 7A 7C 6 8C"},
		{"K9", "B", f(epoch(2)), "3, none", "3/3 Reconciling", kipT3, "A@2[0 1], B@3[2], C@0[]", "8B"},
		{"K10", "C", f(join), "3, []", "3/3 Reconciling", kipT3, "A@2[0 1], B@3[2], C@3[] waits[1]", "8C"},
		{"K11", "A", f(epoch(2)), "2, [0]", "3/3 Reconciling", kipT3, "A@2[0] drops[1], B@3[2], C@3[] waits[1]", "8A"},
		{"K12", "A", f(epoch(2), owns(0)), "3, none", "3/3 Reconciling", kipT3, "A@3[0], B@3[2], C@3[] waits[1]", "8A"},
		{"K13", "C", f(epoch(3)), "3, [1]", "3/3 Stable", kipT3, "A@3[0], B@3[2], C@3[1]", "8C"},
	}
}

const (
	kafkaT2 = "T2: A[0 1 2]"
	kafkaT3 = "T3: A[0 1] B[2]"
	kafkaT4 = "T4: A[0] B[2] C[1]"
)

// kafkaStory is the same story as the broker tells it, rows 1 to 14 with
// their idle repetitions.
func kafkaStory() []storyRow {
	f := func(fields ...request) []request { return fields }
	return []storyRow{
		{"1", "A", f(join), "2, [0 1 2]", "2/2 Stable", kafkaT2, "A@2[0 1 2]", "5A 3 7A 6 8A"},
		{"1a", "A", f(epoch(2), owns(0, 1, 2)), "2, none", "2/2 Stable", kafkaT2, "A@2[0 1 2]", ""},
		{"2", "B", f(join), "3, []", "3/3 Reconciling", kafkaT3, "A@2[0 1 2], B@3[] waits[2]", "5B 3 7A 7B 6 8B"},
		{"3", "B", f(epoch(3), owns()), "3, none", "3/3 Reconciling", kafkaT3, "A@2[0 1 2], B@3[] waits[2]", "8B"},
		{"3a", "B", f(epoch(3)), "3, none", "3/3 Reconciling", kafkaT3, "A@2[0 1 2], B@3[] waits[2]", ""},
		{"4", "A", f(epoch(2)), "2, [0 1]", "3/3 Reconciling", kafkaT3, "A@2[0 1] drops[2], B@3[] waits[2]", "8A"},
		{"4a", "B", f(epoch(3)), "3, none", "3/3 Reconciling", kafkaT3, "A@2[0 1] drops[2], B@3[] waits[2]", ""},
		{"5", "A", f(epoch(2), owns(0, 1)), "3, none", "3/3 Reconciling", kafkaT3, "A@3[0 1], B@3[] waits[2]", "8A"},
		{"6", "B", f(epoch(3)), "3, [2]", "3/3 Stable", kafkaT3, "A@3[0 1], B@3[2]", "8B"},
		{"7", "B", f(epoch(3), owns(2)), "3, none", "3/3 Stable", kafkaT3, "A@3[0 1], B@3[2]", ""},
		{"8", "C", f(join), "4, []", "4/4 Reconciling", kafkaT4, "A@3[0 1], B@3[2], C@4[] waits[1]", "5C 3 7A 7C 6 8C"},
		{"9", "B", f(epoch(3)), "4, none", "4/4 Reconciling", kafkaT4, "A@3[0 1], B@4[2], C@4[] waits[1]", "8B"},
		{"10", "C", f(epoch(4)), "4, none", "4/4 Reconciling", kafkaT4, "A@3[0 1], B@4[2], C@4[] waits[1]", "8C"},
		{"11", "A", f(epoch(3)), "3, [0]", "4/4 Reconciling", kafkaT4, "A@3[0] drops[1], B@4[2], C@4[] waits[1]", "8A"},
		{"12", "A", f(epoch(3), owns(0)), "4, none", "4/4 Reconciling", kafkaT4, "A@4[0], B@4[2], C@4[] waits[1]", "8A"},
		{"13", "C", f(epoch(4)), "4, [1]", "4/4 Stable", kafkaT4, "A@4[0], B@4[2], C@4[1]", "8C"},
		{"14", "C", f(epoch(4), owns(1)), "4, none", "4/4 Stable", kafkaT4, "A@4[0], B@4[2], C@4[1]", ""},
	}
}

func TestTheWorkedExampleOfTheKIPPlaysToTheLetter(t *testing.T) {
	newRig(t, rules.Kip()).play(kipStory())
}

func TestTheBrokerTellsTheWorkedExampleInFewerRequests(t *testing.T) {
	newRig(t, rules.Kafka()).play(kafkaStory())
}

func TestThereIsNoGroupBeforeTheFirstJoin(t *testing.T) {
	_, ok := newRig(t, rules.Kip()).c.Group("g")
	assert.False(t, ok)
}

func TestMembersInTheWorkedExamplePassThroughTheirStates(t *testing.T) {
	g := newRig(t, rules.Kafka())
	g.play(kafkaStory()[:3])
	assert.Equal(t, record.UnreleasedPartitions, g.member("B").State)
	assert.Equal(t, int32(0), g.member("B").PreviousMemberEpoch)

	g.play(kafkaStory()[3:6])
	a := g.member("A")
	assert.Equal(t, record.UnrevokedPartitions, a.State)
	assert.Equal(t, "[0@2 1@2]", epochs(a.Assigned))
	assert.Equal(t, "[2@2]", epochs(a.PendingRevocation))
	assert.Equal(t, int32(2), a.PreviousMemberEpoch)
	assert.Equal(t, start+300_000, a.RebalanceDeadline, "the rebalance timer starts")

	g.play(kafkaStory()[6:8])
	assert.Zero(t, g.member("A").RebalanceDeadline, "the acknowledgement cancels it")

	g.play(kafkaStory()[8:])
	assert.Equal(t, "[0@2]", epochs(g.member("A").Assigned), "a kept partition keeps the epoch at which it came")
	assert.Equal(t, "[1@4]", epochs(g.member("C").Assigned))
}

func TestAPartitionThatWasReleasedIsFreeForWhoeverWaits(t *testing.T) {
	for _, story := range []struct {
		rules rules.Rules
		rows  []storyRow
		ack   int
	}{{rules.Kip(), kipStory(), 6}, {rules.Kafka(), kafkaStory(), 8}} {
		t.Run(story.rules.Name, func(t *testing.T) {
			g := newRig(t, story.rules)
			g.play(story.rows[:story.ack-1])
			assert.Empty(t, g.member("B").Free, "A still has it")
			g.play(story.rows[story.ack-1 : story.ack])
			assert.Equal(t, "[2]", numbers(g.member("B").Free))
			assert.Equal(t, "[2]", numbers(g.member("B").Waiting), "until B's next heartbeat it waits")
		})
	}
}

func TestTheDecisionsOfTheWorkedExampleNameTheirRules(t *testing.T) {
	want := map[string]string{
		"K1":  "KIP-848, join: A is in at epoch 0. Its next heartbeat takes it to target 1.",
		"K2":  "KIP-848, member reconciliation: A moves to epoch 1 and gets foo-0, foo-1 and foo-2.",
		"K4":  "KIP-848, member reconciliation: B moves to epoch 2. It cannot have foo-2 yet: A still has it.",
		"K5":  "KIP-848, member reconciliation: Target 2 takes foo-2 from A. A must revoke it first, so A stays at epoch 1.",
		"K6":  "KIP-848, member reconciliation: foo-2 is no longer among what A owns. A moves to epoch 2.",
		"K7":  "KIP-848, member reconciliation: foo-2 is free now. B is at epoch 2 and gets foo-2.",
		"K9":  "KIP-848, member reconciliation: B moves to epoch 3. It has nothing to give up and nothing to take.",
		"K13": "KIP-848, member reconciliation: foo-1 is free now. C is at epoch 3 and gets foo-1.",
	}
	g := newRig(t, rules.Kip())
	for _, row := range kipStory() {
		result := g.send(row.member, row.fields...)
		if text, ok := want[row.name]; ok {
			assert.Equal(t, text, main(result.Decisions), row.name)
		}
		if row.name == "K3" {
			assert.Equal(t, []coordinator.Decision{
				{Rule: "KIP-848, join", Text: "B is new in group g."},
				{Rule: "KIP-848, group epoch", Text: "B joins and subscribes to foo. The group epoch goes from 1 to 2."},
				{Rule: "KIP-848, target assignment", Text: "Target 2, by uniform: A foo [0, 1]; B foo [2]. It differs for both members."},
				{Rule: "KIP-848, join", Text: "B is in at epoch 0. Its next heartbeat takes it to target 2.", Main: true},
			}, result.Decisions)
		}
	}
}

// numbered adds d to an epoch of the KIP's numbering.
func numbered(d int32, format string, kipEpochs ...int32) string {
	args := make([]any, len(kipEpochs))
	for i, e := range kipEpochs {
		args[i] = e + d
	}
	return fmt.Sprintf(format, args...)
}
