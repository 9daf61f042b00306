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

func TestTheLeaderOfAGenerationSeesThatATopicGrew(t *testing.T) {
	w := classicPair(t)
	must(t, w, join("A"), join("B"), sim.Run{For: 10 * second}, topics("foo", 6), sim.Run{For: 10 * second})
	assert.Equal(t, map[string]string{"A": "foo [0, 1, 2]", "B": "foo [3, 4, 5]", "C": "nothing"}, owned(w))
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

func TestWorldsWithClassicMembersKeepTheInvariants(t *testing.T) {
	kinds := map[coordinator.GroupType]int{}
	everyWorld(t, 120, func(t *testing.T, c *chaos) {
		for i := range c.setup.Members {
			m := &c.setup.Members[i]
			m.Classic = m.Regex == "" && c.IntN(2) == 0
		}
		w := c.world(t)
		for range 30 {
			a := c.action()
			if _, err := w.Do(a); err != nil {
				continue
			}
			w.Settle()
			for _, v := range w.Check() {
				// A leader may have assigned topics that have grown since, and
				// an upgrade takes its target as it is.
				require.Equal(t, "no gap", v.Invariant, "%+v after %s", v, describe(a))
			}
			if g := w.State().Group; g != nil {
				kinds[g.Type]++
			}
		}
	})
	require.Greater(t, kinds[coordinator.ClassicType], worlds(300))
	require.Greater(t, kinds[coordinator.ConsumerType], worlds(300))
}
