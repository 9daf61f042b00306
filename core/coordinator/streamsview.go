package coordinator

import (
	"slices"

	"groupscope/core/consumergroup"
	"groupscope/core/protocol"
	"groupscope/core/record"
	"groupscope/core/streamsgroup"
)

// streamsView is the read model last made of a streams group, and what it was
// made from; see groupView.
type streamsView struct {
	group   *Group
	members []streamsMemberView // parallel to group.Members
	dirty   []string
	all     bool
	stale   bool
}

// streamsMemberView is a member's read model and what it depends on. A
// member that lacks active tasks also depends on what the others run.
type streamsMemberView struct {
	view            *Member
	from            *streamsgroup.Member
	target, towards protocol.Tasks
	wants           []protocol.Partition
}

func (v *streamsView) clone() streamsView {
	c := *v
	c.members = slices.Clone(v.members)
	c.dirty = slices.Clone(v.dirty)
	return c
}

// recordApplied notes what a record changed.
func (v *streamsView) recordApplied(key record.Key) {
	v.stale = true
	switch {
	case key.Type == record.StreamsMemberMetadata, key.Type == record.StreamsTargetAssignmentMetadata:
		v.all = true // members come and go, or are reconciled towards another epoch
	case key.Member != "":
		v.touch(key.Member)
	}
}

func (v *streamsView) touch(member string) {
	v.stale = true
	if v.all || v.group == nil {
		return
	}
	if len(v.dirty) == maxDirty {
		v.all = true
		return
	}
	v.dirty = append(v.dirty, member)
}

// changed notes that something changed of the group as a whole.
func (v *streamsView) changed() { v.stale = true }

// towardsChanged notes that any member may be reconciled towards something
// else.
func (v *streamsView) towardsChanged() { v.stale, v.all = true, true }

func (g *streamsGroup) readModel(c *Coordinator) *Group {
	v := &g.view
	name := c.streamsAssignorName(g.ID)
	if v.group != nil && !v.stale && v.group.PreferredAssignor == name {
		return v.group
	}
	if v.group == nil || v.all {
		c.viewAllStreams(g)
	} else {
		for i, old := range v.members {
			if len(old.wants) > 0 || slices.Contains(v.dirty, old.view.ID) {
				v.members[i] = c.streamsMemberView(g, g.Member(old.view.ID), old)
			}
		}
	}
	out := &Group{
		ID: g.ID, Type: StreamsType, State: streamsState(g.Group),
		GroupEpoch: g.Epoch, AssignmentEpoch: g.AssignmentEpoch, MetadataHash: g.MetadataHash,
		PreferredAssignor: name,
		Members:           make([]*Member, len(v.members)),
		Streams:           c.streamsGroupView(g),
	}
	for i := range v.members {
		out.Members[i] = v.members[i].view
	}
	v.group, v.dirty, v.all, v.stale = out, v.dirty[:0], false, false
	return out
}

// viewAllStreams looks at every member.
func (c *Coordinator) viewAllStreams(g *streamsGroup) {
	before := g.view.members
	after := make([]streamsMemberView, 0, g.Size())
	for _, id := range g.IDs() {
		var old streamsMemberView
		for len(before) > 0 && before[0].view.ID < id {
			before = before[1:]
		}
		if len(before) > 0 && before[0].view.ID == id {
			old = before[0]
		}
		after = append(after, c.streamsMemberView(g, g.Member(id), old))
	}
	g.view.members = after
}

// streamsState is worked out in the broker's order.
func streamsState(g *streamsgroup.Group) GroupState {
	switch {
	case g.Size() == 0:
		return Empty
	case !g.Ready():
		return NotReady
	case g.Epoch > g.AssignmentEpoch:
		return Assigning
	case !g.Settled():
		return Reconciling
	}
	return Stable
}

func (c *Coordinator) streamsGroupView(g *streamsGroup) *StreamsGroup {
	out := &StreamsGroup{
		TopologyEpoch:            g.TopologyEpoch(),
		ValidatedTopologyEpoch:   g.ValidatedTopologyEpoch,
		Topology:                 g.Topology,
		EndpointInformationEpoch: g.endpoints.epoch,
		ShutdownRequestMember:    g.shutdown,
		InitialRebalanceDeadline: c.timers.deadline(timerKey{kind: InitialRebalanceTimer, group: g.ID}),
	}
	configured := g.configured
	if configured == nil {
		return out
	}
	out.Configured, out.Ready, out.Status = configured.Topology, configured.Ready(), configured.Status
	out.Creatable = configured.Creatable
	out.MissingTopics, out.Mismatching = configured.Missing, configured.Mismatching
	if configured.Known() {
		out.Tasks = subtopologyTasks(configured)
	}
	return out
}

// TasksOf are the tasks that a topology has with these topics, whether or not a
// group was configured with it; nil while topics are missing or do not fit.
func TasksOf(topology *protocol.Topology, topics []protocol.Topic) []SubtopologyTasks {
	configured, err := streamsgroup.Configure(topology, consumergroup.NewTopics(topics))
	if err != nil || !configured.Known() {
		return nil
	}
	return subtopologyTasks(configured)
}

func subtopologyTasks(configured *streamsgroup.Configured) []SubtopologyTasks {
	out := make([]SubtopologyTasks, len(configured.Tasks))
	for i, s := range configured.Tasks {
		out[i] = SubtopologyTasks{Subtopology: string(s.ID), Tasks: s.Tasks, Stateful: s.Stateful}
	}
	return out
}

