package coordinator_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/core/coordinator"
	"groupscope/core/protocol"
	"groupscope/core/rules"
)

// matches subscribes by a regex and by no name.
func matches(pattern string) request {
	return func(r *protocol.ConsumerGroupHeartbeatRequest) {
		r.SubscribedTopicRegex = &pattern
		r.SubscribedTopicNames = nil
	}
}

// regexRig has the topics foo and foo2 with 2 partitions each, and bar.
func regexRig(t *testing.T, change ...func(*coordinator.Config)) *rig {
	t.Helper()
	g := newRig(t, rules.Kafka(), change...)
	g.setTopics(topic("bar", 1), topic("foo", 2), topic("foo2", 2))
	return g
}

// resolve runs the task that waits.
func (g *rig) resolve() coordinator.BackgroundRun {
	g.t.Helper()
	runs := g.c.RunBackground(g.now)
	require.Len(g.t, runs, 1)
	g.check(runs[0].Decisions)
	return runs[0]
}

// resolved writes the resolutions of the group as "foo.*: foo foo2".
func (g *rig) resolved() string {
	var out []string
	for _, r := range g.group().ResolvedRegexes {
		out = append(out, r.Regex+": "+strings.Join(r.Topics, " "))
	}
	return strings.Join(out, "; ")
}

func TestARegexStandsForNoTopicUntilItIsResolved(t *testing.T) {
	g := regexRig(t)
	joined := g.send("A", join, matches("foo.*"))
	assert.Equal(t, "1, []", answer(joined))
	assert.Equal(t, "5A 8A", short(joined.Records), "no epoch for what is not known yet")
	assert.Equal(t, []coordinator.BackgroundTask{{Name: "g-regex", Group: "g"}}, g.c.Background())
	assert.Equal(t, "1, none", answer(g.send("A", epoch(1))))
	assert.Empty(t, g.resolved(), "a task's result cannot be seen before it ran")

	run := g.resolve()
	assert.Equal(t, "16foo.* 3", short(run.Records))
	assert.Equal(t, "KIP-848, regular expressions: The topics behind the group's regexes changed. The group epoch goes from 1 to 2.", main(run.Decisions))
	assert.Equal(t, "foo.*: foo foo2", g.resolved())
	assert.Equal(t, "2/1 Assigning", g.state(), "the next heartbeat computes the target")
	assert.Empty(t, g.c.Background())

	next := g.send("A", epoch(1))
	assert.Equal(t, "7A 6 8A", short(next.Records))
	assert.Equal(t, "foo [0, 1], foo2 [0, 1]", next.Response.Assignment.String())
}

func TestARegexMustMatchTheWholeName(t *testing.T) {
	for regex, want := range map[string]string{
		"foo":       "foo: foo",
		"fo":        "fo: ",
		"foo|bar":   "foo|bar: bar foo",
		".*2":       ".*2: foo2",
		"(?i)FOO2?": "(?i)FOO2?: foo foo2",
		"nothing":   "nothing: ",
	} {
		g := regexRig(t)
		g.send("A", join, matches(regex))
		g.resolve()
		assert.Equal(t, want, g.resolved())
	}
}

func TestAMalformedRegexIsRefused(t *testing.T) {
	for _, regex := range []string{"(", "a)(b", "[z", "*"} {
		g := regexRig(t)
		result := g.send("A", join, matches(regex))
		assert.Equal(t, "INVALID_REGULAR_EXPRESSION", answer(result), regex)
		assert.Contains(t, main(result.Decisions), regex+" is not a regex: error parsing regexp")
		assert.Empty(t, g.c.Log())
		assert.Empty(t, g.c.Background())
	}
}

func TestAMemberThatJoinsWithAResolvedRegexBumpsAtOnce(t *testing.T) {
	g := regexRig(t)
	g.send("A", join, matches("foo.*"))
	g.resolve()
	g.send("A", epoch(1))
	joined := g.send("B", join, matches("foo.*"))
	assert.Equal(t, "5B 3 7A 7B 6 8B", short(joined.Records))
	assert.Empty(t, g.c.Background(), "there is nothing to look up")
}

func TestNamesAndRegexAddUp(t *testing.T) {
	g := regexRig(t)
	g.send("A", join, matches("foo2"), subscribes("bar"))
	assert.Equal(t, "bar [0]", g.member("A").Target.String())
	g.resolve()
	assert.Equal(t, "bar [0], foo2 [0, 1]", g.send("A", epoch(2)).Response.Assignment.String())
}

