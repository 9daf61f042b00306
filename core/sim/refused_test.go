package sim_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/core/protocol"
	"groupscope/core/rules"
	"groupscope/core/sim"
)

func TestARefusedActionSaysWhyAndWhatElseAndChangesNothing(t *testing.T) {
	joined := []sim.Action{join("A")}
	for _, c := range []struct {
		claim  string
		before []sim.Action
		action sim.Action
		reason string
	}{
		{"an unknown member", nil, join("D"), "The scenario has no member D. Add it to the members first."},
		{"joining twice", joined, join("A"), "A runs already. Let it heartbeat, or crash it and restart it."},
		{"joining after a crash", append(joined, sim.Crash{Member: "A"}), join("A"), "A has stopped. Restart it instead."},
		{"a heartbeat of nobody", nil, beat("A"), "A has not started. Let it join first."},
		{"a heartbeat of a crashed client", append(joined, sim.Crash{Member: "A"}), beat("A"), "A has crashed. Restart it first."},
		{"a heartbeat after leaving", append(joined, sim.Leave{Member: "A"}), beat("A"), "A has left. Let it join again first."},
		{"a heartbeat without a subscription", append(joined, sim.Subscribe{Member: "A"}), beat("A"),
			"A subscribes to nothing, so it is in no group. Let it subscribe first."},
		{"a field that does not exist", joined, sim.Heartbeat{Member: "A", With: []sim.Override{{Field: "epoch", Value: int32(1)}}},
			"A heartbeat has no field epoch. The fields are instanceId, memberEpoch, memberId, rackId, rebalanceTimeoutMs, serverAssignor, subscribedTopicNames, subscribedTopicRegex, topicPartitions."},
		{"a field of another kind", joined, sim.Heartbeat{Member: "A", With: []sim.Override{{Field: "memberEpoch", Value: "one"}}},
			"memberEpoch is a number, not one."},
		{"a crash of nobody", nil, sim.Crash{Member: "A"}, "A has not started. Let it join first."},
		{"a restart of a running client", joined, sim.Restart{Member: "A"}, "A is running. Crash it or let it leave first."},
		{"a restart of nobody", nil, sim.Restart{Member: "A"}, "A was never started. Let it join."},
		{"leaving twice", append(joined, sim.Leave{Member: "A"}), sim.Leave{Member: "A"}, "A has left. Let it join again first."},
		{"no message to lose", joined, sim.LoseRequest{Member: "A"}, "The number of messages is 1 or more."},
		{"a pause of no time", joined, sim.Pause{Member: "A"}, "A pause takes longer than 0."},
		{"a time that is over", []sim.Action{sim.Run{For: 5000}}, sim.Until{At: 4000}, "4s is over: the clock stands at 5s. Choose a later time."},
		{"going back", nil, sim.Run{For: -1}, "The clock cannot go back. Choose a time of 0 or more."},
		{"a topic that loses partitions", nil, sim.SetTopics{Topics: []protocol.Topic{{Name: "foo", Partitions: 2}}},
			"Topic foo has 3 partitions, and a topic cannot lose any. Delete it and create it again."},
		{"deleting what is not there", nil, sim.SetTopics{Topics: []protocol.Topic{{Name: "bar"}}},
			"There is no topic bar to delete. Create it first, with 1 partition or more."},
		{"nothing", nil, nil, "There is nothing to do."},
	} {
		t.Run(c.claim, func(t *testing.T) {
			w := workedExample(t, rules.Kip())
			must(t, w, c.before...)
			before := picture(t, w)
			events, err := w.Do(c.action)
			require.Empty(t, events)
			var refused *sim.Refused
			require.ErrorAs(t, err, &refused)
			assert.Equal(t, c.reason, refused.Error())
			assert.Equal(t, c.action, refused.Action)
			assert.Equal(t, err, w.Possible(c.action))
			assert.Equal(t, before, picture(t, w))
		})
	}
}

func TestWhatIsPossibleIsNotRefused(t *testing.T) {
	everyWorld(t, 100, func(t *testing.T, c *chaos) {
		w := c.world(t)
		for range 40 {
			a := c.action()
			possible := w.Possible(a)
			_, err := w.Do(a)
			require.Equal(t, possible, err)
			w.Settle()
		}
	})
}

func TestASetupThatMakesNoSenseIsAnError(t *testing.T) {
	good := sim.Setup{GroupID: "g", Members: []sim.MemberSetup{{Name: "A"}}, Topics: []protocol.Topic{{Name: "foo", Partitions: 1}}}
	for claim, spoil := range map[string]func(*sim.Setup){
		"no group id":        func(s *sim.Setup) { s.GroupID = "" },
		"a start below 0":    func(s *sim.Setup) { s.Start = -1 },
		"a nameless member":  func(s *sim.Setup) { s.Members[0].Name = "" },
		"the mark of lives":  func(s *sim.Setup) { s.Members[0].Name = "A~2" },
		"a name twice":       func(s *sim.Setup) { s.Members = append(s.Members, s.Members[0]) },
		"latency backwards":  func(s *sim.Setup) { s.Members[0].Latency = &sim.Range{Min: 2, Max: 1} },
		"negative durations": func(s *sim.Setup) { s.Members[0].RevokeTime = -1 },
		"a topic twice":      func(s *sim.Setup) { s.Topics = append(s.Topics, s.Topics[0]) },
	} {
		t.Run(claim, func(t *testing.T) {
			s := good
			s.Members = append([]sim.MemberSetup{}, good.Members...)
			spoil(&s)
			_, err := sim.New(s)
			assert.Error(t, err)
		})
	}
}
