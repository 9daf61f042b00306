package sim_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/core/rules"
	"groupscope/core/sim"
)

func TestANameMeansThePresentClientAndANumberAnEarlierOne(t *testing.T) {
	a, b := &sim.ClientState{Member: "A", ID: "A~3"}, &sim.ClientState{Member: "B", ID: "B"}
	s := &sim.State{Clients: []*sim.ClientState{a, b}}
	for id, name := range map[string]string{"A": "A~1", "A~2": "A~2", "A~3": "A", "B": "B", "Z": "Z"} {
		assert.Equal(t, name, s.NameOf(id), id)
		_, back := s.Named(name)
		assert.Equal(t, id, back, name)
	}
	for name, want := range map[string]struct {
		client *sim.ClientState
		id     string
	}{
		"A": {a, "A~3"}, "A~1": {nil, "A"}, "A~2": {nil, "A~2"}, "A~3": {a, "A~3"}, "B": {b, "B"}, "B~1": {b, "B"},
	} {
		c, id := s.Named(name)
		assert.Same(t, want.client, c, name)
		assert.Equal(t, want.id, id, name)
	}
}

func TestATimerEndsForTheMemberThatAnEarlierClientLeftBehind(t *testing.T) {
	w := workedExample(t, rules.Kip())
	must(t, w, join("A"), sim.Crash{Member: "A"}, sim.Restart{Member: "A"})
	s := w.State()
	require.Len(t, s.Group.Members, 2)
	assert.Equal(t, "A~1", s.NameOf(s.Group.Members[0].ID))
	assert.Equal(t, "A", s.NameOf(s.Group.Members[1].ID))
	ended := only[sim.Expired](must(t, w, sim.Run{For: 46 * second}))
	require.Len(t, ended, 1)
	assert.Equal(t, "A", ended[0].Member)
	assert.Equal(t, "A~1", ended[0].Name)
}
