package coordinator_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/core/coordinator"
	"groupscope/core/protocol"
	"groupscope/core/record"
	"groupscope/core/rules"
)

// classicRig drives members of the classic protocol. Requests that wait are
// known by their tickets.
type classicRig struct {
	*rig
	waiting map[int64]string // ticket to member
	answers map[string]string
}

func newClassicRig(t *testing.T, change ...func(*coordinator.Config)) *classicRig {
	return &classicRig{rig: newRig(t, rules.Kafka(), change...), waiting: map[int64]string{}, answers: map[string]string{}}
}

// classicJoin changes a JoinGroup of the range assignor for foo.
type classicJoin func(*protocol.JoinGroupRequest)

func classicInstance(id string) classicJoin {
	return func(r *protocol.JoinGroupRequest) { r.GroupInstanceID = &id }
}

func supports(names ...string) classicJoin {
	return func(r *protocol.JoinGroupRequest) {
		metadata := r.Protocols[0].Metadata
		r.Protocols = nil
		for _, name := range names {
			r.Protocols = append(r.Protocols, protocol.JoinGroupProtocol{Name: name, Metadata: metadata})
		}
	}
}

// says puts another subscription into the join.
func says(s protocol.ClassicSubscription) classicJoin {
	return func(r *protocol.JoinGroupRequest) {
		s.Version = 3
		for i := range r.Protocols {
			r.Protocols[i].Metadata = protocol.EncodeSubscription(s)
		}
	}
}

// about names the member in the rig's notes when it has no id yet.
func (g *classicRig) joins(about, member string, changes ...classicJoin) coordinator.ClassicResult {
	g.t.Helper()
	req := protocol.JoinGroupRequest{
		GroupID: "g", MemberID: member, SessionTimeoutMs: 30_000, RebalanceTimeoutMs: 60_000,
		ProtocolType: protocol.ConsumerProtocolType, Protocols: []protocol.JoinGroupProtocol{{Name: "range"}},
		ClientID: "client", ClientHost: "/127.0.0.1",
	}
	says(protocol.ClassicSubscription{Topics: []string{"foo"}, GenerationID: -1})(&req)
	for _, change := range changes {
		change(&req)
	}
	result := g.c.ClassicJoin(g.now, req)
	g.note(about, result)
	return result
}

func (g *classicRig) syncs(member string, generation int32, assignments map[string][]int32) coordinator.ClassicResult {
	g.t.Helper()
	req := protocol.SyncGroupRequest{GroupID: "g", MemberID: member, GenerationID: generation, ProtocolType: "consumer", ProtocolName: "range"}
	for id, partitions := range assignments {
		req.Assignments = append(req.Assignments, protocol.SyncGroupAssignment{MemberID: id, Assignment: protocol.EncodeAssignment(
			protocol.ClassicAssignment{Version: 3, Partitions: []protocol.NamedPartitions{{Topic: "foo", Partitions: partitions}}})})
	}
	result := g.c.ClassicSync(g.now, req)
	g.note(member, result)
	return result
}

func (g *classicRig) beats(member string, generation int32) string {
	g.t.Helper()
	result := g.c.ClassicHeartbeat(g.now, protocol.HeartbeatRequest{GroupID: "g", MemberID: member, GenerationID: generation})
	g.note(member, result)
	require.NotNil(g.t, result.Heartbeat)
	return result.Heartbeat.Error.String()
}

func (g *classicRig) leaves(members ...protocol.LeavingMember) coordinator.ClassicResult {
	g.t.Helper()
	result := g.c.ClassicLeave(g.now, protocol.LeaveGroupRequest{GroupID: "g", Members: members})
	g.note("", result)
	return result
}

// note keeps what became of a request, and of those it answered.
func (g *classicRig) note(about string, r coordinator.ClassicResult) {
	g.t.Helper()
	g.check(r.Decisions)
	if r.Ticket != 0 {
		g.waiting[r.Ticket] = about
		g.answers[about] = "waits"
	}
	g.complete(coordinator.Completion{Join: r.Join, Sync: r.Sync}, about)
	g.completeAll(r.Completed)
}

func (g *classicRig) completeAll(list []coordinator.Completion) {
	for _, done := range list {
		about, ok := g.waiting[done.Ticket]
		require.True(g.t, ok, "nobody waits for ticket %d", done.Ticket)
		delete(g.waiting, done.Ticket)
		g.complete(done, about)
	}
}

