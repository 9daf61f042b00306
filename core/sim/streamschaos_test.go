package sim_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/core/client"
	"groupscope/core/coordinator"
	"groupscope/core/protocol"
	"groupscope/core/record"
	"groupscope/core/rules"
	"groupscope/core/sim"
)

// The topologies of random streams worlds: without state, with it, and in two
// parts that a repartition topic joins.
var topologies = []*protocol.Topology{
	{Subtopologies: []protocol.Subtopology{{ID: "0", SourceTopics: []string{"foo"}}}},
	{Subtopologies: []protocol.Subtopology{{ID: "0", SourceTopics: []string{"foo"}, StateChangelogTopics: []protocol.TopicInfo{{Name: "counts"}}}}},
	{Subtopologies: []protocol.Subtopology{
		{ID: "0", SourceTopics: []string{"bar", "foo"}, RepartitionSinkTopics: []string{"by-user"},
			CopartitionGroups: []protocol.CopartitionGroup{{SourceTopics: []int16{0, 1}}}},
		{ID: "1", RepartitionSourceTopics: []protocol.TopicInfo{{Name: "by-user"}}, StateChangelogTopics: []protocol.TopicInfo{{Name: "counts"}}},
	}},
}

// newStreamsChaos is a random world with a streams group.
func newStreamsChaos(seed uint64, r rules.Rules) *chaos {
	c := &chaos{Rand: rand.New(rand.NewPCG(seed, 1071))}
	config := coordinator.DefaultConfig(r)
	config.Streams.InitialRebalanceDelay = pick(c, []protocol.Duration{0, 3 * second})
	config.Streams.StandbyReplicas = c.IntN(3)
	config.Streams.WarmupReplicas = c.IntN(3)
	config.Streams.AcceptableRecoveryLag = 100
	config.Streams.TaskOffsetInterval = 15 * second
	c.setup = sim.Setup{Seed: seed, GroupID: "group", Config: config, Topology: pick(c, topologies)}
	partitions := 1 + c.Int32N(6)
	for _, name := range []string{"foo", "bar"} {
		c.setup.Topics = append(c.setup.Topics, protocol.Topic{Name: name, Partitions: partitions})
	}
	for i := range 1 + c.IntN(5) {
		m := sim.MemberSetup{
			Name:             fmt.Sprintf("m%d", i),
			RebalanceTimeout: pick(c, []protocol.Duration{0, 10 * second, 30 * second}),
			Latency:          pick(c, []*sim.Range{nil, {Min: 0, Max: 0}, {Min: 1, Max: 300}, {Min: 2000, Max: 4000}}),
			RevokeTime:       pick(c, []protocol.Duration{0, 0, 500, 15_000}),
			AssignTime:       pick(c, []protocol.Duration{0, 0, 500, 7_000}),
			LostTime:         pick(c, []protocol.Duration{0, 0, 500}),
			Poll:             pick(c, []protocol.Duration{0, 0, 0, 300}),
		}
		if c.IntN(3) == 0 {
			m.InstanceID = fmt.Sprintf("i%d", i)
		}
		m.Streams.Process = fmt.Sprintf("p%d", c.IntN(3))
		m.Streams.IgnoresStatus = true
		if c.IntN(3) == 0 {
			m.Streams.Endpoint = &protocol.Endpoint{Host: "h", Port: uint16(9000 + i)}
		}
		if c.IntN(2) == 0 {
			m.Streams.Restore = &client.Restore{Rate: 10 + c.Int64N(200), End: 2000}
		}
		c.setup.Members = append(c.setup.Members, m)
	}
	return c
}

