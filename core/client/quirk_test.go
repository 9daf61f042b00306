package client_test

import (
	"regexp"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/core/client"
	"groupscope/core/coordinator"
	"groupscope/core/protocol"
	"groupscope/core/record"
	"groupscope/core/rules"
)

const (
	ms  = protocol.Millisecond
	sec = protocol.Second
)

// wrongs tells, for each quirk, a story between a client and a coordinator,
// and whether it went wrong.
var wrongs = map[client.Quirk]func(t *testing.T, a client.Config) bool{
	client.IgnoresEmptyAssignment:         keepsWhatItShouldGiveUp,
	client.AcknowledgesBeforeRevoking:     readsWhatIsAnothers,
	client.AcknowledgesAtTheInterval:      isStillExpectedToAcknowledge,
	client.KeepsOldEpochOnRetry:           isFencedAfterALostAnswer,
	client.BareHeartbeatAfterLostResponse: neverHearsOfALostAssignment,
	client.NeverSendsLeave:                staysInTheGroupAfterClose,
	client.NewMemberIDAfterEpochError:     leavesItsOldSelfBehind,
	client.RejoinsWithOwnedPartitions:     isRefusedForEver,
	client.JoinsWithoutRebalanceTimeout:   isNoValidMember,
	client.WaitsForBrokerMadeMemberID:     isNoValidMember,
	client.RetriesWithoutBackoff:          stormsWhenRefused,
	client.TreatsPartialMetadataAsFull:    neverReadsTheLateTopic,
	client.AcknowledgesUnnamedPartitions:  neverReadsTheLateTopic,
	client.DropsKnownForLateTopics:        losesTheKnownTopic,
	client.AcksOnEveryPoll:                stormsWhileItWaitsForAName,
	client.RetriesCommitOfDeletedTopic:    isThrownOutOverADeletedTopic,
	client.RejoinsWhenGroupIsGone:         bringsTheGroupBack,
	client.TakesEpochOfLateLeave:          joinsWithALeave,
	client.KeepsOldStatus:                 endsOverTopicsThatAreThere,
	client.ListsTopicsInItsOwnOrder:       hasATopologyOfItsOwn,
	client.ReportsActiveTasksOnly:         acknowledgesWithPartOfTheLists,
}

func TestEachQuirkGoesWrongWhereTheJavaClientDoesNot(t *testing.T) {
	require.Len(t, wrongs, len(client.Quirks()))
	for _, q := range client.Quirks() {
		t.Run(q.Name, func(t *testing.T) {
			assert.False(t, wrongs[q.Quirk](t, client.Config{MemberID: "A"}), "without the quirk")
			assert.True(t, wrongs[q.Quirk](t, client.Config{MemberID: "A", Quirks: []client.Quirk{q.Quirk}}), "with it")
		})
	}
}

func TestQuirksAreFoundByTheirNamesAndDescribed(t *testing.T) {
	name, sentence := regexp.MustCompile(`^[a-z]+(-[a-z]+)+$`), regexp.MustCompile(`^[A-Z][^.]+\.$`)
	for _, q := range client.Quirks() {
		found, ok := client.ParseQuirk(q.Name)
		assert.True(t, ok)
		assert.Equal(t, q.Quirk, found)
		assert.Equal(t, q.Name, q.Quirk.String())
		assert.Regexp(t, name, q.Name)
		assert.Regexp(t, sentence, q.Says)
		assert.Positive(t, q.Case)
	}
	_, ok := client.ParseQuirk("sings")
	assert.False(t, ok)
}

func keepsWhatItShouldGiveUp(t *testing.T, a client.Config) bool {
	r := newRig(t, map[string]int32{"foo": 2})
	m := r.start(a, "foo")
	r.run(7 * sec)
	m.react(m.Subscribe(r.now, client.Subscription{Topics: []string{"bar"}}))
	r.run(20 * sec)
	return m.Owned().Len() > 0 && r.member("A").State == record.UnrevokedPartitions
}

func readsWhatIsAnothers(t *testing.T, a client.Config) bool {
	r := newRig(t, map[string]int32{"foo": 4})
	a.RevokeTime = 12 * sec
	r.start(a, "foo")
	r.run(7 * sec)
	r.start(client.Config{MemberID: "B"}, "foo")
	for range 300 {
		r.run(100 * ms)
		for n := range int32(4) {
			if r.readers(protocol.Partition{Topic: "foo", Number: n}) > 1 {
				return true
			}
		}
	}
	assert.Positive(t, r.clients["B"].Owned().Len())
	return false
}

