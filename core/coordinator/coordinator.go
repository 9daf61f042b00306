package coordinator

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"groupscope/core/assignor"
	"groupscope/core/consumergroup"
	"groupscope/core/journal"
	"groupscope/core/protocol"
	"groupscope/core/record"
	"groupscope/core/rules"
)

// Coordinator keeps the groups of one broker. It is not safe for concurrent
// use.
type Coordinator struct {
	cfg    Config               `canon:"-"`
	topics []protocol.Topic     `canon:"-"` // as given to SetTopics
	meta   consumergroup.Topics `canon:"-"`
	// version counts the changes of the cluster's topics from 1, newTopics is
	// the version of the last one that created a topic.
	version, newTopics int64
	log                journal.Journal[record.Record] `canon:"-"`
	groups             map[string]hosted
	table              assignor.MemberTable   `canon:"-"` // the order in which the broker walks the groups
	configs            map[string]groupConfig // dynamic, by group; never changed, but replaced
	offsets            offsets
	background         []background
	tickets            int64 `canon:"-"` // given to requests of the classic protocol
	memberIDs          int   // given to members of the classic protocol
	timers             timers
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
		Streams:            defaultStreams(r),

		RegexRefreshInterval:  10 * protocol.Minute,
		MigrationPolicy:       "bidirectional",
		ClassicMaxSize:        math.MaxInt32,
		InitialRebalanceDelay: 3 * protocol.Second,
		OffsetsRetention:      7 * 24 * protocol.Hour,
	}
}

// New is a coordinator without groups, in a cluster without topics.
func New(cfg Config) *Coordinator {
	return &Coordinator{
		cfg:    cfg,
		meta:   consumergroup.NewTopics(nil),
		groups: map[string]hosted{},
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
	c.log = journal.Of(slices.Clone(log))
	for _, id := range slices.Sorted(maps.Keys(cfg.Groups)) {
		if err := c.SetGroupConfig(now, id, cfg.Groups[id]); err != nil {
			return nil, err
		}
	}
	for i, r := range log {
		if err := c.replay(r); err != nil {
			return nil, &LoadError{i, err}
		}
	}
	c.restoreVersion()
	for _, id := range slices.Sorted(maps.Keys(c.groups)) {
		c.groups[id].loaded(c, now)
	}
	return c, nil
}

// LoadError says which record of a log cannot follow those before it.
type LoadError struct {
	Offset int
	Err    error
}

// Error is the reason, with the record's offset.
func (e *LoadError) Error() string { return fmt.Sprintf("coordinator: offset %d: %v", e.Offset, e.Err) }

// Unwrap is the reason.
func (e *LoadError) Unwrap() error { return e.Err }

// Clone copies the coordinator. The copy shares nothing that ever changes.
func (c *Coordinator) Clone() *Coordinator {
	n := *c
	n.groups = make(map[string]hosted, len(c.groups))
	for id, g := range c.groups {
		n.groups[id] = g.clone()
	}
	n.table = c.table.Clone()
	n.offsets = c.offsets.clone()
	n.background = slices.Clone(c.background)
	n.timers = c.timers.clone()
	return &n
}

// Log is everything that was written, oldest first.
func (c *Coordinator) Log() []record.Record { return c.log.All() }

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
	c.version++
	for name := range names {
		if now, ok := c.meta.Named(name); ok && !before.Has(now.ID) {
			c.newTopics = c.version
		}
	}
	for name := range names {
		if sameTopic(before, c.meta, name) {
			continue
		}
		for _, g := range c.groups {
			g.topicChanged(name)
		}
	}
	for _, g := range c.groups {
		g.topicsReplaced()
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
	c.log.Append(records...)
}

// note appends records to the log that say what was done already: those of
// classic groups, which are more than their record.
func (c *Coordinator) note(records []record.Record) { c.log.Append(records...) }
