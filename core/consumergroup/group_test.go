package consumergroup

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/core/assignor"
	"groupscope/core/protocol"
	"groupscope/core/record"
	"groupscope/core/rules"
)

// groupOf has one member for each description.
func groupOf(t *testing.T, members ...record.MemberMetadataValue) *Group {
	t.Helper()
	g := New("g", 0)
	for i, meta := range members {
		apply(t, g, record.MemberMetadata, fmt.Sprintf("m%d", i), meta)
	}
	return g
}

func apply(t *testing.T, g *Group, kind record.Type, member string, v record.Value) {
	t.Helper()
	require.NoError(t, g.Apply(record.Record{Key: record.Key{Type: kind, Group: g.ID, Member: member}, Value: v}))
}

func voter(assignor string) record.MemberMetadataValue {
	if assignor == "" {
		return record.MemberMetadataValue{}
	}
	return record.MemberMetadataValue{ServerAssignor: &assignor}
}

func subscriber(names ...string) record.MemberMetadataValue {
	return record.MemberMetadataValue{SubscribedTopicNames: names}
}

func TestMostVotesElectTheAssignor(t *testing.T) {
	for _, test := range []struct {
		votes      []string
		configured []string
		want       map[rules.TieBreak]string
	}{
		{nil, []string{"range", "uniform"}, map[rules.TieBreak]string{rules.FirstConfigured: "range", rules.HashOrder: "range"}},
		{[]string{"", "range"}, []string{"uniform", "range"}, map[rules.TieBreak]string{rules.FirstConfigured: "range", rules.HashOrder: "range"}},
		{[]string{"range", "uniform"}, []string{"range", "uniform"}, map[rules.TieBreak]string{rules.FirstConfigured: "range", rules.HashOrder: "uniform"}},
		{[]string{"range", "uniform", "range"}, []string{"uniform", "range"}, map[rules.TieBreak]string{rules.FirstConfigured: "range", rules.HashOrder: "range"}},
	} {
		var members []record.MemberMetadataValue
		for _, v := range test.votes {
			members = append(members, voter(v))
		}
		g := groupOf(t, members...)
		for tie, want := range test.want {
			assert.Equal(t, want, g.PreferredAssignor(test.configured, tie), "%v", test.votes)
		}
	}
}

// Custom assignors may tie too, with each other or with a built-in one.
func TestATieOfOtherAssignorsGoesToTheFirstConfiguredOfThem(t *testing.T) {
	for _, test := range []struct {
		votes, configured []string
		own, want         string
	}{
		{[]string{"left", "right"}, []string{"told", "right", "left"}, "", "right"},
		{[]string{"left", "right"}, []string{"uniform", "range", "left", "right"}, "right", "left"},
		{[]string{"range", "told"}, []string{"told", "range"}, "range", "told"},
		{[]string{"uniform", "told"}, []string{"told", "uniform"}, "uniform", "told"},
		{[]string{"range", "uniform", "told"}, []string{"range", "told", "uniform"}, "range", "range"},
	} {
		var members []record.MemberMetadataValue
		for _, v := range test.votes {
			members = append(members, voter(v))
		}
		g := groupOf(t, members...)
		assert.Equal(t, test.want, g.PreferredAssignor(test.configured, rules.HashOrder), "%v", test.votes)
		assert.Equal(t, test.want, g.PreferredAssignorWith(test.own, test.own, test.configured, rules.HashOrder), "%v", test.votes)
	}
}

// The broker's second count, made for one request, orders ties by itself.
func TestATieInARequestsOwnCountIsRangesOnlyForItsLoneVoter(t *testing.T) {
	configured := assignor.Default()
	oneEach := groupOf(t, voter("range"), voter("uniform"))
	assert.Equal(t, "range", oneEach.PreferredAssignorWith("range", "range", configured, rules.HashOrder))
	assert.Equal(t, "uniform", oneEach.PreferredAssignorWith("uniform", "uniform", configured, rules.HashOrder))
	assert.Equal(t, "uniform", oneEach.PreferredAssignorWith("", "", configured, rules.HashOrder))
	twoEach := groupOf(t, voter("range"), voter("uniform"), voter("range"), voter("uniform"))
	assert.Equal(t, "uniform", twoEach.PreferredAssignorWith("range", "range", configured, rules.HashOrder))
	assert.Equal(t, "range", oneEach.PreferredAssignorWith("uniform", "range", configured, rules.HashOrder), "no tie any more")
}

