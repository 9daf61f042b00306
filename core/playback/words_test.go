package playback_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/core/client"
	"groupscope/core/playback"
	"groupscope/core/protocol"
	"groupscope/core/scenario"
	"groupscope/core/sim"
)

var update = flag.Bool("update", false, "write the golden files anew")

// golden compares a text with a file of testdata, or writes it.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(got), 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	was, is := strings.Split(string(want), "\n"), strings.Split(got, "\n")
	for i := range min(len(was), len(is)) {
		require.Equal(t, was[i], is[i], "%s:%d; go test -update writes it anew", path, i+1)
	}
	require.Len(t, is, len(was), path)
}

// tell writes the caption of each stop, and what is to be seen in the
// inspector and the log, for people to read.
func tell(t *testing.T, p *playback.Player) string {
	t.Helper()
	var b strings.Builder
	for i := range p.Len() {
		require.NoError(t, p.Seek(i))
		c := p.Caption()
		fmt.Fprintf(&b, "%s  %s\n", c.Label, c.Say)
		if c.Cause != "" {
			fmt.Fprintf(&b, "    cause     %s\n", c.Cause)
		}
		for _, d := range c.Decisions {
			fmt.Fprintf(&b, "    decision  %s  [%s]\n", d.Text, d.Rule)
		}
		for _, r := range c.Records {
			fmt.Fprintf(&b, "    record    %-3s %s\n", r.Short, r.Text)
		}
		if c.Unowned != "" {
			fmt.Fprintf(&b, "    unowned   %s\n", c.Unowned)
		}
		for _, v := range c.Invariants {
			if !v.OK {
				fmt.Fprintf(&b, "    BROKEN    %s: %s\n", v.Name, v.Text)
			}
		}
		fmt.Fprintf(&b, "    why       %s\n", why(t, p, "group"))
		for _, c := range p.Frame().State.Clients {
			fmt.Fprintf(&b, "    why       %s\n", why(t, p, "member/"+c.Member))
		}
	}
	b.WriteString("\nlog\n")
	for _, l := range p.Log() {
		fmt.Fprintf(&b, "%6s %-5s %-8s %s\n", l.At, l.Label, l.Kind, l.Text)
	}
	return b.String()
}

func why(t *testing.T, p *playback.Player, id string) string {
	t.Helper()
	in, err := p.Inspect(id)
	require.NoError(t, err)
	return in.Sentence
}

func TestTheWordsOfTheWorkedExample(t *testing.T) {
	golden(t, "worked-example.txt", tell(t, playback.NewPlayer(example(t))))
}

func TestTheWordsOfClientsThatLiveByThemselves(t *testing.T) {
	golden(t, "living.txt", tell(t, playback.NewPlayer(record(t, living, "kafka"))))
}

func TestTheWordsOfWhatAPersonDoes(t *testing.T) {
	p := at(t, example(t), "K5")
	for _, a := range []sim.Action{
		sim.LoseResponse{Member: "A", Count: 1},
		sim.Heartbeat{Member: "A"},
		sim.Heartbeat{Member: "A", With: []sim.Override{{Field: "memberEpoch", Value: int32(7)}}},
		sim.Crash{Member: "A"},
		sim.Run{For: 60_000},
		sim.FailOver{},
		sim.Restart{Member: "A"},
		sim.Heartbeat{Member: "A"},
		sim.Leave{Member: "B"},
	} {
		require.NoError(t, p.Do(a), "%#v", a)
	}
	golden(t, "by-hand.txt", tell(t, p))
}

// TestTheWordsOfFaults: each fault has its words, and what was done is a file
// that leads to the same end.
func TestTheWordsOfFaults(t *testing.T) {
	slow := 20 * protocol.Second
	p := at(t, record(t, living, "kafka"), "S3")
	for _, a := range []sim.Action{
		sim.Duplicate{Member: "A", Count: 1, After: protocol.Second},
		sim.Run{For: 6 * protocol.Second},
		sim.BrokerError{Error: protocol.TopicAuthorizationFailed, For: 6 * protocol.Second},
		sim.Run{For: 8 * protocol.Second},
		sim.FailCallback{Member: "A", Callback: client.PartitionsRevoked, Count: 1},
		sim.ChangeMember{Member: "A", To: sim.MemberChange{RevokeTime: &slow}},
		sim.SetTopics{Topics: []protocol.Topic{{ID: "foo", Name: "foo", Partitions: 7}}, Delay: 3 * protocol.Second},
		sim.Run{For: 12 * protocol.Second},
		sim.Partition{Member: "B", For: protocol.Minute},
		sim.Run{For: 100 * protocol.Second},
		sim.BrokerError{Error: protocol.NotCoordinator, For: 10 * protocol.Second, Lookup: true},
		sim.Run{For: 20 * protocol.Second},
	} {
		require.NoError(t, p.Do(a), "%#v", a)
	}
	assert.Equal(t, end(p), end(replayed(t, p)))
	golden(t, "faults.txt", tell(t, p))
}