func (g *classicRig) complete(done coordinator.Completion, about string) {
	switch {
	case done.Join != nil && done.Join.Error != protocol.None:
		g.answers[about] = done.Join.Error.String()
	case done.Join != nil:
		var members []string
		for _, m := range done.Join.Members {
			members = append(members, m.MemberID)
		}
		g.answers[about] = fmt.Sprintf("generation %d of %s", done.Join.GenerationID, done.Join.MemberID)
		if len(members) > 0 {
			g.answers[about] += ", leads " + strings.Join(members, " ")
		}
	case done.Sync != nil && done.Sync.Error != protocol.None:
		g.answers[about] = done.Sync.Error.String()
	case done.Sync != nil:
		a, err := protocol.DecodeAssignment(done.Sync.Assignment)
		if len(done.Sync.Assignment) > 0 {
			require.NoError(g.t, err)
		}
		g.answers[about] = fmt.Sprint(a.Partitions)
	}
}

func (g *classicRig) passes(d protocol.Duration) []coordinator.Expiry {
	g.t.Helper()
	fired := g.advance(d)
	for _, e := range fired {
		g.completeAll(e.Completed)
	}
	return fired
}

// classicState writes "Stable 1: classic-1 classic-2".
func (g *classicRig) classicState() string {
	g.t.Helper()
	group := g.group()
	require.NotNil(g.t, group.Classic, "it is a classic group")
	out := fmt.Sprintf("%s %d:", group.Classic.State, group.Classic.Generation)
	for _, m := range group.Members {
		out += " " + m.ID
	}
	return out
}

// two is a stable classic group of two dynamic members.
func twoClassic(t *testing.T, change ...func(*coordinator.Config)) *classicRig {
	t.Helper()
	g := newClassicRig(t, change...)
	g.joins("A", "")
	g.joins("B", "")
	g.passes(6 * protocol.Second)
	require.Equal(t, "generation 1 of classic-1, leads classic-1 classic-2", g.answers["A"])
	require.Equal(t, "generation 1 of classic-2", g.answers["B"])
	g.syncs("classic-2", 1, nil)
	require.Equal(t, "waits", g.answers["classic-2"])
	g.syncs("classic-1", 1, map[string][]int32{"classic-1": {0, 1}, "classic-2": {2}})
	require.Equal(t, "[{foo [0 1]}]", g.answers["classic-1"])
	require.Equal(t, "[{foo [2]}]", g.answers["classic-2"])
	require.Equal(t, "Stable 1: classic-1 classic-2", g.classicState())
	return g
}

func TestAClassicGroupComesTogetherBeforeItsFirstGeneration(t *testing.T) {
	g := newClassicRig(t)
	first := g.joins("A", "")
	assert.Equal(t, "2", short(first.Records), "only that there is a group")
	assert.Equal(t, "Kafka, classic protocol: The group was empty. It waits 3s for others before its first generation.", main(first.Decisions))
	assert.Equal(t, "PreparingRebalance 0: classic-1", g.classicState())
	g.passes(2 * protocol.Second)
	assert.Empty(t, g.joins("B", "").Records)

	extended := g.passes(1 * protocol.Second)
	require.Len(t, extended, 1)
	assert.Equal(t, coordinator.JoinTimer, extended[0].Timer)
	assert.Equal(t, "join timeout: Others have come meanwhile. The group waits another 3s.", main(extended[0].Decisions))
	assert.Equal(t, "waits", g.answers["A"])

	done := g.passes(3 * protocol.Second)
	assert.Equal(t, "Kafka, classic protocol: Generation 1 has 2 members. classic-1 leads and assigns.", main(done[0].Decisions))
	assert.Equal(t, "generation 1 of classic-1, leads classic-1 classic-2", g.answers["A"])
	assert.Equal(t, "CompletingRebalance 1: classic-1 classic-2", g.classicState())
}

func TestTheLeadersAssignmentsMakeTheGroupStable(t *testing.T) {
	g := twoClassic(t)
	log := g.c.Log()
	stored, ok := log[len(log)-1].Value.(record.ClassicGroupMetadataValue)
	require.True(t, ok)
	assert.Equal(t, int32(1), stored.Generation)
	assert.Equal(t, "range classic-1", *stored.Protocol+" "+*stored.Leader)
	assert.Len(t, stored.Members, 2)
	assert.Equal(t, "NONE", g.beats("classic-1", 1))
	assert.Equal(t, "ILLEGAL_GENERATION", g.beats("classic-1", 2))
	assert.Equal(t, "UNKNOWN_MEMBER_ID", g.beats("classic-9", 1))
	g.syncs("classic-2", 1, nil)
	assert.Equal(t, "[{foo [2]}]", g.answers["classic-2"], "asked again")
}

