package sim_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/core/coordinator"
	"groupscope/core/protocol"
	"groupscope/core/rules"
	"groupscope/core/sim"
)

// TestAGroupThatSubscribesToNothingBreaksNoInvariant: its log never says a
// group epoch, so it has the one that a new group has.
func TestAGroupThatSubscribesToNothingBreaksNoInvariant(t *testing.T) {
	for _, set := range rules.All() {
		for _, last := range []sim.Action{sim.FailOver{}, sim.Leave{Member: "A", Option: sim.RemainInGroup}, sim.Advance{For: 50_000}} {
			w, err := sim.New(sim.Setup{
				GroupID: "g", Config: coordinator.DefaultConfig(set), Topics: []protocol.Topic{{ID: "foo", Name: "foo", Partitions: 1}},
				Members: []sim.MemberSetup{{Name: "A", InstanceID: "a"}},
			})
			require.NoError(t, err)
			must(t, w, sim.Join{Member: "A"}, last)
			assert.Empty(t, w.State().Violations, "%s, %T", set.Name, last)
			assert.Empty(t, w.Check(), "%s, %T", set.Name, last)
		}
	}
}

// TestAGroupGrowsOnlySoFar: what restarts leave behind counts, as the picture
// has to show it.
func TestAGroupGrowsOnlySoFar(t *testing.T) {
	setup := sim.Setup{
		GroupID: "g", Config: coordinator.DefaultConfig(rules.Kafka()), Topics: []protocol.Topic{{ID: "foo", Name: "foo", Partitions: 1}},
	}
	for i := range 3 {
		setup.Members = append(setup.Members, sim.MemberSetup{Name: fmt.Sprintf("m%d", i), Subscribe: []string{"foo"}})
	}
	w, err := sim.New(setup)
	require.NoError(t, err)
	must(t, w, sim.Join{Member: "m0"})
	for range sim.MaxMembers - 1 {
		must(t, w, sim.Crash{Member: "m0"}, sim.Restart{Member: "m0"})
	}
	must(t, w, sim.Crash{Member: "m0"})
	for _, a := range []sim.Action{sim.Restart{Member: "m0"}, sim.Join{Member: "m1"}} {
		_, err := w.Do(a)
		assert.ErrorContains(t, err, "The group has 1000 members, those that crashed counted in until they are removed: that is the limit.")
	}
	must(t, w, sim.Advance{For: 46_000}, sim.Join{Member: "m1"})
}
