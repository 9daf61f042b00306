package coordinator_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/core/coordinator"
	"groupscope/core/protocol"
	"groupscope/core/rules"
)

// The lines of KIP-1071's heartbeat handling, one after the other, under both
// rule sets. by picks what a rule set makes of a line.
func by[T any](r rules.Rules, kip, kafka T) T {
	if r.RemoveFencedMember {
		return kip
	}
	return kafka
}

func TestLine1ABadRequestIsRefusedAndChangesNothing(t *testing.T) {
	bad := func(f func(r *protocol.StreamsGroupHeartbeatRequest)) streamsRequest { return f }
	bothRules(t, func(t *testing.T, r rules.Rules) {
		g := newStreamsRig(t, r)
		for what, field := range map[string]streamsRequest{
			"a source topic regex": withTopology(topologyOf(0, protocol.Subtopology{ID: "0", SourceTopicRegex: []string{"in.*"}})),
			"a blank member id":    bad(func(r *protocol.StreamsGroupHeartbeatRequest) { r.MemberID = " " }),
			"a blank group id":     bad(func(r *protocol.StreamsGroupHeartbeatRequest) { r.GroupID = "" }),
			"a blank instance id":  ofInstance(""),
			"a blank rack":         bad(func(r *protocol.StreamsGroupHeartbeatRequest) { r.RackID = new(string) }),
			"no rebalance timeout": bad(func(r *protocol.StreamsGroupHeartbeatRequest) { r.RebalanceTimeoutMs = -1 }),
			"no topology":          withTopology(nil),
			"owned tasks":          runs(0),
			"no warm-up tasks":     bad(func(r *protocol.StreamsGroupHeartbeatRequest) { r.Owned.Warmup = nil }),
			"epoch -3":             at(-3),
			"epoch -2 of nobody":   at(protocol.EpochStaticAbsent),
		} {
			assert.Equal(t, "INVALID_REQUEST", given(g.join("A", field)), what)
		}
		for what, topology := range map[string]*protocol.Topology{
			"a changelog with a count": topologyOf(0, protocol.Subtopology{
				ID: "0", SourceTopics: []string{"in"}, StateChangelogTopics: []protocol.TopicInfo{{Name: "log", Partitions: 3}},
			}),
			"a topic of Kafka's":     topologyOf(0, protocol.Subtopology{ID: "0", SourceTopics: []string{"__consumer_offsets"}}),
			"a name that is no name": topologyOf(0, protocol.Subtopology{ID: "0", SourceTopics: []string{"in out"}}),
		} {
			assert.Equal(t, "STREAMS_INVALID_TOPOLOGY", given(g.join("A", withTopology(topology))), what)
		}
		assert.Equal(t, "INVALID_REQUEST", given(g.beat("A", at(1), func(r *protocol.StreamsGroupHeartbeatRequest) { r.Owned.Active = zero(0) })),
			"one list of owned tasks without the others")
		assert.Empty(t, g.c.Log())
		assert.Equal(t, coordinator.NoGroup, g.c.TypeOf("g"))
	})
}

func TestLine21AJoinMakesTheGroup(t *testing.T) {
	bothRules(t, func(t *testing.T, r rules.Rules) {
		g := newStreamsRig(t, r)
		joined := g.join("A")
		assert.Equal(t, by(r, "1 [0 1 2 3]", "2 [0 1 2 3]"), given(joined))
		assert.Equal(t, "19A 23 17 21A 20 22A", short(joined.Records))
		assert.Equal(t, by(r, "1/1 Stable", "2/2 Stable"), g.state())
		assert.Equal(t, by(r, "A@1[0 1 2 3]", "A@2[0 1 2 3]"), g.tasks())
	})
}