func TestDroppingARegexTakesItsTopicsAtOnce(t *testing.T) {
	g := regexRig(t)
	g.send("A", join, matches("foo.*"))
	g.resolve()
	g.send("A", epoch(1))
	dropped := g.send("A", epoch(2), regex(""))
	assert.Equal(t, "5A T16foo.* 3 7A 6 8A", short(dropped.Records))
	assert.Equal(t, "UNREVOKED_PARTITIONS", g.member("A").State.String())
	assert.Empty(t, g.resolved())
	assert.Equal(t, "3, none", answer(g.send("A", epoch(2), owns())))
}

func TestTheResolutionGoesWithItsLastMember(t *testing.T) {
	g := regexRig(t)
	g.send("A", join, matches("foo.*"))
	g.send("B", join, matches("foo.*"))
	g.resolve()
	assert.Equal(t, "T8A T7A T5A 3", short(g.send("A", epoch(-1)).Records), "B still uses it")
	assert.Equal(t, "T8B T7B T5B T16foo.* 3 6", short(g.send("B", epoch(-1)).Records))
}

func TestAResultForAGroupThatIsGoneWritesNothing(t *testing.T) {
	g := regexRig(t)
	g.send("A", join, matches("foo.*"))
	g.send("A", epoch(-1))
	empty := g.resolve()
	assert.Empty(t, empty.Records, "nobody uses the regex any more")

	g.advance(11 * protocol.Second)
	g.send("A", join, matches("bar"))
	g.send("A", epoch(-1))
	g.c.DeleteGroup(g.now, "g")
	gone := g.resolve()
	assert.Empty(t, gone.Records)
	assert.Equal(t, "KIP-848, regular expressions: There is no consumer group g any more.", main(gone.Decisions))
}

func TestATaskSeesTheTopicsAndRegexesItWasStartedWith(t *testing.T) {
	g := regexRig(t)
	g.send("A", join, matches("foo.*"))
	g.setTopics(topic("foo", 2), topic("foo3", 1))
	g.send("B", join, matches("b.*"))
	run := g.resolve()
	assert.Equal(t, "16foo.* 3", short(run.Records), "b.* came too late for it")
	assert.Equal(t, "foo.*: foo foo2", g.resolved(), "as it was when the task started")
	g.advance(11 * protocol.Second)
	g.send("A", epoch(1))
	g.resolve()
	assert.Equal(t, "b.*: ; foo.*: foo foo3", g.resolved())
}

// refreshDue tells whether a bare heartbeat of A starts a refresh.
func (g *rig) refreshDue() bool {
	g.send("A", epoch(g.member("A").MemberEpoch))
	return len(g.c.Background()) > 0
}

func TestRegexesAreResolvedAnewNoOftenerThanEveryTenSeconds(t *testing.T) {
	g := regexRig(t)
	g.send("A", join, matches("foo.*"))
	g.resolve()
	g.setTopics(topic("foo", 2), topic("foo2", 2), topic("food", 1))
	g.advance(10 * protocol.Second)
	assert.False(t, g.refreshDue(), "10 s are not over")
	g.advance(1)
	assert.True(t, g.refreshDue())
	g.send("B", join, matches("bar"))
	require.Len(t, g.c.Background(), 1, "one refresh at a time")
	g.resolve()
	assert.Equal(t, "foo.*: foo foo2 food", g.resolved(), "B's came after the task had started")
	g.advance(10*protocol.Second + 1)
	assert.True(t, g.refreshDue(), "a regex is not resolved")
	assert.Equal(t, "16bar 16foo.*", short(g.resolve().Records), "all are written, and there is no new topic to bump for")
}

func TestRegexesAreResolvedAnewAfterTheRefreshInterval(t *testing.T) {
	g := regexRig(t, func(cfg *coordinator.Config) { cfg.RegexRefreshInterval = 20 * protocol.Second })
	g.send("A", join, matches("foo.*"))
	g.resolve()
	g.advance(20 * protocol.Second)
	assert.False(t, g.refreshDue())
	g.advance(1)
	assert.True(t, g.refreshDue())
	run := g.resolve()
	assert.Equal(t, "16foo.*", short(run.Records))
	assert.Equal(t, "KIP-848, regular expressions: The topics behind the group's regexes are the same. The group epoch stays at 2.", main(run.Decisions))
}

