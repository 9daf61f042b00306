package coordinator_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/core/coordinator"
	"groupscope/core/protocol"
)

func TestOffsetsOfAClassicGroupExpireWhenNobodyReadsTheirTopic(t *testing.T) {
	g := twoClassic(t)
	g.commit("classic-1", 1, 0)
	later := g.now.Add(g.cfg.OffsetsRetention)
	assert.Empty(t, g.c.Clone().Cleanup(later).Records, "its members read foo")

	elsewhere := says(protocol.ClassicSubscription{Topics: []string{"bar"}, GenerationID: -1})
	g.joins("A", "classic-1", elsewhere)
	assert.Empty(t, g.c.Clone().Cleanup(later).Records, "between two generations nobody knows what is read")
	g.joins("B", "classic-2", elsewhere)
	g.syncs("classic-1", 2, nil)
	assert.Equal(t, "T1foo-0", short(g.c.Clone().Cleanup(later).Records))

	g.leaves(protocol.LeavingMember{MemberID: "classic-1"}, protocol.LeavingMember{MemberID: "classic-2"})
	require.Equal(t, "Empty 3:", g.classicState())
	assert.Equal(t, protocol.None, g.commit("", -1, 1).Error, "from outside, since it is empty")
	assert.Equal(t, "T1foo-0 T1foo-1 T2", short(g.c.Cleanup(later.Add(1000*protocol.Second)).Records))
	assert.Equal(t, coordinator.NoGroup, g.c.TypeOf("g"))
}

func TestACopyOfACoordinatorHasItsOwnClassicGroups(t *testing.T) {
	g := twoClassic(t)
	g.setTopics(topic("foo", 5))
	before := g.group()
	other := g.c.Clone()
	g.joins("A", "classic-1")
	assert.Equal(t, "PreparingRebalance 1: classic-1 classic-2", g.classicState())
	still, _ := other.Group("g")
	assert.Equal(t, before, still)
}

// The limit may have been lowered while the group was elsewhere.
func TestAClassicGroupThatHasGrownTooLargeComesTogetherAnewWhenItIsLoaded(t *testing.T) {
	g := twoClassic(t)
	g.cfg.ClassicMaxSize = 1
	g.reload()
	assert.Equal(t, "PreparingRebalance 1: classic-1 classic-2", g.classicState())
	g.joins("A", "classic-1")
	g.joins("B", "classic-2")
	assert.Equal(t, "GROUP_MAX_SIZE_REACHED", g.answers["B"])
	g.passes(60 * protocol.Second)
	assert.Equal(t, "generation 2 of classic-1, leads classic-1", g.answers["A"])
}

func TestAClassicMemberAsksForItsAssignmentInItsGenerationAndProtocol(t *testing.T) {
	g := twoClassic(t)
	ask := func(change func(*protocol.SyncGroupRequest)) protocol.ErrorCode {
		req := protocol.SyncGroupRequest{GroupID: "g", MemberID: "classic-1", GenerationID: 1}
		change(&req)
		result := g.c.ClassicSync(g.now, req)
		g.check(result.Decisions)
		return result.Sync.Error
	}
	instance := "i9"
	assert.Equal(t, protocol.None, ask(func(*protocol.SyncGroupRequest) {}))
	assert.Equal(t, protocol.IllegalGeneration, ask(func(r *protocol.SyncGroupRequest) { r.GenerationID = 2 }))
	assert.Equal(t, protocol.InconsistentGroupProtocol, ask(func(r *protocol.SyncGroupRequest) { r.ProtocolType = "connect" }))
	assert.Equal(t, protocol.InconsistentGroupProtocol, ask(func(r *protocol.SyncGroupRequest) { r.ProtocolName = "sticky" }))
	assert.Equal(t, protocol.UnknownMemberID, ask(func(r *protocol.SyncGroupRequest) { r.MemberID = "X" }))
	assert.Equal(t, protocol.UnknownMemberID, ask(func(r *protocol.SyncGroupRequest) { r.GroupInstanceID = &instance }))
	assert.Equal(t, protocol.UnknownMemberID, ask(func(r *protocol.SyncGroupRequest) { r.GroupID = "other" }))
	left := g.c.ClassicLeave(g.now, protocol.LeaveGroupRequest{GroupID: "other"})
	assert.Equal(t, protocol.UnknownMemberID, left.Leave.Error)
	beat := g.c.ClassicHeartbeat(g.now, protocol.HeartbeatRequest{GroupID: "other"})
	assert.Equal(t, protocol.UnknownMemberID, beat.Heartbeat.Error)
}

func TestAClassicMemberOfAConsumerGroupIsKnownByItsIdOrInstance(t *testing.T) {
	g := newClassicRig(t)
	g.send("C", join)
	i1 := "i1"
	g.joins("A", "", classicInstance(i1))
	require.Equal(t, "generation 3 of classic-1", g.answers["A"])
	ask := func(member string, instance *string, protocolName string) protocol.ErrorCode {
		result := g.c.ClassicSync(g.now, protocol.SyncGroupRequest{
			GroupID: "g", MemberID: member, GroupInstanceID: instance, GenerationID: 3, ProtocolName: protocolName,
		})
		g.check(result.Decisions)
		return result.Sync.Error
	}
	assert.Equal(t, protocol.None, ask("classic-1", &i1, "range"))
	assert.Equal(t, protocol.FencedInstanceID, ask("X", &i1, "range"))
	assert.Equal(t, protocol.UnknownMemberID, ask("X", nil, "range"))
	assert.Equal(t, protocol.UnknownMemberID, ask("C", nil, "range"))
	assert.Equal(t, protocol.InconsistentGroupProtocol, ask("classic-1", nil, "sticky"))
	g.send("C", epoch(2), subscribes("foo", "bar"), owns(0, 1))
	assert.Equal(t, protocol.RebalanceInProgress, ask("classic-1", nil, "range"), "there is a target that it has not joined for")

	g.joins("A", "X", classicInstance(i1))
	assert.Equal(t, "FENCED_INSTANCE_ID", g.answers["A"])
	g.joins("A", "classic-1", classicInstance("i7"))
	assert.Equal(t, "UNKNOWN_MEMBER_ID", g.answers["A"])
	g.joins("A", "classic-1", classicInstance(i1))
	assert.Equal(t, "generation 4 of classic-1", g.answers["A"])
}

func TestAFullConsumerGroupTakesNoMoreClassicMembers(t *testing.T) {
	g := newClassicRig(t, func(cfg *coordinator.Config) { cfg.MaxSize = 1 })
	g.send("C", join)
	g.joins("A", "")
	assert.Equal(t, "GROUP_MAX_SIZE_REACHED", g.answers["A"])
}
