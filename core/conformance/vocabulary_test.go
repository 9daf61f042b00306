package conformance_test

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"groupscope/core/conformance"
)

// vocabulary are all fields in which a trace tells what came of a step, by
// the object that they are in. Records are the same wherever they stand; all
// have type, key and value. A star stands for a name that is free.
var vocabulary = map[string]string{
	"step":                           "async completed creatableTopics error expired group records response timeMs",
	"error":                          "code",
	"expired[]":                      "records timeMs timer",
	"async[]":                        "records task",
	"completed[]":                    "response step",
	"completed[].response":           "generationId leader memberId protocolName protocolType",
	"creatableTopics.*":              "configs name numPartitions replicationFactor",
	"creatableTopics.*.configs[]":    "name value",
	"response of classicSync":        "assignment protocolName protocolType",
	"response of describe":           "assignmentEpoch assignorName errorCode errorMessage groupEpoch groupId groupState members",
	"response of describe (streams)": "assignmentEpoch assignorName groupEpoch groupId groupState members topology",
	"response of describe (streams).members[]":                                                      "assignment clientHost clientId clientTags instanceId memberEpoch memberId processId rackId targetAssignment taskEndOffsets taskOffsets topologyEpoch userEndpoint",
	"response of describe (streams).members[].assignment":                                           "activeTasks standbyTasks",
	"response of describe (streams).members[].clientTags[]":                                         "key value",
	"response of describe (streams).members[].targetAssignment":                                     "activeTasks standbyTasks",
	"response of describe (streams).members[].taskEndOffsets[]":                                     "offset partition subtopologyId",
	"response of describe (streams).members[].taskOffsets[]":                                        "offset partition subtopologyId",
	"response of describe (streams).members[].userEndpoint":                                         "host port",
	"response of describe (streams).topology":                                                       "epoch subtopologies",
	"response of describe (streams).topology.subtopologies[]":                                       "repartitionSinkTopics repartitionSourceTopics sourceTopics stateChangelogTopics subtopologyId",
	"response of describe (streams).topology.subtopologies[].repartitionSourceTopics[]":             "name partitions",
	"response of describe (streams).topology.subtopologies[].stateChangelogTopics[]":                "name partitions topicConfigs",
	"response of describe (streams).topology.subtopologies[].stateChangelogTopics[].topicConfigs[]": "key value",
	"response of describe.members[]":                                                                "assignment clientHost clientId instanceId memberEpoch memberId memberType rackId subscribedTopicNames subscribedTopicRegex targetAssignment",
	"response of describe.members[].assignment":                                                     "topicPartitions",
	"response of describe.members[].targetAssignment":                                               "topicPartitions",
	"response of heartbeat":                                                                         "assignment heartbeatIntervalMs memberEpoch memberId",
	"response of heartbeat (streams)":                                                               "acceptableRecoveryLag activeTasks endpointInformationEpoch heartbeatIntervalMs memberEpoch memberId partitionsByUserEndpoint standbyTasks status taskOffsetIntervalMs warmupTasks",
	"response of heartbeat (streams).partitionsByUserEndpoint[]":                                    "activePartitions standbyPartitions userEndpoint",
	"response of heartbeat (streams).partitionsByUserEndpoint[].activePartitions[]":                 "partitions topic",
	"response of heartbeat (streams).partitionsByUserEndpoint[].standbyPartitions[]":                "partitions topic",
	"response of heartbeat (streams).partitionsByUserEndpoint[].userEndpoint":                       "host port",
	"response of heartbeat (streams).status[]":                                                      "status statusCode",
	"group (<nil>)":                                       "groupId type",
	"group (classic)":                                     "generationId groupId members state type",
	"group (classic).members.*":                           "groupInstanceId",
	"group (consumer)":                                    "assignmentEpoch delta groupEpoch groupId members preferredServerAssignor removedMembers resolvedRegexes state type",
	"group (consumer).members.*":                          "assigned assignedEpochs classic instanceId memberEpoch pendingRevocation pendingRevocationEpochs previousMemberEpoch rackId rebalanceDeadlineMs rebalanceTimeoutMs serverAssignor sessionDeadlineMs state subscribedTopicNames subscribedTopicRegex target",
	"group (streams)":                                     "assignmentEpoch delta endpointInformationEpoch groupEpoch groupId initialRebalanceDeadlineMs members numTasks removedMembers shutdownRequestMemberId state topologyEpoch topologyReady type validatedTopologyEpoch",
	"group (streams).members.*":                           "active activeEpochs clientTags instanceId memberEpoch pendingRevocation previousMemberEpoch processId rackId rebalanceDeadlineMs rebalanceTimeoutMs refined sessionDeadlineMs standby state target topologyEpoch userEndpoint warmup",
	"group (streams).members.*.pendingRevocation":         "active activeEpochs standby warmup",
	"group (streams).members.*.refined":                   "active standby",
	"group (streams).members.*.target":                    "active standby",
	"records[ConsumerGroupCurrentMemberAssignment].key":   "groupId memberId",
	"records[ConsumerGroupCurrentMemberAssignment].value": "assignedPartitions memberEpoch partitionsPendingRevocation previousMemberEpoch state",
	"records[ConsumerGroupCurrentMemberAssignment].value.assignedPartitions.*":                     "assignmentEpochs partitions",
	"records[ConsumerGroupCurrentMemberAssignment].value.partitionsPendingRevocation.*":            "assignmentEpochs partitions",
	"records[ConsumerGroupMemberMetadata].key":                                                     "groupId memberId",
	"records[ConsumerGroupMemberMetadata].value":                                                   "classicMemberMetadata clientHost clientId instanceId rackId rebalanceTimeoutMs serverAssignor subscribedTopicNames subscribedTopicRegex",
	"records[ConsumerGroupMemberMetadata].value.classicMemberMetadata":                             "sessionTimeoutMs supportedProtocols",
	"records[ConsumerGroupMemberMetadata].value.classicMemberMetadata.supportedProtocols[]":        "metadata name",
	"records[ConsumerGroupMetadata].key":                                                           "groupId",
	"records[ConsumerGroupMetadata].value":                                                         "epoch metadataHash",
	"records[ConsumerGroupRegularExpression].key":                                                  "regularExpression",
	"records[ConsumerGroupRegularExpression].value":                                                "timestamp topics version",
	"records[ConsumerGroupTargetAssignmentMember].key":                                             "groupId memberId",
	"records[ConsumerGroupTargetAssignmentMember].value":                                           "topicPartitions",
	"records[ConsumerGroupTargetAssignmentMetadata].key":                                           "groupId",
	"records[ConsumerGroupTargetAssignmentMetadata].value":                                         "assignmentEpoch assignmentTimestamp",
	"records[GroupMetadata].value":                                                                 "currentStateTimestamp generation leader members protocol protocolType",
	"records[GroupMetadata].value.members[]":                                                       "assignment clientHost clientId groupInstanceId memberId rebalanceTimeout sessionTimeout subscription",
	"records[StreamsGroupCurrentMemberAssignment].key":                                             "memberId",
	"records[StreamsGroupCurrentMemberAssignment].value":                                           "activeTasks activeTasksPendingRevocation memberEpoch previousMemberEpoch standbyTasks standbyTasksPendingRevocation state",
	"records[StreamsGroupCurrentMemberAssignment].value.activeTasks.*":                             "assignmentEpochs partitions",
	"records[StreamsGroupCurrentMemberAssignment].value.activeTasksPendingRevocation.*":            "assignmentEpochs partitions",
	"records[StreamsGroupMemberMetadata].key":                                                      "memberId",
	"records[StreamsGroupMemberMetadata].value":                                                    "clientHost clientId clientTags instanceId processId rackId rebalanceTimeoutMs topologyEpoch userEndpoint",
	"records[StreamsGroupMemberMetadata].value.clientTags[]":                                       "key value",
	"records[StreamsGroupMemberMetadata].value.userEndpoint":                                       "host port",
	"records[StreamsGroupMetadata].value":                                                          "epoch lastAssignmentConfigs metadataHash validatedTopologyEpoch",
	"records[StreamsGroupMetadata].value.lastAssignmentConfigs[]":                                  "key value",
	"records[StreamsGroupTargetAssignmentMember].key":                                              "memberId",
	"records[StreamsGroupTargetAssignmentMember].value":                                            "activeTasks standbyTasks",
	"records[StreamsGroupTargetAssignmentMetadata].value":                                          "assignmentEpoch assignmentTimestamp",
	"records[StreamsGroupTopology].value":                                                          "epoch subtopologies",
	"records[StreamsGroupTopology].value.subtopologies[]":                                          "copartitionGroups repartitionSinkTopics repartitionSourceTopics sourceTopics stateChangelogTopics subtopologyId",
	"records[StreamsGroupTopology].value.subtopologies[].copartitionGroups[]":                      "repartitionSourceTopics sourceTopics",
	"records[StreamsGroupTopology].value.subtopologies[].repartitionSourceTopics[]":                "name partitions topicConfigs",
	"records[StreamsGroupTopology].value.subtopologies[].repartitionSourceTopics[].topicConfigs[]": "key value",
	"records[StreamsGroupTopology].value.subtopologies[].stateChangelogTopics[]":                   "name topicConfigs",
	"records[StreamsGroupTopology].value.subtopologies[].stateChangelogTopics[].topicConfigs[]":    "key value",
}