func isStillExpectedToAcknowledge(t *testing.T, a client.Config) bool {
	r := newRig(t, map[string]int32{"foo": 4})
	m := r.start(a, "foo")
	r.run(7 * sec)
	r.start(client.Config{MemberID: "B"}, "foo")
	r.run(5 * sec)
	require.Equal(t, 2, m.Owned().Len())
	expected := r.member("A").State == record.UnrevokedPartitions
	r.run(10 * sec)
	assert.Equal(t, record.Stable, r.member("A").State, "it does so later")
	return expected
}

// loses is a group of A and B which B leaves, so that A gets all partitions
// and a new epoch, in an answer that gets lost.
func loses(t *testing.T, a client.Config) (*rig, *rigged) {
	r := newRig(t, map[string]int32{"foo": 4})
	m, b := r.start(a, "foo"), r.start(client.Config{MemberID: "B"}, "foo")
	r.run(17 * sec)
	require.Equal(t, 2, m.Owned().Len())
	m.lose = 1
	b.react(b.Close(r.now, client.LeaveDefault))
	r.run(40 * sec)
	return r, m
}

func isFencedAfterALostAnswer(t *testing.T, a client.Config) bool {
	_, m := loses(t, a)
	repeated := false
	for i := 1; i < len(m.requests); i++ {
		repeated = repeated || m.requests[i].TopicPartitions == nil && assert.ObjectsAreEqual(m.requests[i-1], m.requests[i])
	}
	return repeated && slices.Equal(m.errors(), []protocol.ErrorCode{protocol.FencedMemberEpoch})
}

// neverHearsOfALostAssignment: B waits for partitions of A, and the answer
// that brings them gets lost. Its epoch does not change.
func neverHearsOfALostAssignment(t *testing.T, b client.Config) bool {
	r := newRig(t, map[string]int32{"foo": 4})
	r.start(client.Config{MemberID: "B"}, "foo")
	r.run(6 * sec)
	m := r.start(b, "foo")
	r.run(4500 * ms)
	require.Equal(t, record.UnreleasedPartitions, r.member("A").State)
	m.lose = 1
	r.run(120 * sec)
	assert.Equal(t, coordinator.Stable, r.group().State)
	assert.Len(t, r.member("A").Assigned, 2)
	return m.Owned().Len() == 0
}

func staysInTheGroupAfterClose(t *testing.T, a client.Config) bool {
	r := newRig(t, map[string]int32{"foo": 4})
	m := r.start(a, "foo")
	r.start(client.Config{MemberID: "B"}, "foo")
	r.run(7 * sec)
	m.react(m.Close(r.now, client.LeaveDefault))
	r.run(1 * sec)
	assert.Equal(t, client.Closed, m.State())
	stays := r.member("A") != nil
	r.run(60 * sec)
	assert.Nil(t, r.member("A"))
	return stays
}

// fenced is a group of one whose member was fenced for its epoch.
func fenced(t *testing.T, a client.Config) (*rig, *rigged) {
	a.Quirks = append(slices.Clone(a.Quirks), client.KeepsOldEpochOnRetry)
	r, m := loses(t, a)
	require.Contains(t, m.errors(), protocol.FencedMemberEpoch)
	return r, m
}

func leavesItsOldSelfBehind(t *testing.T, a client.Config) bool {
	r, m := fenced(t, a)
	assert.NotNil(t, r.member("A"))
	if m.MemberID() == "A" {
		return false
	}
	assert.Equal(t, "A'2", m.MemberID())
	return r.member("A'2") != nil
}

func isRefusedForEver(t *testing.T, a client.Config) bool {
	r, m := fenced(t, a)
	before := len(m.errors())
	r.run(20 * sec)
	refused := m.errors()[before:]
	return len(refused) > 5 && !slices.ContainsFunc(refused, func(e protocol.ErrorCode) bool { return e != protocol.InvalidRequest })
}