// Only topics that come are looked for; those that go leave the target by the
// metadata hash.
func TestADeletedTopicStartsNoRefresh(t *testing.T) {
	g := regexRig(t)
	g.send("A", join, matches("foo.*"))
	g.resolve()
	g.send("A", epoch(1))
	g.setTopics(topic("bar", 1), topic("foo", 2))
	g.advance(20 * protocol.Second)
	assert.False(t, g.refreshDue())
	assert.Equal(t, "foo [0, 1]", g.member("A").Target.String())
	assert.Equal(t, "foo.*: foo foo2", g.resolved())

	recreated := topic("foo2", 2)
	recreated.ID = "foo2#2"
	g.setTopics(topic("bar", 1), topic("foo", 2), recreated)
	assert.True(t, g.refreshDue(), "made anew it is new")
}

// The resolution that this very heartbeat deletes still counts as young.
func TestReplacingTheOnlyRegexSoonAfterItsResolutionStartsNoRefreshAtOnce(t *testing.T) {
	g := regexRig(t)
	g.send("A", join, matches("foo.*"))
	g.resolve()
	g.send("A", epoch(1))
	replaced := g.send("A", epoch(2), regex("bar"))
	assert.Equal(t, "5A T16foo.* 8A", short(replaced.Records))
	assert.Empty(t, g.c.Background())
	assert.True(t, g.refreshDue(), "the next heartbeat finds no resolution at all")
}

func TestARegexDoesNotReachTopicsThatMayNotBeDescribed(t *testing.T) {
	g := regexRig(t, func(cfg *coordinator.Config) { cfg.HiddenTopics = []string{"foo2"} })
	g.send("A", join, matches("foo.*"))
	g.resolve()
	assert.Equal(t, "foo.*: foo", g.resolved())
	named := g.send("B", join, subscribes("foo", "foo2"))
	assert.Equal(t, "TOPIC_AUTHORIZATION_FAILED", answer(named))
	assert.Equal(t, "KIP-848, authorization: B may not describe topic foo2.", main(named.Decisions))
}

func TestAFailoverForgetsTheTaskAndTheNextHeartbeatStartsIt(t *testing.T) {
	g := regexRig(t)
	g.send("A", join, matches("foo.*"))
	g.reload()
	assert.Empty(t, g.c.Background())
	assert.True(t, g.refreshDue())
	g.resolve()
	g.advance(11 * protocol.Second)
	g.reload()
	assert.False(t, g.refreshDue(), "the resolution is in the log and nothing is new")

	g.topics = append(g.topics, topic("foo3", 1))
	g.reload()
	assert.True(t, g.refreshDue(), "a topic came while nobody looked")
	g.resolve()
	assert.Equal(t, "foo.*: foo foo2 foo3", g.resolved())
}

// reload is a fail-over.
func (g *rig) reload() {
	g.t.Helper()
	loaded, err := coordinator.Load(g.cfg, g.c.Log(), g.topics, g.now)
	require.NoError(g.t, err)
	g.c = loaded
}

func TestUnderTheTextAJoinByARegexBumpsAtOnce(t *testing.T) {
	g := newRig(t, rules.Kip())
	joined := g.send("A", join, matches("foo"))
	assert.Equal(t, "5A 3 7A 6 8A", short(joined.Records))
	assert.Equal(t, "1/1 Reconciling", g.state())
	g.resolve()
	assert.Equal(t, "2, [0 1 2]", answer(g.send("A", join, matches("foo"))))
}

// A copy of a coordinator runs its own tasks.
func TestTasksAreCopiedWithTheCoordinator(t *testing.T) {
	g := regexRig(t)
	g.send("A", join, matches("foo.*"))
	other := g.c.Clone()
	g.resolve()
	require.Len(t, other.Background(), 1)
	group, _ := other.Group("g")
	assert.Empty(t, group.ResolvedRegexes)
	other.RunBackground(g.now)
	assert.Equal(t, g.c.Log(), other.Log())
}

func TestASteadyHeartbeatOfAMemberWithARegexAllocatesNothingMore(t *testing.T) {
	steady := func(fields ...request) float64 {
		g := regexRig(t)
		g.send("A", append([]request{join}, fields...)...)
		g.c.RunBackground(g.now)
		g.advance(11 * protocol.Second)
		g.send("A", epoch(g.member("A").MemberEpoch))
		require.Equal(t, coordinator.Stable, g.group().State)
		req := protocol.ConsumerGroupHeartbeatRequest{
			GroupID: "g", MemberID: "A", MemberEpoch: g.member("A").MemberEpoch, RebalanceTimeoutMs: -1,
		}
		return testing.AllocsPerRun(100, func() { g.c.Heartbeat(g.now, req) })
	}
	assert.LessOrEqual(t, steady(matches("foo.*")), steady(subscribes("foo")))
}
