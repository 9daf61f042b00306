package coordinator

import (
	"strconv"
	"strings"

	"groupscope/core/protocol"
	"groupscope/core/record"
	"groupscope/core/streamsgroup"
)

// streamsOperation is an operation on a streams group.
type streamsOperation struct {
	operation
	group *streamsGroup
}

func (o *streamsOperation) put(t record.Type, member string, v record.Value) {
	o.records = append(o.records, record.Record{
		Key: record.Key{Type: t, Group: o.group.ID, Member: member}, Value: v,
	})
}

// tombstones deletes a member: current assignment, target, metadata.
func (o *streamsOperation) tombstones(member string) {
	o.put(record.StreamsCurrentMemberAssignment, member, nil)
	o.put(record.StreamsTargetAssignmentMember, member, nil)
	o.put(record.StreamsMemberMetadata, member, nil)
}

// refuse answers with an error; whatever was prepared is dropped, and so is
// what was said of it.
func (o *streamsOperation) refuse(code protocol.ErrorCode, rule, text string) *StreamsResult {
	o.drop()
	o.say(final, rule, text)
	return &StreamsResult{
		Response:  protocol.StreamsGroupHeartbeatResponse{Error: code, ErrorMessage: text},
		Decisions: o.decisions(),
	}
}

// remove takes a member out of the group: its tombstones, a new group epoch,
// and no timer of it left. Nobody gets its tasks yet: the next heartbeat of
// another member computes a target.
func (o *streamsOperation) remove(m *streamsgroup.Member) {
	o.tombstones(m.ID)
	g := o.group
	epoch := g.Epoch + 1
	o.put(record.StreamsGroupMetadata, "", record.StreamsGroupMetadataValue{
		Epoch: epoch, MetadataHash: g.MetadataHash,
		ValidatedTopologyEpoch: g.ValidatedTopologyEpoch, LastAssignmentConfigs: g.LastAssignmentConfigs,
	})
	if g.Size() == 1 {
		o.put(record.StreamsTargetAssignmentMetadata, "", record.StreamsTargetAssignmentMetadataValue{AssignmentEpoch: epoch})
	}
	o.c.timers.cancel(timerKey{SessionTimer, g.ID, m.ID})
	o.c.timers.cancel(timerKey{RebalanceTimer, g.ID, m.ID})
}

// The configs of a group: its own, or else the broker's.

func (o *streamsOperation) duration(key string, broker protocol.Duration) protocol.Duration {
	return o.c.groupDuration(o.group.ID, key, broker)
}

func (o *streamsOperation) number(key string, broker int64) int64 {
	return o.c.groupNumber(o.group.ID, key, broker)
}

// streamsDelay is how long the first target of a group that was empty waits
// for more members.
func (c *Coordinator) streamsDelay(group string) protocol.Duration {
	return c.groupDuration(group, "streams.initial.rebalance.delay.ms", c.cfg.Streams.InitialRebalanceDelay)
}

func (o *streamsOperation) standbyReplicas() int {
	return int(o.number("streams.num.standby.replicas", int64(o.c.cfg.Streams.StandbyReplicas)))
}

func (o *streamsOperation) warmupReplicas() int {
	return int(o.number("streams.num.warmup.replicas", int64(o.c.cfg.Streams.WarmupReplicas)))
}

func (o *streamsOperation) recoveryLag() int64 {
	return o.number("streams.acceptable.recovery.lag", o.c.cfg.Streams.AcceptableRecoveryLag)
}

func (o *streamsOperation) rackAwareTags() []string {
	if list, ok := o.c.groupWord(o.group.ID, "streams.rack.aware.assignment.tags"); ok {
		return strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' })
	}
	return o.c.cfg.Streams.RackAwareTags
}

// streamsAssignorName is the assignor that the next target is computed with.
func (c *Coordinator) streamsAssignorName(group string) string {
	if name, ok := c.groupWord(group, "streams.assignor.name"); ok && name != "" {
		return name
	}
	return c.cfg.Streams.Assignors[0]
}

// The assignment configs, by the names they have in a group's record.
const (
	configStandbys = "num.standby.replicas"
	configTags     = "rack.aware.assignment.tags"
)

// assignmentConfigs are the configs whose change bumps the group epoch.
func (o *streamsOperation) assignmentConfigs() []protocol.Tag {
	out := []protocol.Tag{{Key: configStandbys, Value: strconv.Itoa(o.standbyReplicas())}}
	if tags := o.rackAwareTags(); len(tags) > 0 {
		out = append(out, protocol.Tag{Key: configTags, Value: strings.Join(tags, ",")})
	}
	return out
}

// sameConfigs compares the assignment configs with those of the last target,
// without making a list of them.
func (o *streamsOperation) sameConfigs() bool {
	stored, tags := o.group.LastAssignmentConfigs, o.rackAwareTags()
	want := 1
	if len(tags) > 0 {
		want = 2
	}
	if len(stored) != want || stored[0].Key != configStandbys || stored[0].Value != strconv.Itoa(o.standbyReplicas()) {
		return false
	}
	return want == 1 || stored[1].Key == configTags && stored[1].Value == strings.Join(tags, ",")
}

// storedStandbys is the number of standby replicas in assignment configs.
func storedStandbys(configs []protocol.Tag) int {
	for _, c := range configs {
		if n, err := strconv.Atoi(c.Value); c.Key == configStandbys && err == nil {
			return n
		}
	}
	return 0
}