// streamsAction is a random action of a streams world.
func (c *chaos) streamsAction() sim.Action {
	m := c.member()
	switch c.IntN(26) {
	case 0:
		return sim.ShutDown{Member: m}
	case 1:
		return sim.ReportOffsets{Member: m, Tasks: []client.TaskProgress{{Task: protocol.Partition{Topic: "1"}, Offset: c.Int64N(100), End: 100}}}
	case 2:
		after := protocol.Duration(c.Int64N(20_000))
		return sim.InternalTopics{Creation: sim.Creation{Refused: c.IntN(2) == 0, After: pick(c, []*protocol.Duration{nil, &after})}}
	case 3:
		return sim.SetTopics{Topics: []protocol.Topic{{Name: pick(c, []string{"foo", "bar", "counts", "by-user"}), Partitions: c.Int32N(8)}}}
	case 4:
		topology := *c.setup.Topology
		topology.Epoch = c.Int32N(3)
		return sim.ChangeMember{Member: m, To: sim.MemberChange{Streams: sim.StreamsChange{Topology: &topology}}}
	}
	for {
		switch a := c.action().(type) {
		case sim.Subscribe, sim.SetTopics:
		case sim.Heartbeat:
			if a.With != nil {
				a.With = pick(c, [][]sim.Override{
					{{Field: "memberEpoch", Value: c.Int32N(12) - 2}}, {{Field: "activeTasks", Value: nil}},
					{{Field: "memberId", Value: c.member()}}, {{Field: "shutdownApplication", Value: true}},
				})
			}
			return a
		default:
			return a
		}
	}
}

// everyStreamsWorld runs a claim on many random streams worlds, half of them
// under each rule set.
func everyStreamsWorld(t *testing.T, number int, claim func(t *testing.T, c *chaos)) {
	for _, r := range rules.All() {
		t.Run(r.Name, func(t *testing.T) {
			for seed := range worlds(number) / 2 {
				claim(t, newStreamsChaos(uint64(seed), r))
				if t.Failed() {
					t.Fatalf("in the world of seed %d", seed)
				}
			}
		})
	}
}

func TestNoActiveTaskHasTwoOwnersEpochsNeverFallAndTheLogReplaysInManyStreamsWorlds(t *testing.T) {
	records := 0
	everyStreamsWorld(t, 300, func(t *testing.T, c *chaos) {
		w := c.world(t)
		excuse := newExcuse()
		require.Empty(t, excuse.follow(c.began))
		for range 40 {
			a := c.streamsAction()
			events, err := w.Do(a)
			if err != nil {
				var refused *sim.Refused
				require.ErrorAs(t, err, &refused)
				continue
			}
			require.Empty(t, excuse.follow(append(events, w.Settle()...)), "by %s", describe(a))
			for _, v := range w.Check() {
				require.True(t, excuse.excuses(v), "%+v after %s", v, describe(a))
			}
		}
		records += w.State().Log
	})
	require.Greater(t, records, worlds(10_000), "the worlds are lively")
}

func TestASlowAssignmentOfAStreamsClientIsGivenAwayWhileItIsBeingTakenUp(t *testing.T) {
	config := coordinator.DefaultConfig(rules.Kafka())
	config.Streams.InitialRebalanceDelay, config.Streams.AssignmentInterval = 0, 0
	w, err := sim.New(sim.Setup{
		GroupID: "group", Config: config, Topology: topologies[0], Topics: []protocol.Topic{{Name: "foo", Partitions: 2}},
		Members: []sim.MemberSetup{{Name: "A", AssignTime: 12 * second, RevokeTime: 3 * second}, {Name: "B"}},
	})
	require.NoError(t, err)
	must(t, w, join("A"), sim.Run{For: second}, join("B"))
	events := must(t, w, sim.Run{For: 5 * second})
	a := only[sim.Sent](events)[1]
	require.Equal(t, "A", a.Member)
	require.Equal(t, "nothing", a.Streams.Owned.Active.String(), "A has not taken its tasks up yet, and says so")
	require.Len(t, w.State().Group.Members[0].Assigned, 1, "so one of them is B's at once")
	events = must(t, w, sim.Run{For: 10 * second})
	violated := only[sim.Violated](events)
	require.Len(t, violated, 1)
	assert.Equal(t, "one reader", violated[0].Violation.Invariant)
}

