package sim_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/core/coordinator"
	"groupscope/core/protocol"
	"groupscope/core/rules"
	"groupscope/core/sim"
)

// workedExample is the world of the worked example of KIP-848: three members
// share the three partitions of foo.
func workedExample(t testing.TB, r rules.Rules) *sim.World {
	config := coordinator.DefaultConfig(r)
	config.AssignmentInterval = 0
	w, err := sim.New(sim.Setup{
		Seed: 848, GroupID: "group", Config: config,
		Topics: []protocol.Topic{{Name: "foo", Partitions: 3}},
		Members: []sim.MemberSetup{
			{Name: "A", Subscribe: []string{"foo"}},
			{Name: "B", Subscribe: []string{"foo"}},
			{Name: "C", Subscribe: []string{"foo"}},
		},
	})
	require.NoError(t, err)
	return w
}

// row is one step by hand and what comes of it: the answer, the group's
// epochs and state, and the records.
type row struct {
	name   string
	do     sim.Action
	answer string
	group  string
	writes string
}

func join(m string) sim.Action { return sim.Join{Member: m} }
func beat(m string) sim.Action { return sim.Heartbeat{Member: m} }

func requireRows(t *testing.T, w *sim.World, rows []row) {
	t.Helper()
	for _, r := range rows {
		events := must(t, w, r.do)
		var got row
		for _, e := range events {
			if h, ok := e.What.(sim.Handled); ok {
				require.Empty(t, got.answer, "one request a step")
				got.answer = answer(h.Response)
				got.writes = strings.TrimPrefix(records(h.Records), ", writes ")
			}
		}
		s := w.State()
		got.group = fmt.Sprintf("%d/%d %s", s.Group.GroupEpoch, s.Group.AssignmentEpoch, s.Group.State)
		got.name, got.do = r.name, r.do
		require.Equal(t, r, got)
		require.Empty(t, w.Check())
		require.Equal(t, sim.DefaultStart, s.At, "a step by hand takes no time")
		require.Empty(t, s.Flying)
	}
}

func TestTheWorkedExampleByHandUnderTheKIP(t *testing.T) {
	w := workedExample(t, rules.Kip())
	requireRows(t, w, []row{
		{"K1", join("A"), "epoch 0, your partitions are nothing", "1/1 Reconciling", "5A 3 7A 6 8A"},
		{"K2", beat("A"), "epoch 1, your partitions are foo [0, 1, 2]", "1/1 Stable", "8A"},
		{"", beat("A"), "epoch 1", "1/1 Stable", ""},
		{"K3", join("B"), "epoch 0, your partitions are nothing", "2/2 Reconciling", "5B 3 7A 7B 6 8B"},
		{"K4", beat("B"), "epoch 2, your partitions are nothing", "2/2 Reconciling", "8B"},
		{"K5", beat("A"), "epoch 1, your partitions are foo [0, 1]", "2/2 Reconciling", "8A"},
		{"K6", beat("A"), "epoch 2", "2/2 Reconciling", "8A"},
		{"K7", beat("B"), "epoch 2, your partitions are foo [2]", "2/2 Stable", "8B"},
		{"", beat("B"), "epoch 2", "2/2 Stable", ""},
		{"K8", join("C"), "epoch 0, your partitions are nothing", "3/3 Reconciling", "5C 3 7A 7C 6 8C"},
		{"K9", beat("B"), "epoch 3", "3/3 Reconciling", "8B"},
		{"K10", beat("C"), "epoch 3, your partitions are nothing", "3/3 Reconciling", "8C"},
		{"K11", beat("A"), "epoch 2, your partitions are foo [0]", "3/3 Reconciling", "8A"},
		{"K12", beat("A"), "epoch 3", "3/3 Reconciling", "8A"},
		{"K13", beat("C"), "epoch 3, your partitions are foo [1]", "3/3 Stable", "8C"},
	})
	assert.Empty(t, w.State().Unowned)
}

func TestTheWorkedExampleByHandUnderKafka(t *testing.T) {
	w := workedExample(t, rules.Kafka())
	requireRows(t, w, []row{
		{"1", join("A"), "epoch 2, your partitions are foo [0, 1, 2]", "2/2 Stable", "5A 3 7A 6 8A"},
		{"1a", beat("A"), "epoch 2", "2/2 Stable", ""},
		{"2", join("B"), "epoch 3, your partitions are nothing", "3/3 Reconciling", "5B 3 7A 7B 6 8B"},
		{"3", beat("B"), "epoch 3", "3/3 Reconciling", "8B"},
		{"3a", beat("B"), "epoch 3", "3/3 Reconciling", ""},
		{"4", beat("A"), "epoch 2, your partitions are foo [0, 1]", "3/3 Reconciling", "8A"},
		{"4a", beat("B"), "epoch 3", "3/3 Reconciling", ""},
		{"5", beat("A"), "epoch 3", "3/3 Reconciling", "8A"},
		{"6", beat("B"), "epoch 3, your partitions are foo [2]", "3/3 Stable", "8B"},
		{"7", beat("B"), "epoch 3", "3/3 Stable", ""},
		{"8", join("C"), "epoch 4, your partitions are nothing", "4/4 Reconciling", "5C 3 7A 7C 6 8C"},
		{"9", beat("B"), "epoch 4", "4/4 Reconciling", "8B"},
		{"10", beat("C"), "epoch 4", "4/4 Reconciling", "8C"},
		{"11", beat("A"), "epoch 3, your partitions are foo [0]", "4/4 Reconciling", "8A"},
		{"12", beat("A"), "epoch 4", "4/4 Reconciling", "8A"},
		{"13", beat("C"), "epoch 4, your partitions are foo [1]", "4/4 Stable", "8C"},
		{"14", beat("C"), "epoch 4", "4/4 Stable", ""},
	})
}

func TestByHandARevocationShowsBeforeItIsCarriedOut(t *testing.T) {
	w := workedExample(t, rules.Kip())
	must(t, w, join("A"), beat("A"))
	a := w.State().Clients[0]
	assert.Equal(t, "foo [0, 1, 2]", a.Adding.String())
	assert.Equal(t, "nothing", a.Owned.String())
	must(t, w, beat("A"), join("B"), beat("B"), beat("A"))
	a = w.State().Clients[0]
	assert.Equal(t, "foo [2]", a.Revoking.String())
	assert.Equal(t, "foo [0, 1, 2]", a.Owned.String(), "A reads foo-2 until it has revoked it")
	must(t, w, beat("A"))
	a = w.State().Clients[0]
	assert.Equal(t, "nothing", a.Revoking.String())
	assert.Equal(t, "foo [0, 1]", a.Owned.String())
	require.Len(t, w.State().Unowned, 1)
	assert.Equal(t, protocol.Partition{Topic: "foo", Number: 2}, w.State().Unowned[0].Partition)
}
