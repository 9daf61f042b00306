package sim_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"groupscope/core/client"
	"groupscope/core/coordinator"
	"groupscope/core/protocol"
	"groupscope/core/rules"
	"groupscope/core/sim"
)

// chaos makes random worlds and does random things to them.
type chaos struct {
	*rand.Rand
	setup  sim.Setup
	honest bool        // no request is tampered with
	began  []sim.Event // of the joins at the start
}

func newChaos(seed uint64, r rules.Rules) *chaos {
	c := &chaos{Rand: rand.New(rand.NewPCG(seed, 848))}
	config := coordinator.DefaultConfig(r)
	config.Assignors = pick(c, [][]string{{"uniform", "range"}, {"range", "uniform"}, {"uniform"}})
	c.setup = sim.Setup{Seed: seed, GroupID: "group", Config: config, ResolveTime: pick(c, []protocol.Duration{0, 50, 3_000})}
	for i := range 1 + c.IntN(3) {
		c.setup.Topics = append(c.setup.Topics, protocol.Topic{Name: topicNames[i], Partitions: 1 + c.Int32N(8)})
	}
	for i := range 1 + c.IntN(6) {
		m := sim.MemberSetup{
			Name:             fmt.Sprintf("m%d", i),
			Subscribe:        c.subscription(),
			RebalanceTimeout: pick(c, []protocol.Duration{0, 10 * protocol.Second, 30 * protocol.Second}),
			Latency:          pick(c, []*sim.Range{nil, {Min: 0, Max: 0}, {Min: 1, Max: 300}, {Min: 2000, Max: 4000}}),
			RevokeTime:       pick(c, []protocol.Duration{0, 0, 500, 15_000}),
			AssignTime:       pick(c, []protocol.Duration{0, 0, 500, 7_000}),
			LostTime:         pick(c, []protocol.Duration{0, 0, 500, 7_000}),
			Poll:             pick(c, []protocol.Duration{0, 0, 0, 300, 2_000}),
			AutoCommit:       c.IntN(4) == 0,
		}
		if c.IntN(5) == 0 {
			m.Subscribe, m.Regex = nil, pick(c, []string{"ba.", "foo|none", ".*"})
		}
		if c.IntN(3) == 0 {
			m.InstanceID = fmt.Sprintf("i%d", c.IntN(4)) // two members may share one
		}
		if c.IntN(4) == 0 {
			m.Assignor = pick(c, config.Assignors)
		}
		c.setup.Members = append(c.setup.Members, m)
	}
	return c
}

var topicNames = []string{"foo", "bar", "baz", "none"}

func pick[T any](c *chaos, from []T) T { return from[c.IntN(len(from))] }

func (c *chaos) subscription() []string {
	out := []string{pick(c, topicNames)}
	if c.IntN(2) == 0 {
		out = append(out, pick(c, topicNames))
	}
	return out
}

// world is a world in which most members have joined, by hand or not.
func (c *chaos) world(t testing.TB) *sim.World {
	w, err := sim.New(c.setup)
	require.NoError(t, err)
	for _, m := range c.setup.Members {
		if c.IntN(5) > 0 {
			c.began = append(c.began, must(t, w, sim.Join{Member: m.Name})...)
		}
		if c.IntN(3) == 0 {
			c.began = append(c.began, must(t, w, sim.Run{For: protocol.Duration(c.Int64N(8000))})...)
		}
	}
	return w
}

// must carries an action out to its end.
func must(t testing.TB, w *sim.World, actions ...sim.Action) []sim.Event {
	t.Helper()
	var out []sim.Event
	for _, a := range actions {
		events, err := w.Do(a)
		require.NoError(t, err)
		out = append(append(out, events...), w.Settle()...)
	}
	return out
}

func (c *chaos) member() string { return pick(c, c.setup.Members).Name }

