package scenarios_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/core/scenario"
	"groupscope/core/sim"
	"groupscope/scenarios"
)

func each(t *testing.T, test func(t *testing.T, sc *scenario.Scenario)) {
	for _, pack := range scenarios.Gallery() {
		for _, sc := range pack.Scenarios {
			t.Run(sc.Name, func(t *testing.T) { test(t, sc) })
		}
	}
}

func TestEveryScenarioMeetsItsExpectationsUnderEachOfItsRuleSets(t *testing.T) {
	each(t, func(t *testing.T, sc *scenario.Scenario) {
		for _, rules := range sc.Rules {
			outcome, err := scenario.Run(sc, rules)
			require.NoError(t, err)
			assert.Nil(t, outcome.Refusal)
			assert.Empty(t, outcome.Unmet)
			assert.Len(t, outcome.Steps, len(sc.Steps))
		}
	})
}

func TestEveryScenarioFitsTheSchema(t *testing.T) {
	schema := compile(t)
	each(t, func(t *testing.T, sc *scenario.Scenario) { assert.NoError(t, schema.Validate(asJSON(t, sc.Source))) })
}

// TestTheSchemaRefusesWhatTheReaderRefuses for a few mistakes that an editor
// should underline.
func TestTheSchemaRefusesWhatTheReaderRefuses(t *testing.T) {
	schema := compile(t)
	head := "groupscope: 1\ntitle: t\ntopics: {foo: 3}\nmembers: {A: {subscribe: [foo]}}\n"
	require.NoError(t, schema.Validate(asJSON(t, []byte(head+"steps: [{join: A}]"))))
	for _, bad := range []string{
		"steps: [{heartbeet: A}]", "steps: [{at: 20 minutes}]", "steps: [{}]", "steps: [{join: A, with: {memberEpoch: 1}}]",
		"steps: [{delay: A}]", "steps: [{subscribe: A}]", "steps: [{expect: {members: {A: {state: UNREVOKED}}}}]",
		"steps: [{expect: {kip: {grop: {}}}}]", "steps: [{fail-over: A}]", "steps: []\nprotocol: streams", "steps: []\ntopology: {subtopologies: {0: {source: [foo]}}}", "stepz: []",
	} {
		assert.Error(t, schema.Validate(asJSON(t, []byte(head+bad))), bad)
		_, faults := scenario.Parse("bad.yaml", []byte(head+bad))
		assert.NotEmpty(t, faults, bad)
	}
}

func TestNarrationIsAtMostTwoShortSentences(t *testing.T) {
	each(t, func(t *testing.T, sc *scenario.Scenario) {
		for _, step := range sc.Steps {
			for _, ruleSet := range sc.Rules {
				words := step.Words(ruleSet)
				sentences := strings.Count(words+" ", ". ") + strings.Count(words+" ", "? ")
				assert.LessOrEqual(t, sentences, 2, "%s: %s", step.Name, words)
				assert.LessOrEqual(t, len(words), 140, "%s: %s", step.Name, words)
				assert.Equal(t, words != "", step.Name != "", "a step with words can be linked to, and the other way round: line %d", step.Line)
			}
		}
		assert.NotEmpty(t, sc.Summary)
		assert.NotEmpty(t, sc.Pack)
	})
}

func TestEveryScenarioExpectsSomethingInTheEnd(t *testing.T) {
	each(t, func(t *testing.T, sc *scenario.Scenario) {
		require.NotEmpty(t, sc.Steps)
		assert.NotNil(t, sc.Steps[len(sc.Steps)-1].Expect)
	})
}

// TestABranchReplaysToTheSameEnd: what a person does live is saved as a
// scenario, and running that gives the state the person saw.
func TestABranchReplaysToTheSameEnd(t *testing.T) {
	src, err := scenarios.Source("kip-848-worked-example")
	require.NoError(t, err)
	sc, faults := scenario.Parse("kip-848-worked-example.yaml", src)
	require.Empty(t, faults)
	keep := 0
	for i, step := range sc.Steps {
		if step.Name == "K5" {
			keep = i + 1
		}
	}
	world, err := sim.New(sc.Setup("kip"))
	require.NoError(t, err)
	done := []scenario.Done{{Name: "crash", Do: sim.Crash{Member: "A"}}, {Name: "run", Do: sim.Run{For: 60_000}}}
	for _, step := range sc.Steps[:keep] {
		for _, a := range step.Do {
			act(t, world, a)
		}
	}
	for _, d := range done {
		act(t, world, d.Do)
	}

	saved := scenario.Branch(sc, "kip", keep, done, "A crashes at K5")
	again, faults := scenario.Parse("saved.yaml", saved)
	require.Empty(t, faults, "%s", saved)
	outcome, err := scenario.Run(again, "kip")
	require.NoError(t, err)
	assert.True(t, outcome.Passed(), "%v", outcome.Unmet)
	assert.Equal(t, world.State(), outcome.Steps[len(outcome.Steps)-1].State)
	var b *sim.ClientState
	for _, c := range world.State().Clients {
		if c.Member == "B" {
			b = c
		}
	}
	assert.Equal(t, "foo [0, 1, 2]", b.Owned.String(), "B owns everything once the timers have done their work")
}

func act(t *testing.T, w *sim.World, a sim.Action) {
	t.Helper()
	_, err := w.Do(a)
	require.NoError(t, err)
	w.Settle()
}

func TestTheGalleryListsWhatThereIs(t *testing.T) {
	count := 0
	for _, pack := range scenarios.Gallery() {
		count += len(pack.Scenarios)
	}
	assert.Len(t, scenarios.Names(), count)
	assert.Equal(t, "kip-848-worked-example", scenarios.Gallery()[0].Scenarios[0].Name)
	_, err := scenarios.Source("nope")
	assert.ErrorContains(t, err, "no scenario nope in the gallery: there are ")
}

func compile(t *testing.T) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(scenarios.Schema()))
	require.NoError(t, err)
	c := jsonschema.NewCompiler()
	require.NoError(t, c.AddResource("scenario.schema.json", doc))
	schema, err := c.Compile("scenario.schema.json")
	require.NoError(t, err)
	return schema
}

// asJSON turns YAML into what the schema is about.
func asJSON(t *testing.T, src []byte) any {
	t.Helper()
	var value any
	require.NoError(t, yaml.Unmarshal(src, &value))
	text, err := json.Marshal(value)
	require.NoError(t, err)
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	require.NoError(t, err)
	return doc
}