func TestLine211ANewGroupTakesTheTopologyAndItsEpoch(t *testing.T) {
	bothRules(t, func(t *testing.T, r rules.Rules) {
		g := newStreamsRig(t, r)
		g.topology = topologyOf(7, g.topology.Subtopologies...)
		joined := g.join("A")
		assert.Equal(t, "KIP-1071 heartbeat 2.1.1", streamsRuleOf(t, joined, "had no topology"))
		assert.EqualValues(t, 7, g.group().Streams.TopologyEpoch)
		assert.EqualValues(t, 7, g.group().Streams.ValidatedTopologyEpoch)
		assert.EqualValues(t, 7, g.member("A").Streams.TopologyEpoch)
	})
}

// streamsRuleOf is the rule of the decision that says something.
func streamsRuleOf(t *testing.T, r coordinator.StreamsResult, says string) string {
	t.Helper()
	return ruleOf(t, coordinator.Result{Decisions: r.Decisions}, says)
}

func TestLine22AGroupOfAnotherTypeIsNotFound(t *testing.T) {
	bothRules(t, func(t *testing.T, r rules.Rules) {
		g := newStreamsRig(t, r)
		g.c.Heartbeat(g.now, joinRequest("X", "in"))
		refused := g.join("A")
		assert.Equal(t, "GROUP_ID_NOT_FOUND", given(refused))
		assert.Equal(t, "KIP-1071 heartbeat 2.2", streamsRuleOf(t, refused, "is a consumer group"))
		assert.Equal(t, "GROUP_ID_NOT_FOUND", given(g.beat("A", at(1))))
		g.c.Heartbeat(g.now, protocol.ConsumerGroupHeartbeatRequest{GroupID: "g", MemberID: "X", MemberEpoch: -1, RebalanceTimeoutMs: -1})
		assert.Equal(t, "GROUP_ID_NOT_FOUND", given(g.join("A")), "even when it is empty")
	})
}

func TestLine22AnEmptyClassicGroupGivesWay(t *testing.T) {
	bothRules(t, func(t *testing.T, r rules.Rules) {
		g := newStreamsRig(t, r)
		g.c.CommitOffsets(g.now, protocol.OffsetCommitRequest{
			GroupID: "g", GenerationIDOrMemberEpoch: -1, Offsets: []protocol.TopicOffset{{Topic: "in", Offset: 5}},
		})
		require.Equal(t, coordinator.ClassicType, g.c.TypeOf("g"))
		assert.Equal(t, "GROUP_ID_NOT_FOUND", given(g.beat("A", at(1))), "only for a join")
		joined := g.join("A")
		assert.Equal(t, "T2 19A 23 17 21A 20 22A", short(joined.Records))
		assert.Equal(t, coordinator.StreamsType, g.c.TypeOf("g"))
	})
}

