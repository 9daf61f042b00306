package conformance_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"groupscope/core/conformance"
)

// join is A's first heartbeat in a group of the topic foo with two
// partitions, and what comes of it.
const join = `{"op":"heartbeat","request":{"memberId":"A","memberEpoch":0,"rebalanceTimeoutMs":300000,"subscribedTopicNames":["foo"],"topicPartitions":{}},` +
	`"response":{"memberId":"A","memberEpoch":2,"heartbeatIntervalMs":5000,"assignment":{"foo":[0,1]}},"records":[` +
	`{"type":"ConsumerGroupMemberMetadata","key":{"memberId":"A"},"value":{"instanceId":null,"rackId":null,"clientId":"client","clientHost":"/127.0.0.1","subscribedTopicNames":["foo"],"rebalanceTimeoutMs":300000,"serverAssignor":null,"classicMemberMetadata":null}},` +
	`{"type":"ConsumerGroupMetadata","key":{},"value":{"epoch":2,"metadataHash":1}},` +
	`{"type":"ConsumerGroupTargetAssignmentMember","key":{"memberId":"A"},"value":{"topicPartitions":{"foo":[0,1]}}},` +
	`{"type":"ConsumerGroupTargetAssignmentMetadata","key":{},"value":{"assignmentEpoch":2,"assignmentTimestamp":1000000}},` +
	`{"type":"ConsumerGroupCurrentMemberAssignment","key":{"memberId":"A"},"value":{"memberEpoch":2,"assignedPartitions":{"foo":{"partitions":[0,1],"assignmentEpochs":[2,2]}}}}],` +
	`"timeMs":1000000,` + stable + `}`

const stable = `"group":{"groupId":"group","type":"consumer","state":"Stable","groupEpoch":2,"assignmentEpoch":2,"members":{"A":{"state":"STABLE","memberEpoch":2,"previousMemberEpoch":0,` +
	`"rebalanceTimeoutMs":300000,"subscribedTopicNames":["foo"],"assigned":{"foo":[0,1]},"assignedEpochs":{"foo":[2,2]},"target":{"foo":[0,1]},"sessionDeadlineMs":1045000}}}`

const empty = `"group":{"groupId":"group","type":"consumer","state":"Empty","groupEpoch":3,"assignmentEpoch":3,"members":{}}`

const gone = `"group":{"groupId":"group","type":null}`

// leave is A's last heartbeat.
const leave = `{"op":"heartbeat","request":{"memberId":"A","memberEpoch":-1},"response":{"memberId":"A","memberEpoch":-1},"records":[` +
	`{"type":"ConsumerGroupCurrentMemberAssignment","key":{"memberId":"A"},"value":null},{"type":"ConsumerGroupTargetAssignmentMember","key":{"memberId":"A"},"value":null},` +
	`{"type":"ConsumerGroupMemberMetadata","key":{"memberId":"A"},"value":null},{"type":"ConsumerGroupMetadata","key":{},"value":{"epoch":3}},` +
	`{"type":"ConsumerGroupTargetAssignmentMetadata","key":{},"value":{"assignmentEpoch":3}}],"timeMs":1000000,` + empty + `}`

// commit is A's commit of both partitions, and one of the ways to write its
// answer.
func commit(response string) string {
	return `{"op":"commitOffset","request":{"memberId":"A","memberEpoch":2,"offsets":{"foo":{"0":5,"1":7}}},` + response + `"records":[` +
		`{"type":"OffsetCommit","key":{"topic":"foo"},"value":{"offset":5,"commitTimestamp":1000000}},` +
		`{"type":"OffsetCommit","key":{"topic":"foo","partition":1},"value":{"offset":7,"commitTimestamp":1000000}}],"timeMs":1000000,` + stable + `}`
}

const committed = `"response":{"topics":[{"name":"foo","partitions":[{},{"partitionIndex":1}]}]},`

func consumerTrace(head string, steps ...string) conformance.Source {
	return conformance.Source{Name: "trace.json", JSON: fmt.Appendf(nil,
		`{"kind":"consumer",%s"topics":[{"name":"foo","partitions":2}],"steps":[%s]}`, head, strings.Join(steps, ","))}
}

