package coordinator

import (
	"math"

	"groupscope/core/consumergroup"
	"groupscope/core/protocol"
	"groupscope/core/record"
)

// group is a consumer group's hard state and, beside it, the soft state that
// a failover loses.
type group struct {
	*consumergroup.Group
	// shared says that a clone has the same hard state; whoever writes next
	// makes a copy of its own.
	shared bool `canon:"-"`
	// refresh says when the metadata hash is checked even if no heartbeat
	// gives a reason.
	refresh refreshDeadline
	idle    idleWords[*consumergroup.Member] `canon:"-"`
	view    groupView                        `canon:"-"`
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

func newConsumerGroup(id string, epoch int32) *group {
	return &group{Group: consumergroup.New(id, epoch)}
}

func (g *group) groupType() GroupType { return ConsumerType }

func (g *group) apply(r record.Record) error {
	if g.shared {
		g.Group, g.shared = g.Group.Clone(), false
	}
	delete(g.idle, g.Member(r.Key.Member))
	if err := g.Apply(r); err != nil {
		return err
	}
	g.view.recordApplied(r.Key)
	return nil
}

func (g *group) clone() hosted {
	g.shared = true
	return &group{Group: g.Group, shared: true, refresh: g.refresh, view: g.view.clone()}
}

func (g *group) loaded(c *Coordinator, now protocol.Instant) {
	for _, id := range g.IDs() {
		m := g.Member(id)
		c.startSession(now, g.ID, m)
		if m.Current.State == record.UnrevokedPartitions {
			c.startRebalance(now, g.ID, m)
		}
	}
}

func (g *group) topicChanged(name string) {
	if g.reads(name) {
		g.refresh = refreshDeadline{}
	}
}

func (g *group) reads(topic string) bool { return g.Subscribed(topic) }

func (g *group) topicsReplaced() { g.view.topicsChanged() }

func (g *group) touch(member string) { g.view.touch(member) }

func (g *group) empty() bool { return g.Size() == 0 }

func (g *group) tombstones() []record.Record {
	var out []record.Record
	each := func(t record.Type, members []string) {
		for _, id := range members {
			out = append(out, record.Record{Key: record.Key{Type: t, Group: g.ID, Member: id}})
		}
	}
	whole := []string{""}
	members := g.Walk()
	each(record.CurrentMemberAssignment, members)
	each(record.TargetAssignmentMember, members)
	each(record.TargetAssignmentMetadata, whole)
	each(record.MemberMetadata, members)
	for _, regex := range g.Regexes() {
		out = append(out, record.Record{Key: record.Key{Type: record.RegularExpression, Group: g.ID, Regex: regex}})
	}
	each(record.PartitionMetadata, whole)
	each(record.GroupMetadata, whole)
	return out
}
