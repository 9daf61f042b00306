package sim_test

import (
	"fmt"
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
		{"more partitions than there may be", nil, topics("bar", sim.MaxPartitions-2),
			"There would be 10001 partitions, those of deleted topics counted in: the limit is 10000."},
		{"growing beyond the limit", nil, topics("foo", sim.MaxPartitions+1),
			"There would be 10001 partitions, those of deleted topics counted in: the limit is 10000."},
		{"creating what was deleted again and again", []sim.Action{topics("bar", 9_000), topics("bar", 0)}, topics("bar", 998),
			"There would be 10001 partitions, those of deleted topics counted in: the limit is 10000."},
		{"more topics than there may be", nil, manyTopics(sim.MaxTopics),
			"There would be 1001 topics, deleted ones counted in: the limit is 1000."},
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

func topics(name string, partitions int32) sim.SetTopics {
	return sim.SetTopics{Topics: []protocol.Topic{{Name: name, Partitions: partitions}}}
}

func manyTopics(n int) sim.SetTopics {
	var out sim.SetTopics
	for i := range n {
		out.Topics = append(out.Topics, protocol.Topic{Name: fmt.Sprint("t", i), Partitions: 1})
	}
	return out
}

func TestAWorldGrowsUpToItsLimits(t *testing.T) {
	w := workedExample(t, rules.Kip())
	must(t, w, manyTopics(sim.MaxTopics-1), topics("t0", sim.MaxPartitions-3-(sim.MaxTopics-2)))
	require.Error(t, w.Possible(topics("foo", 4)))
	require.NoError(t, w.Possible(topics("foo", 3)))
	require.NoError(t, w.Possible(topics("foo", 0)))
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
