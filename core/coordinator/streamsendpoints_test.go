package coordinator_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/core/coordinator"
	"groupscope/core/protocol"
	"groupscope/core/rules"
)

// Line 7 of KIP-1071's heartbeat handling: endpoint information.

// endpoints writes an answer's endpoint part as "2: hA[0 1] hB[]"; "2" when
// there is no list.
func endpoints(r coordinator.StreamsResult) string {
	a := r.Response
	out := fmt.Sprint(a.EndpointInformationEpoch)
	if a.PartitionsByUserEndpoint == nil {
		return out
	}
	out += ":"
	for _, e := range a.PartitionsByUserEndpoint {
		var active, standby []string
		for _, n := range e.Active {
			active = append(active, fmt.Sprint(n.Partitions))
		}
		for _, n := range e.Standby {
			standby = append(standby, " s"+fmt.Sprint(n.Partitions))
		}
		out += " " + e.Endpoint.Host + strings.Join(active, "") + strings.Join(standby, "")
	}
	return out
}

func TestLine7UnderTheKIPEverybodyMustKnowTheEpochFirst(t *testing.T) {
	g := newStreamsRig(t, rules.Kip())
	assert.Equal(t, "1", endpoints(g.join("A", withEndpoint("hA"))), "the tasks of A changed")
	assert.Equal(t, "1: hA[0 1 2 3]", endpoints(g.next("A", knows(1))), "A is everybody")
	assert.Equal(t, "1", endpoints(g.next("A", knows(1))), "once for each epoch")
	assert.Equal(t, "2", endpoints(g.join("B", withEndpoint("hB"), knows(1))), "B starts without any, whatever it says")
	assert.Equal(t, "3", endpoints(g.next("A", knows(1))), "A was told to give up 2 and 3")
	g.next("A", knows(3))
	assert.Equal(t, "4", endpoints(g.next("B", knows(3))), "B got them")
	assert.Equal(t, "4", endpoints(g.next("A", knows(3))))
	assert.Equal(t, "4", endpoints(g.next("A", knows(4))), "B holds it up")
	assert.Equal(t, "4: hA[0 1] hB[2 3]", endpoints(g.next("B", knows(4))), "B completes it")
	assert.Equal(t, "4: hB[2 3] hA[0 1]", endpoints(g.next("A", knows(4))), "then A, itself last")
	assert.Equal(t, "4", endpoints(g.next("A", knows(3))), "A forgot it")
	assert.Equal(t, "4: hB[2 3] hA[0 1]", endpoints(g.next("A", knows(4))), "and is sent it again")
	assert.Equal(t, "4", endpoints(g.next("B", knows(4))), "B did not ask")
}

func TestLine7UnderTheKIPAChangeCountsWithoutAnEndpoint(t *testing.T) {
	bothRules(t, func(t *testing.T, r rules.Rules) {
		g := newStreamsRig(t, r)
		g.join("A")
		g.join("B")
		g.next("A")
		assert.EqualValues(t, by(r, 2, 0), g.group().Streams.EndpointInformationEpoch)
	})
}

func TestLine7UnderTheKIPAMemberThatIsAwayHoldsNobodyUp(t *testing.T) {
	g := newStreamsRig(t, rules.Kip())
	g.join("A", withEndpoint("hA"))
	g.join("B", ofInstance("i"))
	g.settle()
	g.beat("B", at(protocol.EpochStaticAbsent), ofInstance("i"))
	e := g.group().Streams.EndpointInformationEpoch
	assert.Equal(t, fmt.Sprintf("%d: hA[0 1]", e), endpoints(g.next("A", knows(e))))
	g.join("C", ofInstance("i"))
	e = g.group().Streams.EndpointInformationEpoch
	assert.Equal(t, fmt.Sprint(e), endpoints(g.next("A", knows(e))), "it is back under another name and counts again")
}

func TestLine7UnderTheBrokersRulesWhoeverDiffersIsSentTheList(t *testing.T) {
	g := newStreamsRig(t, rules.Kafka())
	assert.Equal(t, "0: hA[0 1 2 3]", endpoints(g.join("A", withEndpoint("hA"))), "the first answer of a group tells no epoch")
	assert.EqualValues(t, 0, g.group().Streams.EndpointInformationEpoch, "and what it did is forgotten")
	assert.Equal(t, "1: hA[0 1 2 3] hB", endpoints(g.join("B", withEndpoint("hB"))))
	assert.Equal(t, "2: hB hA[0 1]", endpoints(g.next("A", knows(1))))
	assert.Equal(t, "2", endpoints(g.next("A", knows(2))))
	assert.Equal(t, "3: hA[0 1] hB[2 3]", endpoints(g.next("B", knows(2))))
	assert.Equal(t, "4: hB[2 3]", endpoints(g.join("A")), "A joins again without an endpoint")
}

func TestAStandbyIsListedApart(t *testing.T) {
	g := newStreamsRig(t, rules.Kafka(), func(c *coordinator.Config) { c.Streams.StandbyReplicas = 1 }).stateful()
	g.join("A", withEndpoint("hA"))
	g.join("B")
	g.settle()
	assert.Contains(t, endpoints(g.next("A", knows(-1))), "hA[0 1] s[2 3]")
}

