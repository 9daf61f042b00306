package sim_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/core/coordinator"
	"groupscope/core/protocol"
	"groupscope/core/rules"
	"groupscope/core/sim"
)

const second = protocol.Second

// only are the occurrences of one kind among events.
func only[T sim.Occurrence](events []sim.Event) []T {
	var out []T
	for _, e := range events {
		if what, ok := e.What.(T); ok {
			out = append(out, what)
		}
	}
	return out
}

// settledExample is the worked example with A, B and C settled by themselves.
func settledExample(t *testing.T, r rules.Rules) *sim.World {
	w := workedExample(t, r)
	must(t, w, join("A"), join("B"), join("C"), sim.Run{For: 30 * second})
	requireSettled(t, w)
	return w
}

func TestByHandALostResponseIsRepeatedByAFullRequest(t *testing.T) {
	w := workedExample(t, rules.Kip())
	must(t, w, join("A"), beat("A"), beat("A"), join("B"), beat("B"))
	events := must(t, w, sim.LoseResponse{Member: "A", Count: 1}, beat("A"))
	require.True(t, only[sim.Handled](events)[0].ResponseLost)
	require.Empty(t, only[sim.Received](events))
	require.True(t, w.State().Clients[0].InFlight)

	events = must(t, w, beat("A"))
	require.Equal(t, "timeout", only[sim.Received](events)[0].Failure)
	repeated := only[sim.Sent](events)[0].Request
	assert.True(t, repeated.Full())
	assert.Equal(t, int32(1), repeated.MemberEpoch)
	assert.Equal(t, "foo [0, 1, 2]", repeated.TopicPartitions.String())
	assert.Equal(t, "foo [0, 1]", only[sim.Received](events)[1].Response.Assignment.String(), "the answer is repeated")
}

func TestByHandALostRequestNeverArrives(t *testing.T) {
	w := workedExample(t, rules.Kip())
	events := must(t, w, sim.LoseRequest{Member: "A", Count: 1}, join("A"))
	require.True(t, only[sim.Sent](events)[0].Lost)
	require.Empty(t, only[sim.Handled](events))
	require.Nil(t, w.State().Group)
	events = must(t, w, beat("A"))
	require.Len(t, only[sim.Handled](events), 1)
}

func TestALostMessageIsNoticedAfterTheRequestTimeout(t *testing.T) {
	w := settledExample(t, rules.Kafka())
	events := must(t, w, sim.LoseRequest{Member: "A", Count: 1}, sim.Run{For: 45 * second})
	var sent, failed protocol.Instant
	for _, e := range events {
		switch what := e.What.(type) {
		case sim.Sent:
			if what.Lost {
				sent = e.At
			}
		case sim.Received:
			if what.Failure != "" {
				failed = e.At
			}
		}
	}
	assert.Equal(t, 30*second, failed.Sub(sent))
}

func TestAfterACrashTheSessionTimerRemovesTheMemberAndTheOthersTakeOver(t *testing.T) {
	w := settledExample(t, rules.Kip())
	epoch := w.State().Group.GroupEpoch
	events := must(t, w, sim.Crash{Member: "A"}, sim.Advance{For: 30 * second})
	require.Empty(t, only[sim.Expired](events))
	require.Len(t, w.State().Group.Members, 3)

	w = settledExample(t, rules.Kip())
	events = must(t, w, sim.Crash{Member: "A"}, sim.Run{For: 60 * second})
	require.Len(t, only[sim.Expired](events), 1)
	assert.Equal(t, coordinator.SessionTimer, only[sim.Expired](events)[0].Timer)
	s := w.State()
	assert.Len(t, s.Group.Members, 2)
	assert.Equal(t, epoch+1, s.Group.GroupEpoch)
	assert.Empty(t, s.Unowned, "B and C took over")
	assert.Equal(t, "CRASHED", s.Clients[0].State)
}

// staticMember has the static member A and the dynamic one B.
func staticMember(t *testing.T, r rules.Rules) *sim.World {
	w, err := sim.New(sim.Setup{GroupID: "group", Config: coordinator.DefaultConfig(r),
		Topics:  []protocol.Topic{{Name: "foo", Partitions: 4}},
		Members: []sim.MemberSetup{{Name: "A", Subscribe: []string{"foo"}, InstanceID: "i"}, {Name: "B", Subscribe: []string{"foo"}}}})
	require.NoError(t, err)
	return w
}

