package explore

import (
	"flag"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/core/scenario"
	"groupscope/core/sim"
)

// deep walks worlds that take minutes: go test ./core/explore -deep.
var deep = flag.Bool("deep", false, "explore worlds that take minutes, too")

// file is a scenario in which members who share foo join one after the other.
func file(members, settings string) string {
	out := "groupscope: 1\ntitle: explored\nrules: [kafka, kip]\ntopics: {foo: 3}\nmembers:\n"
	steps := "steps:\n"
	for i, m := range members {
		extra := ""
		if i == 0 {
			extra = settings
		}
		out += fmt.Sprintf("  %c: {subscribe: [foo]%s}\n", m, extra)
		steps += fmt.Sprintf("  - join: %c\n", m)
	}
	return out + steps
}

// walk explores a file to the end, and gives the world as the file makes it.
func walk(t *testing.T, text, ruleSet string, o Options) (*Explorer, *scenario.Scenario, *sim.World) {
	t.Helper()
	sc, faults := scenario.Parse("explored.yaml", []byte(text))
	require.Empty(t, faults)
	x, world := explored(t, sc, ruleSet, o)
	return x, sc, world
}

// explored explores a scenario to the end.
func explored(t *testing.T, sc *scenario.Scenario, ruleSet string, o Options) (*Explorer, *sim.World) {
	t.Helper()
	start, err := Begin(sc, ruleSet, "")
	require.NoError(t, err)
	x, err := New(start.World, start.Deeds, o)
	require.NoError(t, err)
	for x.Next() {
	}
	x.Settle()
	return x, start.AsIs
}

func TestWithoutQuirksNothingBreaksAndTheGroupComesToRestFromEveryState(t *testing.T) {
	for _, c := range []struct {
		members, rules string
		faults, states int
		deep           bool
	}{
		{"AB", "kafka", 1, 2_369, false},
		{"AB", "kip", 1, 3_520, false},
		{"ABC", "kafka", 0, 4_505, false},
		{"ABC", "kip", 0, 24_729, true},
		{"ABC", "kafka", 1, 104_579, true},
		{"ABC", "kip", 1, 0, true},
	} {
		if c.deep && !*deep {
			continue
		}
		x, _, _ := walk(t, file(c.members, ""), c.rules, Options{Faults: c.faults})
		assert.Nil(t, x.Found(), "%+v", c)
		r := x.Report()
		assert.Zero(t, r.Waiting, "all was visited")
		t.Logf("%+v: %+v", c, r)
		if c.states > 0 {
			assert.Equal(t, c.states, r.States, "%+v: a state that only counts what happened would make more", c)
		}
	}
}

// TestTheDoubleReadOfAClientThatAcknowledgesTooEarlyIsFound, and the way there
// is a scenario that passes.
func TestTheDoubleReadOfAClientThatAcknowledgesTooEarlyIsFound(t *testing.T) {
	for _, ruleSet := range []string{"kip", "kafka"} {
		x, sc, world := walk(t, file("AB", ", quirks: [acknowledges-before-revoking], revoke-time: 8s"), ruleSet, Options{})
		require.NotNil(t, x.Found())
		assert.Equal(t, "one reader", x.Found().Violation.Invariant)
		assert.Equal(t, "foo-2 is read by two members at once: A, B.", x.Found().Violation.Text)

		actions, err := x.Script(world)
		require.NoError(t, err)
		assert.LessOrEqual(t, len(actions), 4, "join, run, join, run")
		requirePlays(t, x.Scenario(sc, ruleSet, 0, actions), ruleSet)
	}
}

// requirePlays runs a scenario that was written.
func requirePlays(t *testing.T, text []byte, ruleSet string) *sim.State {
	t.Helper()
	sc, faults := scenario.Parse("written.yaml", text)
	require.Empty(t, faults, "%s", text)
	outcome, err := scenario.Run(sc, ruleSet)
	require.NoError(t, err)
	require.True(t, outcome.Passed(), "%s%v", text, outcome.Unmet)
	return outcome.Steps[len(outcome.Steps)-1].State
}

// TestAGroupThatNeverComesToRestIsFound: A does not ask again for what was in
// the lost answer, so nobody reads its partitions, for ever.
func TestAGroupThatNeverComesToRestIsFound(t *testing.T) {
	x, sc, world := walk(t, file("AB", ", quirks: [bare-heartbeat-after-lost-response]"), "kafka", Options{Faults: 1})
	require.NotNil(t, x.Found())
	assert.Equal(t, NeverSettles, x.Found().Violation.Invariant)
	assert.Regexp(t, "^The group does not come to rest. A is assigned foo .* and reads nothing.$", x.Found().Violation.Text)

	actions, err := x.Script(world)
	require.NoError(t, err)
	s := requirePlays(t, x.Scenario(sc, "kafka", 0, actions), "kafka")
	assert.Empty(t, s.Clients[0].Owned)
	assert.NotEmpty(t, s.Group.Members[0].Assigned)
}

