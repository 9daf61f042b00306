package scenario_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/core/coordinator"
	"groupscope/core/scenario"
	"groupscope/core/sim"
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

// TestAStreamsFileMayBeginWithAGroupOfAnotherType, which has the id until it is
// gone. To a picture there is no group.
func TestAStreamsFileMayBeginWithAGroupOfAnotherType(t *testing.T) {
	text := streamsHead + `
log:
  - 5X: {subscribe: [in], assignor: range}
  - 3: {epoch: 2}
  - 7X: {in: [0, 1]}
  - 6: {epoch: 2}
  - 8X: {epoch: 2, owns: [in-0, in-1]}
members: {A: {}}
steps:
  - join: A
    expect: {response: {error: GROUP_ID_NOT_FOUND}, group: {type: consumer}, members: {X: absent}, unowned: [], violations: []}
  - advance: 46s
    expect: {records: [T8X, T7X, T5X, 3, 6], group: absent}
  - delete-group: true
  - restart: A
  - heartbeat: A
    expect: {group: {type: streams}, members: {A: {owns: [0_0, 0_1]}}}
`
	sc, faults := scenario.Parse("test.yaml", []byte(text))
	require.Empty(t, faults)
	world, err := sim.New(sc.Setup("kafka"))
	require.NoError(t, err)
	assert.Nil(t, world.State().Group)
	assert.Equal(t, coordinator.ConsumerType, world.State().Other.Type)
	passes(t, text)
}

func TestAScenarioOfAStreamsGroupMayBeginWithItsLog(t *testing.T) {
	passes(t, `groupscope: 1
title: A stuck application
protocol: streams
rules: [kafka, kip]
config: {group.streams.initial.rebalance.delay.ms: 0, group.streams.assignment.interval.ms: 0, group.streams.num.standby.replicas: 1, group.streams.rack.aware.assignment.tags: zone}
topics: {in: 3, counts: 3}
topology: v1
topologies: {v1: {epoch: 1, subtopologies: {0: {source: [in], changelog: [counts]}}}}
log:
  - 1in-0: 100
  - T22X
  - 23: v1
  - 17: {epoch: 4}
  - 19A: {process: p1, endpoint: "h1:9000", tags: {zone: z1}, rack: r1, rebalance-timeout: 60s}
  - 19B: {tags: {zone: z2}, topology-epoch: 0, instance: two}
  - 21A: {active: [0_0, 0_2], standby: [0_1]}
  - 21B: {active: {0: 1}, standby: [0_0]}
  - 20: {epoch: 4}
  - 22A: {epoch: 3, previous-epoch: 2, state: UNREVOKED_TASKS, owns: [0_0, 0_2], revokes: [0_1], revokes-standby: [], revokes-warmup: [], warmup: [], assignment-epochs: {0_1: 1}}
  - 22B: {epoch: 4, state: UNRELEASED_TASKS, owns: [], standby: [0_0]}
members:
  A: {process: p1, endpoint: "h1:9000", tags: {zone: z1}, rack: r1, rebalance-timeout: 60s}
steps:
  - expect:
      group: {epoch: 4, target-epoch: 4, state: Reconciling, topology-epoch: 1}
      members:
        A: {epoch: 3, previous-epoch: 2, state: UNREVOKED_TASKS, owns: [0_0, 0_2], revokes: [0_1], target-standby: [0_1], assignment-epochs: {0_0: 3, 0_1: 1}, topology-epoch: 1}
        B: {standby: [0_0], target: [0_1], topology-epoch: 0}
      unowned: []
  - join: A
    expect: {response: {error: NONE}, group: {epoch: 4}, members: {A: {epoch: 4, owns: [0_0, 0_2], revokes: []}}, unowned: [0_1]}
  - advance: 46s
    expect: {group: {state: Empty}}
`)
}
