package scenario

import (
	"encoding/json"
	"maps"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/core/assignor"
	"groupscope/core/protocol"
	"groupscope/core/rules"
)

// at walks into the schema.
func at(t *testing.T, schema map[string]any, path ...string) map[string]any {
	t.Helper()
	here := schema
	for _, name := range path {
		next, ok := here[name].(map[string]any)
		require.True(t, ok, "%v in %v", name, path)
		here = next
	}
	return here
}

func readSchema(t *testing.T) map[string]any {
	t.Helper()
	src, err := os.ReadFile("../../scenarios/scenario.schema.json")
	require.NoError(t, err)
	var schema map[string]any
	require.NoError(t, json.Unmarshal(src, &schema))
	return schema
}

func TestTheSchemaKnowsTheKeysOfTheReader(t *testing.T) {
	schema := readSchema(t)
	stepAll := slices.Concat(stepKeys, clockKeys, allActions())
	for _, a := range actions {
		stepAll = append(stepAll, a.params...)
	}
	var request []string
	for _, f := range slices.Concat(requestFields, streamsRequestFields) {
		request = append(request, f.name)
	}
	for where, c := range map[string]struct {
		read []string
		path []string
	}{
		"file":         {topKeys, nil},
		"topic":        {topicKeys, nil},
		"config":       {slices.Concat(configKeys(false), configKeys(true)), []string{"$defs", "config"}},
		"member":       {slices.Concat(memberKeys(false), memberKeys(true)), []string{"$defs", "member"}},
		"change":       {slices.Concat(settingKeys(false), settingKeys(true)), []string{"$defs", "memberChange"}},
		"group config": {slices.Concat(groupConfigKeys(false), groupConfigKeys(true)), []string{"$defs", "groupConfig"}},
		"step":         {stepAll, []string{"$defs", "step"}},
		"with":         {request, []string{"$defs", "with"}},
		"expect":       {slices.Concat(expectKeys, ruleSets), []string{"$defs", "expect"}},
		"under":        {expectKeys, []string{"$defs", "expectUnder"}},
		"response":     {slices.Concat(responseKeys, streamsResponseKeys), []string{"$defs", "response"}},
		"group":        {slices.Concat(groupKeys, streamsGroupKeys), []string{"$defs", "group"}},
		"members":      {slices.Concat(expectMemberKeys, streamsMemberKeys), []string{"$defs", "memberExpect"}},
		"topology":     {topologyKeys, []string{"$defs", "topology"}},
		"part":         {subtopologyKeys, []string{"$defs", "subtopology"}},
		"restore":      {restoreKeys, []string{"$defs", "restore"}},
		"client":       {slices.Concat(expectClientKeys, streamsClientKeys), []string{"$defs", "clientExpect"}},
	} {
		t.Run(where, func(t *testing.T) {
			object := at(t, schema, c.path...)
			if where == "topic" {
				either := at(t, schema, "$defs", "topics", "additionalProperties")["oneOf"].([]any)
				object = either[1].(map[string]any)
			}
			assert.Equal(t, false, object["additionalProperties"])
			want := slices.Sorted(slices.Values(c.read))
			assert.Equal(t, slices.Compact(want), slices.Sorted(maps.Keys(object["properties"].(map[string]any))))
		})
	}
}

func TestTheSchemaKnowsTheWordsOfTheReader(t *testing.T) {
	schema := readSchema(t)
	for where, c := range map[string]struct {
		read []string
		path []string
	}{
		"rule sets":     {ruleSets, []string{"ruleSet"}},
		"errors":        {protocol.ErrorNames(), []string{"response", "properties", "error"}},
		"group types":   {groupTypes(), []string{"group", "properties", "type"}},
		"group states":  {groupStates(true), []string{"group", "properties", "state"}},
		"member states": {slices.Compact(slices.Sorted(slices.Values(slices.Concat(memberStates(false), memberStates(true))))), []string{"memberExpect", "properties", "state"}},
		"client states": {clientStates, []string{"clientExpect", "properties", "state"}},
		"invariants":    {invariants(), []string{"expect", "properties", "violations", "items"}},
		"assignors":     {Assignors, []string{"member", "properties", "assignor"}},
		"of a member":   {memberProtocols, []string{"member", "properties", "protocol"}},
		"policies":      {policies, []string{"config", "properties", "group.consumer.migration.policy"}},
		"quirks":        {quirkNames(""), []string{"quirk"}},
		"callbacks":     {callbacks(), []string{"step", "properties", "callback"}},
		"protocols":     {protocols, []string{"protocol"}},
		"statuses":      {statuses(), []string{"status"}},
		"options":       {slices.Collect(maps.Keys(leaveOptions)), []string{"step", "properties", "option"}},
	} {
		var words []string
		for _, word := range at(t, schema, append([]string{"$defs"}, c.path...)...)["enum"].([]any) {
			if s, ok := word.(string); ok && s != absentWord {
				words = append(words, s)
			}
		}
		assert.ElementsMatch(t, c.read, words, where)
	}
}

// TestTheSchemaKnowsWhatStandsBesideWhat: a key that belongs to actions needs
// one of them.
func TestTheSchemaKnowsWhatStandsBesideWhat(t *testing.T) {
	step := at(t, readSchema(t), "$defs", "step")
	required, either := at(t, step, "dependentRequired"), at(t, step, "dependentSchemas")
	for _, a := range actions {
		for _, param := range a.params {
			var owners []string
			for _, owner := range asList(required[param]) {
				owners = append(owners, owner.(string))
			}
			if one, ok := either[param].(map[string]any); ok {
				for _, option := range asList(one["anyOf"]) {
					owners = append(owners, asList(option.(map[string]any)["required"])[0].(string))
				}
			}
			assert.ElementsMatch(t, paramOwners(param), owners, param)
		}
	}
}

func asList(v any) []any {
	list, _ := v.([]any)
	return list
}

// TestEveryKeyExplainsItself: an editor shows the description.
func TestEveryKeyExplainsItself(t *testing.T) {
	var walk func(where string, object map[string]any)
	walk = func(where string, object map[string]any) {
		if properties, ok := object["properties"].(map[string]any); ok {
			for key, v := range properties {
				inner := v.(map[string]any)
				ref, _ := inner["$ref"].(string)
				if inner["description"] == nil && (ref == "" || where == "$defs/expectUnder") {
					assert.Equal(t, "$defs/expectUnder", where, key)
				}
				walk(where+"/"+key, inner)
			}
		}
	}
	schema := readSchema(t)
	walk("file", schema)
	for name, def := range at(t, schema, "$defs") {
		walk("$defs/"+name, def.(map[string]any))
	}
}

func TestTheNamesOfOtherPackagesAreTheirs(t *testing.T) {
	assert.Equal(t, assignor.Default(), Assignors)
	for _, name := range ruleSets {
		_, known := rules.ByName(name)
		assert.True(t, known, name)
	}
}
