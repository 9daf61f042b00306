package scenario_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/core/scenario"
)

// passes runs a file under each of its rule sets.
func passes(t *testing.T, src string) {
	t.Helper()
	sc := parse(t, src)
	for _, rules := range sc.Rules {
		outcome, err := scenario.Run(sc, rules)
		require.NoError(t, err)
		for _, u := range outcome.Unmet {
			assert.Fail(t, rules, u.String())
		}
		if outcome.Refusal != nil {
			assert.Fail(t, rules, outcome.Refusal.String())
		}
	}
}

func TestARegexIsResolvedInTheBackgroundAndHidesWhatMayNotBeSeen(t *testing.T) {
	passes(t, `groupscope: 1
title: A regex
rules: kafka
config: {group.consumer.assignment.interval.ms: 0}
topics: {ev-1: 1, ev-secret: {partitions: 1, hidden: true}, other: 1}
members:
  A: {regex: "ev-.*"}
steps:
  - join: A
    expect: {response: {epoch: 1, assignment: {}}, group: {epoch: 1, regexes: {}}, unowned: []}
  - resolve: true
    expect: {records: ["16ev-.*", 3], group: {epoch: 2, regexes: {"ev-.*": [ev-1]}}, response: absent, unowned: [ev-1-0]}
  - heartbeat: A
    expect: {response: {epoch: 2, assignment: {ev-1: [0]}}}
  - heartbeat: A
  - advance: 11s
    topics: {ev-secret: 1, ev-2: 1}
  - heartbeat: A
    expect: {group: {epoch: 2}}
  - run: 40ms
    expect: {group: {epoch: 2}}
  - run: 10s
    expect: {group: {epoch: 3, regexes: {"ev-.*": [ev-1, ev-2, ev-secret]}}, members: {A: {owns: [ev-1-0, ev-2-0, ev-secret-0]}}}
  - subscribe: A
    to: []
  - subscribe: A
    regex: "o.*"
  - heartbeat: A
  - run: 6s
    expect: {members: {A: {owns: [other-0]}}}
`)
}

func TestACommitIsAnsweredByItsEpochAndItsPartitions(t *testing.T) {
	passes(t, `groupscope: 1
title: Commits
rules: [kip, kafka]
config: {group.consumer.assignment.interval.ms: 0, group.consumer.assignors: [uniform]}
topics: {foo: 2}
members:
  A: {subscribe: [foo]}
  B: {subscribe: [foo]}
steps:
  - join: A
  - run: 6s
  - commit: A
    offset: 7
    expect: {response: {member: A, error: NONE}, records: [1foo-0, 1foo-1]}
  - join: B
  - run: 12s
  - fetch-offsets: A
    expect: {response: {member: A, error: NONE}, records: []}
  - fetch-offsets: A
    with: {memberEpoch: 1}
    expect: {response: {error: STALE_MEMBER_EPOCH}}
  - commit: A
    with: {memberEpoch: 1}
    expect: {kip: {response: {error: STALE_MEMBER_EPOCH}}, kafka: {response: {error: STALE_MEMBER_EPOCH}, members: {A: {assignment-epochs: {foo-0: 2, foo-1: absent}}}}}
`)
}

func TestADeletedGroupAndWhatAnOperatorSees(t *testing.T) {
	passes(t, `groupscope: 1
title: An operator
rules: [kip, kafka]
config: {group.consumer.assignment.interval.ms: 0, group.consumer.assignors: [uniform], consumer.heartbeat.interval.ms: 10000}
topics: {foo: 4}
members:
  A: {subscribe: [foo]}
  B: {subscribe: [foo]}
steps:
  - join: A
  - run: 21s
    expect: {heartbeats: 3..4, group: {size: 1, assignor: uniform}}
  - config: {}
  - join: B
  - heartbeat: A
  - describe: true
    expect: {described: {A: [foo-0, foo-1, foo-2, foo-3], B: []}, members: {A: {revokes: [foo-2, foo-3]}}, moved: 0, heartbeats: 0}
  - delete-group: true
    expect: {response: {error: NON_EMPTY_GROUP, member: absent}, described: absent}
  - heartbeat: A
    expect: {members: {A: {client: {calls: [onPartitionsRevoked, onPartitionsAssigned]}}}}
  - send: {memberId: A, memberEpoch: -1}
    expect: {response: {member: A, epoch: -1}, members: {A: absent}}
  - send: {memberId: B, memberEpoch: -1}
  - delete-group: true
    expect: {response: {error: NONE}, group: absent, records: [T6, T4, T3]}
  - heartbeat: A
    expect: {response: {error: GROUP_ID_NOT_FOUND}, members: {A: {client: {state: FATAL, error: GROUP_ID_NOT_FOUND}}}}
  - send: {memberId: X, memberEpoch: 0, rebalanceTimeoutMs: 60000, subscribedTopicNames: [foo], topicPartitions: {}}
    expect: {response: {member: X, error: NONE}, kafka: {members: {X: {owns: {foo: [0, 1, 2, 3]}, previous-epoch: 0}}}}
`)
}

func TestAGroupIsUpgradedByItsFirstConsumer(t *testing.T) {
	passes(t, `groupscope: 1
title: A rolling upgrade
rules: [kip, kafka]
config: {group.consumer.assignors: [range], group.consumer.assignment.interval.ms: 0}
topics: {foo: 4}
members:
  A: {subscribe: [foo], protocol: classic}
  B: {subscribe: [foo], protocol: classic}
  C: {subscribe: [foo]}
steps:
  - join: A
  - join: B
  - run: 10s
    expect: {members: {A: {client: {owns: {foo: [0, 1]}}}, B: {client: {owns: {foo: [2, 3]}}}}}
  - join: C
    expect: {group: {size: 3}, members: {A: {epoch: 1, owns: {foo: [0, 1]}}}}
  - commit: A
    with: {memberEpoch: 7}
    expect: {response: {error: ILLEGAL_GENERATION}}
  - run: 30s
    expect: {group: {state: Stable}, unowned: []}
  - members: {A: {protocol: consumer}}
  - leave: A
  - restart: A
  - run: 20s
    expect: {group: {state: Stable, size: 3}, unowned: []}
`)
}

func TestMovedCountsWhatTheTargetGivesToAnother(t *testing.T) {
	passes(t, `groupscope: 1
title: Moves
rules: kafka
config: {group.consumer.assignment.interval.ms: 0, group.consumer.assignors: [uniform]}
topics: {foo: 4}
members:
  A: {subscribe: [foo], instance: i}
  B: {subscribe: [foo]}
steps:
  - join: A
    expect: {moved: 0}
  - join: B
    expect: {moved: 2}
  - run: 20s
    expect: {moved: 0}
  - leave: A
  - restart: A
    expect: {moved: 0}
  - leave: B
  - run: 10s
    expect: {moved: 0..2, group: {size: 1}}
`)
}