func TestACloneOfAStreamsWorldGoesOnExactlyAsTheOriginalAndSharesNothing(t *testing.T) {
	everyStreamsWorld(t, 100, func(t *testing.T, c *chaos) {
		w := c.world(t)
		for range 10 {
			if _, err := w.Do(c.streamsAction()); err == nil {
				w.Settle()
			}
		}
		_, err := w.Do(sim.Run{For: 10 * second})
		require.NoError(t, err)
		for range c.IntN(20) { // cut in the middle of a run
			w.Step()
		}
		before, clone := picture(t, w), w.Clone()
		var actions []sim.Action
		for range 15 {
			actions = append(actions, c.streamsAction())
		}
		live := func(w *sim.World) (out []sim.Event) {
			out = w.Settle()
			for _, a := range actions {
				events, err := w.Do(a)
				out = append(append(out, events...), w.Settle()...)
				require.True(t, err == nil || len(events) == 0)
			}
			return out
		}
		happened := live(clone)
		require.Equal(t, before, picture(t, w), "the original stands still")
		require.Equal(t, happened, live(w))
		require.Equal(t, picture(t, clone), picture(t, w))
	})
}

func TestAfterAllFaultsHealEveryTaskOfAStreamsGroupIsRun(t *testing.T) {
	everyStreamsWorld(t, 200, func(t *testing.T, c *chaos) {
		for i := range c.setup.Members {
			m := &c.setup.Members[i]
			m.RebalanceTimeout = 30 * second
			m.RevokeTime = min(m.RevokeTime, 500)
		}
		c.honest = true
		w := c.world(t)
		for range 25 {
			a := c.streamsAction()
			switch a.(type) {
			case sim.SetTopics, sim.ChangeMember, sim.ShutDown, sim.FailCallback, sim.InternalTopics:
				continue // they do not heal
			}
			if _, err := w.Do(a); err == nil {
				w.Settle()
			}
		}
		healStreams(t, w)
		must(t, w, sim.Run{For: useUp})
		healStreams(t, w)
		must(t, w, sim.Run{For: patience})
		requireTasksRun(t, w)
	})
}

// healStreams starts everybody anew who does not run, and those whom a lost
// answer may have left without tasks: a streams group does not repeat it.
func healStreams(t *testing.T, w *sim.World) {
	for _, c := range w.State().Clients {
		for _, a := range []sim.Action{sim.Leave{Member: c.Member}, sim.Crash{Member: c.Member}} {
			if w.Possible(a) == nil {
				must(t, w, a)
			}
		}
	}
	must(t, w, sim.Run{For: 2 * 60 * second})
	for _, c := range w.State().Clients {
		for _, a := range []sim.Action{sim.Join{Member: c.Member}, sim.Restart{Member: c.Member}} {
			if w.Possible(a) == nil {
				must(t, w, a)
				break
			}
		}
	}
}

// requireTasksRun holds the coordinator's books and the clients' own against
// each other, and both against the topology.
func requireTasksRun(t *testing.T, w *sim.World) {
	t.Helper()
	s := w.State()
	require.NotNil(t, s.Group)
	require.Equal(t, coordinator.Stable, s.Group.State)
	require.Empty(t, s.Violations)
	require.Empty(t, s.Unowned)
	all := 0
	for _, n := range s.Group.Streams.Tasks {
		all += int(n.Tasks)
	}
	runs := map[protocol.Partition]string{}
	for _, m := range s.Group.Members {
		require.Equal(t, record.Stable, m.State)
		for _, h := range m.Assigned {
			require.Empty(t, runs[h.Partition], "%s is run twice", h.Partition)
			runs[h.Partition] = m.ID
		}
	}
	require.Len(t, runs, all)
	for _, c := range s.Clients {
		require.Equal(t, "STABLE", c.State, c.Member)
		for _, p := range c.Owned.Partitions() {
			assert.Equal(t, c.ID, runs[p], "%s runs %s", c.Member, p)
			delete(runs, p)
		}
	}
	assert.Empty(t, runs, "every task is run by its owner")
}
