package sim_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/core/protocol"
	"groupscope/core/sim"
)

func override(field string, value any) sim.Override { return sim.Override{Field: field, Value: value} }

func TestWhatTheCoordinatorDoesBesideHeartbeatsReadsAsItsTranscript(t *testing.T) {
	for name, c := range map[string]struct {
		setup func(s *sim.Setup)
		shown []sim.Action
	}{
		"regex": {func(s *sim.Setup) {
			s.ResolveTime, s.Hidden = 50, []string{"ev-secret"}
			s.Topics = []protocol.Topic{{Name: "ev-1", Partitions: 1}, {Name: "ev-secret", Partitions: 1}, {Name: "other", Partitions: 1}}
			s.Members = []sim.MemberSetup{{Name: "A", Regex: "ev.*"}}
		}, []sim.Action{
			join("A"), beat("A"), sim.ResolveRegexes{}, beat("A"),
			sim.SetTopics{Topics: []protocol.Topic{{Name: "ev-2", Partitions: 1}}}, sim.Advance{For: 10 * second}, beat("A"),
			sim.Run{For: 6 * second}, sim.SetTopics{Topics: []protocol.Topic{{Name: "ev-secret", Partitions: 1}}}, sim.Run{For: 20 * second},
		}},
		"commits": {nil, []sim.Action{
			join("A"), beat("A"), sim.CommitOffsets{Member: "A", Offset: 10}, join("B"), beat("A"), beat("A"),
			sim.CommitOffsets{Member: "A", Offset: 20, With: []sim.Override{override("memberEpoch", int32(2))}},
			sim.CommitOffsets{Member: "A", Offset: 20, With: []sim.Override{
				override("memberEpoch", int32(2)), override("topicPartitions", protocol.Assignment{{Topic: "foo", Partitions: []int32{1}}})}},
			sim.CommitOffsets{Member: "A", Offset: 20, With: []sim.Override{override("memberId", "Z")}},
			sim.FetchOffsets{Member: "A"}, sim.FetchOffsets{Member: "A", With: []sim.Override{override("memberEpoch", int32(2))}},
			sim.Leave{Member: "A"}, sim.Leave{Member: "B"}, sim.Cleanup{}, sim.DeleteGroup{}, sim.DeleteGroup{},
		}},
		"describe": {nil, []sim.Action{
			sim.Describe{}, join("A"), beat("A"), join("B"), beat("A"), sim.Describe{}, sim.DeleteGroup{},
		}},
		"group-config": {nil, []sim.Action{
			join("A"), beat("A"),
			sim.SetGroupConfig{Settings: []sim.GroupSetting{{Name: "consumer.heartbeat.interval.ms", Value: "2000"}, {Name: "consumer.session.timeout.ms", Value: "50000"}}},
			sim.Run{For: 12 * second}, sim.FailOver{}, sim.SetGroupConfig{}, sim.Run{For: 12 * second},
		}},
		"raw": {nil, []sim.Action{
			sim.SendRequest{With: []sim.Override{override("memberId", "X"), override("memberEpoch", int32(0))}},
			sim.SendRequest{With: []sim.Override{override("memberId", "X"), override("memberEpoch", int32(0)), override("rebalanceTimeoutMs", int32(60_000)),
				override("subscribedTopicNames", []string{"foo"}), override("topicPartitions", protocol.Assignment{})}},
			join("A"), beat("A"), sim.SendRequest{With: []sim.Override{override("memberId", "A"), override("memberEpoch", int32(-1))}}, beat("A"),
			sim.Advance{For: 45 * second},
		}},
	} {
		t.Run(name, func(t *testing.T) {
			requireTranscript(t, name, must(t, pair(t, c.setup), c.shown...))
		})
	}
}

func TestRegexesAreResolvedInTimeByThemselves(t *testing.T) {
	world := func(takes protocol.Duration) *sim.World {
		return pair(t, func(s *sim.Setup) {
			s.ResolveTime, s.Members[0] = takes, sim.MemberSetup{Name: "A", Regex: "f.."}
		})
	}
	w := world(200)
	must(t, w, join("A"))
	assert.Equal(t, w.State().At.Add(200), w.State().Resolving)
	must(t, w, sim.Advance{For: 199})
	require.Empty(t, w.State().Group.ResolvedRegexes)
	events := must(t, w, sim.Advance{For: 1})
	assert.Equal(t, sim.RegexRefresh, only[sim.Operated](events)[0].Operation)
	assert.Zero(t, w.State().Resolving)
	require.Equal(t, []string{"foo"}, w.State().Group.ResolvedRegexes[0].Topics)
	assert.Error(t, w.Possible(sim.ResolveRegexes{}))

	w = world(0)
	events = must(t, w, join("A"))
	require.Len(t, only[sim.Operated](events), 1, "without a time it is done at once, by hand, too")
	assert.Empty(t, only[sim.Handled](events)[0].Response.Assignment, "but after the answer")

	w = world(200)
	must(t, w, join("A"), sim.FailOver{})
	assert.Zero(t, w.State().Resolving, "a fail-over loses what was done in the background")
	must(t, w, sim.Run{For: 12 * second})
	requireSettledClient(t, w, 0)
}

func requireSettledClient(t *testing.T, w *sim.World, i int) {
	t.Helper()
	require.Equal(t, "STABLE", w.State().Clients[i].State)
	require.NotEmpty(t, w.State().Clients[i].Owned)
}

func TestASessionTimeoutOfTheGroupIsTheOneThatCounts(t *testing.T) {
	w := pair(t, func(s *sim.Setup) {
		s.Settings = []sim.GroupSetting{{Name: "consumer.session.timeout.ms", Value: "50000"}}
	})
	must(t, w, join("A"))
	assert.Equal(t, 50*second, w.State().SessionTimeout)
	assert.Equal(t, w.State().At.Add(50*second), w.State().Group.Members[0].SessionDeadline)
	must(t, w, sim.FailOver{})
	assert.Equal(t, w.State().At.Add(50*second), w.State().Group.Members[0].SessionDeadline, "another broker knows it, too")
}