// action is a random action; the world may refuse it.
func (c *chaos) action() sim.Action {
	m := c.member()
	seconds := protocol.Duration(c.Int64N(20_000))
	switch c.IntN(34) {
	case 0, 1:
		return sim.Join{Member: m}
	case 2, 3, 4:
		return sim.Heartbeat{Member: m, With: c.overrides()}
	case 5:
		return sim.Leave{Member: m, Option: sim.LeaveOption(c.IntN(3))}
	case 6:
		return sim.Crash{Member: m}
	case 7:
		return sim.Restart{Member: m}
	case 8:
		return sim.Pause{Member: m, For: 3*seconds + 1}
	case 9:
		return sim.Subscribe{Member: m, Topics: pick(c, [][]string{c.subscription(), c.subscription(), nil}),
			Regex: pick(c, []string{"", "", "", "ba."})}
	case 10:
		return sim.LoseRequest{Member: m, Count: 1 + c.IntN(2)}
	case 11:
		return sim.LoseResponse{Member: m, Count: 1 + c.IntN(2)}
	case 12:
		return sim.Delay{Member: m, By: 2 * seconds, Response: c.IntN(2) == 0, Count: 1}
	case 13:
		return sim.Disconnect{Member: m}
	case 14:
		return sim.FailOver{}
	case 15:
		return sim.SetTopics{Topics: []protocol.Topic{{Name: pick(c, topicNames), Partitions: c.Int32N(10)}},
			Delay: pick(c, []protocol.Duration{0, 0, 3_000, 12_000})}
	case 16:
		return sim.Advance{For: 2 * seconds}
	case 17:
		return sim.Duplicate{Member: m, Count: 1 + c.IntN(2), After: pick(c, []protocol.Duration{0, 1, 6_000})}
	case 18:
		return sim.Partition{Member: m, For: seconds + 1}
	case 19:
		return sim.FailCallback{Member: m, Callback: client.CallbackKind(c.IntN(3)), Count: 1 + c.IntN(2)}
	case 20:
		return sim.BrokerError{Error: pick(c, brokerErrors), For: seconds/100 + 1, Lookup: c.IntN(3) == 0}
	case 22:
		return pick(c, []sim.Action{sim.DeleteGroup{}, sim.Cleanup{}, sim.Describe{}, sim.ResolveRegexes{}})
	case 23:
		return sim.CommitOffsets{Member: m, Offset: 7, With: pick(c, [][]sim.Override{nil, nil, {{Field: "memberEpoch", Value: c.Int32N(9)}}})}
	case 24:
		return sim.SetGroupConfig{Settings: pick(c, [][]sim.GroupSetting{nil, {{Name: "consumer.heartbeat.interval.ms", Value: "3000"}},
			{{Name: "consumer.assignment.interval.ms", Value: "2000"}, {Name: "consumer.session.timeout.ms", Value: "50000"}}})}
	case 21:
		return sim.ChangeMember{Member: m, To: sim.MemberChange{RevokeTime: &seconds, Latency: &sim.Range{Min: 1, Max: 50}}}
	}
	return sim.Run{For: seconds}
}

var brokerErrors = []protocol.ErrorCode{
	protocol.CoordinatorLoadInProgress, protocol.NotCoordinator, protocol.CoordinatorNotAvailable,
	protocol.FencedMemberEpoch, protocol.UnknownMemberID, protocol.TopicAuthorizationFailed, protocol.UnknownServerError,
}

// overrides are, now and then, a request that no client would send.
func (c *chaos) overrides() []sim.Override {
	if c.honest {
		return nil
	}
	switch c.IntN(12) {
	case 0:
		return []sim.Override{{Field: "memberEpoch", Value: c.Int32N(12) - 2}}
	case 1:
		return []sim.Override{{Field: "topicPartitions", Value: protocol.NewAssignment([]protocol.Partition{{Topic: "foo", Number: c.Int32N(4)}})}}
	case 2:
		return []sim.Override{{Field: "memberEpoch", Value: int32(0)}, {Field: "topicPartitions", Value: protocol.Assignment{}}}
	case 3:
		return []sim.Override{{Field: "memberId", Value: c.member()}}
	}
	return nil
}

// heal ends all faults: whoever is not running is started, whoever left or
// failed is started anew, and armed faults are used up while time passes.
func heal(t testing.TB, w *sim.World) {
	for _, client := range w.State().Clients {
		actions := []sim.Action{sim.Join{Member: client.Member}, sim.Restart{Member: client.Member}}
		if len(client.Subscribed) == 0 {
			actions = append(actions, sim.Subscribe{Member: client.Member, Topics: []string{"foo"}})
		}
		for _, a := range actions {
			if w.Possible(a) == nil {
				must(t, w, a)
				break
			}
		}
	}
}
