package scenario_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/core/scenario"
	"groupscope/core/sim"
)

const blockFile = `# A comment of the file.
groupscope: 1
title: Two members   # the title
rules: [kip, kafka]
topics: {foo: 3}
members:
  A: {subscribe: [foo]}
steps:
  # the first
  - step: one
    join: A
    say: |
      Several
      lines.

  # the second
  - heartbeat: A
    expect:
      group: {epoch: 1}
  - {step: three, heartbeat: A}

# what follows the steps
summary: The summary stands last here.
`

func parse(t *testing.T, src string) *scenario.Scenario {
	t.Helper()
	sc, faults := scenario.Parse("test.yaml", []byte(src))
	require.Empty(t, faults, src)
	return sc
}

func TestABranchKeepsTheFilesOwnTextUpToItsStep(t *testing.T) {
	done := []scenario.Done{{Do: sim.Crash{Member: "A"}}, {Name: "act-1", Do: sim.Pause{Member: "A", For: 45_000}}}
	got := string(scenario.Branch(parse(t, blockFile), "kip", 1, done, "A crashes"))
	want := `# A comment of the file.
groupscope: 1
title: "A crashes"
rules: kip
topics: {foo: 3}
members:
  A: {subscribe: [foo]}
steps:
  # the first
  - step: one
    join: A
    say: |
      Several
      lines.
  - crash: A
  - step: act-1
    pause: A
    for: 45s

# what follows the steps
summary: The summary stands last here.
`
	assert.Equal(t, want, got)
}

// TestABranchOfAnyLayoutIsReadAgain: the ways in which people, and programs,
// write the same file.
func TestABranchOfAnyLayoutIsReadAgain(t *testing.T) {
	done := []scenario.Done{
		{Name: "act-1", Do: sim.Join{Member: "A"}},
		{Do: sim.Heartbeat{Member: "A", With: []sim.Override{{Field: "memberEpoch", Value: int32(1)}}}},
	}
	for name, src := range map[string]string{
		"block":            blockFile,
		"windows newlines": strings.ReplaceAll(blockFile, "\n", "\r\n"),
		"no last newline":  strings.TrimSuffix(blockFile, "\n"),
		"json":             jsonFile,
		"steps in brackets": `groupscope: 1
steps: [{join: A}, {heartbeat: A}, {step: x,
  say: "two
  lines"}]
members: {A: {subscribe: [foo]}}
topics: {foo: 1}
title: >
  Folded
  title
`,
		"dashes not indented": "groupscope: 1\ntitle: t\ntopics: {foo: 1}\nmembers: {A: {subscribe: [foo]}}\nsteps:\n- join: A\n-\n  heartbeat: A\n- say: plain text\n    in two lines\n",
		"no step yet":         "groupscope: 1\ntitle: t\ntopics: {foo: 1}\nmembers: {A: {subscribe: [foo]}}\nsteps: [ ] # none\nseed: 3\n",
	} {
		t.Run(name, func(t *testing.T) {
			sc := parse(t, src)
			for keep := range len(sc.Steps) + 1 {
				text := string(scenario.Branch(sc, "kafka", keep, done, `A "quoted": title`))
				again := parse(t, text)
				assert.Equal(t, `A "quoted": title`, again.Title)
				assert.Equal(t, []string{"kafka"}, again.Rules)
				assert.Equal(t, sc.Summary, again.Summary)
				require.Len(t, again.Steps, keep+2, text)
				for i := range keep {
					assert.Equal(t, sc.Steps[i].Do, again.Steps[i].Do)
					assert.Equal(t, sc.Steps[i].Say, again.Steps[i].Say)
					assert.Equal(t, sc.Steps[i].SayUnder, again.Steps[i].SayUnder)
				}
				for i, d := range done {
					assert.Equal(t, []sim.Action{d.Do}, again.Steps[keep+i].Do)
					assert.Equal(t, d.Name, again.Steps[keep+i].Name)
				}
				assert.Empty(t, parse(t, string(scenario.Branch(sc, "kip", 0, nil, ""))).Steps)
			}
		})
	}
}

func TestABranchKnowsTheTopicsOfStepsThatWereCut(t *testing.T) {
	for _, topics := range []string{"{foo: 1}", "{foo: {partitions: 1}, }", "{}", "\n  foo: 1\n  # more to come"} {
		src := "groupscope: 1\ntitle: t\ntopics: " + topics + "\nmembers: {A: {subscribe: [bar]}}\nsteps:\n  - join: A\n  - topics: {bar: 3}\n"
		text := string(scenario.Branch(parse(t, src), "kip", 1, []scenario.Done{{Do: sim.Heartbeat{Member: "A"}}}, ""))
		setup := parse(t, text).Setup("kip")
		last := setup.Topics[len(setup.Topics)-1]
		assert.Equal(t, "bar", last.Name, text)
		assert.Zero(t, last.Partitions)
	}
}

func TestATitleThatIsTooLongIsCut(t *testing.T) {
	sc := parse(t, blockFile)
	again := parse(t, string(scenario.Branch(sc, "kip", 1, nil, strings.Repeat("é", 120))))
	assert.Equal(t, strings.Repeat("é", 99)+"…", again.Title)
}