func TestAFailoverKeepsAStableClassicGroup(t *testing.T) {
	g := twoClassic(t)
	before := g.classicState()
	g.reload()
	assert.Equal(t, before, g.classicState())
	assert.Equal(t, "NONE", g.beats("classic-1", 1))
	fired := g.passes(30 * protocol.Second)
	require.Len(t, fired, 2, "both have been silent")
	assert.Equal(t, coordinator.HeartbeatTimer, fired[0].Timer)
}

func TestAnotherMemberMakesEverybodyJoinAgain(t *testing.T) {
	g := twoClassic(t)
	g.joins("C", "")
	assert.Equal(t, "waits", g.answers["C"])
	assert.Equal(t, "REBALANCE_IN_PROGRESS", g.beats("classic-1", 1))
	g.syncs("classic-1", 1, nil)
	assert.Equal(t, "REBALANCE_IN_PROGRESS", g.answers["classic-1"])
	g.joins("A", "classic-1")
	assert.Equal(t, "waits", g.answers["A"])
	g.joins("B", "classic-2")
	assert.Equal(t, "generation 2 of classic-1, leads classic-1 classic-2 classic-3", g.answers["A"], "all are there")
	assert.Equal(t, "generation 2 of classic-3", g.answers["C"])
}

func TestWhoDoesNotJoinInTimeIsOut(t *testing.T) {
	g := twoClassic(t)
	g.joins("C", "")
	g.passes(29 * protocol.Second)
	g.beats("classic-1", 1)
	g.beats("classic-2", 1)
	g.joins("B", "classic-2")
	g.passes(29 * protocol.Second)
	g.beats("classic-1", 1)
	g.passes(2 * protocol.Second)
	assert.Equal(t, "generation 2 of classic-2, leads classic-2 classic-3", g.answers["B"], "the leader did not come, so another leads")
	assert.Equal(t, "CompletingRebalance 2: classic-2 classic-3", g.classicState())
}

func TestWhoDoesNotAskForItsAssignmentIsOut(t *testing.T) {
	g := newClassicRig(t)
	g.joins("A", "")
	g.joins("B", "")
	g.passes(6 * protocol.Second)
	g.syncs("classic-2", 1, nil)
	for range 2 {
		g.passes(29 * protocol.Second)
		g.beats("classic-1", 1)
	}
	g.passes(2 * protocol.Second)
	assert.Equal(t, "REBALANCE_IN_PROGRESS", g.answers["classic-2"])
	assert.Equal(t, "PreparingRebalance 1: classic-2", g.classicState())
}

func TestASilentClassicMemberIsRemovedAndTheOthersJoinAgain(t *testing.T) {
	g := twoClassic(t)
	g.passes(20 * protocol.Second)
	g.beats("classic-1", 1)
	fired := g.passes(10 * protocol.Second)
	require.Len(t, fired, 1)
	assert.Equal(t, "classic-2", fired[0].Member)
	assert.Equal(t, "PreparingRebalance 1: classic-1", g.classicState())
	g.joins("A", "classic-1")
	assert.Equal(t, "generation 2 of classic-1, leads classic-1", g.answers["A"])
}

func TestTheLastOneOutLeavesAnEmptyGroup(t *testing.T) {
	g := twoClassic(t)
	left := g.leaves(protocol.LeavingMember{MemberID: "classic-1"}, protocol.LeavingMember{MemberID: "classic-9"})
	assert.Equal(t, []protocol.LeftMember{{MemberID: "classic-1"}, {MemberID: "classic-9", Error: protocol.UnknownMemberID}}, left.Leave.Members)
	assert.Equal(t, "PreparingRebalance 1: classic-2", g.classicState())
	last := g.leaves(protocol.LeavingMember{MemberID: "classic-2"})
	assert.Equal(t, "2", short(last.Records))
	assert.Equal(t, "Empty 2:", g.classicState())
	assert.Equal(t, "UNKNOWN_MEMBER_ID", g.beats("classic-2", 2))
	assert.Equal(t, "T2", short(g.c.DeleteGroup(g.now, "g").Records))
}

func TestADynamicMemberMayHaveToAskAgainUnderItsName(t *testing.T) {
	g := newClassicRig(t)
	known := func(r *protocol.JoinGroupRequest) { r.RequireKnownMemberID = true }
	told := g.joins("A", "", known)
	assert.Equal(t, "MEMBER_ID_REQUIRED", g.answers["A"])
	assert.Equal(t, "classic-1", told.Join.MemberID)
	assert.Equal(t, "Empty 0:", g.classicState())
	g.joins("A", "classic-1", known)
	assert.Equal(t, "waits", g.answers["A"])

	g.joins("B", "", known)
	fired := g.passes(31 * protocol.Second)
	assert.Equal(t, "heartbeat timeout: classic-2 never joined under its name.", main(fired[len(fired)-1].Decisions))
}

