package consumergroup

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/core/protocol"
	"groupscope/core/record"
)

func byRegex(pattern string, names ...string) record.MemberMetadataValue {
	v := subscriber(names...)
	v.SubscribedTopicRegex = pattern
	return v
}

func resolve(t *testing.T, g *Group, pattern string, topics ...string) {
	t.Helper()
	require.NoError(t, g.Apply(record.Record{
		Key: record.Key{Type: record.RegularExpression, Group: g.ID, Regex: pattern}, Value: record.RegularExpressionValue{Topics: topics, Version: 3, Timestamp: 7},
	}))
}

func TestASubscriptionIsNamesAndWhatTheRegexWasResolvedTo(t *testing.T) {
	g := groupOf(t, byRegex("f.*", "bar"), subscriber("foo"))
	s := g.Subscription(g.Member("m0"))
	assert.True(t, s.Has("bar"))
	assert.False(t, s.Has("foo"), "not resolved yet")
	resolve(t, g, "f.*", "foo", "fum")
	s = g.Subscription(g.Member("m0"))
	assert.True(t, s.Has("foo"))
	assert.False(t, s.Empty())
	assert.True(t, g.Subscribed("fum"))
	topics := NewTopics([]protocol.Topic{{ID: "foo#2", Name: "foo"}, {ID: "bar", Name: "bar"}})
	assert.Equal(t, []protocol.TopicID{"bar", "foo#2"}, s.ids(topics), "fum does not exist")
	assert.True(t, s.HasTopic(topics, "foo#2"))
	assert.False(t, s.HasTopic(topics, "foo"), "its old incarnation")

	require.NoError(t, g.Apply(record.Record{Key: record.Key{Type: record.RegularExpression, Group: g.ID, Regex: "f.*"}}))
	assert.False(t, g.Subscribed("fum"))
	assert.True(t, g.Subscribed("foo"), "m1 names it")
}

func TestAllMembersSubscribeAlikeByOneRegexAndNoName(t *testing.T) {
	for name, test := range map[string]struct {
		members []record.MemberMetadataValue
		want    bool
	}{
		"one regex":            {[]record.MemberMetadataValue{byRegex("f.*"), byRegex("f.*")}, true},
		"two regexes":          {[]record.MemberMetadataValue{byRegex("f.*"), byRegex("fo.*")}, false},
		"a regex and a name":   {[]record.MemberMetadataValue{byRegex("f.*"), byRegex("f.*", "bar")}, false},
		"a regex and nothing":  {[]record.MemberMetadataValue{byRegex("f.*"), subscriber()}, false},
		"nothing at all":       {[]record.MemberMetadataValue{subscriber(), subscriber()}, true},
		"the same names":       {[]record.MemberMetadataValue{subscriber("foo"), subscriber("foo")}, true},
		"names of one of them": {[]record.MemberMetadataValue{subscriber("foo"), subscriber()}, false},
	} {
		g := groupOf(t, test.members...)
		for _, m := range test.members {
			if m.SubscribedTopicRegex != "" {
				resolve(t, g, m.SubscribedTopicRegex, "foo")
			}
		}
		counts := g.CountsWith(nil, nil)
		assert.Equal(t, test.want, counts.Homogeneous(), name)
	}
}

// The stored hint is worked out when a member's record is applied.
func TestAResolutionDoesNotChangeTheStoredHint(t *testing.T) {
	g := groupOf(t, byRegex("f.*"), byRegex("f.*", "foo"))
	require.False(t, g.Homogeneous())
	alone := groupOf(t, byRegex("f.*"))
	resolve(t, alone, "f.*", "foo")
	resolve(t, alone, "b.*", "foo")
	assert.True(t, alone.Homogeneous(), "two regexes that match foo, and nobody has looked")
	apply(t, alone, record.CurrentMemberAssignment, "m0", record.CurrentMemberAssignmentValue{MemberEpoch: 1})
	assert.False(t, alone.Homogeneous())
}

func TestARequestIsCountedBeforeItIsApplied(t *testing.T) {
	g := groupOf(t, byRegex("f.*"), subscriber("foo"))
	resolve(t, g, "f.*", "foo", "fum")
	m := g.Member("m0")
	gone := g.CountsWith(m, nil)
	assert.Equal(t, []string{"foo"}, gone.names(), "the resolution goes with its last member")
	assert.Equal(t, []string{"f.*"}, gone.Unused())
	changed := g.CountsWith(m, m.WithMeta(byRegex("b.*")))
	assert.Equal(t, []string{"b.*"}, changed.Regexes())
	assert.Equal(t, 1, g.RegexesWith("f.*", "b.*"))
	joined := g.CountsWith(nil, NewMember("C").WithMeta(byRegex("f.*")))
	assert.Equal(t, []string{"foo", "fum"}, joined.names())
	assert.Empty(t, joined.Unused())
	again := g.CountsWith(nil, nil)
	again.Resolve("f.*", []string{"far"})
	assert.Equal(t, []string{"far", "foo"}, again.names())
}

func TestAMemberInAStateOfALaterLogMustOwnNothing(t *testing.T) {
	m := NewMember("A").WithCurrent(record.CurrentMemberAssignmentValue{MemberEpoch: 3, State: 9})
	facts := Facts{TargetEpoch: 5, Target: fooOf(0), Held: func(protocol.Partition) bool { return false }}
	assert.Equal(t, Lost, Reconcile(m, &facts).Step)
	facts.Owned = fooOf(0)
	assert.Equal(t, Lost, Reconcile(m, &facts).Step)
	facts.Owned = protocol.Assignment{}
	out := Reconcile(m, &facts)
	assert.Equal(t, Took, out.Step)
	assert.Equal(t, int32(5), out.Next.MemberEpoch)
	assert.Equal(t, int32(5), out.Next.PreviousMemberEpoch)
}