// TestAnswersThatNobodySeesAreNotWalkedInEveryOrderAndNothingIsMissed: the
// states in which the group is at rest are the same.
func TestAnswersThatNobodySeesAreNotWalkedInEveryOrderAndNothingIsMissed(t *testing.T) {
	for _, ruleSet := range []string{"kip", "kafka"} {
		atRest := func(whole bool) (states map[uint64]bool, visited int) {
			sc, _ := scenario.Parse("explored.yaml", []byte(file("AB", "")))
			start, err := Begin(sc, ruleSet, "")
			require.NoError(t, err)
			x, err := New(start.World, start.Deeds, Options{Faults: 1})
			require.NoError(t, err)
			x.whole = whole
			for x.Next() {
			}
			return x.atRest(), len(x.nodes)
		}
		all, many := atRest(true)
		some, fewer := atRest(false)
		assert.Less(t, fewer, many)
		assert.Greater(t, len(all), 10)
		assert.Equal(t, all, some)
	}
}

func TestAWalkEndsAtItsLimits(t *testing.T) {
	x, _, _ := walk(t, file("AB", ""), "kafka", Options{Depth: 5})
	assert.Equal(t, 5, x.Report().Depth)
	assert.NotZero(t, x.Report().Waiting)
	assert.Nil(t, x.Found(), "the group comes to rest from the states that were left, too")

	x, _, _ = walk(t, file("AB", ""), "kafka", Options{States: 100})
	assert.True(t, x.Report().Full)
	assert.Less(t, x.Report().States, 110)
	assert.NotZero(t, x.Report().Waiting)
	assert.Nil(t, x.Found())
}

// TestWhatIsExceptedIsCountedAndPassedOver: of a client that acknowledges too
// early, and of one that does not ask again for what got lost.
func TestWhatIsExceptedIsCountedAndPassedOver(t *testing.T) {
	early := file("AB", ", quirks: [acknowledges-before-revoking], revoke-time: 8s")
	x, _, _ := walk(t, early, "kafka", Options{Except: []string{"one reader"}})
	assert.Nil(t, x.Found())
	require.Len(t, x.Report().Excepted, 1)
	assert.Zero(t, x.Report().Waiting)
	assert.Positive(t, x.Report().Excepted[0].States)
	assert.Less(t, x.Report().Excepted[0].States, x.Report().States)

	x, _, _ = walk(t, early, "kafka", Options{Except: []string{"settles", "one owner", "settles"}})
	require.NotNil(t, x.Found())
	assert.Equal(t, "one reader", x.Found().Violation.Invariant, "what is not excepted is found")
	assert.Equal(t, []Excepted{{"settles", 0}, {"one owner", 0}}, x.Report().Excepted)

	bare := file("AB", ", quirks: [bare-heartbeat-after-lost-response]")
	x, _, _ = walk(t, bare, "kafka", Options{Faults: 1, Except: []string{NeverSettles}})
	assert.Nil(t, x.Found())
	assert.Positive(t, x.Report().Excepted[0].States)

	sc, _ := scenario.Parse("explored.yaml", []byte(bare))
	start, err := Begin(sc, "kafka", "")
	require.NoError(t, err)
	_, err = New(start.World, nil, Options{Except: []string{"settles", "one raeder"}})
	assert.EqualError(t, err, "no such invariant: one raeder. There are one owner, one reader, one input, epoch order, no gap, log replay, settles")
}

func TestEveryKindOfFaultStrikes(t *testing.T) {
	for _, kind := range Faults {
		members := "A"
		if kind == Delay { // alone, a client waits for its answer
			members = "AB"
		}
		none, _, _ := walk(t, file(members, ""), "kafka", Options{Faults: 0, Kinds: []Fault{kind}})
		one, _, _ := walk(t, file(members, ""), "kafka", Options{Faults: 1, Kinds: []Fault{kind}})
		assert.Greater(t, one.Report().States, none.Report().States, "%s", kind)
		assert.Nil(t, one.Found(), "%s", kind)
	}
}

// TestDeedsAreDoneInTheirOrderAtAnyMoment: of a file with all that may be done.
func TestDeedsAreDoneInTheirOrderAtAnyMoment(t *testing.T) {
	text := file("AB", "") + "  - run: 10s\n  - heartbeat: A\n  - step: later\n    lose-response: A\n  - crash: A\n  - topics: {foo: 4}\n"
	sc, faults := scenario.Parse("explored.yaml", []byte(text))
	require.Empty(t, faults)
	start, err := Begin(sc, "kafka", "")
	require.NoError(t, err)
	assert.Zero(t, start.Kept)
	assert.Len(t, start.Deeds, 4, "two join, crash, topics")

	start, err = Begin(sc, "kafka", "later")
	require.NoError(t, err)
	assert.Equal(t, 5, start.Kept)
	assert.Len(t, start.Deeds, 2)
	assert.NotNil(t, start.World.State().Group)
	x, err := New(start.World, start.Deeds, Options{})
	require.NoError(t, err)
	for x.Next() {
	}
	x.Settle()
	assert.Nil(t, x.Found())
	assert.Zero(t, x.Report().Waiting)

	_, err = Begin(sc, "kafka", "never")
	assert.EqualError(t, err, "explored.yaml has no step never")
}

func TestTheTableFindsWhatWasPutIn(t *testing.T) {
	var table table
	_, known := table.find(7)
	assert.False(t, known)
	for i := range uint32(5_000) {
		table.add(hashOf([]byte(fmt.Sprint(i))), i)
	}
	for i := range uint32(5_000) {
		state, known := table.find(hashOf([]byte(fmt.Sprint(i))))
		assert.True(t, known)
		assert.Equal(t, i, state)
	}
	_, known = table.find(hashOf([]byte("other")))
	assert.False(t, known)
	assert.NotEqual(t, hashOf([]byte("1234567")), hashOf([]byte("1234567\x00")))
}
