package coordinator

import (
	"maps"
	"slices"

	"groupscope/core/protocol"
	"groupscope/core/record"
)

// classicGroup is a group of the classic protocol. Its record is the whole
// group and is written when a generation is complete; who joins meanwhile is
// soft state.
type classicGroup struct {
	id           string
	state        classicState
	stateSince   protocol.Instant
	generation   int32
	protocolType string
	protocol     *string
	leader       *string
	members      map[string]*classicMember
	view         *Group
}

// classicMember is a member of a classic group. It is never changed once
// made.
type classicMember struct {
	record.ClassicMember
	protocols []protocol.JoinGroupProtocol
}

// classicState is the state of a classic group.
type classicState int8

const (
	classicEmpty classicState = iota
	preparingRebalance
	completingRebalance
	classicStable
)

// String is Kafka's word for the state.
func (s classicState) String() string {
	return [...]string{"Empty", "PreparingRebalance", "CompletingRebalance", "Stable"}[s]
}

func newClassicGroup(id string) *classicGroup {
	return &classicGroup{id: id, members: map[string]*classicMember{}}
}

func (g *classicGroup) groupType() GroupType { return ClassicType }

// apply replays the group's record.
func (g *classicGroup) apply(r record.Record) error {
	g.view = nil
	if r.Value == nil {
		return nil
	}
	v, err := record.ValueOf[record.ClassicGroupMetadataValue](r)
	if err != nil {
		return err
	}
	g.state = classicStable
	if len(v.Members) == 0 {
		g.state = classicEmpty
	}
	g.stateSince = v.CurrentStateTimestamp
	g.generation, g.protocolType, g.protocol, g.leader = v.Generation, v.ProtocolType, v.Protocol, v.Leader
	g.members = make(map[string]*classicMember, len(v.Members))
	for _, m := range v.Members {
		n := &classicMember{ClassicMember: m}
		if v.Protocol != nil {
			n.protocols = []protocol.JoinGroupProtocol{{Name: *v.Protocol, Metadata: m.Subscription}}
		}
		g.members[m.MemberID] = n
	}
	return nil
}

func (g *classicGroup) clone() hosted {
	c := *g
	c.members = maps.Clone(g.members)
	return &c
}

// loaded gives every member its session timeout.
func (g *classicGroup) loaded(c *Coordinator, now protocol.Instant) {
	for _, id := range g.ids() {
		timeout := protocol.Duration(g.members[id].SessionTimeout)
		c.timers.start(timerKey{HeartbeatTimer, g.id, id}, now.Add(timeout), 0)
	}
}

func (g *classicGroup) ids() []string { return slices.Sorted(maps.Keys(g.members)) }

// fire of a session timer is all that can end while no request is handled.
func (g *classicGroup) fire(c *Coordinator, t timer) Expiry {
	o := operation{c: c, now: t.deadline}
	o.say(idle, t.key.kind.rule(), textTimerOfNobody(t.key.member))
	return o.expiry(t)
}

func (g *classicGroup) reads(string) bool { return false }

func (g *classicGroup) topicChanged(string) {}

func (g *classicGroup) topicsReplaced() {}

func (g *classicGroup) touch(string) { g.view = nil }

func (g *classicGroup) empty() bool { return g.state == classicEmpty }

func (g *classicGroup) tombstones() []record.Record {
	return []record.Record{tombstone(record.Key{Type: record.ClassicGroupMetadata, Group: g.id})}
}

func (g *classicGroup) readModel(c *Coordinator) *Group {
	if g.view != nil {
		return g.view
	}
	out := &Group{ID: g.id, Type: ClassicType, Classic: &ClassicGroup{
		State: g.state.String(), Generation: g.generation, ProtocolType: g.protocolType,
		JoinDeadline: c.timers.deadline(timerKey{JoinTimer, g.id, ""}),
	}}
	if g.protocol != nil {
		out.Classic.Protocol = *g.protocol
	}
	if g.leader != nil {
		out.Classic.Leader = *g.leader
	}
	for _, id := range g.ids() {
		m := g.members[id]
		view := &Member{
			ID: id, ClientID: m.ClientID, ClientHost: m.ClientHost, Classic: true,
			RebalanceTimeout: protocol.Duration(m.RebalanceTimeout),
			SessionDeadline:  c.timers.deadline(timerKey{HeartbeatTimer, g.id, id}),
		}
		if m.GroupInstanceID != nil {
			view.InstanceID = *m.GroupInstanceID
		}
		out.Members = append(out.Members, view)
	}
	g.view = out
	return out
}
