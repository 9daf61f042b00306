package coordinator

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"groupscope/core/assignor"
	"groupscope/core/consumergroup"
	"groupscope/core/protocol"
	"groupscope/core/record"
	"groupscope/core/rules"
)

// Coordinator keeps the groups of one broker. It is not safe for concurrent
// use.
//
// Not supported yet: subscriptions by regex (refused with INVALID_REQUEST,
// an empty regex excepted), members of the classic protocol, offset commits.
type Coordinator struct {
	cfg    Config
	topics []protocol.Topic // as given to SetTopics
	meta   consumergroup.Topics
	log    []record.Record
	groups map[string]*group
	timers timers
}

// group is a consumer group's hard state and, beside it, the soft state that
// a failover loses.
type group struct {
	*consumergroup.Group
	// refresh says when the metadata hash is checked even if no heartbeat
	// gives a reason.
	refresh refreshDeadline
	view    groupView
}

// refreshDeadline is zero for a group that was just made or loaded, so its
// next heartbeat checks. An epoch above the group's means that the check's
// own write failed.
type refreshDeadline struct {
	at    protocol.Instant
	epoch int32
}

// refreshInterval is how long a checked hash stays good unless a subscribed
// topic changes: 2^31-1 ms.
const refreshInterval = protocol.Duration(math.MaxInt32)

func (d refreshDeadline) passed(now protocol.Instant, groupEpoch int32) bool {
	return now >= d.at || groupEpoch < d.epoch
}

// DefaultConfig is a broker that nothing is configured on.
func DefaultConfig(r rules.Rules) Config {
	return Config{
		Rules:              r,
		SessionTimeout:     45 * protocol.Second,
		HeartbeatInterval:  5 * protocol.Second,
		AssignmentInterval: r.AssignmentIntervalDefault,
		Assignors:          assignor.Default(),
		MaxSize:            math.MaxInt32,
	}
}

// New is a coordinator without groups, in a cluster without topics.
func New(cfg Config) *Coordinator {
	return &Coordinator{
		cfg:    cfg,
		meta:   consumergroup.NewTopics(nil),
		groups: map[string]*group{},
		timers: newTimers(),
	}
}

// Load rebuilds a coordinator from a log, as a broker does that takes a
// group over: soft state is lost, every member's session timer starts anew,
// and the rebalance timer of those that have something to revoke. The log is
// copied. An error names the first record that cannot follow what came
// before it.
func Load(cfg Config, log []record.Record, topics []protocol.Topic, now protocol.Instant) (*Coordinator, error) {
	c := New(cfg)
	c.topics = slices.Clone(topics)
	c.meta = consumergroup.NewTopics(topics)
	c.log = slices.Clone(log)
	for i, r := range log {
		if err := c.replay(r); err != nil {
			return nil, fmt.Errorf("coordinator: offset %d: %w", i, err)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(c.groups)) {
		g := c.groups[id]
		for _, member := range g.IDs() {
			c.startSession(now, id, member)
			if m := g.Member(member); m.Current.State == record.UnrevokedPartitions {
				c.startRebalance(now, id, m)
			}
		}
	}
	return c, nil
}

// Clone copies the coordinator. The copy shares nothing that ever changes.
func (c *Coordinator) Clone() *Coordinator {
	n := *c
	n.log = c.log[:len(c.log):len(c.log)]
	n.groups = make(map[string]*group, len(c.groups))
	for id, g := range c.groups {
		n.groups[id] = &group{Group: g.Group.Clone(), refresh: g.refresh, view: g.view.clone()}
	}
	n.timers = c.timers.clone()
	return &n
}

// Log is everything that was written, oldest first. It only ever grows; the
// returned slice must not be changed.
func (c *Coordinator) Log() []record.Record { return c.log[:len(c.log):len(c.log)] }

// SetTopics replaces the cluster's topics. Groups that subscribe to one that
// was created, changed or deleted check their metadata hash at the next
// heartbeat. Where a name is given twice the last one counts.
func (c *Coordinator) SetTopics(_ protocol.Instant, topics []protocol.Topic) {
	before := c.meta
	names := make(map[string]bool, len(topics)+len(c.topics))
	for _, list := range [][]protocol.Topic{c.topics, topics} {
		for _, t := range list {
			names[t.Name] = true
		}
	}
	c.topics = slices.Clone(topics)
	c.meta = consumergroup.NewTopics(topics)
	for name := range names {
		if sameTopic(before, c.meta, name) {
			continue
		}
		for _, g := range c.groups {
			if g.Subscribers(name) > 0 {
				g.refresh = refreshDeadline{}
			}
		}
	}
	for _, g := range c.groups {
		g.view.topicsChanged()
	}
}

func sameTopic(before, after consumergroup.Topics, name string) bool {
	a, hadIt := before.Named(name)
	b, hasIt := after.Named(name)
	return hadIt == hasIt && a.ID == b.ID && a.Partitions == b.Partitions &&
		slices.EqualFunc(a.Racks, b.Racks, slices.Equal)
}

// write applies records and appends them to the log.
func (c *Coordinator) write(records []record.Record) {
	for _, r := range records {
		if err := c.replay(r); err != nil {
			panic(fmt.Sprintf("coordinator: wrote a record it cannot apply: %v", err))
		}
	}
	c.log = append(c.log, records...)
}

// replay applies one record. A group appears with its first record and goes
// with the tombstone of its metadata.
func (c *Coordinator) replay(r record.Record) error {
	id := r.Key.Group
	g := c.groups[id]
	if g == nil {
		if r.Value == nil {
			return nil
		}
		g = &group{Group: consumergroup.New(id, c.cfg.Rules.InitialGroupEpoch)}
		c.groups[id] = g
	}
	if err := g.Apply(r); err != nil {
		return err
	}
	g.view.recordApplied(r.Key)
	if r.Key.Type == record.GroupMetadata && r.Value == nil {
		delete(c.groups, id)
	}
	return nil
}
