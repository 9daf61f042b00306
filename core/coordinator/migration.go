package coordinator

import (
	"slices"

	"groupscope/core/classicgroup"
	"groupscope/core/consumergroup"
	"groupscope/core/protocol"
	"groupscope/core/record"
)

// How a group changes between the classic and the consumer protocol
// (consumer-group.md 13).

func (c *Config) upgrades() bool {
	return c.MigrationPolicy == "upgrade" || c.MigrationPolicy == "bidirectional"
}

func (c *Config) downgrades() bool {
	return c.MigrationPolicy == "downgrade" || c.MigrationPolicy == "bidirectional"
}

// newGroup is the group of a join on an id that no consumer group has. It is
// real only once its first record is written.
func (h *heartbeat) newGroup() *Result {
	switch g := h.c.groups[h.req.GroupID].(type) {
	case nil:
		h.group = newConsumerGroup(h.req.GroupID, h.c.cfg.Rules.InitialGroupEpoch)
	case *classicGroup:
		if g.empty() {
			h.records = g.tombstones()
			h.group = newConsumerGroup(h.req.GroupID, h.c.cfg.Rules.InitialGroupEpoch)
			h.say(cause, ruleMigration, "The empty classic group "+g.ID+" gives way to a consumer group.")
			return nil
		}
		return h.upgrade(g)
	default:
		refused := h.refuse(protocol.GroupIDNotFound, ruleLookup, "Group "+h.req.GroupID+" is a "+g.groupType().String()+" group.")
		return &refused
	}
	return nil
}

// upgrade makes a consumer group of a classic group with members: its
// generation becomes the group epoch, and everybody keeps what it has.
func (h *heartbeat) upgrade(g *classicGroup) *Result {
	var why string
	switch {
	case !h.c.cfg.upgrades():
		why = "group.consumer.migration.policy does not let it become a consumer group"
	case g.ProtocolType != protocol.ConsumerProtocolType:
		why = "its members are not consumers"
	case g.Size() > h.c.cfg.MaxSize:
		why = "it has more members than a consumer group may have"
	}
	if why != "" {
		return h.refuseUpgrade(g, protocol.GroupIDNotFound, why)
	}
	o := &classicOperation{operation: h.operation, g: g}
	o.dismiss()
	h.completed = append(h.completed, o.answered...)
	if g.Protocol == "" {
		// A fault of the broker: it does not expect a group that has not come
		// together once.
		return h.refuseUpgrade(g, protocol.UnknownServerError, "it has not come together for a generation yet")
	}
	h.group = newConsumerGroup(g.ID, h.c.cfg.Rules.InitialGroupEpoch)
	h.records = g.tombstones()
	if code, why := h.takeOver(g); code != protocol.None {
		h.group, h.records = nil, nil
		return h.refuseUpgrade(g, code, why)
	}
	h.say(cause, ruleMigration, "Classic group "+g.ID+" becomes a consumer group. Its generation "+itoa(g.Generation)+" is the group epoch, and its members keep what they have.")
	return nil
}

func (h *heartbeat) refuseUpgrade(g *classicGroup, code protocol.ErrorCode, why string) *Result {
	refused := h.refuse(code, ruleMigration, "Group "+g.ID+" is a classic group with members, and "+why+".")
	return &refused
}

// dismiss tells everybody in a classic group who waits to join again.
func (o *classicOperation) dismiss() {
	const why = "The group becomes a consumer group."
	for _, id := range o.g.IDs() {
		m := o.g.Member(id)
		o.answerJoin(m.Join, protocol.JoinGroupResponse{
			Error: protocol.RebalanceInProgress, ErrorMessage: why, GenerationID: -1, MemberID: id,
		})
		o.answerSync(m.Sync, protocol.SyncGroupResponse{Error: protocol.RebalanceInProgress, ErrorMessage: why})
		o.g.Change(id, func(m *classicgroup.Member) { m.Join, m.Sync = 0, 0 })
	}
}

// takeOver writes the records that make a consumer group of a classic one. It
// returns what stands in the way.
func (h *heartbeat) takeOver(g *classicGroup) (protocol.ErrorCode, string) {
	held := map[string]protocol.Assignment{}
	owner := map[protocol.Partition]string{}
	for _, id := range g.IDs() {
		m := g.Member(id)
		assignment, why := h.c.classicAssignment(m)
		said, err := protocol.DecodeSubscription(g.Subscription(m))
		if err != nil {
			why = "the subscription of " + id + " cannot be read"
		}
		if why != "" {
			return protocol.GroupIDNotFound, why
		}
		for _, p := range assignment.Partitions() {
			if other := owner[p]; other != "" {
				return protocol.UnknownServerError, p.String() + " is assigned to both " + other + " and " + id
			}
			owner[p] = id
		}
		held[id] = assignment
		h.adopt(record.MemberMetadata, id, record.MemberMetadataValue{
			InstanceID: m.InstanceID, RackID: said.RackID, ClientID: m.ClientID, ClientHost: m.ClientHost,
			SubscribedTopicNames: nameSet(said.Topics, nil), RebalanceTimeoutMs: int32(m.RebalanceTimeout),
			Classic: &record.ClassicMemberMetadata{SessionTimeoutMs: int32(m.SessionTimeout), SupportedProtocols: m.Protocols},
		})
	}
	h.adoptAssignments(g, held)
	return protocol.None, ""
}