// What the format has and no recorded trace kept here does.
func TestOperationsThatWereNotRecorded(t *testing.T) {
	for what, trace := range map[string]conformance.Source{
		"a commit":                   consumerTrace("", join, commit(committed)),
		"its answer in other words":  consumerTrace("", join, commit(`"response":{"foo":{"0":"NONE","1":"NONE"}},`)),
		"its answer as a map":        consumerTrace("", join, commit(`"response":{"topics":{"foo":[0,1]}},`)),
		"a commit that is refused":   consumerTrace("", join, `{"op":"commitOffset","request":{"memberId":"A","memberEpoch":7,"offsets":{"foo":{"0":5}}},"error":{"code":"STALE_MEMBER_EPOCH"},"timeMs":1000000,`+stable+`}`),
		"a commit of an old version": consumerTrace("", join, `{"op":"commitOffset","apiVersion":8,"request":{"memberId":"A","memberEpoch":2,"offsets":{"foo":{"0":5}}},"error":{"code":"UNSUPPORTED_VERSION"},"timeMs":1000000,`+stable+`}`),
		"deletion with offsets, their tombstones in any order": consumerTrace("", join, commit(committed), leave, `{"op":"deleteGroup","records":[`+
			`{"type":"OffsetCommit","key":{"topic":"foo","partition":1},"value":null},{"type":"OffsetCommit","key":{"topic":"foo"},"value":null},`+
			`{"type":"ConsumerGroupTargetAssignmentMetadata","key":{},"value":null},{"type":"ConsumerGroupPartitionMetadata","key":{},"value":null},`+
			`{"type":"ConsumerGroupMetadata","key":{},"value":null}],"timeMs":1000000,`+gone+`}`),
		"a broker config by its name": consumerTrace(`"config":{"kafka":{"group.consumer.max.size":"1"}},`, join,
			`{"op":"heartbeat","request":{"memberId":"B","memberEpoch":0,"rebalanceTimeoutMs":300000,"subscribedTopicNames":["foo"],"topicPartitions":{}},"error":{"code":"GROUP_MAX_SIZE_REACHED"},"timeMs":1000000,`+stable+`}`),
		"a dynamic config from the start": consumerTrace(`"config":{"groupConfig":{"consumer.heartbeat.interval.ms":7000}},`,
			strings.Replace(join, `"heartbeatIntervalMs":5000`, `"heartbeatIntervalMs":7000`, 1)),
		"a dynamic config later": consumerTrace("", join, `{"op":"groupConfig","groupConfig":{"consumer.heartbeat.interval.ms":"7000"},"timeMs":1000000,`+stable+`}`,
			`{"op":"heartbeat","apiVersion":0,"request":{"memberId":"A","memberEpoch":2},"response":{"memberId":"A","memberEpoch":2,"heartbeatIntervalMs":7000},"timeMs":1000000,`+stable+`}`),
		"another group by default": consumerTrace(`"config":{"groupId":"other"},`, strings.Replace(join, `"groupId":"group"`, `"groupId":"other"`, 1)),
		"an empty trace":           consumerTrace(""),
	} {
		t.Run(what, func(t *testing.T) {
			report := conformance.Run(trace, conformance.Options{})
			assert.True(t, report.Passed(), "%v%v%v", report.Panic, report.Fault, report.Differences)
		})
	}
}

func TestACommitThatAcceptsOtherPartitionsIsFound(t *testing.T) {
	for _, response := range []string{
		`"response":{"topics":[{"name":"foo","partitions":[{},{"partitionIndex":2}]}]},`,
		`"response":{"topics":[{"name":"bar","partitions":[{},{"partitionIndex":1}]}]},`,
		`"response":{"topics":[{"name":"foo","partitions":[{},{"partitionIndex":1,"errorCode":113}]}]},`,
		`"response":{"foo":{"0":"NONE","1":"STALE_MEMBER_EPOCH"}},`,
		`"response":{"topics":{"foo":["0"]}},`,
		`"response":{"topics":[],"weather":"fine"},`,
		``,
	} {
		report := conformance.Run(consumerTrace("", join, commit(response)), conformance.Options{})
		if assert.NotEmpty(t, report.Differences, response) {
			assert.Contains(t, report.Differences[0].Field, "response")
		}
	}
}

// TestATargetThatIsMissingAfterACopyIsFound: a static member's successor gets
// a copy of the old target, and then a new one, whose record is taken away.
func TestATargetThatIsMissingAfterACopyIsFound(t *testing.T) {
	trace := copyOf(t, traces(t, "consumer-hand.jsonl.gz")[5])
	step := trace.step(t, 11)
	put(step, []any{"records", 8}, nothing)
	report := conformance.Run(trace.with(t, 11, step, false), conformance.Options{})
	assert.True(t, found(report, 11, place{path: []any{"records", 8}}), "%v%v", report.Fault, report.Differences)
}
