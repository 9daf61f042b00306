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

// counting is a topology whose tasks have state: one for each partition of foo.
var counting = topologies[1]

// streamsWorld is a world of A and B, each a process of its own, whose tasks
// count what is in foo. No target is delayed.
func streamsWorld(t testing.TB, r rules.Rules, change func(*sim.Setup)) *sim.World {
	config := coordinator.DefaultConfig(r)
	config.Streams.AssignmentInterval, config.Streams.InitialRebalanceDelay = 0, 0
	s := sim.Setup{
		Seed: 1071, GroupID: "app", Config: config, Topology: counting,
		Topics:  []protocol.Topic{{Name: "foo", Partitions: 2}, {Name: "counts", Partitions: 2}},
		Members: []sim.MemberSetup{{Name: "A"}, {Name: "B"}},
	}
	if change != nil {
		change(&s)
	}
	w, err := sim.New(s)
	require.NoError(t, err)
	return w
}

func clientOf(w *sim.World, member int) *sim.ClientState { return w.State().Clients[member] }

func TestByHandAStreamsMemberJoinsTakesItsTasksAndAcknowledgesThem(t *testing.T) {
	w := streamsWorld(t, rules.Kafka(), nil)
	events := must(t, w, join("A"))
	handled := only[sim.Handled](events)[0]
	assert.Equal(t, "0 [0, 1]", handled.Streams.Response.Tasks.Active.String())
	assert.Equal(t, "0 [0, 1]", handled.Response.Assignment.String(), "what both kinds of heartbeats have in common says so, too")
	assert.Equal(t, "0 [0, 1]", clientOf(w, 0).Adding.String())
	assert.Empty(t, clientOf(w, 0).Owned)

	events = must(t, w, beat("A"))
	called := only[sim.Called](events)
	require.Equal(t, "onTasksAssigned", called[0].What)
	assert.True(t, only[sim.Sent](events)[0].Streams.Owned.Present(), "by all three lists")
	assert.Equal(t, "0 [0, 1]", clientOf(w, 0).Owned.String())
	assert.Equal(t, "A", clientOf(w, 0).Streams.Process, "a process of its own")
	assert.Empty(t, w.State().Unowned)
	assert.Equal(t, coordinator.Stable, w.State().Group.State)
}

func TestAWorldWithATopologyIsAStreamsGroup(t *testing.T) {
	w := streamsWorld(t, rules.Kip(), nil)
	assert.True(t, w.State().Streams(), "before anybody joined")
	assert.Equal(t, 45*second, w.State().SessionTimeout)
	assert.Empty(t, w.State().Unowned, "nothing is known of its tasks yet")
	assert.Error(t, w.Possible(sim.Subscribe{Member: "A", Topics: []string{"foo"}}))
	must(t, w, join("A"))
	assert.Error(t, w.Possible(sim.Subscribe{Member: "A", Topics: []string{"foo"}}))
	assert.ErrorContains(t, w.Possible(sim.Heartbeat{Member: "A", With: []sim.Override{{Field: "topicPartitions"}}}), "no field topicPartitions")
	require.NoError(t, w.Possible(sim.Heartbeat{Member: "A", With: []sim.Override{{Field: "activeTasks"}}}))

	c := workedExample(t, rules.Kip())
	must(t, c, join("A"))
	assert.Error(t, c.Possible(sim.ShutDown{Member: "A"}))
}

