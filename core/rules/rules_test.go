package rules

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"

	"groupscope/core/protocol"
)

func TestEveryFieldHasTheValueOfItsRuleSet(t *testing.T) {
	type pair struct{ kip, kafka any }
	table := map[string]pair{
		"Name":         {"kip", "kafka"},
		"Title":        {"KIP-848 text", "Kafka 4.4"},
		"StreamsTitle": {"KIP-1071 text", "Kafka 4.4"},

		"InitialGroupEpoch":         {int32(0), int32(1)},
		"AssignmentIntervalDefault": {protocol.Duration(0), protocol.Duration(1000)},
		"RemoveFencedMember":        {true, false},
		"LostResponseOwned":         {WithinTarget, WithinAssigned},
		"CommitWithOlderEpoch":      {RefusedAsStale, ByAssignmentEpoch},

		"TwoStepJoin":           {true, false},
		"ListsWaiting":          {true, false},
		"JoinAlwaysBumps":       {true, false},
		"AssignorTie":           {FirstConfigured, HashOrder},
		"StaleSubscriptionType": {false, true},

		"InitialRebalanceDelayDefault": {protocol.Duration(0), protocol.Duration(3000)},
		"TopologyConflict":             {protocol.ErrorCode(131), protocol.ErrorCode(42)},
		"TopologyBehind":               {protocol.ErrorCode(132), protocol.None},
		"TopologyTooFarAhead":          {protocol.ErrorCode(131), protocol.ErrorCode(42)},
		"TopologyUpdate":               {protocol.None, protocol.ErrorCode(42)},
		"TopologyOnHeartbeat":          {protocol.None, protocol.ErrorCode(42)},
		"StaticMemberBumps":            {OnAnyField, OnListedFields},
		"EndpointInformation":          {WhenConverged, WhenDifferent},
		"WarmupTasks":                  {true, false},
		"FrozenRefinement":             {false, true},
		"RevokeAgainStepsEpoch":        {false, true},
		"CreatingRequestForgets":       {false, true},
		"FaultEndpointUnconfigured":    {false, true},
		"FaultEndpointTopicGone":       {false, true},
		"FaultCopartitionIndex":        {false, true},
	}
	kip, kafka := reflect.ValueOf(Kip()), reflect.ValueOf(Kafka())
	assert.Len(t, table, kip.NumField(), "every field is in the table")
	for i := range kip.NumField() {
		name := kip.Type().Field(i).Name
		assert.Equal(t, table[name].kip, kip.Field(i).Interface(), "%s under kip", name)
		assert.Equal(t, table[name].kafka, kafka.Field(i).Interface(), "%s under kafka", name)
	}
}

func TestARuleSetIsFoundByItsName(t *testing.T) {
	for _, want := range All() {
		got, ok := ByName(want.Name)
		assert.True(t, ok)
		assert.Equal(t, want, got)
	}
	_, ok := ByName("kafka-4.0")
	assert.False(t, ok)
}

func TestTheDefaultRuleSetIsTheKIP(t *testing.T) {
	assert.Equal(t, Kip(), All()[0])
}