// Lines 2.3.1 to 2.3.4: the group is at topology epoch 3.
func TestLine23TheTopologyEpochOfAJoinIsComparedWithTheGroups(t *testing.T) {
	other := protocol.Subtopology{ID: "0", SourceTopics: []string{"in"}, RepartitionSinkTopics: []string{"r"}}
	for _, line := range []struct {
		name       string
		epoch      int32
		other      bool
		kip, kafka string
		rule       string // under kip
	}{
		{"ER=EG, the same topology", 3, false, "2 []", "3 []", ""},
		{"2.3.1 ER=EG, another topology", 3, true, "STREAMS_INVALID_TOPOLOGY_EPOCH", "INVALID_REQUEST", "KIP-1071 heartbeat 2.3.1"},
		{"2.3.2 ER<EG", 2, false, "STREAMS_TOPOLOGY_FENCED", "3 [] STALE_TOPOLOGY", "KIP-1071 heartbeat 2.3.2"},
		{"2.3.2 ER<EG, another topology", 2, true, "STREAMS_TOPOLOGY_FENCED", "3 [] STALE_TOPOLOGY", "KIP-1071 heartbeat 2.3.2"},
		{"2.3.3 ER>EG+1", 5, false, "STREAMS_INVALID_TOPOLOGY_EPOCH", "INVALID_REQUEST", "KIP-1071 heartbeat 2.3.3"},
		{"2.3.4 ER=EG+1", 4, false, "2 []", "INVALID_REQUEST", ""},
	} {
		bothRules(t, func(t *testing.T, r rules.Rules) {
			g := newStreamsRig(t, r)
			same := g.topology.Subtopologies[0]
			g.topology = topologyOf(3, same)
			g.join("A")
			sent := same
			if line.other {
				sent = other
			}
			before := len(g.c.Log())
			result := g.join("B", withTopology(topologyOf(line.epoch, sent)))
			assert.Equal(t, by(r, line.kip, line.kafka), given(result), line.name)
			if result.Response.Error != protocol.None {
				assert.Len(t, g.c.Log(), before, "2.4 comes after: %s leaves no member behind", line.name)
				require.Len(t, result.Decisions, 1, "nor is one said to be new")
				assert.Equal(t, by(r, line.rule, "Kafka, no topology update"), result.Decisions[0].Rule)
				return
			}
			rules := make([]string, len(result.Decisions))
			for i, d := range result.Decisions {
				rules[i] = d.Rule
			}
			created := slices.Index(rules, "KIP-1071 heartbeat 2.4")
			require.GreaterOrEqual(t, created, 0)
			if replaced := slices.Index(rules, "KIP-1071 heartbeat 2.3.4"); replaced >= 0 {
				assert.Less(t, replaced, created, "2.4 comes after")
			}
		})
	}
}

func TestLine234TheNewTopologyIsTheGroups(t *testing.T) {
	g := newStreamsRig(t, rules.Kip())
	g.setTopics(topic("in", 4), topic("more", 2))
	g.join("A")
	joined := g.join("B", withTopology(topologyOf(1,
		protocol.Subtopology{ID: "0", SourceTopics: []string{"in"}}, protocol.Subtopology{ID: "1", SourceTopics: []string{"more"}})))
	assert.Equal(t, "19B 23 17 21B 20 22B", short(joined.Records))
	assert.Equal(t, "KIP-1071 heartbeat 2.3.4", streamsRuleOf(t, joined, "brings topology epoch 1"))
	assert.EqualValues(t, 1, g.group().Streams.TopologyEpoch)
	assert.EqualValues(t, 1, g.group().Streams.ValidatedTopologyEpoch)
}

func TestLine24ARefusedJoinLeavesNobodyBehind(t *testing.T) {
	bothRules(t, func(t *testing.T, r rules.Rules) {
		g := newStreamsRig(t, r)
		loop := topologyOf(0, protocol.Subtopology{ID: "0", RepartitionSinkTopics: []string{"r"}, RepartitionSourceTopics: []protocol.TopicInfo{{Name: "r"}}})
		assert.Equal(t, "STREAMS_INVALID_TOPOLOGY", given(g.join("A", withTopology(loop))))
		assert.Equal(t, coordinator.NoGroup, g.c.TypeOf("g"))
		_, running := g.c.NextDeadline()
		assert.False(t, running, "no timer either")
	})
}

func TestLines32And33WhoIsUnknownIsToldSo(t *testing.T) {
	bothRules(t, func(t *testing.T, r rules.Rules) {
		g := newStreamsRig(t, r)
		refused := g.beat("A", at(1))
		assert.Equal(t, "GROUP_ID_NOT_FOUND", given(refused))
		assert.Equal(t, "KIP-1071 heartbeat 3.2", streamsRuleOf(t, refused, "no group g"))
		g.join("A")
		refused = g.beat("B", at(1))
		assert.Equal(t, "UNKNOWN_MEMBER_ID", given(refused))
		assert.Equal(t, "KIP-1071 heartbeat 3.3", streamsRuleOf(t, refused, "has no member B"))
		assert.Equal(t, "UNKNOWN_MEMBER_ID", given(g.beat("A", at(1), ofInstance("i"))))
		assert.Equal(t, "UNKNOWN_MEMBER_ID", given(g.beat("B", at(protocol.EpochLeaving))))
	})
}

