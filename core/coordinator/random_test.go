package coordinator_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/core/coordinator"
	"groupscope/core/protocol"
	"groupscope/core/record"
	"groupscope/core/rules"
)

// chaos is a rig whose members do anything, also what a client never would.
type chaos struct {
	*rig
	rand *rand.Rand
}

func newChaos(t *testing.T, r rules.Rules, seed uint64) *chaos {
	c := &chaos{rand: rand.New(rand.NewPCG(seed, 848))}
	c.rig = newRig(t, r, func(cfg *coordinator.Config) {
		cfg.MaxSize = 3 + c.rand.IntN(4)
		if c.rand.IntN(3) == 0 {
			cfg.AssignmentInterval = 1000
		}
	})
	c.shuffleTopics()
	return c
}

func (c *chaos) shuffleTopics() {
	var topics []protocol.Topic
	for _, name := range []string{"foo", "bar", "baz"} {
		if n := c.rand.IntN(6); n > 0 {
			topics = append(topics, topic(name, int32(n)))
		}
		if c.rand.IntN(8) == 0 && len(topics) > 0 {
			last := &topics[len(topics)-1]
			last.ID = protocol.TopicID(last.Name + "#2")
		}
	}
	c.setTopics(topics...)
}

func (c *chaos) someTopics() []string {
	out := []string{}
	for _, name := range []string{"foo", "bar", "baz"} {
		if c.rand.IntN(2) == 0 {
			out = append(out, name)
		}
	}
	return out
}

// members that are there, from the read model.
func (c *chaos) known() []*coordinator.Member {
	group, ok := c.c.Group("g")
	if !ok {
		return nil
	}
	return group.Members
}

// act does one thing.
func (c *chaos) act() {
	known := c.known()
	switch n := c.rand.IntN(20); {
	case n == 0:
		c.advance(protocol.Duration(c.rand.IntN(50_000)))
	case n <= 2:
		c.advance(protocol.Duration(c.rand.IntN(2_000)))
	case n == 3:
		c.shuffleTopics()
	case n == 4:
		loaded, err := coordinator.Load(c.cfg, c.c.Log(), c.topics, c.now)
		require.NoError(c.t, err)
		c.c = loaded
	case n == 5:
		c.resolveAll()
	case n == 6 && c.rand.IntN(3) == 0:
		c.administer()
	case n <= 9 || len(known) == 0:
		c.join()
	default:
		c.heartbeat(known[c.rand.IntN(len(known))])
	}
}

// resolveAll runs what waits.
func (c *chaos) resolveAll() {
	for _, run := range c.c.RunBackground(c.now) {
		c.check(run.Decisions)
	}
}

// administer does what an operator or the broker does to groups.
func (c *chaos) administer() {
	switch c.rand.IntN(3) {
	case 0:
		c.check(c.c.Cleanup(c.now).Decisions)
	case 1:
		c.check(c.c.DeleteGroup(c.now, "g").Decisions)
	default:
		config := map[string]string{}
		if c.rand.IntN(2) == 0 {
			config["consumer.session.timeout.ms"] = "20000"
		}
		require.NoError(c.t, c.c.SetGroupConfig(c.now, "g", config))
	}
	if c.c.TypeOf("g") == coordinator.NoGroup {
		c.epoch = 0
	}
}

func (c *chaos) someRegex() request {
	return regex([]string{"f.*", "ba.", "b.*|foo", "", "nothing"}[c.rand.IntN(5)])
}

func (c *chaos) join() {
	fields := []request{join, subscribes(c.someTopics()...)}
	if c.rand.IntN(3) == 0 {
		fields = append(fields, c.someRegex())
	}
	if c.rand.IntN(3) == 0 {
		fields = append(fields, instance(fmt.Sprintf("i%d", c.rand.IntN(3))))
	}
	if c.rand.IntN(4) == 0 {
		fields = append(fields, votes([]string{"uniform", "range"}[c.rand.IntN(2)]))
	}
	c.send(fmt.Sprintf("m%d", c.rand.IntN(6)), fields...)
}

