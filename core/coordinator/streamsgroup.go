package coordinator

import (
	"maps"
	"math"

	"groupscope/core/assignor"
	"groupscope/core/protocol"
	"groupscope/core/record"
	"groupscope/core/rules"
	"groupscope/core/streamsgroup"
)

// streamsGroup is a streams group's hard state and, beside it, the soft state
// that a failover loses.
type streamsGroup struct {
	*streamsgroup.Group
	// shared says that a clone has the same hard state, lent that it has the
	// same maps of soft state; whoever writes next makes a copy of its own.
	shared, lent bool `canon:"-"`
	streamsSoft
	idle idleWords[*streamsgroup.Member] `canon:"-"`
	view streamsView                     `canon:"-"`
}

// streamsSoft is what no record holds. What a refused request changed of it
// stays changed.
type streamsSoft struct {
	// refresh says when the metadata hash is checked even if no heartbeat
	// gives a reason.
	refresh    refreshDeadline
	hash       knownHash                `canon:"-"`
	configured *streamsgroup.Configured // nil: not yet since the group was made or loaded
	reported   reportedOffsets
	refined    refined
	shutdown   string // the first member that asked to shut the application down
	endpoints  endpoints
}

// knownHash is the metadata hash as last worked out, and of what.
type knownHash struct {
	version  int64 // of the cluster's topics
	topology *protocol.Topology
	hash     int64
}

// reportedOffsets are the task offsets that members reported last.
type reportedOffsets map[string]taskOffsets

// taskOffsets are sorted by task; nil as long as none were reported.
type taskOffsets struct{ offsets, ends []protocol.TaskOffset }

// Of implements streamsgroup.Offsets.
func (r reportedOffsets) Of(member string) (offsets, ends []protocol.TaskOffset) {
	t := r[member]
	return t.offsets, t.ends
}

// defaultStreams is a broker that nothing is configured on.
func defaultStreams(r rules.Rules) StreamsConfig {
	return StreamsConfig{
		SessionTimeout:        45 * protocol.Second,
		HeartbeatInterval:     5 * protocol.Second,
		AssignmentInterval:    r.AssignmentIntervalDefault,
		InitialRebalanceDelay: r.InitialRebalanceDelayDefault,
		TaskOffsetInterval:    60 * protocol.Second,
		Assignors:             assignor.DefaultStreams(),
		MaxSize:               math.MaxInt32,
		WarmupReplicas:        2,
		AcceptableRecoveryLag: 10_000,
	}
}

// newStreamsGroup is a group whose first member is about to join; Unknown
// as its epoch is for one whose records are about to be applied.
func newStreamsGroup(id string, epoch int32) *streamsGroup {
	return &streamsGroup{
		Group:       streamsgroup.New(id, epoch),
		streamsSoft: streamsSoft{reported: reportedOffsets{}, endpoints: newEndpoints()},
	}
}

// streams finds a streams group; nil when the id belongs to none.
func (c *Coordinator) streams(id string) *streamsGroup {
	g, _ := c.groups[id].(*streamsGroup)
	return g
}

func (g *streamsGroup) groupType() GroupType { return StreamsType }

func (g *streamsGroup) apply(r record.Record) error {
	if g.shared {
		g.Group, g.shared = g.Group.Clone(), false
	}
	if r.Key.Type == record.StreamsTargetAssignmentMember {
		g.refined.keep(g.Group)
	}
	delete(g.idle, g.Member(r.Key.Member))
	if err := g.Apply(r); err != nil {
		return err
	}
	if r.Key.Type == record.StreamsMemberMetadata && r.Value == nil {
		g.own()
		delete(g.reported, r.Key.Member)
		g.endpoints.forget(r.Key.Member)
		if g.Size() == 0 {
			g.shutdown = ""
		}
	}
	g.view.recordApplied(r.Key)
	return nil
}

func (g *streamsGroup) clone() hosted {
	g.shared, g.lent = true, true
	return &streamsGroup{Group: g.Group, shared: true, lent: true, streamsSoft: g.streamsSoft, view: g.view.clone()}
}

// own makes the maps of soft state the group's own, before they change.
func (g *streamsGroup) own() {
	if g.lent {
		g.reported, g.endpoints, g.lent = maps.Clone(g.reported), g.endpoints.clone(), false
	}
}

func (g *streamsGroup) loaded(c *Coordinator, now protocol.Instant) {
	for _, id := range g.IDs() {
		c.startStreamsSession(now, g.ID, id)
		if m := g.Member(id); m.Current.State == record.UnrevokedPartitions {
			c.startStreamsRebalance(now, g.ID, m)
		}
	}
}

func (g *streamsGroup) topicChanged(name string) {
	if g.Needs(name) {
		g.refresh = refreshDeadline{}
	}
}

func (g *streamsGroup) reads(topic string) bool { return g.Needs(topic) }

func (g *streamsGroup) topicsReplaced() {}

func (g *streamsGroup) touch(member string) { g.view.touch(member) }

func (g *streamsGroup) empty() bool { return g.Size() == 0 }

func (g *streamsGroup) tombstones() []record.Record {
	var out []record.Record
	each := func(t record.Type, members ...string) {
		for _, id := range members {
			out = append(out, tombstone(record.Key{Type: t, Group: g.ID, Member: id}))
		}
	}
	members := g.Walk()
	each(record.StreamsCurrentMemberAssignment, members...)
	each(record.StreamsTargetAssignmentMember, members...)
	each(record.StreamsTargetAssignmentMetadata, "")
	each(record.StreamsMemberMetadata, members...)
	each(record.StreamsGroupMetadata, "")
	each(record.StreamsTopology, "")
	return out
}