// adoptAssignments makes what the classic members have their target and what
// they have reached.
func (h *heartbeat) adoptAssignments(g *classicGroup, held map[string]protocol.Assignment) {
	counts := h.group.CountsWith(nil, nil)
	h.adopt(record.GroupMetadata, "", record.GroupMetadataValue{Epoch: g.Generation, MetadataHash: counts.Hash(h.c.meta)})
	for _, id := range h.group.Walk() {
		h.adopt(record.TargetAssignmentMember, id, record.TargetAssignmentMemberValue{TopicPartitions: held[id]})
	}
	h.adopt(record.TargetAssignmentMetadata, "", record.TargetAssignmentMetadataValue{AssignmentEpoch: g.Generation})
	for _, id := range h.group.Walk() {
		current := record.CurrentMemberAssignmentValue{MemberEpoch: g.Generation, PreviousMemberEpoch: g.Generation}
		for _, p := range held[id].Partitions() {
			current.Assigned = append(current.Assigned, record.Held{Partition: p, AssignmentEpoch: g.Generation})
		}
		h.adopt(record.CurrentMemberAssignment, id, current)
		h.c.startSession(h.now, g.ID, h.group.Member(id))
	}
}

// adopt puts a record and applies it to the group in the making.
func (h *heartbeat) adopt(t record.Type, member string, v record.Value) {
	h.put(t, member, v)
	if err := h.group.Apply(h.records[len(h.records)-1]); err != nil {
		panic("coordinator: a classic group cannot be taken over: " + err.Error())
	}
}

// classicAssignment is what a classic member was assigned last, and what is
// wrong with it.
func (c *Coordinator) classicAssignment(m *classicgroup.Member) (protocol.Assignment, string) {
	if len(m.Assignment) == 0 {
		return protocol.Assignment{}, ""
	}
	a, err := protocol.DecodeAssignment(m.Assignment)
	switch {
	case err != nil:
		return nil, "the assignment of " + m.ID + " cannot be read"
	case len(a.UserData) > 0:
		return nil, "its assignor keeps data of its own in the assignments, which would be lost"
	}
	return c.byID(a.Partitions), ""
}

// leavesClassic reports whether only members of the classic protocol would be
// left, so that the group becomes a classic one.
func (o *operation) leavesClassic(gone ...*consumergroup.Member) bool {
	left := o.group.Size() - len(gone)
	return left > 0 && o.group.ClassicMembers(gone...) == left && o.c.cfg.downgrades() && left <= o.c.cfg.ClassicMaxSize
}

// downgradesByReplacement reports whether a static member that comes back
// with the classic protocol was the last one with the consumer protocol.
func (h *heartbeat) downgradesByReplacement() bool {
	if h.replaces == "" {
		return false
	}
	old := h.group.Member(h.replaces)
	others := h.group.Size() - 1
	return old.Meta.Classic == nil && h.group.ClassicMembers(old) == others &&
		h.c.cfg.downgrades() && h.group.Size() <= h.c.cfg.ClassicMaxSize
}

// downgrade makes a classic group of the consumer group without those who go.
// A static member that joined in the place of one of them (nil for none) gets
// what that one had. The group comes together anew if somebody went, or if
// rejoin says so.
func (o *operation) downgrade(gone []*consumergroup.Member, joined *consumergroup.Member, rejoin bool) {
	o.records = append(o.records, o.groupTombstones(joined)...)
	next := newClassicGroup(o.group.ID, o.now)
	next.Move(classicgroup.Stable, o.now)
	next.Generation = o.group.Epoch
	targets := map[string]protocol.Assignment{}
	for _, id := range o.group.Walk() {
		m := o.group.Member(id)
		target, _ := o.group.Target(id)
		switch {
		case slices.Contains(gone, m):
			continue
		case joined != nil && m.InstanceID() != "" && m.InstanceID() == joined.InstanceID():
			m = joined
		}
		next.Add(classicOf(m), protocol.ConsumerProtocolType)
		targets[m.ID] = target
	}
	next.Protocol = next.Elect()
	assignments := map[string][]byte{}
	for id, target := range targets {
		said, _ := protocol.DecodeSubscription(next.Subscription(next.Member(id)))
		assignments[id] = protocol.EncodeAssignment(protocol.ClassicAssignment{
			Version: said.Version, Partitions: o.c.byName(target),
		})
		next.Change(id, func(m *classicgroup.Member) { m.Assignment = assignments[id] })
	}
	c := &classicOperation{operation: *o, g: next}
	c.records = append(c.records, c.groupRecord(next.Value(assignments)))
	c.c.note(c.records)
	c.c.drop(next.ID)
	c.c.host(next.ID, next)
	c.say(effect, ruleMigration, "Only members of the classic protocol are left, so group "+next.ID+" becomes a classic group.")
	for _, id := range next.IDs() {
		c.startHeartbeat(next.Member(id), next.Member(id).SessionTimeout)
	}
	if joined == nil || rejoin {
		c.prepare()
	}
	*o = c.operation
}

// groupTombstones delete the group with everybody in it. A static member that
// was replaced by this operation goes under its new id.
func (o *operation) groupTombstones(joined *consumergroup.Member) []record.Record {
	out := o.group.tombstones()
	if joined == nil {
		return out
	}
	old := o.group.StaticMember(joined.InstanceID())
	for i := range out {
		if old != nil && out[i].Key.Member == old.ID {
			out[i].Key.Member = joined.ID
		}
	}
	return out
}

// classicOf is a classic member of a consumer group as a member of a classic
// group.
func classicOf(m *consumergroup.Member) *classicgroup.Member {
	return &classicgroup.Member{
		ID: m.ID, InstanceID: m.Meta.InstanceID, ClientID: m.Meta.ClientID, ClientHost: m.Meta.ClientHost,
		RebalanceTimeout: protocol.Duration(m.Meta.RebalanceTimeoutMs),
		SessionTimeout:   protocol.Duration(m.Meta.Classic.SessionTimeoutMs),
		Protocols:        m.Meta.Classic.SupportedProtocols,
	}
}