func TestARestartedMemberHasANewIdAndAStaticOneKeepsItsPartitions(t *testing.T) {
	w := settledExample(t, rules.Kip())
	must(t, w, sim.Crash{Member: "A"}, sim.Restart{Member: "A"})
	require.Equal(t, "A~2", w.State().Clients[0].ID)
	require.Len(t, w.State().Group.Members, 4, "the old A is still there")
	must(t, w, sim.Run{For: 90 * second})
	requireSettled(t, w)

	w = staticMember(t, rules.Kip())
	must(t, w, join("A"), join("B"), sim.Run{For: 20 * second})
	owned, epoch := w.State().Clients[0].Owned, w.State().Group.GroupEpoch
	must(t, w, sim.Leave{Member: "A"})
	require.Equal(t, "CLOSED", w.State().Clients[0].State)
	must(t, w, sim.Restart{Member: "A"}, sim.Run{For: 5 * second})
	s := w.State()
	assert.Equal(t, owned, s.Clients[0].Owned)
	assert.Equal(t, epoch, s.Group.GroupEpoch, "nobody else noticed")
}

func TestAPausedApplicationLeavesWhenThePollTimerEndsAndRejoins(t *testing.T) {
	w := settledExample(t, rules.Kip())
	must(t, w, sim.Pause{Member: "A", For: 400 * second}, sim.Run{For: 299 * second})
	require.Equal(t, "STABLE", w.State().Clients[0].State, "heartbeats go on")
	require.NotZero(t, w.State().Clients[0].PausedTill)
	must(t, w, sim.Run{For: 2 * second})
	require.Equal(t, "STALE", w.State().Clients[0].State)
	require.Len(t, w.State().Group.Members, 2)
	require.ErrorContains(t, w.Possible(beat("A")), "did not poll in time")
	must(t, w, sim.Run{For: 120 * second})
	requireSettled(t, w)
	require.Len(t, w.State().Group.Members, 3)
	assert.Zero(t, w.State().Clients[0].PausedTill)
}

func TestByHandAPausedApplicationDoesNotRevokeButHeartbeatsUntilThePollTimerEnds(t *testing.T) {
	w := workedExample(t, rules.Kip())
	must(t, w, join("A"), beat("A"), beat("A"), join("B"), beat("B"), beat("A"), sim.Pause{Member: "A", For: 400 * second})
	events := must(t, w, beat("A"))
	require.Nil(t, only[sim.Sent](events)[0].Request.TopicPartitions, "no acknowledgement")
	require.Equal(t, "foo [2]", w.State().Clients[0].Revoking.String())
	must(t, w, sim.Advance{For: 301 * second})
	events = must(t, w, beat("A"))
	assert.Equal(t, protocol.EpochLeaving, only[sim.Sent](events)[0].Request.MemberEpoch, "the next request is the one that leaves")
	assert.Equal(t, "STALE", w.State().Clients[0].State)
}

func TestADisconnectFailsWhatIsInFlightAtOnce(t *testing.T) {
	w := settledExample(t, rules.Kip())
	must(t, w, sim.Delay{Member: "A", By: 10 * second, Count: 1}, sim.Run{For: 8 * second})
	require.Len(t, w.State().Flying, 1)
	events := must(t, w, sim.Disconnect{Member: "A"})
	assert.Equal(t, "disconnect", only[sim.Received](events)[0].Failure)
	assert.Empty(t, w.State().Flying)
	events = must(t, w, sim.Run{For: second})
	assert.True(t, only[sim.Sent](events)[0].Request.Full())
}

func TestADelayKeepsAMessageOnItsWayAndLaterOnesDoNotOvertake(t *testing.T) {
	w := settledExample(t, rules.Kip())
	must(t, w, sim.Delay{Member: "A", By: 3 * second, Count: 1}, beat("A"))
	flying := w.State().Flying
	require.Len(t, flying, 1)
	assert.Equal(t, w.State().At.Add(3*second), flying[0].Arrives)
	events := must(t, w, sim.Advance{For: 3 * second})
	assert.Len(t, only[sim.Received](events), 1)

	must(t, w, sim.Delay{Member: "A", By: 3 * second, Count: 1}, beat("A"))
	events = must(t, w, beat("A"))
	require.Len(t, only[sim.Handled](events), 2, "by hand, what is on its way arrives first")
	require.Len(t, only[sim.Received](events), 2)
}

func TestAFailOverLosesSoftStateOnly(t *testing.T) {
	w := settledExample(t, rules.Kip())
	before := w.State().Group
	must(t, w, sim.Run{For: 3 * second})
	events := must(t, w, sim.FailOver{})
	s := w.State()
	assert.Equal(t, s.Log, only[sim.FailedOver](events)[0].Records)
	for i, m := range s.Group.Members {
		assert.Equal(t, before.Members[i].Assigned, m.Assigned)
		assert.Equal(t, s.At.Add(45*second), m.SessionDeadline, "session timers start anew")
	}
	log := s.Log
	must(t, w, sim.Run{For: 30 * second})
	requireSettled(t, w)
	assert.Equal(t, log, w.State().Log, "nothing had to be written")
}