func TestMembersSubscribeAlikeIfEveryTopicIsEverybodys(t *testing.T) {
	assert.True(t, groupOf(t).Homogeneous())
	assert.True(t, groupOf(t, subscriber("bar", "foo"), subscriber("bar", "foo")).Homogeneous())
	g := groupOf(t, subscriber("foo"), subscriber("bar", "foo"))
	assert.False(t, g.Homogeneous())

	counts := g.CountsWith(g.Member("m0"), g.Member("m0").WithMeta(subscriber("bar", "foo")))
	assert.True(t, counts.Homogeneous(), "with the request applied")
	counts = g.CountsWith(g.Member("m1"), nil)
	assert.True(t, counts.Homogeneous(), "with the member removed")
	counts = g.CountsWith(nil, NewMember("m2"))
	assert.False(t, counts.Homogeneous(), "a member without topics is unlike the others")
}

func TestTheHashFollowsWhatAssignorsSee(t *testing.T) {
	g := groupOf(t, subscriber("bar", "foo"))
	hash := func(topics ...protocol.Topic) int64 {
		counts := g.CountsWith(nil, nil)
		return counts.Hash(NewTopics(topics))
	}
	foo := protocol.Topic{ID: "foo", Name: "foo", Partitions: 2, Racks: [][]string{{"a", "b"}, {"a"}}}
	base := hash(foo)
	assert.NotZero(t, base)
	assert.Zero(t, hash(), "no known topic")
	assert.Zero(t, hash(protocol.Topic{ID: "other", Name: "other", Partitions: 2}), "nor one of its own")

	same := foo
	same.Racks = [][]string{{"b", "a"}, {"a"}}
	assert.Equal(t, base, hash(same))
	for name, change := range map[string]func(*protocol.Topic){
		"partitions":  func(p *protocol.Topic) { p.Partitions++ },
		"incarnation": func(p *protocol.Topic) { p.ID = "foo#2" },
		"racks":       func(p *protocol.Topic) { p.Racks = [][]string{{"a"}, {"a", "b"}} },
	} {
		changed := foo
		change(&changed)
		assert.NotEqual(t, base, hash(changed), name)
	}
	assert.NotEqual(t, base, hash(foo, protocol.Topic{ID: "bar", Name: "bar", Partitions: 1}), "another topic exists")
}

func TestATargetIsRestrictedToTopicsThatExistAndAreSubscribed(t *testing.T) {
	topics := NewTopics([]protocol.Topic{{ID: "bar", Name: "bar"}, {ID: "foo#2", Name: "foo"}, {ID: "baz", Name: "baz"}})
	m := NewMember("A").WithMeta(subscriber("bar", "foo", "gone"))
	target := protocol.Assignment{
		{Topic: "bar", Partitions: []int32{0}}, {Topic: "baz", Partitions: []int32{0}},
		{Topic: "foo", Partitions: []int32{0}}, {Topic: "foo#2", Partitions: []int32{1}}, {Topic: "gone", Partitions: []int32{0}},
	}
	assert.Equal(t, "bar [0], foo#2 [1]", New("g", 0).Subscription(m).Restrict(topics, target).String())
	assert.Equal(t, 5, len(target), "the target itself is not changed")
}

func TestAMemberOfAnotherGroupsLogIsIgnoredWhenItIsDeleted(t *testing.T) {
	g := New("g", 0)
	apply(t, g, record.CurrentMemberAssignment, "A", nil)
	apply(t, g, record.TargetAssignmentMember, "A", nil)
	apply(t, g, record.MemberMetadata, "A", nil)
	assert.Zero(t, g.Size())
}

func TestAMemberCannotBeDeletedWithItsTarget(t *testing.T) {
	g := groupOf(t, subscriber("foo"))
	apply(t, g, record.TargetAssignmentMember, "m0", record.TargetAssignmentMemberValue{TopicPartitions: fooOf(0)})
	apply(t, g, record.CurrentMemberAssignment, "m0", nil)
	err := g.Apply(record.Record{Key: record.Key{Type: record.MemberMetadata, Group: "g", Member: "m0"}})
	assert.EqualError(t, err, "group g, record T5m0: the member's target was not deleted first")
}

func TestTopicsOfATargetKeepTheOrderInWhichTheyCame(t *testing.T) {
	g := New("g", 0)
	for _, topics := range [][]protocol.TopicID{{"c"}, {"a", "c"}, {"a", "b", "c"}, {"a", "b"}} {
		var target protocol.Assignment
		for _, id := range topics {
			target = append(target, protocol.TopicPartitions{Topic: id, Partitions: []int32{0}})
		}
		apply(t, g, record.TargetAssignmentMember, "A", record.TargetAssignmentMemberValue{TopicPartitions: target})
	}
	assert.Equal(t, []protocol.TopicID{"a", "b"}, g.target["A"].arrival)
}