// TestEveryFieldOfTheFormatIsAmongThoseThatAreMadeWrong: what the traces kept
// here have is what the format has, so that no kind of field is left out when
// the judge is judged.
func TestEveryFieldOfTheFormatIsAmongThoseThatAreMadeWrong(t *testing.T) {
	seen := map[string]map[string]bool{}
	for _, o := range occurrences(t) {
		parent, name := inVocabulary(o.place.kind)
		if name == "" {
			continue
		}
		if seen[parent] == nil {
			seen[parent] = map[string]bool{}
		}
		seen[parent][name] = true
	}
	got := map[string]string{}
	for parent, names := range seen {
		if fields := strings.Join(slices.Sorted(maps.Keys(names)), " "); fields != "key type value" {
			got[parent] = fields
		}
	}
	assert.Equal(t, vocabulary, got)
}

var (
	whereRecordsStand = regexp.MustCompile(`^(expired|async)\[\]\.records\[`)
	lastName          = regexp.MustCompile(`^(.*)\.([A-Za-z]+)$`)
)

// inVocabulary splits a kind of field into the object and its name in it; ""
// for elements and free names.
func inVocabulary(kind string) (parent, name string) {
	kind = whereRecordsStand.ReplaceAllString(kind, "records[")
	if m := lastName.FindStringSubmatch(kind); m != nil {
		return m[1], m[2]
	}
	first, _, described := strings.Cut(kind, " ")
	if described || !strings.ContainsAny(kind, "[.*") {
		return "step", first
	}
	return "", ""
}

