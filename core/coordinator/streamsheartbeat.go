package coordinator

import (
	"slices"

	"groupscope/core/protocol"
	"groupscope/core/record"
	"groupscope/core/rules"
	"groupscope/core/streamsgroup"
)

// streamsHeartbeat is one heartbeat of a streams member being handled. It
// reads the group as stored; its records are written at the end.
type streamsHeartbeat struct {
	streamsOperation
	req protocol.StreamsGroupHeartbeatRequest

	// before is the member the request starts from: as stored, the copy that
	// replaces a static member, or a new one. after has the request applied,
	// and at the end its reconciliation.
	before, after *streamsgroup.Member
	creates       bool   // the request creates the group
	isNew         bool   // the request creates the member
	replaces      string // id of the static member whose place it takes
	wasEmpty      bool   // nobody was in the group

	topology    *protocol.Topology // the group's, with this request applied
	newTopology bool
	looked      bool // at the topics, and said what is wrong with them
	hash        int64
	validated   int32
	reasons     []string // to bump the group epoch
	reasonRule  string   // the rule for which the first one counts
	refines     bool     // the epoch is bumped for the refined assignment alone
	delayed     bool     // no target may be computed yet
	delayStarts bool     // because it waits for others from now on

	groupEpoch  int32
	targetEpoch int32
	part        protocol.Tasks // what the member is reconciled towards
}

// StreamsHeartbeat handles one heartbeat of a streams member (KIP-1071). A
// refusal is an error code in the response and writes nothing, except that
// under the rule RemoveFencedMember a fenced member is removed.
func (c *Coordinator) StreamsHeartbeat(now protocol.Instant, req protocol.StreamsGroupHeartbeatRequest) StreamsResult {
	o := streamsOperation{operation: operation{c: c, now: now}, group: c.streams(req.GroupID)}
	if code, rule, text := c.validateStreams(&req); code != protocol.None {
		return *o.refuse(code, rule, text)
	}
	if req.MemberEpoch == protocol.EpochLeaving || req.MemberEpoch == protocol.EpochStaticAbsent {
		return *o.leave(&req)
	}
	h := streamsHeartbeat{streamsOperation: o, req: req}
	return h.handle()
}

func (h *streamsHeartbeat) joins() bool { return h.req.MemberEpoch == protocol.EpochJoining }

// handle goes through the steps of streams-group.md 4.
func (h *streamsHeartbeat) handle() StreamsResult {
	if refused := h.prepare(); refused != nil {
		return *refused
	}
	h.lookForChanges()
	h.bumpGroupEpoch()
	h.startDelay()
	if refused := h.updateTarget(); refused != nil {
		return *refused
	}
	if refused := h.reconcile(); refused != nil {
		return *refused
	}
	h.c.startStreamsSession(h.now, h.req.GroupID, h.req.MemberID)
	if h.req.ShutdownApplication {
		h.askShutdown()
	}
	response, refused := h.respond()
	if refused != nil {
		return *refused
	}
	h.c.write(h.records)
	h.keepSoftState()
	return StreamsResult{
		Response: response, Creatable: h.group.configured.Creatable,
		Records: h.records, Decisions: h.decisions(),
	}
}

// prepare goes through the steps that may refuse the request, up to what it
// reports.
func (h *streamsHeartbeat) prepare() *StreamsResult {
	if refused := h.findGroup(); refused != nil {
		return refused
	}
	if refused := h.findMember(); refused != nil {
		return refused
	}
	if refused := h.updateMember(); refused != nil {
		return refused
	}
	if refused := h.checkTopology(); refused != nil {
		return refused
	}
	if h.isNew {
		h.say(aside, ruleStreamsJoin, h.req.MemberID+" is new in group "+h.req.GroupID+".")
	}
	if refused := h.configure(); refused != nil {
		return refused
	}
	if refused := h.checkOwned(); refused != nil {
		return refused
	}
	return h.storeOffsets()
}

// keepSoftState hands what the request learned to the group that its records
// made: until then it worked on an object of its own. The broker throws that
// object away (the rule CreatingRequestForgets).
func (h *streamsHeartbeat) keepSoftState() {
	if h.creates && !h.c.cfg.Rules.CreatingRequestForgets {
		h.c.streams(h.req.GroupID).streamsSoft = h.group.streamsSoft
	}
	h.c.touch(h.req.GroupID, h.req.MemberID)
}

// findGroup looks the group up; a join makes a new one, which is real only
// once its first record is written.
func (h *streamsHeartbeat) findGroup() *StreamsResult {
	if h.group == nil {
		rule := ruleStreamsLookup
		if h.joins() {
			rule = ruleStreamsType
		}
		switch found := h.c.groups[h.req.GroupID]; {
		case found == nil && h.joins():
		case found == nil:
			return h.refuse(protocol.GroupIDNotFound, rule, "There is no group "+h.req.GroupID+".")
		case found.groupType() == ClassicType && found.empty() && h.joins():
			h.records = append(h.records, found.tombstones()...)
			h.say(aside, rule, "Classic group "+h.req.GroupID+" is empty. A streams group takes its place.")
		default:
			return h.refuse(protocol.GroupIDNotFound, rule, textOtherType(h.req.GroupID, found))
		}
		h.create()
	}
	g := h.group
	h.wasEmpty = g.Size() == 0
	if most := h.c.cfg.Streams.MaxSize; h.joins() && g.Size() >= most && !h.known() {
		return h.refuse(protocol.GroupMaxSizeReached, ruleStreamsMaxSize, textFull(g.ID, g.Size(), most))
	}
	h.groupEpoch, h.targetEpoch = g.Epoch, g.AssignmentEpoch
	return nil
}