func TestTopicsGrowGoAndComeBackAsAnotherTopic(t *testing.T) {
	w := settledExample(t, rules.Kip())
	topics := func(n int32) sim.Action {
		return sim.SetTopics{Topics: []protocol.Topic{{Name: "foo", Partitions: n}}}
	}
	must(t, w, topics(6))
	require.Len(t, w.State().Unowned, 3)
	assert.True(t, w.State().Unowned[0].Never)
	must(t, w, sim.Run{For: 30 * second})
	requireSettled(t, w)

	must(t, w, topics(0), sim.Run{For: 30 * second})
	assert.Empty(t, w.State().Topics)
	assert.Empty(t, w.State().Clients[0].Owned)
	must(t, w, topics(3), sim.Run{For: 30 * second})
	requireSettled(t, w)
	assert.Equal(t, protocol.TopicID("foo#2"), w.State().Clients[0].Owned[0].Topic)
}

func TestASlowCallbackKeepsPartitionsUntilItReturns(t *testing.T) {
	w, err := sim.New(sim.Setup{GroupID: "group", Config: coordinator.DefaultConfig(rules.Kip()),
		Topics: []protocol.Topic{{Name: "foo", Partitions: 2}},
		Members: []sim.MemberSetup{{Name: "A", Subscribe: []string{"foo"}, RevokeTime: 20 * second},
			{Name: "B", Subscribe: []string{"foo"}}}})
	require.NoError(t, err)
	must(t, w, join("A"), sim.Run{For: 2 * second}, join("B"), sim.Run{For: 10 * second})
	a := w.State().Clients[0]
	require.Equal(t, "RECONCILING", a.State)
	require.Equal(t, "foo [1]", a.Revoking.String())
	must(t, w, sim.Run{For: 20 * second})
	requireSettled(t, w)
	require.Equal(t, "foo [1]", w.State().Clients[1].Owned.String())
}

func TestByHandACallbackThatRunsIsFinished(t *testing.T) {
	w, err := sim.New(sim.Setup{GroupID: "group", Config: coordinator.DefaultConfig(rules.Kip()),
		Topics:  []protocol.Topic{{Name: "foo", Partitions: 2}},
		Members: []sim.MemberSetup{{Name: "A", Subscribe: []string{"foo"}, AssignTime: 20 * second}}})
	require.NoError(t, err)
	must(t, w, join("A"), sim.Run{For: 2 * second})
	require.Equal(t, "RECONCILING", w.State().Clients[0].State)
	events := must(t, w, beat("A"))
	assert.True(t, only[sim.Called](events)[0].Done)
	assert.Equal(t, "foo [0, 1]", only[sim.Sent](events)[0].Request.TopicPartitions.String())
}

func TestTamperedFieldsReplaceThoseOfTheRequest(t *testing.T) {
	w := workedExample(t, rules.Kafka())
	must(t, w, join("A"), beat("A"), beat("A"))
	events := must(t, w, sim.Heartbeat{Member: "A", With: []sim.Override{
		{Field: "memberEpoch", Value: int32(7)}, {Field: "rackId", Value: "r"}, {Field: "instanceId", Value: nil},
		{Field: "rebalanceTimeoutMs", Value: int32(1000)}, {Field: "subscribedTopicNames", Value: []string{"bar"}},
		{Field: "topicPartitions", Value: protocol.Assignment{}}, {Field: "serverAssignor", Value: "range"},
	}})
	r := only[sim.Handled](events)[0].Request
	assert.Equal(t, int32(7), r.MemberEpoch)
	assert.Equal(t, "r", *r.RackID)
	assert.Nil(t, r.InstanceID)
	assert.Equal(t, int32(1000), r.RebalanceTimeoutMs)
	assert.Equal(t, []string{"bar"}, r.SubscribedTopicNames)
	assert.Equal(t, "nothing", r.TopicPartitions.String())
	assert.Equal(t, "range", *r.ServerAssignor)
	assert.Equal(t, protocol.FencedMemberEpoch, only[sim.Received](events)[0].Response.Error)
	assert.Equal(t, "FENCED", w.State().Clients[0].State, "the client believes the answer")
	events = must(t, w, beat("A"))
	assert.Equal(t, protocol.EpochJoining, only[sim.Sent](events)[0].Request.MemberEpoch, "and rejoins")
}

func TestLeavingAndUnsubscribingByHandIsDoneWithinTheStep(t *testing.T) {
	w := settledExample(t, rules.Kip())
	events := must(t, w, sim.Leave{Member: "A"})
	assert.Equal(t, protocol.EpochLeaving, only[sim.Sent](events)[0].Request.MemberEpoch)
	assert.Equal(t, "CLOSED", w.State().Clients[0].State)
	must(t, w, sim.Subscribe{Member: "B"})
	assert.Equal(t, "UNSUBSCRIBED", w.State().Clients[1].State)
	require.Len(t, w.State().Group.Members, 1)
	must(t, w, sim.Subscribe{Member: "B", Topics: []string{"foo"}}, beat("B"))
	require.Len(t, w.State().Group.Members, 2)
	must(t, w, join("A"), sim.Run{For: 30 * second})
	requireSettled(t, w)
	assert.Equal(t, "A~2", w.State().Clients[0].ID)
}
