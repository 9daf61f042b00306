package scenarios_test

import (
	"reflect"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/core/rules"
	"groupscope/core/scenario"
	"groupscope/core/sim"
)

// The page that lists where the KIPs and Kafka differ has each difference
// once. Where it names a step, one of the rule sets, with only this field as
// the other has it, misses what is expected there.
func TestEveryDifferenceIsListedAndItsScenarioShowsIt(t *testing.T) {
	listed := map[string]bool{}
	for _, row := range tableRows(t, "../docs/kip-and-kafka.md", 6) {
		field := row[5]
		assert.False(t, listed[field], "%s is listed twice", field)
		listed[field] = true
		if row[3] == "" {
			continue
		}
		sc := shown(t, row[3], row[4])
		assert.True(t, slices.ContainsFunc(sc.Rules, func(r string) bool { return misses(t, sc, r, field, row[4]) }), "%s, step %s, shows %s", row[3], row[4], field)
	}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[rules.Rules]()) {
		assert.Equal(t, !slices.Contains([]string{"Name", "Title", "StreamsTitle"}, f.Name), listed[f.Name], f.Name)
	}
}

// misses reports whether a step's expectation fails with a field as the other
// rule set has it.
func misses(t *testing.T, sc *scenario.Scenario, ruleSet, field, step string) bool {
	t.Helper()
	changed := *sc
	changed.Setup = func(name string) sim.Setup {
		setup := sc.Setup(name)
		other := rules.Kafka()
		if name == other.Name {
			other = rules.Kip()
		}
		reflect.ValueOf(&setup.Config.Rules).Elem().FieldByName(field).Set(reflect.ValueOf(other).FieldByName(field))
		switch field { // these replace the default of a config
		case "AssignmentIntervalDefault":
			setup.Config.AssignmentInterval = other.AssignmentIntervalDefault
		case "InitialRebalanceDelayDefault":
			setup.Config.Streams.InitialRebalanceDelay = other.InitialRebalanceDelayDefault
		}
		return setup
	}
	out, err := scenario.Run(&changed, ruleSet)
	require.NoError(t, err)
	return slices.ContainsFunc(out.Unmet, func(u scenario.Unmet) bool { return sc.Steps[u.Step].Name == step })
}