// TestFieldsThatNoTraceHasAreFound: the format has them for what did not
// happen.
func TestFieldsThatNoTraceHasAreFound(t *testing.T) {
	for field, put := range map[string]func(step map[string]any){
		"replayFailed": func(step map[string]any) { step["replayFailed"] = true },
		"error.replayFailed": func(step map[string]any) {
			step["error"].(map[string]any)["replayFailed"] = true
		},
		"expired[0].error": func(step map[string]any) { first(step, "expired")["error"] = map[string]any{"code": "X"} },
		"expired[0].async": func(step map[string]any) { first(step, "expired")["async"] = []any{map[string]any{"task": "x"}} },
		"async[0].error":   func(step map[string]any) { first(step, "async")["error"] = map[string]any{"code": "X"} },
	} {
		kind := "timeMs missing"
		if in, _, ok := strings.Cut(field, "."); ok {
			kind = strings.ReplaceAll(in, "[0]", "[]") + " missing"
		}
		o := occurrences(t)[kind]
		step := o.trace.step(t, o.step)
		put(step)
		report := conformance.Run(o.trace.with(t, o.step, step, false), conformance.Options{})
		assert.True(t, found(report, o.step, place{path: []any{field}}), "%s: %v%v", field, report.Fault, report.Differences)
	}
}

func first(step map[string]any, list string) map[string]any {
	return step[list].([]any)[0].(map[string]any)
}