func TestMissingInternalTopicsAreCreatedAtOnceByHandAndSoonInARun(t *testing.T) {
	lacking := func(s *sim.Setup) { s.Topics = s.Topics[:1] }
	w := streamsWorld(t, rules.Kafka(), lacking)
	events := must(t, w, join("A"))
	created := only[sim.TopicsChanged](events)
	require.Len(t, created, 1)
	assert.Equal(t, []string{"counts"}, created[0].Internal)
	assert.Equal(t, coordinator.NotReady, w.State().Group.State, "A's heartbeat came before")

	w = streamsWorld(t, rules.Kafka(), func(s *sim.Setup) {
		lacking(s)
		s.InternalTopics.Refused = true
	})
	must(t, w, join("A"), sim.Run{For: 60 * second})
	assert.Len(t, w.State().Topics, 1)
	assert.Equal(t, protocol.MissingInternalTopics, clientOf(w, 0).Streams.Status[0].Code)
	must(t, w, sim.InternalTopics{})
	events = must(t, w, sim.Run{For: 6 * second})
	var asked, came protocol.Instant
	for _, e := range events {
		switch what := e.What.(type) {
		case sim.Handled:
			if asked == 0 {
				asked = e.At
			}
		case sim.TopicsChanged:
			came = e.At
			assert.Equal(t, []string{"counts"}, what.Internal)
		}
	}
	assert.Equal(t, sim.DefaultCreation, came.Sub(asked))
}

func TestATimeThatCreationTakesCountsByHandToo(t *testing.T) {
	after := 10 * second
	w := streamsWorld(t, rules.Kafka(), func(s *sim.Setup) {
		s.Topics, s.InternalTopics.After = s.Topics[:1], &after
	})
	must(t, w, join("A"), beat("A"), beat("A"))
	assert.Len(t, w.State().Topics, 1)
	must(t, w, sim.Advance{For: 9999})
	assert.Len(t, w.State().Topics, 1)
	events := must(t, w, sim.Advance{For: 1})
	assert.Len(t, only[sim.TopicsChanged](events), 1, "once, though every answer asked for it")
	must(t, w, beat("A"))
	assert.Equal(t, "0 [0, 1]", clientOf(w, 0).Adding.String())
}

func TestATopicThatSomebodyElseCreatedMeanwhileStays(t *testing.T) {
	after := 10 * second
	w := streamsWorld(t, rules.Kafka(), func(s *sim.Setup) {
		s.Topics, s.InternalTopics.After = s.Topics[:1], &after
	})
	must(t, w, join("A"), sim.SetTopics{Topics: []protocol.Topic{{Name: "counts", Partitions: 2}}})
	events := must(t, w, sim.Run{For: 30 * second})
	assert.Empty(t, only[sim.TopicsChanged](events))
}

func TestShuttingDownEndsEveryThread(t *testing.T) {
	w := streamsWorld(t, rules.Kafka(), nil)
	must(t, w, join("A"), join("B"), sim.Run{For: 20 * second})
	events := must(t, w, sim.ShutDown{Member: "A"}, sim.Run{For: 20 * second})
	assert.Equal(t, []sim.ThreadEnded{{"A", protocol.ShutdownApplication}, {"B", protocol.ShutdownApplication}}, only[sim.ThreadEnded](events))
	assert.Equal(t, "CLOSED", clientOf(w, 0).State)
	assert.Empty(t, clientOf(w, 1).Owned)
	assert.Equal(t, coordinator.Empty, w.State().Group.State)
}

func TestAWarmUpIsRestoredAndTakesOver(t *testing.T) {
	w := streamsWorld(t, rules.Kip(), func(s *sim.Setup) {
		s.Config.Streams.AcceptableRecoveryLag = 100
		for i := range s.Members {
			s.Members[i].Streams.Restore = &client.Restore{Rate: 100, End: 2000}
		}
	})
	must(t, w, join("A"), sim.Run{For: 20 * second}, join("B"), sim.Run{For: 10 * second})
	b := clientOf(w, 1)
	require.Equal(t, "0 [1]", b.Streams.Warmup.String())
	require.Equal(t, "0 [0, 1]", clientOf(w, 0).Owned.String(), "which A goes on running meanwhile")
	require.Len(t, b.Streams.Progress, 1)
	early := b.Streams.Progress[0]
	assert.Equal(t, int64(2000), early.End)
	assert.Positive(t, early.Offset)
	must(t, w, sim.Advance{For: second})
	assert.Equal(t, early.Offset+100, clientOf(w, 1).Streams.Progress[0].Offset, "the picture moves with the clock")
	must(t, w, sim.Run{For: 30 * second})
	assert.Equal(t, "0 [1]", clientOf(w, 1).Owned.String())
	assert.Equal(t, "0 [0]", clientOf(w, 0).Owned.String())
	assert.Empty(t, w.State().Violations)
}

