package sim_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/core/client"
	"groupscope/core/coordinator"
	"groupscope/core/protocol"
	"groupscope/core/rules"
	"groupscope/core/sim"
)

// pair is a world of A and B, which subscribe to foo with two partitions.
func pair(t *testing.T, change func(s *sim.Setup)) *sim.World {
	s := sim.Setup{
		GroupID: "group", Config: coordinator.DefaultConfig(rules.Kafka()),
		Topics:  []protocol.Topic{{Name: "foo", Partitions: 2}},
		Members: []sim.MemberSetup{{Name: "A", Subscribe: []string{"foo"}}, {Name: "B", Subscribe: []string{"foo"}}},
	}
	s.Config.AssignmentInterval = 0
	if change != nil {
		change(&s)
	}
	w, err := sim.New(s)
	require.NoError(t, err)
	return w
}

func TestFaultsReadAsTheirTranscripts(t *testing.T) {
	settled := []sim.Action{join("A"), join("B"), sim.Run{For: 12 * second}}
	for name, c := range map[string]struct {
		setup  func(s *sim.Setup)
		before []sim.Action
		shown  []sim.Action
	}{
		"duplicate": {nil, settled, []sim.Action{
			sim.Duplicate{Member: "A", Count: 1, After: 3}, sim.Run{For: 5 * second}}},
		"partition": {nil, settled, []sim.Action{
			sim.Partition{Member: "A", For: 40 * second}, sim.Run{For: 70 * second}}},
		"broker-error": {nil, settled, []sim.Action{
			sim.BrokerError{Error: protocol.NotCoordinator, For: 6 * second, Lookup: true}, sim.Run{For: 13 * second}}},
		"failing-callback": {func(s *sim.Setup) { s.Members[0].Poll = 2 * second }, []sim.Action{join("A"), sim.Run{For: 4 * second}}, []sim.Action{
			sim.FailCallback{Member: "A", Callback: client.PartitionsRevoked, Count: 2}, join("B"), sim.Run{For: 10 * second}}},
		"late-metadata": {func(s *sim.Setup) { s.Members[0].Subscribe = []string{"foo", "bar"} }, settled, []sim.Action{
			sim.SetTopics{Topics: []protocol.Topic{{Name: "bar", Partitions: 1}}, Delay: 9 * second}, sim.Run{For: 15 * second}}},
	} {
		t.Run(name, func(t *testing.T) {
			w := pair(t, c.setup)
			must(t, w, c.before...)
			requireTranscript(t, name, must(t, w, c.shown...))
		})
	}
}

func TestByHandADuplicateIsHandledTwiceWithinTheStep(t *testing.T) {
	w := pair(t, nil)
	must(t, w, join("A"), sim.Duplicate{Member: "A", Count: 1, After: second})
	events := must(t, w, beat("A"))
	require.Len(t, only[sim.Handled](events), 1, "the second time comes when the clock has moved")
	events = must(t, w, sim.Advance{For: second})
	require.Len(t, only[sim.Handled](events), 1)
	assert.True(t, only[sim.Handled](events)[0].Again)
	assert.Empty(t, only[sim.Received](events), "its answer goes nowhere")
	events = must(t, w, sim.Duplicate{Member: "A", Count: 1}, beat("A"))
	require.Len(t, only[sim.Handled](events), 2, "without a time in between both come at once")
}

func TestByHandWhatACutOffMemberSendsIsLostUntilTheClockHasMoved(t *testing.T) {
	w := pair(t, nil)
	must(t, w, join("A"), beat("A"), sim.Partition{Member: "A", For: 10 * second})
	assert.Equal(t, w.State().At.Add(10*second), w.State().Clients[0].CutOffTill)
	for range 2 {
		events := must(t, w, beat("A"))
		require.True(t, only[sim.Sent](events)[0].Lost)
		require.Empty(t, only[sim.Handled](events))
	}
	must(t, w, sim.Advance{For: 10 * second})
	events := must(t, w, beat("A"))
	require.Len(t, only[sim.Handled](events), 1)
	assert.True(t, only[sim.Handled](events)[0].Request.Full())
}

func TestABrokerErrorIsGivenToAllAndNothingIsLookedAt(t *testing.T) {
	w := pair(t, nil)
	must(t, w, join("A"), beat("A"))
	before := w.State().Group
	events := must(t, w, sim.BrokerError{Error: protocol.CoordinatorLoadInProgress, For: 3 * second}, beat("A"), join("B"))
	for _, h := range only[sim.Handled](events) {
		assert.Equal(t, protocol.CoordinatorLoadInProgress, h.Response.Error)
		assert.Empty(t, h.Records)
		assert.Equal(t, "The broker does not look at the heartbeat: it answers COORDINATOR_LOAD_IN_PROGRESS to all.", h.Decisions[0].Text)
	}
	assert.Same(t, before, w.State().Group)
	assert.Equal(t, &sim.BrokerState{Error: protocol.CoordinatorLoadInProgress, Until: w.State().At.Add(3 * second)}, w.State().Broken)
	must(t, w, sim.Run{For: 5 * second})
	assert.Nil(t, w.State().Broken)
	require.Len(t, w.State().Group.Members, 2)
}

