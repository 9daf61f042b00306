package session_test

import (
	"encoding/json"
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