func TestLine34AMemberWithAnotherEpochIsFenced(t *testing.T) {
	bothRules(t, func(t *testing.T, r rules.Rules) {
		for what, epoch := range map[string]func(m *coordinator.Member) int32{
			"ahead":                      func(m *coordinator.Member) int32 { return m.MemberEpoch + 1 },
			"the previous one, no lists": func(m *coordinator.Member) int32 { return m.PreviousMemberEpoch },
			"older than that":            func(m *coordinator.Member) int32 { return m.PreviousMemberEpoch - 1 },
		} {
			g := twoStreams(t, r)
			g.next("A", withEndpoint("h")) // a third epoch
			g.settle()
			fenced := g.beat("A", at(epoch(g.member("A"))))
			assert.Equal(t, "FENCED_MEMBER_EPOCH", given(fenced), what)
			assert.Equal(t, by(r, "T22A T21A T19A 17", ""), short(fenced.Records), what)
			assert.Equal(t, by(r, "KIP-1071 heartbeat 3.4", "Kafka, fencing"), fenced.Decisions[len(fenced.Decisions)-1].Rule)
			assert.Len(t, g.group().Members, by(r, 1, 2), "under the KIP it is removed")
		}
	})
}

func TestLine34AStaticMemberIsRemovedAsWell(t *testing.T) {
	g := newStreamsRig(t, rules.Kip())
	g.join("A", ofInstance("i"))
	assert.Equal(t, "T22A T21A T19A 17 20", short(g.beat("A", at(9), ofInstance("i")).Records))
	assert.Equal(t, coordinator.Empty, g.group().State)
	assert.Equal(t, "UNKNOWN_MEMBER_ID", given(g.beat("A", at(9), ofInstance("i"))))
}

// twoStreams has A with tasks 0 and 1, and B with 2 and 3.
func twoStreams(t *testing.T, r rules.Rules, change ...func(*coordinator.Config)) *streamsRig {
	t.Helper()
	g := newStreamsRig(t, r, change...)
	g.join("A")
	g.join("B")
	g.settle()
	return g
}

// The edge of line 3.4. A gave up tasks 2 and 3, and the answer that took it
// to the new epoch was lost.
func TestLine34ALostAnswerIsForgiven(t *testing.T) {
	bothRules(t, func(t *testing.T, r rules.Rules) {
		g := twoStreams(t, r)
		a := g.member("A")
		again := g.beat("A", at(a.PreviousMemberEpoch), runs(0, 1))
		assert.Equal(t, by(r, "2", "3"), given(again), "the answer is not sent again, there is nothing new to say")
		assert.Equal(t, by(r, "KIP-1071 heartbeat 3.4", "Kafka, lost-response rule"), streamsRuleOf(t, again, "was lost"))
		assert.Equal(t, "FENCED_MEMBER_EPOCH", given(g.beat("A", at(a.PreviousMemberEpoch), runs(0, 1, 2))), "it owns more than it may")
	})
}

// B was granted a task in an answer that was lost; it is in its target, and it
// is assigned.
func TestLine34TheTwoRuleSetsBoundOwnedTasksDifferently(t *testing.T) {
	bothRules(t, func(t *testing.T, r rules.Rules) {
		g := newStreamsRig(t, r)
		g.join("A")
		g.join("B")
		g.next("A") // is told to give up 2 and 3
		b := g.member("B")
		require.Equal(t, "[2 3]", numbers(b.Target.Partitions()))
		require.Empty(t, b.Assigned)
		g.next("B") // writes its previous epoch anew
		require.Equal(t, b.MemberEpoch, g.member("B").PreviousMemberEpoch)
		sent := g.beat("B", at(b.MemberEpoch), runs(2))
		assert.Equal(t, by(r, "2", "3"), given(sent), "at its own epoch nothing is compared")
	})
}

