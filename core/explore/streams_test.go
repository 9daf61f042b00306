package explore

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/core/scenario"
	"groupscope/core/sim"
	"groupscope/core/streamsgroup"
)

// threads is a scenario in which threads of two processes share the tasks of a
// subtopology: A and B are of one, C of the other. They join in an order.
func threads(order string) string {
	out := `groupscope: 1
title: explored
protocol: streams
rules: [kafka, kip]
config: {group.streams.initial.rebalance.delay.ms: 0}
topics: {in: 3}
topology: {subtopologies: {0: {source: [in]}}}
members:
  A: {process: p1}
  B: {process: p1}
  C: {process: p2}
steps:
`
	for _, name := range order {
		out += "  - join: " + string(name) + "\n"
	}
	return out
}

// TestNoTaskOfTwoProcessesBreaksAnInvariant walks all that may happen to 3
// threads in 2 processes with 3 tasks: any order in which their requests
// arrive, whichever joins first; and with one fault, which is a loss or a late
// request. What a lost answer takes from a streams client nobody tells it again
// (client.md, "No repetition"), so with a fault the group may never settle;
// nothing else breaks.
func TestNoTaskOfTwoProcessesBreaksAnInvariant(t *testing.T) {
	for _, c := range []struct {
		joins, rules   string
		faults, states int
		when           cost
	}{
		{"AC", "kafka", 0, 352, always},
		{"AC", "kip", 0, 364, always},
		{"AC", "kafka", 1, 6_921, whenLong},
		{"AC", "kip", 1, 5_811, whenLong},
		{"ABC", "kafka", 0, 23_042, whenLong},
		{"ABC", "kip", 0, 62_223, whenDeep},
		{"ACB", "kafka", 0, 0, whenDeep},
		{"ACB", "kip", 0, 0, whenDeep},
		{"CAB", "kafka", 0, 0, whenDeep},
		{"CAB", "kip", 0, 0, whenDeep},
		{"ABC", "kafka", 1, 571_967, whenDeep},
		{"ABC", "kip", 1, 0, whenDeep},
	} {
		if !c.when.now() {
			continue
		}
		o := Options{Faults: c.faults}
		if c.faults > 0 {
			o.Except = []string{NeverSettles}
		}
		x, _, _ := walk(t, threads(c.joins), c.rules, o)
		assert.Nil(t, x.Found(), "%+v", c)
		r := x.Report()
		assert.Zero(t, r.Waiting, "all was visited")
		for _, e := range r.Excepted {
			assert.Equal(t, NeverSettles, e.Name)
			assert.Positive(t, e.States, "the gap after a lost answer shows")
		}
		t.Logf("%+v: %+v", c, r)
		if c.states > 0 {
			assert.Equal(t, c.states, r.States, "%+v: a state that only counts what happened would make more", c)
		}
	}
}

// cost says when a walk is worth its time.
type cost int

const (
	always   cost = iota
	whenLong      // not with -short
	whenDeep      // only with -deep
)

func (c cost) now() bool { return c == always || *deep || c == whenLong && !testing.Short() }

// breakRule breaks a rule of a scenario's coordinator.
func breakRule(sc *scenario.Scenario, rule streamsgroup.Mutation) {
	unbroken := sc.Setup
	sc.Setup = func(ruleSet string) sim.Setup {
		setup := unbroken(ruleSet)
		setup.Config.Streams.BrokenRule = rule
		return setup
	}
}

// TestAnActiveTaskThatIsGrantedThoughAnotherProcessHasItIsFound: the rule is
// broken on purpose. The way there is as short as can be, and it is a scenario
// that shows the violation as long as the rule is broken, and only then.
func TestAnActiveTaskThatIsGrantedThoughAnotherProcessHasItIsFound(t *testing.T) {
	for _, ruleSet := range []string{"kip", "kafka"} {
		sc, faults := scenario.Parse("explored.yaml", []byte(threads("ABC")))
		require.Empty(t, faults)
		breakRule(sc, streamsgroup.GrantsHeldTasks)
		x, world := explored(t, sc, ruleSet, Options{})
		require.NotNil(t, x.Found(), ruleSet)
		v := x.Found().Violation
		assert.Equal(t, "one owner", v.Invariant)
		assert.Equal(t, "0_2 has more than one owner: A, C.", v.Text)

		actions, err := x.Script(world)
		require.NoError(t, err)
		written := x.Scenario(sc, ruleSet, 0, actions)
		again, faults := scenario.Parse("written.yaml", written)
		require.Empty(t, faults)
		outcome, err := scenario.Run(again, ruleSet)
		require.NoError(t, err)
		assert.False(t, outcome.Passed(), "the rule holds, so nothing breaks")
		breakRule(again, streamsgroup.GrantsHeldTasks)
		outcome, err = scenario.Run(again, ruleSet)
		require.NoError(t, err)
		assert.True(t, outcome.Passed(), "%v", outcome.Unmet)
		last := outcome.Steps[len(outcome.Steps)-1].State
		require.NotEmpty(t, last.Violations)
		assert.Equal(t, v.Text, last.Violations[0].Text)
	}
}
