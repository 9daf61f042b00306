package sim_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/core/coordinator"
	"groupscope/core/protocol"
	"groupscope/core/record"
	"groupscope/core/sim"
)

// patience is how long a healed group may take to settle: the longest
// timeouts of its members one after the other, and time to spare.
const patience = 200 * protocol.Second

// useUp is how long it takes to meet all messages that shall get lost: each
// costs a request timeout.
const useUp = 10 * protocol.Minute

func TestAfterAllFaultsHealTheGroupSettlesAndEveryPartitionHasOneOwner(t *testing.T) {
	everyWorld(t, 600, func(t *testing.T, c *chaos) {
		for i := range c.setup.Members { // ids that clash are refused for ever
			c.setup.Members[i].InstanceID = ""
			c.setup.Members[i].RebalanceTimeout = 30 * protocol.Second
			c.setup.Members[i].Assignor = ""
		}
		c.honest = true
		w := c.world(t)
		for range 25 {
			if _, err := w.Do(c.action()); err == nil {
				w.Settle()
			}
		}
		heal(t, w)
		must(t, w, sim.Run{For: useUp}) // armed faults strike, pauses end
		heal(t, w)
		must(t, w, sim.Run{For: patience})
		requireSettled(t, w)
	})
}

// requireSettled holds the coordinator's books and the clients' own against
// each other, and both against the topics.
func requireSettled(t *testing.T, w *sim.World) {
	t.Helper()
	s := w.State()
	require.NotNil(t, s.Group)
	require.Equal(t, coordinator.Stable, s.Group.State, "group %+v", s.Group)
	require.Empty(t, s.Violations)
	require.Empty(t, s.Unowned)
	owners := map[protocol.Partition]string{}
	for _, m := range s.Group.Members {
		require.Equal(t, record.Stable, m.State)
		require.Empty(t, m.PendingRevocation)
		for _, h := range m.Assigned {
			require.Empty(t, owners[h.Partition], "%s has two owners", h.Partition)
			owners[h.Partition] = m.ID
		}
	}
	reads := 0
	for _, c := range s.Clients {
		require.Equal(t, "STABLE", c.State, c.Member)
		for _, p := range c.Owned.Partitions() {
			require.Equal(t, c.ID, owners[p], "%s reads %s", c.Member, p)
			reads++
		}
	}
	assert.Equal(t, len(owners), reads, "every partition is read")
}
