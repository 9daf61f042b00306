package coordinator_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/core/coordinator"
	"groupscope/core/protocol"
	"groupscope/core/rules"
)

// streamsChaos is a streams rig whose members do anything, also what a client
// never would. Each member stays in its process.
type streamsChaos struct {
	*streamsRig
	rand *rand.Rand
	more int32          // partitions of the topic more
	gen  map[string]int // how often a topic was created
}

func newStreamsChaos(t *testing.T, r rules.Rules, seed uint64) *streamsChaos {
	c := &streamsChaos{rand: rand.New(rand.NewPCG(seed, 1071)), more: 2, gen: map[string]int{}}
	c.streamsRig = newStreamsRig(t, r, func(cfg *coordinator.Config) {
		cfg.Streams.MaxSize = 4 + c.rand.IntN(4)
		cfg.Streams.StandbyReplicas = c.rand.IntN(3)
		cfg.Streams.WarmupReplicas = c.rand.IntN(3)
		if c.rand.IntN(3) == 0 {
			cfg.Streams.AssignmentInterval = 1000
		}
		if c.rand.IntN(3) == 0 {
			cfg.Streams.InitialRebalanceDelay = 3000
		}
	})
	c.topology = c.topologyAt(0)
	c.allTopics()
	return c
}

// topologyAt is the application's topology of an epoch: a stateless and a
// stateful subtopology, and from epoch 1 on a third.
func (c *streamsChaos) topologyAt(epoch int32) *protocol.Topology {
	subtopologies := []protocol.Subtopology{
		{ID: "0", SourceTopics: []string{"in"}, RepartitionSinkTopics: []string{"r"}},
		{
			ID: "1", SourceTopics: []string{"more"}, RepartitionSourceTopics: []protocol.TopicInfo{{Name: "r"}},
			StateChangelogTopics: []protocol.TopicInfo{{Name: "log"}},
		},
	}
	if epoch > 0 {
		subtopologies = append(subtopologies, protocol.Subtopology{ID: "2", SourceTopics: []string{"in", "more"}})
	}
	return topologyOf(epoch, subtopologies...)
}

func (c *streamsChaos) allTopics() {
	c.have(map[string]int32{"in": 3, "more": c.more, "r": 3, "log": 3})
}

func (c *streamsChaos) someTopics() {
	c.more = max(c.more, int32(2+c.rand.IntN(2)))
	all := map[string]int32{"in": 3, "more": c.more, "r": 3, "log": 3}
	if gone := c.rand.IntN(8); gone < 4 {
		delete(all, []string{"in", "more", "r", "log"}[gone])
	}
	c.have(all)
}

// have changes the cluster's topics. One that comes back is another topic.
func (c *streamsChaos) have(partitions map[string]int32) {
	there := map[string]protocol.Topic{}
	for _, topic := range c.topics {
		there[topic.Name] = topic
	}
	var topics []protocol.Topic
	for _, name := range slices.Sorted(maps.Keys(partitions)) {
		topic, ok := there[name]
		if !ok {
			c.gen[name]++
			topic = protocol.Topic{ID: protocol.TopicID(fmt.Sprintf("%s#%d", name, c.gen[name])), Name: name}
		}
		topic.Partitions = partitions[name]
		topics = append(topics, topic)
	}
	c.setTopics(topics...)
}

func (c *streamsChaos) known() []*coordinator.Member {
	group, ok := c.c.Group("g")
	if !ok {
		return nil
	}
	return group.Members
}

// act does one thing.
func (c *streamsChaos) act() {
	known := c.known()
	switch n := c.rand.IntN(24); {
	case n == 0:
		c.advance(protocol.Duration(c.rand.IntN(50_000)))
	case n <= 2:
		c.advance(protocol.Duration(c.rand.IntN(2_000)))
	case n == 3:
		c.someTopics()
	case n == 4 && c.rand.IntN(3) == 0:
		loaded, err := coordinator.Load(c.cfg, c.c.Log(), c.topics, c.now)
		require.NoError(c.t, err)
		c.c = loaded
	case n == 5:
		c.topology = c.topologyAt(int32(c.rand.IntN(3)))
	case n == 6:
		_ = c.c.SetGroupConfig(c.now, "g", map[string]string{"streams.num.standby.replicas": fmt.Sprint(c.rand.IntN(3))})
	case n <= 10 || len(known) == 0:
		c.joinSomebody()
	default:
		c.heartbeat(known[c.rand.IntN(len(known))])
	}
}

func (c *streamsChaos) joinSomebody() {
	n := c.rand.IntN(7)
	fields := []streamsRequest{inProcess(fmt.Sprintf("p%d", n/2))}
	if c.rand.IntN(3) == 0 {
		fields = append(fields, ofInstance(fmt.Sprintf("i%d", n/2)))
	}
	if c.rand.IntN(3) == 0 {
		fields = append(fields, withEndpoint(fmt.Sprintf("h%d", n)))
	}
	c.join(fmt.Sprintf("m%d", n), fields...)
}

