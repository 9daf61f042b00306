package session_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"groupscope/core/session"
	"groupscope/scenarios"
)

// The scenarios on which calls are made: a consumer group and a streams group.
var opened = []string{"kip-848-worked-example", "a-standby-takes-over"}

// mostCalls are made of one input.
const mostCalls = 16

// FuzzCalls: whatever methods a page calls with whatever arguments, each line
// of the input being a method, a blank and its arguments, every answer is JSON
// and none says that the program is at fault. What is open stays open, and can
// be described, saved, and opened again.
func FuzzCalls(f *testing.F) {
	for _, seed := range []string{
		"step {\"by\": 5}\nstep\nstep {\"by\": -900}\nseek {\"step\": \"K5\"}\nseek {\"stop\": 99}\nseek {}\nseek {\"stop\": -1}",
		"play\nadvance {\"ms\": 16.6}\nadvance {\"ms\": 1e300}\nspeed {\"x\": 8}\nspeed {\"x\": -1}\nadvance {\"ms\": -1e18}\npause\nadvance {\"ms\": 1e9}",
		"seek {\"step\": \"K5\"}\ndo {\"action\": \"crash: A\"}\ndo {\"action\": \"run: 60s\"}\nacts\nbranch {\"id\": \"1\"}\nrename {\"id\": \"1\", \"name\": \"x\"}\ndelete {\"id\": \"1\"}\nsave",
		"rules {\"name\": \"kafka\"}\nrules {\"name\": \"raft\"}\nsnapshot\ncaption\nlog\ninfo",
		"inspect {\"id\": \"group\"}\ninspect {\"id\": \"member/A\"}\ninspect {\"id\": \"partition/foo-2\"}\ninspect {\"id\": \"partition/foo-99999999999\"}\ninspect {\"id\": \"event/3\"}\ninspect {\"id\": \"\"}",
		"possible\npossible {\"target\": \"member/B\"}\npossible {\"target\": 3}\nnothing\n \ndo {\"action\": \"{heartbeat: A, with: {memberEpoch: 2147483647}}\"}",
		"do {\"action\": \"topics: {foo: 0}\"}\ndo {\"action\": \"topics: {foo: 9999}\"}\ndo {\"action\": \"{lose-response: A, count: 3}\"}\ndo {\"action\": \"run: 10m\"}\ndo {\"action\": \"fail-over: true\"}",
		"do {\"action\": \"{subscribe: A, to: []}\"}\ndo {\"action\": \"leave: B\"}\ndo {\"action\": \"join: B\"}\ndo {\"action\": \"restart: A\"}\ndo {\"action\": \"advance: 45s\"}\nsnapshot",
	} {
		for which := range opened {
			f.Add(uint8(which), seed)
		}
	}
	f.Fuzz(func(t *testing.T, which uint8, calls string) {
		s := session.New("fuzz")
		src, err := scenarios.Source(opened[int(which)%len(opened)])
		require.NoError(t, err)
		requireSound(t, s.Load("opened.yaml", src, ""), "load")
		for i, line := range strings.Split(calls, "\n") {
			if i == mostCalls {
				break
			}
			method, args, _ := strings.Cut(line, " ")
			requireSound(t, s.Call(method, args), line)
			if batch := s.Events(); len(batch) > 0 {
				require.True(t, json.Valid(batch))
			}
		}
		requireOpen(t, s)
	})
}

// FuzzLoad: whatever file is opened, under whatever rules and at whatever step,
// nothing of ours breaks, and a file that opens can be looked at in every place.
func FuzzLoad(f *testing.F) {
	for _, name := range scenarios.Names() {
		src, err := scenarios.Source(name)
		require.NoError(f, err)
		if len(src) < 3_000 { // short ones are enough to begin with
			f.Add(src, `{"rules": "kafka", "step": "over"}`)
		}
	}
	for _, options := range []string{"", "{", "[]", `{"rules": 3}`, `{"rules": "raft"}`, `{"step": "K99"}`} {
		f.Add([]byte("groupscope: 1\ntitle: t\ntopics: {foo: 1}\nmembers: {A: {subscribe: [foo]}}\nsteps: [{join: A}, {run: 1m}]"), options)
	}
	f.Fuzz(func(t *testing.T, src []byte, options string) {
		if len(src) > 10_000 {
			return
		}
		s := session.New("fuzz")
		requireSound(t, s.Load("fuzzed.yaml", src, options), "load")
		if s.Player() == nil {
			return
		}
		n := s.Player().Len()
		for i := 0; i < n; i += max(1, n/4) {
			require.NoError(t, s.Player().Seek(i))
			for _, call := range []string{"snapshot", "caption", "possible"} {
				requireSound(t, s.Call(call, ""), call)
			}
		}
		requireOpen(t, s)
	})
}

// requireSound holds an answer to be JSON, and not a fault of ours.
func requireSound(t *testing.T, answer []byte, call string) {
	t.Helper()
	var a struct {
		OK    json.RawMessage
		Error *session.Error
	}
	require.NoError(t, json.Unmarshal(answer, &a), call)
	if a.Error == nil {
		require.NotEmpty(t, a.OK, call)
		return
	}
	require.NotEmpty(t, a.Error.Message, call)
	if a.Error.Kind == session.Broken {
		stack := ""
		if a.Error.Report != nil {
			stack = a.Error.Report.Stack
		}
		require.Fail(t, "broken", "%s: %s\n%s", call, a.Error.Message, stack)
	}
}

// requireOpen holds what is open to be whole: it can be described, and what is
// saved of it opens.
func requireOpen(t *testing.T, s *session.Session) {
	t.Helper()
	for _, call := range []string{"info", "snapshot", "caption", "acts", "log"} {
		answer := s.Call(call, "")
		requireSound(t, answer, call)
		require.Contains(t, string(answer[:6]), "ok", "%s: %s", call, answer)
	}
	var saved struct{ OK string }
	require.NoError(t, json.Unmarshal(s.Call("save", ""), &saved))
	answer := session.New("again").Load("saved.yaml", []byte(saved.OK), "")
	require.Contains(t, string(answer[:6]), "ok", "%s\n%s", answer, saved.OK)
}
