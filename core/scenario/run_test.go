package scenario_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/core/protocol"
	"groupscope/core/scenario"
	"groupscope/core/sim"
)

const two = `groupscope: 1
title: Two members
rules: [kip, kafka]
config: {group.consumer.assignment.interval.ms: 0, group.consumer.assignors: [uniform]}
topics: {foo: 3}
members:
  A: {subscribe: [foo]}
  B: {subscribe: [foo]}
steps:
`

func run(t *testing.T, rules, steps string) *scenario.Outcome {
	t.Helper()
	outcome, err := scenario.Run(parse(t, two+steps), rules)
	require.NoError(t, err)
	return outcome
}

// unmet runs steps and returns what was not met, one "line:col path want got"
// each.
func unmet(t *testing.T, rules, steps string) []string {
	t.Helper()
	var out []string
	for _, u := range run(t, rules, steps).Unmet {
		out = append(out, strings.TrimPrefix(u.String(), "test.yaml:"))
	}
	return out
}

func TestAnUnmetExpectationPointsAtItsValue(t *testing.T) {
	got := unmet(t, "kafka", `  - join: A
    expect:
      response: {member: B, epoch: 3, assignment: {foo: [0, 1]}, error: FENCED_MEMBER_EPOCH}
      records: [5A, 3]
      group: {epoch: 1, target-epoch: 1, state: Empty}
      members:
        A: {epoch: 0, state: UNREVOKED_PARTITIONS, owns: [foo-0], revokes: [foo-1], waits: [foo-2], target: absent, client: {epoch: 9, state: FATAL, owns: [foo-0], revokes: [foo-2]}}
        B: {epoch: 1, owns: []}
      unowned: [foo-2]
      violations: [one owner]
`)
	assert.Equal(t, []string{
		"12:26: response.member: expected B, got A",
		"12:36: response.epoch: expected 3, got 2",
		"12:51: response.assignment: expected [foo-0, foo-1], got [foo-0, foo-1, foo-2] (foo-2 was not expected)",
		"12:73: response.error: expected FENCED_MEMBER_EPOCH, got NONE",
		"13:16: records: expected [5A, 3], got [5A, 3, 7A, 6, 8A]",
		"14:22: group.epoch: expected 1, got 2",
		"14:39: group.target-epoch: expected 1, got 2",
		"14:49: group.state: expected Empty, got Stable",
		"16:20: members.A.epoch: expected 0, got 2",
		"16:30: members.A.state: expected UNREVOKED_PARTITIONS, got STABLE",
		"16:58: members.A.owns: expected [foo-0], got [foo-0, foo-1, foo-2] (foo-1 and foo-2 were not expected)",
		"16:76: members.A.revokes: expected [foo-1], got [] (foo-1 is missing)",
		"16:92: members.A.waits: expected [foo-2], got [] (foo-2 is missing)",
		"16:109: members.A.target: expected absent, got [foo-0, foo-1, foo-2]",
		"16:133: members.A.client.epoch: expected 9, got 2",
		"16:143: members.A.client.state: expected FATAL, got RECONCILING",
		"16:156: members.A.client.owns: expected [foo-0], got [] (foo-0 is missing)",
		"16:174: members.A.client.revokes: expected [foo-2], got [] (foo-2 is missing)",
		"17:20: members.B.epoch: expected 1, got absent",
		"17:29: members.B.owns: expected [], got absent",
		"18:16: unowned: expected [foo-2], got [] (foo-2 is missing)",
		"19:19: violations: expected [one owner], got []",
	}, got)
}

func TestWhatIsNotThereCanBeExpected(t *testing.T) {
	assert.Empty(t, unmet(t, "kip", `  - expect: {group: absent, response: absent, members: {A: absent, B: null}, records: []}
  - join: A
    expect: {members: {B: {state: absent, client: {state: ABSENT}}}}
  - {heartbeat: A, expect: {response: {epoch: 1}}}
  - {heartbeat: A, expect: {response: {assignment: absent}, violations: []}}
`))
	assert.Equal(t, []string{
		"11:21: group: expected absent, got a group at epoch 1",
		"11:39: response: expected absent, got epoch 0",
		"11:60: members.A: expected absent, got in the group, at epoch 0",
		"12:52: response.assignment: expected absent, got [foo-0, foo-1, foo-2]",
	}, unmet(t, "kip", `  - join: A
    expect: {group: absent, response: absent, members: {A: absent}}
  - {heartbeat: A, expect: {response: {assignment: absent}}}
`))
}

func TestWhatStandsUnderARuleSetCountsThereOnly(t *testing.T) {
	steps := `  - join: A
    expect: {kip: {group: {epoch: 1}}, kafka: {group: {epoch: 5}}, records: [5A, 3, 7A, 6, 8A]}
`
	assert.Empty(t, unmet(t, "kip", steps))
	assert.Equal(t, []string{"11:63: group.epoch: expected 5, got 2"}, unmet(t, "kafka", steps))
}

