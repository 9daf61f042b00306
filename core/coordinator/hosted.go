package coordinator

import (
	"fmt"

	"groupscope/core/protocol"
	"groupscope/core/record"
	"groupscope/core/streamsgroup"
)

// GroupType is the protocol that a group runs. An id belongs to one group of
// one type at a time.
type GroupType int8

// The types of groups.
const (
	NoGroup GroupType = iota // there is no such group
	ConsumerType
	StreamsType
	ClassicType
)

// String is Kafka's word for the type, "" for no group.
func (t GroupType) String() string {
	return [...]string{"", "consumer", "streams", "classic"}[t]
}

// hosted is a group of any type as the coordinator keeps it: the hard state
// that its records make, and beside it the soft state that a failover loses.
type hosted interface {
	groupType() GroupType
	// apply replays one record of the group's type.
	apply(r record.Record) error
	// clone shares only what never changes.
	clone() hosted
	// loaded starts the timers that a coordinator starts which takes the
	// group over.
	loaded(c *Coordinator, now protocol.Instant)
	// topicChanged tells of a topic that was created, changed or deleted;
	// topicsReplaced comes once after all of them.
	topicChanged(name string)
	topicsReplaced()
	// reads reports whether a member subscribes to the topic.
	reads(topic string) bool
	// judgeCommit says whether an offset commit is accepted: the error or None,
	// the rule that decides, and a text.
	judgeCommit(c *Coordinator, req *protocol.OffsetCommitRequest) (protocol.ErrorCode, string, string)
	// touch notes that a timer of the member changed.
	touch(member string)
	// fire acts on a timer of the group that ended.
	fire(c *Coordinator, t timer) Expiry
	// empty reports whether nobody is in the group, so that it may be deleted;
	// tombstones are the records that delete it.
	empty() bool
	tombstones() []record.Record
	// targetDue is when the next target may be computed, 0 for at once.
	targetDue(c *Coordinator) protocol.Instant
	// readModel is what Coordinator.Group returns.
	readModel(c *Coordinator) *Group
}

// TypeOf is the type of the group that has the id now.
func (c *Coordinator) TypeOf(id string) GroupType {
	if g := c.groups[id]; g != nil {
		return g.groupType()
	}
	return NoGroup
}

// consumer finds a consumer group; nil when the id belongs to none.
func (c *Coordinator) consumer(id string) *group {
	g, _ := c.groups[id].(*group)
	return g
}

// typeOf is the type of the group that a record belongs to.
func typeOf(t record.Type) GroupType {
	switch {
	case t.Streams():
		return StreamsType
	case t == record.ClassicGroupMetadata:
		return ClassicType
	}
	return ConsumerType
}

// newHosted is a group as its first record finds it.
func (c *Coordinator) newHosted(t GroupType, id string) hosted {
	switch t {
	case ClassicType:
		return newClassicGroup(id, 0)
	case StreamsType:
		return newStreamsGroup(id, streamsgroup.Unknown)
	}
	return newConsumerGroup(id, c.cfg.Rules.InitialGroupEpoch)
}

// replay applies one record. A group appears with its first record and goes
// with the tombstone of its metadata.
func (c *Coordinator) replay(r record.Record) error {
	id, t := r.Key.Group, typeOf(r.Key.Type)
	if r.Key.Type == record.OffsetCommit {
		if r.Value != nil && c.groups[id] == nil {
			// Whoever commits without being in a group makes one that only
			// keeps offsets.
			c.host(id, newClassicGroup(id, 0))
		}
		return c.offsets.apply(r)
	}
	g := c.groups[id]
	if g == nil || g.groupType() != t {
		if r.Value == nil {
			return nil
		}
		if keepsOffsetsOnly(g) {
			c.drop(id)
		} else if g != nil {
			return fmt.Errorf("group %s, record %s: it is a %s group", id, r.Short(), g.groupType())
		}
		g = c.newHosted(t, id)
		c.host(id, g)
	}
	if err := g.apply(r); err != nil {
		return err
	}
	if r.Value == nil && deletes(r.Key.Type) {
		c.drop(id)
	}
	return nil
}

// keepsOffsetsOnly reports whether a group was made by commits from outside
// alone. It gives way to a real one (KAFKA-17306): a log may have the commits
// before the group's own records when it was compacted.
func keepsOffsetsOnly(g hosted) bool {
	classic, ok := g.(*classicGroup)
	return ok && classic.ProtocolType == "" && classic.empty()
}

// host keeps a group under an id.
func (c *Coordinator) host(id string, g hosted) {
	c.groups[id] = g
	c.table.Put(id)
}

// drop forgets a group. Timers of its members run on and will find nothing;
// only the one that all members of a streams group share goes with it.
func (c *Coordinator) drop(id string) {
	delete(c.groups, id)
	c.table.Remove(id)
	c.timers.cancel(timerKey{kind: InitialRebalanceTimer, group: id})
}

// deletes reports whether the tombstone of a record of that type is the last
// of a group.
func deletes(t record.Type) bool {
	return t == record.GroupMetadata || t == record.StreamsGroupMetadata || t == record.ClassicGroupMetadata
}
