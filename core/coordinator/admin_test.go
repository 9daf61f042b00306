package coordinator_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/core/coordinator"
	"groupscope/core/protocol"
	"groupscope/core/record"
	"groupscope/core/rules"
)

// commit commits one offset of foo, by default in the consumer protocol.
func (g *rig) commit(member string, epoch int32, partitions ...int32) coordinator.CommitResult {
	g.t.Helper()
	req := protocol.OffsetCommitRequest{GroupID: "g", MemberID: member, GenerationIDOrMemberEpoch: epoch}
	for _, p := range partitions {
		req.Offsets = append(req.Offsets, protocol.TopicOffset{Topic: "foo", Partition: p, Offset: 7})
	}
	result := g.c.CommitOffsets(g.now, req)
	g.check(result.Decisions)
	return result
}

func TestOnlyAnEmptyGroupCanBeDeleted(t *testing.T) {
	bothRules(t, func(t *testing.T, r rules.Rules) {
		g := newRig(t, r)
		assert.Equal(t, protocol.GroupIDNotFound, g.c.DeleteGroup(g.now, "g").Error)
		g.send("A", join)
		refused := g.c.DeleteGroup(g.now, "g")
		assert.Equal(t, protocol.NonEmptyGroup, refused.Error)
		assert.Empty(t, refused.Records)
		assert.Equal(t, "Kafka, group deletion: Group g has members. Only an empty group can be deleted.", main(refused.Decisions))

		g.send("A", epoch(protocol.EpochLeaving))
		deleted := g.c.DeleteGroup(g.now, "g")
		g.check(deleted.Decisions)
		assert.Equal(t, "T6 T4 T3", short(deleted.Records))
		assert.Equal(t, coordinator.NoGroup, g.c.TypeOf("g"))
		assert.Equal(t, "GROUP_ID_NOT_FOUND", answer(g.send("A", epoch(1))))
	})
}

func TestOffsetsGoWithTheirGroup(t *testing.T) {
	g := newRig(t, rules.Kafka())
	g.send("A", join)
	assert.Equal(t, "1foo-0 1foo-2", short(g.commit("A", 2, 0, 2).Records))
	g.send("A", epoch(protocol.EpochLeaving))
	assert.Equal(t, "T1foo-0 T1foo-2 T6 T4 T3", short(g.c.DeleteGroup(g.now, "g").Records))
	_, committed := g.c.CommittedOffset("g", "foo", 0)
	assert.False(t, committed)
}

func TestTheCleanupDeletesGroupsWithNeitherMembersNorOffsets(t *testing.T) {
	g := newRig(t, rules.Kafka())
	g.send("A", join)
	busy := g.c.Cleanup(g.now)
	assert.Empty(t, busy.Records)
	assert.Equal(t, "Kafka, group expiration: No group is both empty and without offsets. Nothing changes.", main(busy.Decisions))

	g.commit("A", 2, 0)
	g.send("A", epoch(protocol.EpochLeaving))
	assert.Empty(t, g.c.Cleanup(g.now).Records, "its offsets keep it")
	g.now = g.now.Add(g.cfg.OffsetsRetention - 1)
	assert.Empty(t, g.c.Cleanup(g.now).Records)
	g.now++
	cleaned := g.c.Cleanup(g.now)
	g.check(cleaned.Decisions)
	assert.Equal(t, "T1foo-0 T6 T4 T3", short(cleaned.Records))
	assert.Equal(t, "Kafka, group expiration: Group g is empty and has no offsets. It is deleted.", main(cleaned.Decisions))
}

func TestOffsetsOfTopicsThatAreReadDoNotExpire(t *testing.T) {
	g := newRig(t, rules.Kafka())
	g.send("A", join)
	g.commit("A", 2, 0)
	g.now = g.now.Add(2 * g.cfg.OffsetsRetention)
	assert.Empty(t, g.c.Cleanup(g.now).Records)
}

func TestTheDynamicConfigOfAGroupReplacesTheBrokers(t *testing.T) {
	g := newRig(t, rules.Kafka())
	require.NoError(t, g.c.SetGroupConfig(g.now, "g", map[string]string{
		"consumer.session.timeout.ms": "50000", "consumer.heartbeat.interval.ms": "7000", "consumer.assignment.interval.ms": "3000",
	}))
	joined := g.send("A", join)
	assert.Equal(t, int32(7000), joined.Response.HeartbeatIntervalMs)
	assert.Equal(t, start+50_000, g.member("A").SessionDeadline)
	g.send("B", join)
	assert.Equal(t, "3/2 Assigning", g.state(), "the target is not 3 s old")

	require.NoError(t, g.c.SetGroupConfig(g.now, "g", map[string]string{}))
	next := g.send("A", epoch(2))
	assert.Equal(t, int32(5000), next.Response.HeartbeatIntervalMs, "what is not named falls back")
	assert.Equal(t, "3/3 Reconciling", g.state())
	assert.Equal(t, start+45_000, g.member("A").SessionDeadline)
	assert.Equal(t, start+50_000, g.member("B").SessionDeadline, "a timer that runs keeps its deadline")
}