// streamsMemberView returns before itself if nothing it depends on changed.
func (c *Coordinator) streamsMemberView(g *streamsGroup, m *streamsgroup.Member, before streamsMemberView) streamsMemberView {
	target, _ := g.Target(m.ID)
	after := streamsMemberView{from: m, target: target, towards: g.towards(m.ID, target)}
	same := before.from == m && sameTaskMemory(before.target, target) && sameTaskMemory(before.towards, after.towards)
	if same {
		after.wants = before.wants
	} else {
		after.wants = lacking(m, after.towards.Active)
	}
	free := freeTasks(g.Group, m, after.wants)
	session := c.timers.deadline(timerKey{SessionTimer, g.ID, m.ID})
	rebalance := c.timers.deadline(timerKey{RebalanceTimer, g.ID, m.ID})
	if same && before.view.SessionDeadline == session && before.view.RebalanceDeadline == rebalance &&
		slices.Equal(before.view.Free, free) && g.sameSoft(before.view) {
		return before
	}
	after.view = &Member{
		ID:                  m.ID,
		InstanceID:          m.InstanceID(),
		ClientID:            m.Meta.ClientID,
		ClientHost:          m.Meta.ClientHost,
		RebalanceTimeout:    protocol.Duration(m.Meta.RebalanceTimeoutMs),
		MemberEpoch:         m.Current.MemberEpoch,
		PreviousMemberEpoch: m.Current.PreviousMemberEpoch,
		State:               m.Current.State,
		Assigned:            m.Current.Active,
		PendingRevocation:   m.Current.PendingActive,
		Free:                free,
		Target:              target.Active,
		SessionDeadline:     session,
		RebalanceDeadline:   rebalance,
		Streams:             g.streamsMember(m, target, after.towards),
	}
	if rack := m.Meta.RackID; rack != nil {
		after.view.RackID = *rack
	}
	if m.Current.State == record.UnreleasedPartitions {
		after.view.Waiting = after.wants
	}
	return after
}

// streamsMember is what a member has beyond one of a consumer group.
func (g *streamsGroup) streamsMember(m *streamsgroup.Member, target, towards protocol.Tasks) *StreamsMember {
	out := &StreamsMember{
		TopologyEpoch:  m.Meta.TopologyEpoch,
		ProcessID:      m.Meta.ProcessID,
		UserEndpoint:   m.Meta.UserEndpoint,
		ClientTags:     m.Meta.ClientTags,
		Standby:        m.Current.Standby,
		Warmup:         m.Current.Warmup,
		PendingStandby: m.Current.PendingStandby,
		PendingWarmup:  m.Current.PendingWarmup,
		TargetStandby:  target.Standby,
		TargetWarmup:   target.Warmup,
		EndpointEpoch:  g.endpoints.reportedBy(m.ID),
	}
	out.TaskOffsets, out.TaskEndOffsets = g.reported.Of(m.ID)
	if !streamsgroup.SameTasks(target, towards) {
		out.Refined = &towards
	}
	return out
}

// towards is what the member is reconciled towards: its part of the target
// or, where the group has one, of the refined assignment of the same epoch.
func (g *streamsGroup) towards(id string, target protocol.Tasks) protocol.Tasks {
	if !g.refined.made || g.refined.stored || g.refined.epoch != g.AssignmentEpoch {
		return target
	}
	part, _ := g.refined.of(g.Group, id)
	return part
}

// sameSoft reports whether the soft state of a member is as its read model
// has it.
func (g *streamsGroup) sameSoft(m *Member) bool {
	offsets, ends := g.reported.Of(m.ID)
	return m.Streams.EndpointEpoch == g.endpoints.reportedBy(m.ID) &&
		sameList(m.Streams.TaskOffsets, offsets) && sameList(m.Streams.TaskEndOffsets, ends)
}

// reportedBy is the epoch of a member's latest request.
func (e *endpoints) reportedBy(member string) int32 {
	if epoch, ok := e.reported[member]; ok {
		return epoch
	}
	return unknownEndpoints
}

// sameList reports whether both are the very same list, which is never
// changed.
func sameList[T any](a, b []T) bool {
	return len(a) == len(b) && (a == nil) == (b == nil) && (len(a) == 0 || &a[0] == &b[0])
}

func sameTaskMemory(a, b protocol.Tasks) bool {
	return sameMemory(a.Active, b.Active) && sameMemory(a.Standby, b.Standby) && sameMemory(a.Warmup, b.Warmup)
}

// lacking are the active tasks of a set that the member does not have.
func lacking(m *streamsgroup.Member, active protocol.Assignment) []protocol.Partition {
	var out []protocol.Partition
	for _, tp := range active {
		for _, n := range tp.Partitions {
			if task := (protocol.Partition{Topic: tp.Topic, Number: n}); !m.Runs(task) {
				out = append(out, task)
			}
		}
	}
	return out
}

// freeTasks are the active tasks that the member's next heartbeat could give
// it. A member that has reached the target's epoch for good, or is away, gets
// nothing.
func freeTasks(g *streamsgroup.Group, m *streamsgroup.Member, wants []protocol.Partition) []protocol.Partition {
	if len(wants) == 0 || m.Epoch() < 0 || m.SettledAt(g.AssignmentEpoch) {
		return nil
	}
	var out []protocol.Partition
	for _, task := range wants {
		if g.MayRunActive(m, task) {
			out = append(out, task)
		}
	}
	return out
}