func (c *streamsChaos) heartbeat(m *coordinator.Member) {
	var fields []streamsRequest
	switch c.rand.IntN(12) {
	case 0:
		fields = append(fields, at(m.MemberEpoch+1))
	case 1, 2:
		fields = append(fields, at(m.PreviousMemberEpoch))
	case 3:
		fields = append(fields, at(protocol.EpochLeaving))
	case 4:
		fields = append(fields, at(protocol.EpochStaticAbsent))
	case 5, 6:
		fields = append(fields, c.progress(m, c.rand.Int64N(20_000)))
	case 7:
		fields = append(fields, func(r *protocol.StreamsGroupHeartbeatRequest) { r.Owned = protocol.Tasks{} })
	case 8:
		fields = append(fields, knows(int32(c.rand.IntN(5))))
	case 9:
		other := fmt.Sprintf("i%d", c.rand.IntN(4))
		fields = append(fields, ofInstance(other))
	}
	c.next(m.ID, fields...)
}

// progress reports that the member is so far behind with what it warms up and
// what it has a standby of.
func (c *streamsChaos) progress(m *coordinator.Member, lag int64) streamsRequest {
	return func(r *protocol.StreamsGroupHeartbeatRequest) {
		r.TaskOffsets, r.TaskEndOffsets = []protocol.TaskOffset{}, []protocol.TaskOffset{}
		tasks := append(m.Streams.Standby.Partitions(), m.Streams.Warmup.Partitions()...)
		for _, task := range protocol.NewAssignment(tasks).Partitions() {
			r.TaskOffsets = append(r.TaskOffsets, protocol.TaskOffset{Task: task, Offset: 30_000 - lag})
			r.TaskEndOffsets = append(r.TaskEndOffsets, protocol.TaskOffset{Task: task, Offset: 30_000})
		}
	}
}

func streamsSweep(t *testing.T, seeds uint64, test func(t *testing.T, c *streamsChaos)) {
	t.Helper()
	bothRules(t, func(t *testing.T, r rules.Rules) {
		for seed := range seeds {
			c := newStreamsChaos(t, r, seed)
			if test(t, c); t.Failed() {
				t.Fatalf("seed %d", seed)
			}
		}
	})
}

// streamsRig.check runs after each operation.
func TestWhateverStreamsMembersDoTheInvariantsHoldAndTheLogReplays(t *testing.T) {
	streamsSweep(t, 10, func(_ *testing.T, c *streamsChaos) {
		for range 120 {
			c.act()
		}
	})
}

func TestAStreamsGroupLeftInPeaceBecomesStableAndRunsEveryTaskOnce(t *testing.T) {
	streamsSweep(t, 10, func(t *testing.T, c *streamsChaos) {
		for range 60 {
			c.act()
		}
		c.allTopics()
		for range 60 {
			c.advance(1000)
			c.peace()
		}
		group, ok := c.c.Group("g")
		if !ok || len(group.Members) == 0 {
			return
		}
		assert.Equal(t, coordinator.Stable, group.State, c.tasks())
		running := 0
		for _, m := range group.Members {
			running += len(m.Assigned)
			assert.Empty(t, m.Waiting)
			assert.Nil(t, m.Streams.Refined)
			if m.Streams.TopologyEpoch == group.Streams.TopologyEpoch {
				assert.Empty(t, m.Streams.Warmup, "everything was caught up")
			}
		}
		for _, s := range group.Streams.Tasks {
			running -= int(s.Tasks)
		}
		if group.Streams.TopologyEpoch == 0 {
			assert.Zero(t, running, c.tasks())
		}
	})
}

// peace has everybody do what a client does: heartbeat, come back, report that
// it is caught up.
func (c *streamsChaos) peace() {
	for _, m := range c.known() {
		if m.MemberEpoch == protocol.EpochStaticAbsent {
			c.topology = c.topologyAt(c.group().Streams.TopologyEpoch)
			c.join(m.ID, ofInstance(m.InstanceID), inProcess(m.Streams.ProcessID))
			continue
		}
		e := c.group().Streams.EndpointInformationEpoch
		require.Equal(c.t, protocol.None, c.next(m.ID, knows(e), c.progress(m, 0)).Response.Error)
	}
}

func TestACloneOfAStreamsGroupSharesNothingThatChanges(t *testing.T) {
	streamsSweep(t, 10, func(t *testing.T, c *streamsChaos) {
		for range 40 {
			c.act()
		}
		original, group := c.c, groupOf(c.c)
		reference, err := coordinator.Load(c.cfg, original.Log(), c.topics, c.now)
		require.NoError(t, err)
		log := len(original.Log())

		c.c = original.Clone()
		require.Equal(t, group, groupOf(c.c), "a clone starts as what it is a clone of")
		for range 40 {
			c.act()
		}
		assert.Len(t, original.Log(), log)
		assert.Equal(t, reference.HardState(), original.HardState(), "the original stayed as it was")
		assert.Equal(t, group, groupOf(original))
	})
}

// The read model that grows with every change is the one made from nothing.
func TestTheReadModelOfAStreamsGroupIsTheSameHoweverItCameAbout(t *testing.T) {
	streamsSweep(t, 10, func(t *testing.T, c *streamsChaos) {
		for range 80 {
			c.act()
			fresh := c.c.Clone()
			fresh.ForgetViews()
			require.Equal(t, groupOf(fresh), groupOf(c.c))
		}
	})
}