func isNoValidMember(t *testing.T, a client.Config) bool {
	r := newRig(t, map[string]int32{"foo": 4})
	m := r.start(a, "foo")
	r.run(10 * sec)
	return m.State() == client.Fatal && slices.Equal(m.raised, []protocol.ErrorCode{protocol.InvalidRequest})
}

func stormsWhenRefused(t *testing.T, a client.Config) bool {
	r := newRig(t, map[string]int32{"foo": 4})
	a.Assignor = "no such"
	m := r.start(a, "foo")
	r.run(1 * sec)
	return len(m.requests) >= 100
}

// late is a client that is assigned a topic whose name it learns later.
func late(t *testing.T, a client.Config, between func(r *rig, m *rigged)) (*rig, *rigged) {
	r := newRig(t, map[string]int32{"foo": 2, "bar": 2})
	a.GroupID = "group"
	m := &rigged{Client: client.New(a), rig: r}
	r.clients["A"] = m
	m.react(m.Start(r.now, client.Subscription{Topics: []string{"bar", "foo"}}, topicIDs([]string{"foo"})))
	r.run(7 * sec)
	require.Equal(t, foo(0, 1), m.Owned())
	between(r, m)
	m.react(m.Metadata(r.now, topicIDs([]string{"bar", "foo"})))
	r.run(7 * sec)
	return r, m
}

func untilThen(*rig, *rigged) {}

func neverReadsTheLateTopic(t *testing.T, a client.Config) bool {
	r, m := late(t, a, untilThen)
	assert.Len(t, r.member("A").Assigned, 4)
	return m.Owned().Equal(foo(0, 1))
}

func losesTheKnownTopic(t *testing.T, a client.Config) bool {
	_, m := late(t, a, untilThen)
	return !m.Owned().Contains(protocol.Partition{Topic: "foo"})
}

func stormsWhileItWaitsForAName(t *testing.T, a client.Config) (storms bool) {
	_, m := late(t, a, func(r *rig, m *rigged) {
		before := len(m.requests)
		r.run(1 * sec)
		storms = len(m.requests)-before >= 100 && m.last().TopicPartitions.Equal(foo(0, 1))
	})
	assert.Equal(t, 4, m.Owned().Len())
	return storms
}

func isThrownOutOverADeletedTopic(t *testing.T, a client.Config) bool {
	r := newRig(t, map[string]int32{"foo": 2, "bar": 2})
	a.AutoCommit, a.MaxPollInterval = true, 20*sec
	m := r.start(a, "bar", "foo")
	r.run(7 * sec)
	require.Equal(t, 4, m.Owned().Len())
	r.setTopics(map[string]int32{"foo": 2})
	m.react(m.Metadata(r.now, topicIDs([]string{"foo"})))
	r.run(60 * sec)
	assert.Equal(t, foo(0, 1), m.Owned(), "it comes back")
	return slices.Equal(m.errors(), []protocol.ErrorCode{protocol.UnknownMemberID})
}

func bringsTheGroupBack(t *testing.T, a client.Config) bool {
	r := newRig(t, map[string]int32{"foo": 2})
	m := r.start(a, "foo")
	r.run(7 * sec)
	r.coordinator = coordinator.New(coordinator.DefaultConfig(rules.Kafka()))
	r.coordinator.SetTopics(r.now, r.topics)
	r.run(7 * sec)
	assert.Equal(t, []protocol.ErrorCode{protocol.GroupIDNotFound}, m.errors())
	_, exists := r.coordinator.Group("group")
	assert.Equal(t, !exists, m.State() == client.Fatal)
	return exists
}

func joinsWithALeave(t *testing.T, a client.Config) bool {
	r := newRig(t, map[string]int32{"foo": 2})
	m := r.start(a, "foo")
	r.start(client.Config{MemberID: "B"}, "foo")
	r.run(9*sec + 998*ms)
	for before := len(m.requests); len(m.requests) == before; {
		r.run(1 * ms)
	}
	r.run(4 * ms)
	require.True(t, m.InFlight())
	m.react(m.Unsubscribe(r.now))
	m.react(m.Subscribe(r.now, client.Subscription{Topics: []string{"foo"}}))
	r.run(20 * sec)
	assert.Equal(t, client.Stable, m.State(), "it settles")
	for _, q := range m.requests {
		if q.MemberEpoch == protocol.EpochLeaving && q.RebalanceTimeoutMs > 0 {
			return true
		}
	}
	return false
}