func TestAClassicJoinThatCannotBeIsRefused(t *testing.T) {
	limit := func(cfg *coordinator.Config) { cfg.ClassicMaxSize = 2 }
	for name, test := range map[string]struct {
		join func(g *classicRig)
		want string
	}{
		"an unknown id":        {func(g *classicRig) { g.joins("X", "classic-9") }, "UNKNOWN_MEMBER_ID"},
		"another protocol":     {func(g *classicRig) { g.joins("X", "", supports("sticky")) }, "INCONSISTENT_GROUP_PROTOCOL"},
		"a group that is full": {func(g *classicRig) { g.joins("X", "") }, "GROUP_MAX_SIZE_REACHED"},
	} {
		t.Run(name, func(t *testing.T) {
			g := twoClassic(t)
			if name == "a group that is full" {
				g = twoClassic(t, limit)
			}
			test.join(g)
			assert.Equal(t, test.want, g.answers["X"])
			assert.Equal(t, "Stable 1: classic-1 classic-2", g.classicState())
		})
	}
	g := newClassicRig(t)
	g.joins("X", "somebody")
	assert.Equal(t, "UNKNOWN_MEMBER_ID", g.answers["X"], "a group is not made by a member that has an id")
	assert.Equal(t, coordinator.NoGroup, g.c.TypeOf("g"))
}

func TestAFollowerThatHasNotChangedIsToldTheGenerationThereIs(t *testing.T) {
	g := twoClassic(t)
	g.joins("B", "classic-2")
	assert.Equal(t, "generation 1 of classic-2", g.answers["B"])
	assert.Equal(t, "Stable 1: classic-1 classic-2", g.classicState())
	g.joins("B", "classic-2", says(protocol.ClassicSubscription{Topics: []string{"foo", "bar"}, GenerationID: -1}))
	assert.Equal(t, "waits", g.answers["B"], "another subscription changes the assignment")
}

func TestAStaticClassicMemberComesBackWithoutARebalance(t *testing.T) {
	g := newClassicRig(t)
	g.joins("A", "", classicInstance("i1"))
	g.joins("B", "", classicInstance("i2"))
	g.passes(6 * protocol.Second)
	g.syncs("classic-1", 1, map[string][]int32{"classic-1": {0}, "classic-2": {1, 2}})
	require.Equal(t, "Stable 1: classic-1 classic-2", g.classicState())

	back := g.joins("B again", "", classicInstance("i2"))
	assert.Equal(t, "2", short(back.Records))
	assert.Equal(t, "generation 1 of classic-3", g.answers["B again"])
	assert.Equal(t, "Stable 1: classic-1 classic-3", g.classicState())
	g.syncs("classic-3", 1, nil)
	assert.Equal(t, "[{foo [1 2]}]", g.answers["classic-3"], "it finds what it had")

	leads := g.joins("A again", "", classicInstance("i1"))
	assert.True(t, leads.Join.SkipAssignment, "a leader is told not to assign")
}

func TestAStaticClassicMemberThatIsReplacedWhileItWaitsIsFenced(t *testing.T) {
	g := newClassicRig(t)
	g.joins("A", "", classicInstance("i1"))
	g.joins("A2", "", classicInstance("i1"))
	assert.Equal(t, "FENCED_INSTANCE_ID", g.answers["A"])
	assert.Equal(t, "waits", g.answers["A2"])
}

func TestAClassicMemberCommitsInItsGeneration(t *testing.T) {
	g := newClassicRig(t)
	g.joins("A", "")
	g.passes(3 * protocol.Second)
	assert.Equal(t, protocol.RebalanceInProgress, g.commit("classic-1", 1, 0).Error, "it has no assignment yet")
	g.syncs("classic-1", 1, map[string][]int32{"classic-1": {0, 1, 2}})
	g.passes(20 * protocol.Second)
	assert.Equal(t, protocol.None, g.commit("classic-1", 1, 0).Error)
	assert.Equal(t, protocol.IllegalGeneration, g.commit("classic-1", 0, 0).Error)
	assert.Equal(t, protocol.UnknownMemberID, g.commit("X", 1, 0).Error)
	assert.Empty(t, g.passes(29*protocol.Second), "the commit was a sign of life")
}
