package scenario_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/core/scenario"
)

func TestAScenarioMayBeginWithALog(t *testing.T) {
	passes(t, `groupscope: 1
title: A stuck group
rules: [kip, kafka]
config: {group.consumer.assignment.interval.ms: 0, group.consumer.assignors: [uniform]}
topics: {foo: 4}
log:
  - 1foo-0: 70
  - 5A: {subscribe: [foo], rebalance-timeout: 60s}
  - 5B: {subscribe: [foo]}
  - 3: {epoch: 3}
  - 7A: {foo: [0, 1]}
  - 7B: {foo: [2, 3]}
  - 6: {epoch: 3}
  - 8A: {epoch: 2, state: UNREVOKED_PARTITIONS, owns: [foo-0, foo-1], revokes: [foo-2, foo-3], assignment-epochs: {foo-0: 1}}
  - 8B: {epoch: 3, previous-epoch: 0, state: UNRELEASED_PARTITIONS, owns: []}
  - T8C
members:
  B: {subscribe: [foo]}
steps:
  - expect:
      group: {epoch: 3, target-epoch: 3, state: Reconciling, size: 2}
      members: {A: {owns: [foo-0, foo-1], revokes: [foo-2, foo-3], assignment-epochs: {foo-0: 1, foo-1: 2}}, B: {previous-epoch: 0, client: {state: ABSENT}}}
  - send: {memberId: B, memberEpoch: 3}
    expect: {response: {member: B, epoch: 3}, group: {epoch: 3}}
  - send: {memberId: A, memberEpoch: 2, topicPartitions: {foo: [0, 1]}}
    expect: {response: {member: A, epoch: 3}, unowned: [foo-2, foo-3]}
  - join: B
    expect: {kafka: {response: {epoch: 3, assignment: {foo: [2, 3]}}}}
  - advance: 46s
    expect: {group: {state: Empty}}
  - delete-group: true
    expect: {records: [T1foo-0, T6, T4, T3]}
`)
}

func TestALogThatCannotBeIsReportedAtItsRecord(t *testing.T) {
	_, faults := scenario.Parse("test.yaml", []byte(`groupscope: 1
title: A log that cannot be
topics: {foo: 2}
log:
  - 5A: {subscribe: [foo]}
  - 8A: {epoch: 2, owns: [foo-0]}
  - 5B: {subscribe: [foo]}
  - T5A
members: {}
steps: []
`))
	require.Len(t, faults, 1)
	assert.Equal(t, 8, faults[0].Line)
	assert.Contains(t, faults[0].Message, "this record cannot follow those before it: ")
}
