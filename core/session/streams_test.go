package session_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/core/session"
)

const streamsFile = `groupscope: 1
title: Two instances share two tasks
protocol: streams
rules: kafka
config: {group.streams.initial.rebalance.delay.ms: 0, group.streams.assignment.interval.ms: 0, group.streams.num.standby.replicas: 1}
topics: {in: 2, counts: 2}
topology: {subtopologies: {0: {source: [in], changelog: [counts]}}}
members: {A: {process: one, endpoint: "h1:9000"}, B: {process: two}}
steps:
  - step: first
    join: A
  - join: B
  - step: end
    run: 20s
`

func TestASnapshotOfAStreamsGroupSpeaksOfTasks(t *testing.T) {
	s := session.New("")
	options, err := json.Marshal(session.Options{Step: "end"})
	require.NoError(t, err)
	require.Nil(t, read(t, s.Load("s.yaml", []byte(streamsFile), string(options))).Error)
	got := call[session.Snapshot](t, s, "snapshot", "")
	require.NotNil(t, got.Group.SnapshotStreamsGroup)
	a := got.Members["A"]
	assert.Len(t, a.Owns, 1)
	assert.Regexp(t, "^0_[01]$", a.Owns[0])
	assert.Regexp(t, "^0_[01]$", a.Standby[0])
	assert.Equal(t, "one", a.Process)
	assert.Equal(t, a.Standby, a.Client.Standby)
	assert.Equal(t, a.Standby, a.TargetStandby)
	assert.Empty(t, a.RevokesStandby)
}

func TestRawMessagesOfAStreamsClientAreWhole(t *testing.T) {
	s := session.New("")
	require.Nil(t, read(t, s.Load("s.yaml", []byte(streamsFile), `{"step": "first"}`)).Error)
	var in struct {
		Request  struct{ Topology, ActiveTasks map[string]any }
		Response struct{ ActiveTasks map[string][]int32 }
		Records  []struct{ Value any }
	}
	raw := call[json.RawMessage](t, s, "inspect", `{"id": "member/A"}`)
	require.NoError(t, json.Unmarshal(raw, &in))
	assert.NotNil(t, in.Request.Topology)
	assert.NotNil(t, in.Request.ActiveTasks)
	assert.Equal(t, map[string][]int32{"0": {0, 1}}, in.Response.ActiveTasks)
	require.Len(t, in.Records, 6)
	for _, r := range in.Records {
		assert.NotNil(t, r.Value, "every record has its value")
	}
}

// offered are the actions that a menu offers in the file's words, with the
// reason of those that cannot be done.
func offered(t *testing.T, s *session.Session, target string) map[string]string {
	out := map[string]string{}
	for _, p := range call[[]session.Possible](t, s, "possible", `{"target": "`+target+`"}`) {
		out[p.Action] = p.Reason
	}
	return out
}

func TestAMenuOffersAStreamsMemberWhatStreamsMembersDo(t *testing.T) {
	s := session.New("")
	require.Nil(t, read(t, s.Load("s.yaml", []byte(streamsFile), `{"step": "end"}`)).Error)
	offers := offered(t, s, "member/A")
	for _, want := range []string{
		"shut-down: A", "{fail-callback: A, callback: onTasksRevoked}", "{fail-callback: A, callback: onTasksAssigned}", "{pause: A, for: 1m}",
	} {
		assert.Contains(t, offers, want)
	}
	for action, reason := range offers {
		assert.NotRegexp(t, "commit|fetch|subscribe|onPartitions|^offsets", action)
		assert.NotContains(t, reason, "groups", "no offer is one of the other kind of group")
		if reason == "" {
			call[session.Info](t, s, "branch", `{"id": "main"}`)
			call[session.Position](t, s, "seek", `{"step": "end"}`)
			call[session.Info](t, s, "do", `{"action": `+jsonOf(t, action)+`}`)
		}
	}
}

// TestAMenuOffersInternalTopicsAsLongAsOneIsMissing: to refuse what the broker
// would create, or to create what it refuses, and nothing once they are there.
func TestAMenuOffersInternalTopicsAsLongAsOneIsMissing(t *testing.T) {
	s := session.New("")
	lacking := strings.Replace(streamsFile, ", counts: 2", "", 1)
	require.NotEqual(t, streamsFile, lacking)
	require.Nil(t, read(t, s.Load("s.yaml", []byte(lacking), "")).Error)
	offers := offered(t, s, "group")
	assert.Contains(t, offers, "internal-topics: refused")
	assert.NotContains(t, offers, "internal-topics: created")
	assert.NotContains(t, offers, "resolve: true", "a topology reads no regex")
	call[session.Info](t, s, "do", `{"action": "internal-topics: refused"}`)
	offers = offered(t, s, "group")
	assert.Contains(t, offers, "internal-topics: created")
	assert.NotContains(t, offers, "internal-topics: refused")

	require.Nil(t, read(t, s.Load("s.yaml", []byte(streamsFile), `{"step": "first"}`)).Error)
	assert.NotContains(t, offered(t, s, "group"), "internal-topics: refused", "the changelog is there")
	stateless := strings.Replace(lacking, ", changelog: [counts]", "", 1)
	require.Nil(t, read(t, s.Load("s.yaml", []byte(stateless), "")).Error)
	assert.NotContains(t, offered(t, s, "group"), "internal-topics: refused")
}

func TestAMenuLetsWarmUpTasksCatchUp(t *testing.T) {
	s := session.New("")
	file, err := os.ReadFile("../../scenarios/warm-up-and-hand-over.yaml")
	require.NoError(t, err)
	require.Nil(t, read(t, s.Load("w.yaml", file, `{"step": "warming", "rules": "kip"}`)).Error)
	require.Equal(t, []string{"0_1"}, call[session.Snapshot](t, s, "snapshot", "").Members["B"].Warmup)
	const caughtUp = "{offsets: B, tasks: {0_1: [20000, 20000]}}"
	reason, is := offered(t, s, "member/B")[caughtUp]
	require.True(t, is, offered(t, s, "member/B"))
	require.Empty(t, reason)
	call[session.Info](t, s, "do", `{"action": `+jsonOf(t, caughtUp)+`}`)
	for action := range offered(t, s, "member/A") {
		assert.NotContains(t, action, "offsets", "A warms nothing up")
	}
}

// TestTheWordsOfAStepAreAboutItsLastAction: B leaves, then comes back with the
// topology that breaks the invariant, all at one instant.
func TestTheWordsOfAStepAreAboutItsLastAction(t *testing.T) {
	s := session.New("")
	file, err := os.ReadFile("../../scenarios/one-input-two-topologies.yaml")
	require.NoError(t, err)
	require.Nil(t, read(t, s.Load("s.yaml", file, `{"step": "upgrade"}`)).Error)
	call[session.Position](t, s, "seek", `{"step": "upgrade"}`)
	caption := call[session.Caption](t, s, "caption", "")
	for _, d := range caption.Decisions {
		assert.NotContains(t, d.Text, "B~2", "a restarted member goes by its name")
		if d.Main {
			assert.Contains(t, d.Text, "B brings topology epoch 1")
		}
	}
	var broken []string
	for _, i := range caption.Invariants {
		if !i.OK {
			broken = append(broken, i.Text)
		}
	}
	assert.Equal(t, []string{"orders-0 is read by two active tasks: 0_0 of A and 2_0 of B (since upgrade)"}, broken)
}