func TestARefusedActionIsNamedWithItsPlaceAndEndsTheRun(t *testing.T) {
	outcome := run(t, "kip", `  - join: A
  - crash: A
  - at: 5s
    heartbeat: A
  - expect: {group: {epoch: 99}}
`)
	require.NotNil(t, outcome.Refusal)
	assert.False(t, outcome.Passed())
	assert.Equal(t, []int{13, 16}, []int{outcome.Refusal.Line, outcome.Refusal.Column})
	assert.Contains(t, outcome.Refusal.Message, "not possible now: ")
	assert.Len(t, outcome.Steps, 2)
	assert.Empty(t, outcome.Unmet, "steps after a refusal are not compared")
}

func TestASpanOfUnownedTimeMeasuresTheLongestGapSoFar(t *testing.T) {
	steps := func(span string) string {
		return `  - join: A
  - heartbeat: A
  - heartbeat: A
  - expect: {unowned: 0s}
  - {leave: A, expect: {unowned: [foo-0, foo-1, foo-2]}}
  - run: 7s
  - join: B
  - heartbeat: B
  - run: 20s
  - expect: {unowned: ` + span + `}
`
	}
	assert.Empty(t, unmet(t, "kip", steps("7s..7s")))
	assert.Equal(t, []string{"19:23: unowned: expected 0s..6s, got 7s (foo-0 had no owner for longest)"}, unmet(t, "kip", steps("0s..6s")))
}

func TestARequestTakesTheFieldsThatAStepReplaces(t *testing.T) {
	assert.Empty(t, unmet(t, "kafka", `  - join: A
  - heartbeat: A
    with: {memberEpoch: 7}
    expect: {response: {error: FENCED_MEMBER_EPOCH}}
`))
}

// plain is a step with what can be seen from outside.
func plain(s scenario.Step) scenario.Step {
	return scenario.Step{Name: s.Name, Say: s.Say, SayUnder: s.SayUnder, Focus: s.Focus, Pause: s.Pause, Line: s.Line, Column: s.Column, Do: s.Do, Expect: s.Expect}
}

func TestASetupHasWhatTheFileSays(t *testing.T) {
	sc := parse(t, `groupscope: 1
title: Everything that can be set
summary: A summary.
pack: A pack
order: 7
protocol: consumer
rules: [kafka, kip]
seed: 42
group: payments
config:
  group.consumer.session.timeout.ms: 50000
  group.consumer.heartbeat.interval.ms: 6000
  group.consumer.assignment.interval.ms: 250
  group.consumer.assignors: range
  group.consumer.max.size: 4
topics: {foo: 2, bar: {partitions: 3, racks: [[r1, r2], r3]}}
members:
  A: {subscribe: foo, instance: i-1, rack: r1, assignor: range, rebalance-timeout: 1m, latency: 5ms..20ms, revoke-time: 2s, assign-time: 1s}
  B: {subscribe: []}
steps:
  - join: A
  - step: one
    at: 40s
    lose-response: A
    say: Words.
    focus: foo-1
    pause: true
`)
	assert.Equal(t, []string{"test", "Everything that can be set", "A summary.", "consumer", "A pack"},
		[]string{sc.Name, sc.Title, sc.Summary, sc.Protocol, sc.Pack})
	assert.Equal(t, 7, sc.Order)
	assert.Equal(t, []string{"kafka", "kip"}, sc.Rules)
	assert.Equal(t, scenario.Step{
		Name: "one", Say: "Words.", Focus: "foo-1", Pause: true, Line: 22, Column: 5,
		Do: []sim.Action{sim.Until{At: 40_000}, sim.LoseResponse{Member: "A", Count: 1}},
	}, plain(sc.Steps[1]))

	setup := sc.Setup("kip")
	assert.Equal(t, uint64(42), setup.Seed)
	assert.Equal(t, "payments", setup.GroupID)
	assert.Equal(t, []protocol.Duration{50_000, 6_000, 250},
		[]protocol.Duration{setup.Config.SessionTimeout, setup.Config.HeartbeatInterval, setup.Config.AssignmentInterval})
	assert.Equal(t, []string{"range"}, setup.Config.Assignors)
	assert.Equal(t, 4, setup.Config.MaxSize)
	assert.Equal(t, []protocol.Topic{
		{ID: "foo", Name: "foo", Partitions: 2},
		{ID: "bar", Name: "bar", Partitions: 3, Racks: [][]string{{"r1", "r2"}, {"r3"}, {"r1", "r2"}}},
	}, setup.Topics)
	assert.Equal(t, []sim.MemberSetup{
		{
			Name: "A", Subscribe: []string{"foo"}, InstanceID: "i-1", RackID: "r1", Assignor: "range", RebalanceTimeout: 60_000,
			Latency: &sim.Range{Min: 5, Max: 20}, RevokeTime: 2_000, AssignTime: 1_000,
		},
		{Name: "B", Subscribe: []string{}},
	}, setup.Members)
}

