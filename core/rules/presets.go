package rules

import "groupscope/core/protocol"

// Kip is the texts of KIP-848 and KIP-1071 to the letter, and the broker's
// way where they are silent.
func Kip() Rules {
	return Rules{
		Name:  "kip",
		Title: "KIP-848 text", StreamsTitle: "KIP-1071 text",

		InitialGroupEpoch:         0,
		AssignmentIntervalDefault: 0,
		RemoveFencedMember:        true,
		LostResponseOwned:         WithinTarget,
		CommitWithOlderEpoch:      RefusedAsStale,

		TwoStepJoin:           true,
		ListsWaiting:          true,
		JoinAlwaysBumps:       true,
		AssignorTie:           FirstConfigured,
		StaleSubscriptionType: false,

		InitialRebalanceDelayDefault: 0,
		TopologyConflict:             protocol.StreamsInvalidTopologyEpoch,
		TopologyBehind:               protocol.StreamsTopologyFenced,
		TopologyTooFarAhead:          protocol.StreamsInvalidTopologyEpoch,
		TopologyUpdate:               protocol.None,
		TopologyOnHeartbeat:          protocol.None,
		StaticMemberBumps:            OnAnyField,
		EndpointInformation:          WhenConverged,
		WarmupTasks:                  true,
		FrozenRefinement:             false,
		RevokeAgainStepsEpoch:        false,
		CreatingRequestForgets:       false,
		FaultEndpointUnconfigured:    false,
		FaultEndpointTopicGone:       false,
		FaultCopartitionIndex:        false,
	}
}

// Kafka is the broker as it is: release 4.4, and trunk of August 2026.
func Kafka() Rules {
	return Rules{
		Name:  "kafka",
		Title: "Kafka 4.4", StreamsTitle: "Kafka 4.4",

		InitialGroupEpoch:         1,
		AssignmentIntervalDefault: 1000 * protocol.Millisecond,
		RemoveFencedMember:        false,
		LostResponseOwned:         WithinAssigned,
		CommitWithOlderEpoch:      ByAssignmentEpoch,

		TwoStepJoin:           false,
		ListsWaiting:          false,
		JoinAlwaysBumps:       false,
		AssignorTie:           HashOrder,
		StaleSubscriptionType: true,

		InitialRebalanceDelayDefault: 3000 * protocol.Millisecond,
		TopologyConflict:             protocol.InvalidRequest,
		TopologyBehind:               protocol.None,
		TopologyTooFarAhead:          protocol.InvalidRequest,
		TopologyUpdate:               protocol.InvalidRequest,
		TopologyOnHeartbeat:          protocol.InvalidRequest,
		StaticMemberBumps:            OnListedFields,
		EndpointInformation:          WhenDifferent,
		WarmupTasks:                  false,
		FrozenRefinement:             true,
		RevokeAgainStepsEpoch:        true,
		CreatingRequestForgets:       true,
		FaultEndpointUnconfigured:    true,
		FaultEndpointTopicGone:       true,
		FaultCopartitionIndex:        true,
	}
}

// All lists the rule sets, the default first.
func All() []Rules { return []Rules{Kip(), Kafka()} }

// Names lists their names.
func Names() []string {
	var out []string
	for _, r := range All() {
		out = append(out, r.Name)
	}
	return out
}

// ByName finds a rule set by its Name.
func ByName(name string) (Rules, bool) {
	for _, r := range All() {
		if r.Name == name {
			return r, true
		}
	}
	return Rules{}, false
}