func TestWhileTwoSubtopologiesAreBeingJoinedAnInputMayBeReadTwice(t *testing.T) {
	joined := &protocol.Topology{Epoch: 1, Subtopologies: []protocol.Subtopology{{ID: "0", SourceTopics: []string{"left", "right"}}}}
	w := streamsWorld(t, rules.Kip(), func(s *sim.Setup) {
		s.Topics = []protocol.Topic{{Name: "left", Partitions: 1}, {Name: "right", Partitions: 1}}
		s.Topology = &protocol.Topology{Subtopologies: []protocol.Subtopology{
			{ID: "0", SourceTopics: []string{"left"}}, {ID: "1", SourceTopics: []string{"right"}},
		}}
	})
	upgrade := func(m string) []sim.Action {
		return []sim.Action{
			sim.ChangeMember{Member: m, To: sim.MemberChange{Streams: sim.StreamsChange{Topology: joined}}},
			sim.Leave{Member: m}, sim.Restart{Member: m}, sim.Run{For: 10 * second},
		}
	}
	must(t, w, join("A"), join("B"), sim.Run{For: 10 * second})
	require.Empty(t, w.State().Violations)
	must(t, w, upgrade("A")...)
	violations := w.State().Violations
	require.Len(t, violations, 1)
	assert.Equal(t, "one input", violations[0].Invariant)
	assert.Equal(t, "right-0 is read by two active tasks: 0_0 of A and 1_0 of B.", violations[0].Text)
	assert.Equal(t, protocol.StaleTopology, clientOf(w, 1).Streams.Status[0].Code)
	must(t, w, upgrade("B")...)
	assert.Empty(t, w.State().Violations)
	assert.Equal(t, int32(1), clientOf(w, 1).Streams.TopologyEpoch)
}

func TestAClientSaysWhatItOpensInWhichRole(t *testing.T) {
	w := streamsWorld(t, rules.Kip(), func(s *sim.Setup) {
		for i := range s.Members {
			s.Members[i].Streams.Restore = &client.Restore{Rate: 1000, End: 20000}
		}
	})
	must(t, w, join("A"))
	assert.Equal(t, "0 [0, 1]", clientOf(w, 0).Adding.String())
	must(t, w, sim.Run{For: 5 * second})
	assert.Empty(t, clientOf(w, 0).Adding)
	assert.Equal(t, "0 [0, 1]", clientOf(w, 0).Restoring().String(), "it has opened them, but not caught up")
	must(t, w, sim.Run{For: 25 * second})
	assert.Empty(t, clientOf(w, 0).Restoring())
	must(t, w, join("B"))
	assert.Equal(t, "0 [1]", clientOf(w, 1).Streams.AddingWarmup.String())
	must(t, w, sim.Run{For: 3 * second})
	assert.Empty(t, clientOf(w, 1).Streams.AddingWarmup)
	assert.Equal(t, "0 [1]", clientOf(w, 1).Streams.Warmup.String())
	assert.Empty(t, clientOf(w, 1).Restoring(), "a warm-up is no active task")
}

func TestTheTasksOfAValidTopologyAreKnownBeforeTheyAreConfiguredInMemory(t *testing.T) {
	w := streamsWorld(t, rules.Kafka(), func(s *sim.Setup) { s.Config.Streams.InitialRebalanceDelay = 3 * second })
	must(t, w, join("A"))
	require.Nil(t, w.State().Group.Streams.Configured)
	assert.Equal(t, []coordinator.SubtopologyTasks{{Subtopology: "0", Tasks: 2, Stateful: true}}, w.State().Tasks)
	assert.Len(t, w.State().Unowned, 2, "nobody has them yet")
}
