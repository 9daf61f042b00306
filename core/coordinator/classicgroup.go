package coordinator

import (
	"groupscope/core/classicgroup"
	"groupscope/core/protocol"
	"groupscope/core/record"
)

// classicGroup is a group of the classic protocol.
type classicGroup struct {
	*classicgroup.Group
	// extension is how much longer the initial rebalance may be extended when
	// somebody joins meanwhile.
	extension protocol.Duration
	view      *Group `canon:"-"` // the read model last made, nil when something changed
}

func newClassicGroup(id string, now protocol.Instant) *classicGroup {
	return &classicGroup{Group: classicgroup.New(id, now)}
}

// classic finds a classic group; nil when the id belongs to none.
func (c *Coordinator) classic(id string) *classicGroup {
	g, _ := c.groups[id].(*classicGroup)
	return g
}

func (g *classicGroup) groupType() GroupType { return ClassicType }

func (g *classicGroup) apply(r record.Record) error {
	g.view = nil
	if r.Value == nil {
		return nil
	}
	v, err := record.ValueOf[record.ClassicGroupMetadataValue](r)
	if err == nil {
		g.Apply(v)
	}
	return err
}

func (g *classicGroup) clone() hosted {
	c := *g
	c.Group = g.Group.Clone()
	return &c
}

// loaded gives every member its session timeout.
func (g *classicGroup) loaded(c *Coordinator, now protocol.Instant) {
	o := classicOperation{operation: operation{c: c, now: now}, g: g}
	for _, id := range g.IDs() {
		o.startHeartbeat(g.Member(id), g.Member(id).SessionTimeout)
	}
	if g.Size() > c.cfg.ClassicMaxSize {
		o.prepare()
	}
}

// reads is what decides whether an offset may expire. Of a group that is
// between two generations nothing does.
func (g *classicGroup) reads(topic string) bool {
	switch g.State {
	case classicgroup.Empty:
		return false
	case classicgroup.Stable:
		return g.Subscribes(topic)
	}
	return true
}

// judgeCommit checks a commit on a classic group.
func (g *classicGroup) judgeCommit(_ *Coordinator, req *protocol.OffsetCommitRequest) (protocol.ErrorCode, string, string) {
	generation := req.GenerationIDOrMemberEpoch
	if g.State == classicgroup.Empty && generation < 0 {
		return protocol.None, ruleClassic, "The commit comes from outside the group, which nobody is in: it is accepted."
	}
	_, code := g.Find(req.MemberID, req.GroupInstanceID)
	switch {
	case code != protocol.None:
		return code, ruleClassic, textNotFound(req.GroupID, req.MemberID, req.GroupInstanceID)
	case generation != g.Generation:
		return protocol.IllegalGeneration, ruleClassic, textGeneration(req.MemberID, generation, g.Generation)
	case g.State == classicgroup.CompletingRebalance:
		return protocol.RebalanceInProgress, ruleClassic, req.MemberID + " has not been told its assignment of generation " + itoa(g.Generation) + " yet."
	}
	return protocol.None, ruleClassic, req.MemberID + " commits in generation " + itoa(g.Generation) + "."
}

// committed takes a commit for a sign of life.
func (g *classicGroup) committed(c *Coordinator, now protocol.Instant, member string) {
	if m := g.Member(member); m != nil {
		o := classicOperation{operation: operation{c: c, now: now}, g: g}
		o.startHeartbeat(m, m.SessionTimeout)
		g.view = nil
	}
}

func (g *classicGroup) topicChanged(string) {}

func (g *classicGroup) topicsReplaced() {}

func (g *classicGroup) touch(string) { g.view = nil }

func (g *classicGroup) empty() bool { return g.State == classicgroup.Empty }

func (g *classicGroup) tombstones() []record.Record {
	return []record.Record{tombstone(record.Key{Type: record.ClassicGroupMetadata, Group: g.ID})}
}

// stateOfClassic is the state of a classic group in the words of the others.
func stateOfClassic(s classicgroup.State) GroupState {
	switch s {
	case classicgroup.PreparingRebalance, classicgroup.CompletingRebalance:
		return Reconciling
	case classicgroup.Stable:
		return Stable
	}
	return Empty
}

func (g *classicGroup) targetDue(*Coordinator) protocol.Instant { return 0 }

func (g *classicGroup) readModel(c *Coordinator) *Group {
	if g.view != nil {
		return g.view
	}
	out := &Group{ID: g.ID, Type: ClassicType, State: stateOfClassic(g.State), Classic: &ClassicGroup{
		State: g.State.String(), Generation: g.Generation, ProtocolType: g.ProtocolType,
		Protocol: g.Protocol, Leader: g.Leader,
		JoinDeadline: c.timers.deadline(timerKey{JoinTimer, g.ID, ""}),
	}}
	for _, id := range g.IDs() {
		m := g.Member(id)
		view := &Member{
			ID: id, ClientID: m.ClientID, ClientHost: m.ClientHost, Classic: true,
			RebalanceTimeout: m.RebalanceTimeout,
			SessionDeadline:  c.timers.deadline(timerKey{HeartbeatTimer, g.ID, id}),
		}
		if m.InstanceID != nil {
			view.InstanceID = *m.InstanceID
		}
		out.Members = append(out.Members, view)
	}
	g.view = out
	return out
}