func TestALatencyOfZeroIsNotTheSameAsNone(t *testing.T) {
	sc := parse(t, "groupscope: 1\ntitle: t\ntopics: {foo: 1}\nmembers:\n  A: {subscribe: [foo], latency: 0}\n  B: {subscribe: [foo]}\nsteps: []\n")
	members := sc.Setup("kip").Members
	assert.Equal(t, &sim.Range{}, members[0].Latency)
	assert.Nil(t, members[1].Latency)
}

func TestWhatAFileLeavesOutHasTheDefaultOfItsRuleSet(t *testing.T) {
	sc := parse(t, "groupscope: 1\ntitle: t\ntopics: {foo: 1}\nmembers: {}\nsteps: []\n")
	assert.Equal(t, []string{"kip"}, sc.Rules)
	for rules, interval := range map[string]protocol.Duration{"kip": 0, "kafka": 1_000} {
		setup := sc.Setup(rules)
		assert.Equal(t, interval, setup.Config.AssignmentInterval, rules)
		assert.Equal(t, rules, setup.Config.Rules.Name)
		assert.Equal(t, scenario.DefaultGroup, setup.GroupID)
		assert.Equal(t, []string{"uniform", "range"}, setup.Config.Assignors)
	}
}

func TestTheWorkedExampleIsPlayedToItsEnd(t *testing.T) {
	src, err := os.ReadFile("../../scenarios/kip-848-worked-example.yaml")
	require.NoError(t, err)
	sc, faults := scenario.Parse("kip-848-worked-example.yaml", src)
	require.Empty(t, faults)
	outcome, err := scenario.Run(sc, "kip")
	require.NoError(t, err)
	assert.True(t, outcome.Passed(), "%v %v", outcome.Unmet, outcome.Refusal)
	last := outcome.Steps[len(outcome.Steps)-1].State
	assert.Equal(t, int32(3), last.Group.GroupEpoch)
	for _, m := range last.Group.Members {
		assert.Len(t, m.Assigned, 1)
		assert.Equal(t, int32(3), m.MemberEpoch)
	}
}

func TestWhatARestartedMemberLeftBehindCanBeExpected(t *testing.T) {
	steps := `  - join: A
  - heartbeat: A
  - crash: A
  - restart: A
    expect:
      records: [5A~2, 3, 7A, 7A~2, 6, 8A~2]
      members:
        A: {owns: [], client: {state: JOINING}}
        A~2: {owns: [], client: {state: JOINING}}
        A~1: {owns: [foo-0, foo-1, foo-2]}
`
	assert.Empty(t, unmet(t, "kip", steps))
	assert.Equal(t, []string{"20:46: members.A~1.client.state: expected STABLE, got absent"},
		unmet(t, "kip", steps+"  - expect: {members: {A~1: {client: {state: STABLE}}}}\n"), "its client is gone")
	for bad, why := range map[string]string{
		"members: {A~0: absent}":  "not a member: \"A~0\". A's clients are numbered, A~1 is the first",
		"members: {A~01: absent}": "not a member: \"A~01\". A's clients are numbered, A~1 is the first",
		"records: [5A~1]":         "records carry member ids, and that of A~1 is A. Write 5A",
	} {
		_, faults := scenario.Parse("test.yaml", []byte(two+"  - expect: {"+bad+"}\n"))
		require.Len(t, faults, 1, bad)
		assert.Equal(t, why, faults[0].Text())
	}
}

// TestTheReaderAndTheWorldAgreeOnWhatNeedsAJoin: what the world refuses before
// a member's first join is reported with all other mistakes, and what it
// accepts can stand in a file.
func TestTheReaderAndTheWorldAgreeOnWhatNeedsAJoin(t *testing.T) {
	for _, action := range []sim.Action{
		sim.Join{Member: "A"}, sim.Heartbeat{Member: "A"}, sim.Leave{Member: "A"}, sim.Crash{Member: "A"}, sim.Restart{Member: "A"},
		sim.Pause{Member: "A", For: 1}, sim.Subscribe{Member: "A", Topics: []string{"foo"}}, sim.LoseRequest{Member: "A", Count: 1},
		sim.LoseResponse{Member: "A", Count: 1}, sim.Delay{Member: "A", By: 1, Count: 1}, sim.Disconnect{Member: "A"},
	} {
		written := scenario.EncodeAction(action)
		_, faults := scenario.Parse("test.yaml", []byte(two+"  - "+written+"\n"))
		world, err := sim.New(parse(t, two+"  - join: B\n").Setup("kip"))
		require.NoError(t, err)
		assert.Equal(t, world.Possible(action) == nil, len(faults) == 0, "%s: %v", written, faults)
	}
}