const watched = `
groupscope: 1
title: What an operator sees and does
rules: kafka
config: {group.consumer.assignment.interval.ms: 0}
topics: {ev-1: 2, other: 1}
members:
  A: {regex: "ev.*"}
  B: {subscribe: [ev-1]}
steps:
  - step: S1
    join: A
  - step: S2
    heartbeat: A
`

// TestTheWordsOfWhatIsNoHeartbeat: commits, operators, what is done in the
// background, and heartbeats of nobody's client.
func TestTheWordsOfWhatIsNoHeartbeat(t *testing.T) {
	p := at(t, record(t, watched, "kafka"), "S2")
	x := func(epoch int32, more ...sim.Override) sim.SendRequest {
		return sim.SendRequest{With: append([]sim.Override{{Field: "memberId", Value: "X"}, {Field: "memberEpoch", Value: epoch}}, more...)}
	}
	for _, a := range []sim.Action{
		sim.ResolveRegexes{}, sim.Heartbeat{Member: "A"}, sim.Heartbeat{Member: "A"}, sim.CommitOffsets{Member: "A", Offset: 5},
		sim.CommitOffsets{Member: "A", Offset: 6, With: []sim.Override{{Field: "memberEpoch", Value: int32(7)}}}, sim.FetchOffsets{Member: "A"},
		sim.Join{Member: "B"}, sim.Heartbeat{Member: "A"}, sim.Describe{}, sim.DeleteGroup{},
		sim.SetGroupConfig{Settings: []sim.GroupSetting{{Name: "consumer.session.timeout.ms", Value: "50000"}}},
		x(3), x(0, sim.Override{Field: "rebalanceTimeoutMs", Value: int32(1000)}, sim.Override{Field: "subscribedTopicNames", Value: []string{"other"}},
			sim.Override{Field: "topicPartitions", Value: protocol.Assignment{}}),
		sim.SetGroupConfig{}, sim.Leave{Member: "A"}, sim.Leave{Member: "B"}, x(-1), sim.Cleanup{}, sim.DeleteGroup{}, sim.DeleteGroup{}, sim.Describe{},
	} {
		require.NoError(t, p.Do(a), "%#v", a)
	}
	assert.Equal(t, end(p), end(replayed(t, p)))
	golden(t, "operator.txt", tell(t, p))
}

const upgrade = `
groupscope: 1
title: A rolling upgrade
rules: kafka
config: {group.consumer.assignors: [range], group.consumer.assignment.interval.ms: 0}
topics: {foo: 3}
members:
  A: {subscribe: [foo], protocol: classic}
  B: {subscribe: [foo]}
steps:
  - {step: S1, join: A}
  - {step: S2, run: 6s}
  - {step: S3, join: B}
  - {step: S4, run: 12s}
`

func TestTheWordsOfMembersOfTheClassicProtocol(t *testing.T) {
	p := at(t, record(t, upgrade, "kafka"), "S4")
	require.NoError(t, p.Do(sim.Leave{Member: "B"}))
	require.NoError(t, p.Do(sim.Run{For: 10 * protocol.Second}))
	require.NoError(t, p.Do(sim.Leave{Member: "A"}))
	assert.Equal(t, end(p), end(replayed(t, p)))
	golden(t, "classic.txt", tell(t, p))
}

// TestWordsAreTrueOfTheRulesInForce: a file's own words are shown only under
// the rule sets that it lists.
func TestWordsMayDifferByRuleSet(t *testing.T) {
	const src = "groupscope: 1\ntitle: x\nrules: [kip, kafka]\ntopics: {foo: 1}\nmembers: {A: {subscribe: [foo]}}\nsteps:\n" +
		"  - step: one\n    join: A\n    say: {kip: A stands at epoch 0., kafka: A stands at epoch 2.}\n  - step: two\n    heartbeat: A\n    say: {kip: Now at 1.}\n"
	for ruleSet, want := range map[string][]string{
		"kip":   {"A stands at epoch 0.", "Now at 1."},
		"kafka": {"A stands at epoch 2.", "A heartbeats and nothing changes."},
	} {
		stops, err := record(t, src, ruleSet).Stops(playback.Main)
		require.NoError(t, err)
		assert.Equal(t, want, []string{stops[1].Say, stops[2].Say}, ruleSet)
	}
}

func TestWordsAreTrueOfTheRulesInForce(t *testing.T) {
	sc, mistakes := scenario.Parse("x.yaml", []byte("groupscope: 1\ntitle: x\nrules: kip\ntopics: {foo: 1}\nmembers: {A: {subscribe: [foo]}}\nsteps:\n  - step: one\n    join: A\n    say: A stands at epoch 0.\n"))
	require.Empty(t, mistakes)
	for ruleSet, own := range map[string]bool{"kip": true, "kafka": false} {
		rec, err := playback.Record(sc, ruleSet)
		require.NoError(t, err)
		stops, err := rec.Stops(playback.Main)
		require.NoError(t, err)
		last := stops[len(stops)-1]
		assert.Equal(t, "one", last.Label)
		assert.NotEmpty(t, last.Say)
		assert.Equal(t, own, last.Say == "A stands at epoch 0.", "%s: %s", ruleSet, last.Say)
	}
}