func TestOneGroupsConfigIsNotAnothers(t *testing.T) {
	g := newRig(t, rules.Kafka())
	require.NoError(t, g.c.SetGroupConfig(g.now, "other", map[string]string{"consumer.heartbeat.interval.ms": "9000"}))
	other := g.c.Clone()
	require.NoError(t, other.SetGroupConfig(g.now, "g", map[string]string{"consumer.heartbeat.interval.ms": "8000"}))
	assert.Equal(t, int32(5000), g.send("A", join).Response.HeartbeatIntervalMs)
	assert.Equal(t, int32(8000), other.Heartbeat(g.now, joinRequest("A", "foo")).Response.HeartbeatIntervalMs)
}

func TestABadGroupConfigIsRefusedWhole(t *testing.T) {
	g := newRig(t, rules.Kafka())
	for name, test := range map[string]struct {
		config map[string]string
		want   string
	}{
		"a word for a number": {
			map[string]string{"consumer.session.timeout.ms": "soon", "consumer.heartbeat.interval.ms": "9000"},
			`coordinator: consumer.session.timeout.ms is "soon"; it must be a whole number of at least 1`,
		},
		"too low": {
			map[string]string{"consumer.heartbeat.interval.ms": "0"},
			`coordinator: consumer.heartbeat.interval.ms is "0"; it must be a whole number of at least 1`,
		},
		"unknown": {map[string]string{"group.consumer.max.size": "3"}, "coordinator: a group has no config group.consumer.max.size; it has "},
	} {
		t.Run(name, func(t *testing.T) {
			assert.ErrorContains(t, g.c.SetGroupConfig(g.now, "g", test.config), test.want)
			assert.Equal(t, int32(5000), g.send("A", join, instance("i")).Response.HeartbeatIntervalMs)
			g.send("A", epoch(-1), instance("i"))
		})
	}
}

func TestADescriptionTellsOfTheGroupAsItWouldGoOn(t *testing.T) {
	g := newRig(t, rules.Kafka())
	g.setTopics(topic("foo", 3), topic("bar", 1))
	g.send("A", join, subscribes("foo", "bar"), instance("i1"), votes("range"))
	g.send("B", join, subscribes("foo", "bar"), votes("range"))
	g.send("A", epoch(2), instance("i1"))
	require.Equal(t, "UNREVOKED_PARTITIONS", g.member("A").State.String())
	g.setTopics(topic("foo", 3))
	d := g.c.Describe("g", coordinator.ConsumerType)
	assert.Equal(t, protocol.None, d.Error)
	assert.Equal(t, "Reconciling 3/3 range", d.GroupState+" "+numbered(d.GroupEpoch, "%d", 0)+"/"+numbered(d.AssignmentEpoch, "%d", 0)+" "+d.AssignorName)
	require.Len(t, d.Members, 2)
	a := d.Members[0]
	assert.Equal(t, "A i1", a.MemberID+" "+a.InstanceID)
	assert.Equal(t, []string{"bar", "foo"}, a.SubscribedTopicNames)
	assert.Equal(t, "foo [0, 1, 2]", a.Assignment.String(), "with what it is to give up, without topics that are gone")
	assert.Equal(t, "foo [0, 1]", a.TargetAssignment.String())
}

func TestAGroupOfAnotherTypeIsNotDescribed(t *testing.T) {
	g := newRig(t, rules.Kafka())
	unknown := g.c.Describe("g", coordinator.ConsumerType)
	assert.Equal(t, protocol.GroupIDNotFound, unknown.Error)
	assert.Equal(t, "Group g not found.", unknown.ErrorMessage)
	g.send("A", join)
	foreign := g.c.Describe("g", coordinator.StreamsType)
	assert.Equal(t, protocol.GroupIDNotFound, foreign.Error)
	assert.Equal(t, "Group g is not a streams group.", foreign.ErrorMessage)
}

func TestAGroupThatOnlyKeepsOffsetsGivesWayToARealOne(t *testing.T) {
	g := newRig(t, rules.Kafka())
	g.send("A", join)
	offset := record.Record{Key: record.Key{Type: record.OffsetCommit, Group: "g", Topic: "foo"}, Value: record.OffsetCommitValue{Offset: 7}}
	loaded, err := coordinator.Load(g.cfg, append([]record.Record{offset}, g.c.Log()...), g.topics, g.now)
	require.NoError(t, err)
	require.Equal(t, coordinator.ConsumerType, loaded.TypeOf("g"))
	view, _ := loaded.Group("g")
	assert.Len(t, view.Members, 1)
}

func TestARecordOfAnotherTypeOfGroupCannotFollow(t *testing.T) {
	g := newRig(t, rules.Kafka())
	g.send("A", join)
	log := append(g.c.Log(), record.Record{
		Key: record.Key{Type: record.ClassicGroupMetadata, Group: "g"}, Value: record.ClassicGroupMetadataValue{},
	})
	_, err := coordinator.Load(g.cfg, log, g.topics, g.now)
	assert.EqualError(t, err, "coordinator: offset 5: group g, record 2: it is a consumer group")
	log[len(log)-1].Value = nil
	_, err = coordinator.Load(g.cfg, log, g.topics, g.now)
	assert.NoError(t, err, "a tombstone of what was there before")
}
