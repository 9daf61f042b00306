package sim_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/core/coordinator"
	"groupscope/core/protocol"
	"groupscope/core/record"
	"groupscope/core/rules"
	"groupscope/core/sim"
)

// workedExample is the scenario of KIP-848: three partitions, three members.
func workedExample(t *testing.T, r rules.Rules) *sim.World {
	config := coordinator.DefaultConfig(r)
	config.AssignmentInterval = 0
	w, err := sim.New(sim.Setup{
		Seed: 1, GroupID: "group", Config: config,
		Topics:  []protocol.Topic{{Name: "foo", Partitions: 3}},
		Members: []sim.MemberSetup{{Name: "A", Subscribe: []string{"foo"}}, {Name: "B", Subscribe: []string{"foo"}}, {Name: "C", Subscribe: []string{"foo"}}},
	})
	require.NoError(t, err)
	return w
}

func TestX(t *testing.T) {
	for _, r := range rules.All() {
		w := workedExample(t, r)
		tr := transcript{start: sim.DefaultStart}
		for _, m := range []sim.Action{sim.Join{"A"}, sim.Heartbeat{Member: "A"}, sim.Heartbeat{Member: "A"}, sim.Join{"B"}, sim.Heartbeat{Member: "B"}, sim.Heartbeat{Member: "A"}, sim.Heartbeat{Member: "A"}, sim.Run{20000}, sim.Join{"C"}, sim.Run{20000}} {
			events, err := w.Do(m)
			assert.NoError(t, err)
			tr.add(events)
			tr.add(w.Settle())
		}
		t.Log(tr.text.String())
	}
	_ = record.Stable
}