func TestAClientThatAsksAgainAtOnceDoesNotHoldTheClockUp(t *testing.T) {
	w := pair(t, func(s *sim.Setup) { s.Members[0].Latency = &sim.Range{} })
	must(t, w, sim.BrokerError{Error: protocol.CoordinatorLoadInProgress, For: 5})
	events := must(t, w, join("A"), sim.Run{For: second})
	asked := len(only[sim.Sent](events))
	assert.Greater(t, asked, 20, "it joins, so it does not wait between two requests")
	assert.Less(t, asked, 100)
}

func TestACallbackThatThrowsIsCalledAgainAndNotAcknowledged(t *testing.T) {
	w := pair(t, nil)
	must(t, w, join("A"))
	events := must(t, w, sim.FailCallback{Member: "A", Callback: client.PartitionsAssigned, Count: 1}, beat("A"))
	calls := only[sim.Called](events)
	require.Len(t, calls, 4, "it polls again at once")
	assert.True(t, calls[1].Failed)
	assert.Empty(t, calls[2].Partitions, "as the assignment is applied already")
	assert.False(t, calls[3].Failed)
	assert.Equal(t, "foo [0, 1]", only[sim.Sent](events)[0].Request.TopicPartitions.String())
}

func TestAnApplicationThatPollsNowAndThenActsWhenItPolls(t *testing.T) {
	w := pair(t, func(s *sim.Setup) { s.Members[0].Poll = 3 * second })
	must(t, w, join("A"))
	events := must(t, w, sim.Run{For: 8 * second})
	for _, e := range events {
		if called, ok := e.What.(sim.Called); ok && called.Member == "A" {
			assert.Zero(t, e.At.Sub(w.State().Start)%(3*second), "%+v", called)
		}
	}
	require.Equal(t, "foo [0, 1]", w.State().Clients[0].Owned.String())
	must(t, w, join("B"), beat("A"))
	events = must(t, w, beat("A"))
	assert.Equal(t, "foo [0]", only[sim.Sent](events)[0].Request.TopicPartitions.String(), "by hand it polls as well")
}

func TestClientsLearnOfTopicsLaterThanTheCluster(t *testing.T) {
	topics := func(name string, n int32, delay protocol.Duration) sim.Action {
		return sim.SetTopics{Topics: []protocol.Topic{{Name: name, Partitions: n}}, Delay: delay}
	}
	w := pair(t, func(s *sim.Setup) { s.Members[0].Subscribe = []string{"foo", "bar", "baz"} })
	must(t, w, join("A"), sim.Run{For: 6 * second}, topics("bar", 1, 20*second), sim.Run{For: 6 * second})
	require.Equal(t, "foo [0, 1]", w.State().Clients[0].Owned.String(), "it cannot name bar")
	events := must(t, w, topics("baz", 1, 5*second), sim.Advance{For: 30 * second})
	require.Len(t, only[sim.TopicsLearnt](events), 1, "what they would have learnt later comes with it")
	must(t, w, sim.Run{For: 6 * second})
	assert.Equal(t, "bar [0], baz [0], foo [0, 1]", w.State().Clients[0].Owned.String())
}

func TestAChangedMemberHasItsTimesAtOnceAndAllElseWithItsNextClient(t *testing.T) {
	w := pair(t, nil)
	slow, assignor := 20*second, "range"
	must(t, w, join("A"), sim.Run{For: 2 * second}, sim.ChangeMember{Member: "A", To: sim.MemberChange{
		RevokeTime: &slow, Assignor: &assignor, Latency: &sim.Range{Min: 100, Max: 100},
	}}, join("B"), sim.Run{For: 6 * second})
	require.Equal(t, "foo [1]", w.State().Clients[0].Revoking.String())
	require.Empty(t, w.State().Group.Members[0].ServerAssignor)
	must(t, w, sim.Crash{Member: "A"}, sim.Restart{Member: "A"})
	_, id := w.State().Named("A")
	assert.Equal(t, "A~2", id)
	assert.Equal(t, "range", w.State().Group.Members[1].ServerAssignor)
}

func TestBackoffsAreDrawnFromTheSeed(t *testing.T) {
	run := func(seed uint64, jitter bool) []sim.Event {
		w := pair(t, func(s *sim.Setup) { s.Seed, s.Jitter = seed, jitter })
		return must(t, w, join("A"), sim.BrokerError{Error: protocol.UnknownServerError, For: 1}, sim.Run{For: 4 * second},
			sim.BrokerError{Error: protocol.TopicAuthorizationFailed, For: 10 * second}, sim.Run{For: 12 * second})
	}
	assert.Equal(t, run(1, true), run(1, true))
	assert.NotEqual(t, run(1, true), run(2, true))
	assert.Equal(t, run(1, false), run(2, false))
}

// TestAClientThatLeavesDoesNotWaitForWhatWasDelayed: its last heartbeat follows
// an answer that is still on its way.
func TestAClientThatLeavesDoesNotWaitForWhatWasDelayed(t *testing.T) {
	w := pair(t, nil)
	late := func(by protocol.Duration) sim.Action {
		return sim.Delay{Member: "A", By: by, Response: true, Count: 1}
	}
	must(t, w, join("A"), beat("A"), late(2*second), beat("A"), late(4*second), sim.Subscribe{Member: "A"})
	flying := w.State().Flying
	require.Len(t, flying, 2)
	assert.Equal(t, []int32{2, -1}, []int32{flying[0].Epoch, flying[1].Epoch}, "both are answers")
	require.Empty(t, w.State().Group.Members)
	must(t, w, sim.Subscribe{Member: "A", Topics: []string{"foo"}}, sim.Run{For: 10 * second})
	requireSettledClient(t, w, 0)
}