func TestLine35AMemberWithAnOlderTopologyIsToldSo(t *testing.T) {
	bothRules(t, func(t *testing.T, r rules.Rules) {
		g := newStreamsRig(t, r)
		if r.RemoveFencedMember { // the group's topology moves on under A
			g.join("A")
			g.join("B", withTopology(topologyOf(1, g.topology.Subtopologies...)))
		} else { // A joins with an older one
			g.join("B", withTopology(topologyOf(1, g.topology.Subtopologies...)))
			g.join("A")
		}
		told := g.next("A")
		require.Len(t, told.Response.Status, 1)
		assert.Equal(t, protocol.StaleTopology, told.Response.Status[0].Code)
		assert.Equal(t, "KIP-1071 heartbeat 3.5", streamsRuleOf(t, told, "runs topology epoch 0, the group is at 1"))
		assert.Empty(t, g.next("B").Response.Status)

		with := g.next("A", withTopology(topologyOf(1, g.topology.Subtopologies...)))
		if r.TopologyOnHeartbeat != protocol.None {
			assert.Equal(t, "INVALID_REQUEST", given(with), "a topology is for a join only")
			return
		}
		assert.Empty(t, with.Response.Status, "the epoch in the request counts")
		assert.EqualValues(t, 0, g.member("A").Streams.TopologyEpoch, "and nothing of it is kept")
		assert.Len(t, g.next("A").Response.Status, 1)
	})
}

func TestLine4AnyChangeOfADynamicMemberBumpsTheGroupEpoch(t *testing.T) {
	bothRules(t, func(t *testing.T, r rules.Rules) {
		for what, field := range changes() {
			g := twoStreams(t, r)
			before := g.group().GroupEpoch
			changed := g.next("A", field)
			assert.Equal(t, before+1, g.group().GroupEpoch, what)
			assert.Equal(t, "KIP-1071 heartbeat 4", streamsRuleOf(t, changed, "describes itself anew"))
			g.next("A", field)
			assert.Equal(t, before+1, g.group().GroupEpoch, "%s: the same again is no change", what)
		}
	})
}

// changes are what may change of a member while it is in the group.
func changes() map[string]streamsRequest {
	rack := "r1"
	return map[string]streamsRequest{
		"rack":    func(r *protocol.StreamsGroupHeartbeatRequest) { r.RackID = &rack },
		"process": inProcess("p9"),
		"client tags": func(r *protocol.StreamsGroupHeartbeatRequest) {
			r.ClientTags = []protocol.Tag{{Key: "zone", Value: "z"}}
		},
		"client id":         func(r *protocol.StreamsGroupHeartbeatRequest) { r.ClientID = "c9" },
		"rebalance timeout": func(r *protocol.StreamsGroupHeartbeatRequest) { r.RebalanceTimeoutMs = 7 },
		"endpoint":          withEndpoint("h"),
	}
}

func TestLine4OfAStaticMemberTheBrokerHeedsFourChanges(t *testing.T) {
	heeded := map[string]bool{"rack": true, "process": true, "client tags": true}
	bothRules(t, func(t *testing.T, r rules.Rules) {
		for what, field := range changes() {
			g := newStreamsRig(t, r)
			g.join("A", ofInstance("i"))
			g.settle()
			before := g.group().GroupEpoch
			changed := g.next("A", field)
			want := before
			if by(r, true, heeded[what]) {
				want++
			}
			assert.Equal(t, want, g.group().GroupEpoch, what)
			assert.Contains(t, short(changed.Records), "19A", "%s is written in any case", what)
		}
	})
}

func TestLine4ADynamicMemberThatTakesAnInstanceIdBumps(t *testing.T) {
	bothRules(t, func(t *testing.T, r rules.Rules) {
		g := newStreamsRig(t, r)
		g.join("A")
		before := g.group().GroupEpoch
		g.join("A", ofInstance("i"))
		assert.Equal(t, before+1, g.group().GroupEpoch)
		assert.Equal(t, "i", g.member("A").InstanceID)
	})
}
