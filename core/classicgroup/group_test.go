package classicgroup_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"groupscope/core/classicgroup"
	"groupscope/core/protocol"
)

func member(id string, protocols ...string) *classicgroup.Member {
	m := &classicgroup.Member{ID: id, Join: 1, RebalanceTimeout: 60_000}
	for _, name := range protocols {
		m.Protocols = append(m.Protocols, protocol.JoinGroupProtocol{Name: name, Metadata: []byte(id + " " + name)})
	}
	return m
}

func groupOf(members ...*classicgroup.Member) *classicgroup.Group {
	g := classicgroup.New("g", 1)
	g.Move(classicgroup.PreparingRebalance, 1)
	for _, m := range members {
		g.Add(m, protocol.ConsumerProtocolType)
	}
	return g
}

func TestTheProtocolIsTheOneThatMostPreferAmongThoseOfAll(t *testing.T) {
	g := groupOf(member("A", "sticky", "range", "uniform"), member("B", "uniform", "range"), member("C", "uniform", "range"))
	assert.Equal(t, "uniform", g.Elect(), "A would rather have sticky, which B lacks, and then range")
	assert.True(t, g.Supports("consumer", member("D", "range").Protocols))
	assert.False(t, g.Supports("consumer", member("D", "sticky").Protocols))
	assert.False(t, g.Supports("connect", member("D", "range").Protocols))
	assert.Empty(t, groupOf().Elect())
}

func TestTheFirstMemberLeadsAndIsFollowedByAnother(t *testing.T) {
	g := groupOf(member("B", "range"), member("A", "range"), member("C", "range"))
	assert.Equal(t, "B", g.Leader)
	g.Remove("B")
	assert.Equal(t, "A", g.Leader)
	g.Change("A", func(m *classicgroup.Member) { m.Join = 0 })
	assert.True(t, g.LeaderJoined(), "C takes over from A, who has not joined")
	assert.Equal(t, "C", g.Leader)
	g.Change("C", func(m *classicgroup.Member) { m.Join = 0 })
	assert.False(t, g.LeaderJoined())
}

func TestAStaticMemberKeepsTheLeadUnderItsNewId(t *testing.T) {
	instance := "i1"
	static := member("A", "range")
	static.InstanceID = &instance
	static.Sync = 7
	g := groupOf(static, member("B", "range"))
	next := g.Replace(g.Member("A"), "A2")
	assert.Equal(t, "A2", g.Leader)
	assert.Same(t, next, g.StaticMember("i1"))
	assert.Zero(t, next.Join+next.Sync, "nobody waits under the new id")
	_, code := g.Find("A", &instance)
	assert.Equal(t, protocol.FencedInstanceID, code)
	_, code = g.Find("A", nil)
	assert.Equal(t, protocol.UnknownMemberID, code)
}

func TestItsRecordMakesAStableGroup(t *testing.T) {
	g := groupOf(member("A", "range"), member("B", "range"))
	g.NextGeneration(5)
	assert.Equal(t, []string{"A", "B"}, g.Unsent())
	v := g.Value(map[string][]byte{"A": {1}, "B": {2}})
	loaded := classicgroup.New("g", 0)
	loaded.Apply(v)
	assert.Equal(t, classicgroup.Stable, loaded.State)
	assert.Equal(t, v, loaded.Value(map[string][]byte{"A": {1}, "B": {2}}))
	assert.Equal(t, []byte{2}, loaded.Member("B").Assignment)
	assert.Equal(t, []byte("A range"), loaded.Subscription(loaded.Member("A")))

	empty := classicgroup.New("g", 0)
	empty.Apply(groupOf().Value(nil))
	assert.Equal(t, classicgroup.Empty, empty.State)
}

func TestACopyOfAGroupGoesItsOwnWay(t *testing.T) {
	g := groupOf(member("A", "range"))
	c := g.Clone()
	c.Change("A", func(m *classicgroup.Member) { m.Join = 0 })
	c.Add(member("B", "range"), protocol.ConsumerProtocolType)
	c.Promise("X")
	assert.True(t, g.AllJoined())
	assert.False(t, c.AllJoined())
	assert.Equal(t, []string{"A"}, g.IDs())
}