// known reports whether the group has the member, or its instance.
func (h *streamsHeartbeat) known() bool {
	return h.group.Member(h.req.MemberID) != nil ||
		h.req.InstanceID != nil && h.group.StaticMember(*h.req.InstanceID) != nil
}

// create makes the group. A member that waits for the initial rebalance
// delay must not stand at epoch 0, which means joining.
func (h *streamsHeartbeat) create() {
	h.creates = true
	epoch := h.c.cfg.Rules.InitialGroupEpoch
	if h.c.streamsDelay(h.req.GroupID) > 0 {
		epoch = max(epoch, 1)
	}
	h.group = newStreamsGroup(h.req.GroupID, epoch)
	h.say(aside, ruleStreamsCreate, "Group "+h.req.GroupID+" is new.")
}

// updateMember applies the request's fields; absent ones keep their values,
// except that a join without an endpoint has none.
func (h *streamsHeartbeat) updateMember() *StreamsResult {
	r, meta := &h.req, h.before.Meta
	if key := repeatedKey(r.ClientTags); key != "" {
		return h.refuse(protocol.UnknownServerError, ruleStreamsMetadata, "The client tag "+key+" is given twice, which the broker does not look out for.")
	}
	if r.InstanceID != nil {
		meta.InstanceID = r.InstanceID
	}
	if r.RackID != nil {
		meta.RackID = r.RackID
	}
	if r.RebalanceTimeoutMs != -1 {
		meta.RebalanceTimeoutMs = r.RebalanceTimeoutMs
	}
	if r.Topology != nil && h.joins() {
		meta.TopologyEpoch = r.Topology.Epoch
	}
	if r.ProcessID != nil {
		meta.ProcessID = *r.ProcessID
	}
	if r.UserEndpoint != nil || h.joins() {
		meta.UserEndpoint = r.UserEndpoint
	}
	if r.ClientTags != nil {
		meta.ClientTags = r.ClientTags
	}
	meta.ClientID, meta.ClientHost = r.ClientID, r.ClientHost
	h.after = h.before
	if streamsgroup.SameMeta(&meta, &h.before.Meta) {
		return nil
	}
	h.after = h.before.WithMeta(meta)
	h.put(record.StreamsMemberMetadata, h.after.ID, meta)
	switch {
	case h.isNew:
		h.reason(ruleStreamsMetadata, h.after.ID+" joins")
	case h.metadataCounts():
		h.reason(ruleStreamsMetadata, h.after.ID+" describes itself anew")
	default:
		h.say(noted, ruleStaticMetadata, h.after.ID+" describes itself anew. For a static member this does not change the group epoch.")
	}
	return nil
}

// metadataCounts reports whether what changed in the member's description
// bumps the group epoch (the rule StaticMemberBumps).
func (h *streamsHeartbeat) metadataCounts() bool {
	was, is := &h.before.Meta, &h.after.Meta
	if is.InstanceID == nil || h.c.cfg.Rules.StaticMemberBumps == rules.OnAnyField {
		return true
	}
	return was.InstanceID == nil || was.TopologyEpoch != is.TopologyEpoch || was.ProcessID != is.ProcessID ||
		!slices.Equal(was.ClientTags, is.ClientTags) || (was.RackID == nil) != (is.RackID == nil) ||
		was.RackID != nil && *was.RackID != *is.RackID
}

func repeatedKey(tags []protocol.Tag) string {
	for i := range tags {
		if slices.ContainsFunc(tags[:i], func(t protocol.Tag) bool { return t.Key == tags[i].Key }) {
			return tags[i].Key
		}
	}
	return ""
}

// startDelay gives other members of a group that was empty time to join
// before the first target.
func (h *streamsHeartbeat) startDelay() {
	delay := h.c.streamsDelay(h.group.ID)
	key := timerKey{kind: InitialRebalanceTimer, group: h.group.ID}
	if h.wasEmpty && delay > 0 && h.c.timers.deadline(key) == 0 {
		h.c.timers.start(key, h.now.Add(delay), 0)
		h.delayStarts = true
		h.say(rare, ruleDelay, textDelay(delay))
	}
}

func (h *streamsHeartbeat) askShutdown() {
	h.group.askShutdown(h.req.MemberID)
	h.say(rare, ruleShutdown, textShutdown(h.req.MemberID, h.group.shutdown))
}

// askShutdown remembers the first member that asks.
func (g *streamsGroup) askShutdown(member string) {
	if g.shutdown == "" {
		g.shutdown = member
	}
}