func (c *chaos) heartbeat(m *coordinator.Member) {
	fields := []request{epoch(m.MemberEpoch)}
	if m.InstanceID != "" {
		fields = append(fields, instance(m.InstanceID))
	}
	switch c.rand.IntN(12) {
	case 0:
		fields = append(fields, epoch(m.MemberEpoch+1))
	case 1, 2:
		fields = append(fields, epoch(m.PreviousMemberEpoch), holds(m.Assigned))
	case 3:
		fields = append(fields, subscribes(c.someTopics()...))
		if c.rand.IntN(2) == 0 {
			fields = append(fields, c.someRegex())
		}
	case 4:
		fields = append(fields, epoch(protocol.EpochLeaving))
	case 5:
		fields = append(fields, epoch(protocol.EpochStaticAbsent))
	case 6:
		fields = append(fields, votes("range"))
	case 7, 8, 9:
		fields = append(fields, holds(m.Assigned))
	}
	c.send(m.ID, fields...)
	if c.rand.IntN(4) == 0 {
		c.commit(m.ID, m.MemberEpoch-int32(c.rand.IntN(2)), int32(c.rand.IntN(3)))
	}
}

// holds says that the member owns what it was granted, and nothing else.
func holds(hs []record.Held) request {
	return func(r *protocol.ConsumerGroupHeartbeatRequest) {
		r.TopicPartitions = protocol.NewAssignment(record.Partitions(hs))
	}
}

func sweep(t *testing.T, seeds uint64, test func(t *testing.T, c *chaos)) {
	t.Helper()
	bothRules(t, func(t *testing.T, r rules.Rules) {
		for seed := range seeds {
			c := newChaos(t, r, seed)
			if test(t, c); t.Failed() {
				t.Fatalf("seed %d", seed)
			}
		}
	})
}

// rig.check runs after each operation.
func TestWhateverMembersDoTheInvariantsHoldAndTheLogReplays(t *testing.T) {
	sweep(t, 20, func(_ *testing.T, c *chaos) {
		for range 120 {
			c.act()
		}
	})
}

func TestAGroupLeftInPeaceBecomesStable(t *testing.T) {
	sweep(t, 15, func(t *testing.T, c *chaos) {
		for range 60 {
			c.act()
		}
		for range 40 {
			c.advance(1000)
			c.resolveAll()
			for _, m := range c.known() {
				if m.MemberEpoch == protocol.EpochStaticAbsent {
					c.send(m.ID, join, instance(m.InstanceID), subscribes(m.SubscribedTopicNames...))
					continue
				}
				fields := []request{epoch(m.MemberEpoch), holds(m.Assigned), votes("uniform")}
				if m.MemberEpoch == protocol.EpochJoining {
					fields = append(fields, join, subscribes(m.SubscribedTopicNames...))
				}
				if m.InstanceID != "" {
					fields = append(fields, instance(m.InstanceID))
				}
				require.Equal(t, protocol.None, c.send(m.ID, fields...).Response.Error)
			}
		}
		if group, ok := c.c.Group("g"); ok && len(group.Members) > 0 {
			assert.Equal(t, coordinator.Stable, group.State)
			for _, m := range group.Members {
				assert.Empty(t, m.Waiting)
				assert.Empty(t, m.Free)
			}
		}
	})
}

func TestACloneSharesNothingThatChanges(t *testing.T) {
	sweep(t, 15, func(t *testing.T, c *chaos) {
		for range 40 {
			c.act()
		}
		original, group := c.c, groupOf(c.c)
		log := len(original.Log())
		reference, err := coordinator.Load(c.cfg, original.Log(), c.topics, c.now)
		require.NoError(t, err)
		deadline, running := original.NextDeadline()

		c.c = original.Clone()
		require.Equal(t, group, groupOf(c.c), "a clone starts as what it is a clone of")
		for range 40 {
			c.act()
		}
		assert.Len(t, original.Log(), log)
		assert.Equal(t, reference.HardState(), original.HardState(), "the original stayed as it was")
		assert.Equal(t, group, groupOf(original))
		at, still := original.NextDeadline()
		assert.Equal(t, running, still)
		assert.Equal(t, deadline, at)
	})
}

// Two clones that do the same come to the same: nothing else decides.
func TestEqualOperationsGiveEqualResults(t *testing.T) {
	sweep(t, 10, func(t *testing.T, c *chaos) {
		twin := newChaos(t, c.cfg.Rules, 0)
		twin.rand = rand.New(rand.NewPCG(7, 7))
		c.rand = rand.New(rand.NewPCG(7, 7))
		twin.c, twin.cfg, twin.topics = c.c.Clone(), c.cfg, c.topics
		for range 60 {
			c.act()
			twin.act()
		}
		assert.Equal(t, c.c.Log(), twin.c.Log())
		assert.Equal(t, groupOf(c.c), groupOf(twin.c))
	})
}

func groupOf(c *coordinator.Coordinator) *coordinator.Group {
	group, _ := c.Group("g")
	return group
}