func TestATaskBeyondATopicsPartitionsIsNotListed(t *testing.T) {
	bothRules(t, func(t *testing.T, r rules.Rules) {
		g := newStreamsRig(t, r)
		g.setTopics(topic("in", 4), topic("few", 1), topic("none", 0))
		g.topology = topologyOf(0, protocol.Subtopology{ID: "0", SourceTopics: []string{"in", "few", "none"}})
		g.join("A", withEndpoint("hA"))
		e := g.group().Streams.EndpointInformationEpoch
		list := g.next("A", knows(by(r, e, e-1))).Response.PartitionsByUserEndpoint
		require.Len(t, list, 1)
		assert.Equal(t, []protocol.NamedPartitions{
			{Topic: "in", Partitions: []int32{0, 1, 2, 3}}, {Topic: "few", Partitions: []int32{0}},
		}, list[0].Active)
	})
}

// The faults of the broker, each behind its own rule.

func TestFaultF1EndpointsWithoutAConfiguredTopology(t *testing.T) {
	bothRules(t, func(t *testing.T, r rules.Rules) {
		for _, fault := range []bool{true, false} {
			r.FaultEndpointUnconfigured = fault
			r.EndpointInformation = rules.WhenDifferent
			g := newStreamsRig(t, r)
			g.setTopics()
			refused := g.join("A", withEndpoint("hA"), knows(-1))
			if !fault {
				assert.NotNil(t, refused.Response.PartitionsByUserEndpoint)
				assert.Empty(t, refused.Response.PartitionsByUserEndpoint, "without the fault the list is empty")
				continue
			}
			assert.Equal(t, "UNKNOWN_SERVER_ERROR", given(refused))
			assert.Contains(t, refused.Decisions[len(refused.Decisions)-1].Rule, "fault F1")
			assert.Empty(t, refused.Records)
			assert.Equal(t, coordinator.NoGroup, g.c.TypeOf("g"))
			_, running := g.c.NextDeadline()
			assert.True(t, running, "the session timer was started all the same")
			fired := g.advance(protocol.Minute)
			require.Len(t, fired, 1)
			assert.Empty(t, fired[0].Records, "and finds nobody")
		}
	})
}

func TestFaultF2EndpointsWithADeletedTopic(t *testing.T) {
	bothRules(t, func(t *testing.T, r rules.Rules) {
		for _, fault := range []bool{true, false} {
			r.FaultEndpointTopicGone = fault
			r.EndpointInformation = rules.WhenDifferent
			g := newStreamsRig(t, r)
			g.topology = topologyOf(0, protocol.Subtopology{
				ID: "0", SourceTopics: []string{"in"}, RepartitionSinkTopics: []string{"r"},
				RepartitionSourceTopics: []protocol.TopicInfo{{Name: "r"}},
			})
			g.setTopics(topic("in", 4), topic("r", 4))
			g.join("A")
			g.join("B", withEndpoint("hB"))
			g.settle()
			before := g.group().Streams.EndpointInformationEpoch
			e := g.group().GroupEpoch
			g.setTopics(topic("in", 4))
			refused := g.beat("A", at(e), knows(-1))
			if !fault {
				assert.Equal(t, protocol.None, refused.Response.Error)
				continue
			}
			assert.Equal(t, "UNKNOWN_SERVER_ERROR", given(refused))
			assert.Contains(t, refused.Decisions[len(refused.Decisions)-1].Rule, "fault F2")
			assert.Equal(t, e, g.group().GroupEpoch, "nothing was written")
			assert.NotZero(t, g.member("A").RebalanceDeadline, "but the rebalance timer runs")
			again := g.beat("A", at(e), knows(before))
			assert.Equal(t, protocol.None, again.Response.Error, "who knows the epoch gets through: %s", given(again))
			assert.Equal(t, e+1, g.group().GroupEpoch)
		}
	})
}

func TestFaultF3ACopartitionIndexOutOfRange(t *testing.T) {
	bothRules(t, func(t *testing.T, r rules.Rules) {
		for _, fault := range []bool{true, false} {
			r.FaultCopartitionIndex = fault
			g := newStreamsRig(t, r)
			refused := g.join("A", withTopology(topologyOf(0, protocol.Subtopology{
				ID: "0", SourceTopics: []string{"in"}, CopartitionGroups: []protocol.CopartitionGroup{{SourceTopics: []int16{5}}},
			})))
			want := "STREAMS_INVALID_TOPOLOGY"
			if fault {
				want = "UNKNOWN_SERVER_ERROR"
			}
			assert.Equal(t, want, given(refused))
			assert.Equal(t, coordinator.NoGroup, g.c.TypeOf("g"))
		}
	})
}

func TestWhatTheBrokerDoesNotLookOutForFailsUnderEveryRule(t *testing.T) {
	bothRules(t, func(t *testing.T, r rules.Rules) {
		g := newStreamsRig(t, r)
		twice := protocol.Subtopology{ID: "0", SourceTopics: []string{"in"}}
		for what, field := range map[string]streamsRequest{
			"two subtopologies of one id": withTopology(topologyOf(0, twice, twice)),
			"a negative topology epoch":   withTopology(topologyOf(-1, twice)),
			"a client tag given twice": func(r *protocol.StreamsGroupHeartbeatRequest) {
				r.ClientTags = []protocol.Tag{{Key: "a"}, {Key: "a"}}
			},
		} {
			assert.Equal(t, "UNKNOWN_SERVER_ERROR", given(g.join("A", field)), what)
		}
	})
}
