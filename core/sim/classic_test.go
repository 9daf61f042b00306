package sim_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/core/coordinator"
	"groupscope/core/protocol"
	"groupscope/core/sim"
)

// classicPair are A and B, of the classic protocol, and the consumer C.
func classicPair(t *testing.T) *sim.World {
	return pair(t, func(s *sim.Setup) {
		s.Topics = []protocol.Topic{{Name: "foo", Partitions: 4}}
		s.Config.Assignors = []string{"range"}
		s.Members[0].Classic, s.Members[1].Classic = true, true
		s.Members = append(s.Members, sim.MemberSetup{Name: "C", Subscribe: []string{"foo"}})
	})
}

func owned(w *sim.World) map[string]string {
	out := map[string]string{}
	for _, c := range w.State().Clients {
		out[c.Member] = c.Owned.String()
	}
	return out
}

func TestARollingUpgradeReadsAsItsTranscript(t *testing.T) {
	w := classicPair(t)
	requireTranscript(t, "rolling-upgrade", must(t, w, join("A"), join("B"), sim.Run{For: 8 * second}, join("C"), sim.Run{For: 20 * second}))
}

func TestClassicMembersShareATopicAndThenTheGroupIsUpgradedAndDowngraded(t *testing.T) {
	w := classicPair(t)
	must(t, w, join("A"), join("B"), sim.Run{For: 10 * second})
	s := w.State()
	require.NotNil(t, s.Group.Classic)
	require.Equal(t, "Stable", s.Group.Classic.State)
	require.Empty(t, s.Violations)
	assert.Equal(t, map[string]string{"A": "foo [0, 1]", "B": "foo [2, 3]", "C": "nothing"}, owned(w))

	must(t, w, join("C"), sim.Run{For: 30 * second})
	s = w.State()
	require.Equal(t, coordinator.ConsumerType, s.Group.Type)
	require.Equal(t, coordinator.Stable, s.Group.State)
	require.Len(t, s.Group.Members, 3)
	assert.Empty(t, s.Unowned)
	assert.Equal(t, map[string]string{"A": "foo [2]", "B": "foo [3]", "C": "foo [0, 1]"}, owned(w))

	must(t, w, sim.Leave{Member: "C"}, sim.Run{For: 30 * second})
	s = w.State()
	require.NotNil(t, s.Group.Classic, "the last consumer has left")
	assert.Equal(t, map[string]string{"A": "foo [0, 1]", "B": "foo [2, 3]", "C": "nothing"}, owned(w))
	require.Empty(t, w.Check())
}

func TestAClassicMemberIsFencedRejoinsLeavesAndIsStartedAsAConsumer(t *testing.T) {
	w := classicPair(t)
	must(t, w, join("A"), sim.Run{For: 6 * second}, sim.Partition{Member: "A", For: 50 * second}, sim.Run{For: 90 * second})
	assert.Equal(t, "foo [0, 1, 2, 3]", owned(w)["A"], "it came back")
	no := false
	must(t, w, sim.ChangeMember{Member: "A", To: sim.MemberChange{Classic: &no}}, sim.Leave{Member: "A"}, sim.Restart{Member: "A"}, sim.Run{For: 10 * second})
	require.Equal(t, coordinator.ConsumerType, w.State().Group.Type)
	assert.Equal(t, "foo [0, 1, 2, 3]", owned(w)["A"])
}

func TestUnderTheDisabledPolicyNoConsumerGetsIn(t *testing.T) {
	w := pair(t, func(s *sim.Setup) {
		s.Config.MigrationPolicy = "disabled"
		s.Members[0].Classic = true
	})
	must(t, w, join("A"), sim.Run{For: 6 * second}, join("B"))
	assert.Equal(t, protocol.GroupIDNotFound, w.State().Clients[1].LastError)
	w = pair(t, func(s *sim.Setup) {
		s.Config.MigrationPolicy = "disabled"
		s.Members[1].Classic = true
	})
	must(t, w, join("A"), sim.Run{For: 6 * second}, join("B"))
	assert.Equal(t, protocol.InconsistentGroupProtocol, w.State().Clients[1].LastError)
}
