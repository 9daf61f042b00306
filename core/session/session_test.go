package session_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/core/session"
	"groupscope/scenarios"
)

var update = flag.Bool("update", false, "write the golden files anew")

// reply is what a call is answered with.
type reply struct {
	OK    json.RawMessage
	Error *session.Error
}

func read(t *testing.T, raw []byte) reply {
	t.Helper()
	var r reply
	require.NoError(t, json.Unmarshal(raw, &r), string(raw))
	return r
}

// open is a session with the worked example at a step.
func open(t *testing.T, step string) *session.Session {
	t.Helper()
	src, err := scenarios.Source("kip-848-worked-example")
	require.NoError(t, err)
	s := session.New("test")
	options, err := json.Marshal(session.Options{Step: step})
	require.NoError(t, err)
	require.Nil(t, read(t, s.Load("kip-848-worked-example.yaml", src, string(options))).Error)
	return s
}

// call expects a call to work, and reads its result.
func call[T any](t *testing.T, s *session.Session, method, args string) T {
	t.Helper()
	r := read(t, s.Call(method, args))
	require.Nil(t, r.Error, "%s %s", method, args)
	var out T
	require.NoError(t, json.Unmarshal(r.OK, &out), string(r.OK))
	return out
}

// wrong expects a call not to work.
func wrong(t *testing.T, s *session.Session, method, args string) *session.Error {
	t.Helper()
	r := read(t, s.Call(method, args))
	require.NotNil(t, r.Error, "%s %s: %s", method, args, r.OK)
	return r.Error
}

func TestLoadingAnswersWhatIsOpen(t *testing.T) {
	s := open(t, "K5")
	info := call[session.Info](t, s, "info", "")
	assert.Equal(t, "kip-848-worked-example", info.Name)
	assert.Equal(t, "KIP-848 text", info.RuleTitle)
	assert.Equal(t, []session.RuleSet{{Name: "kip", Title: "KIP-848 text"}, {Name: "kafka", Title: "Kafka 4.4"}}, info.RuleSets)
	assert.Equal(t, []string{"A", "B", "C"}, info.Members)
	assert.Len(t, info.Stops, 14)
	assert.Equal(t, "K5", info.Position.Label)
	assert.False(t, info.Position.Moving)
	assert.Equal(t, "main", info.Branch)
	assert.EqualValues(t, 45000, info.Config["group.consumer.session.timeout.ms"])
	assert.Equal(t, 27, info.Stats.Records)
}

func TestAFileWithMistakesLeavesWhatWasOpen(t *testing.T) {
	s := open(t, "K5")
	r := read(t, s.Load("bad.yaml", []byte("groupscope: 1\ntitle: x\nprotocol: consumer\ntopicz: {foo: 3}\n"), ""))
	require.NotNil(t, r.Error)
	assert.Equal(t, session.Diagnostics, r.Error.Kind)
	require.NotEmpty(t, r.Error.Diagnostics)
	last := r.Error.Diagnostics[len(r.Error.Diagnostics)-1]
	assert.Equal(t, 4, last.Line)
	assert.Equal(t, "topicz: {foo: 3}", last.Source)
	assert.Equal(t, "K5", call[session.Info](t, s, "info", "").Position.Label)
}

func TestAStepThatIsNotPossibleIsADiagnostic(t *testing.T) {
	src := "groupscope: 1\ntitle: x\nprotocol: consumer\nrules: kip\ntopics: {foo: 1}\nmembers: {A: {subscribe: [foo]}}\nsteps:\n  - join: A\n  - join: A\n"
	r := read(t, session.New("").Load("x.yaml", []byte(src), ""))
	require.NotNil(t, r.Error)
	require.Len(t, r.Error.Diagnostics, 1)
	assert.Equal(t, 9, r.Error.Diagnostics[0].Line)
	assert.Contains(t, r.Error.Message, "A runs already")
}

func TestALinkToAStepThatIsGoneOpensAtTheStart(t *testing.T) {
	assert.Equal(t, "K0", call[session.Info](t, open(t, "K99"), "info", "").Position.Label)
}

func TestNothingOpenIsSaidInASentence(t *testing.T) {
	e := wrong(t, session.New(""), "snapshot", "")
	assert.Equal(t, session.Usage, e.Kind)
	assert.Contains(t, e.Message, "load one first")
}

func TestUnknownMethodsAndArgumentsAreTheCallersFault(t *testing.T) {
	s := open(t, "")
	assert.Equal(t, session.Usage, wrong(t, s, "jump", "{}").Kind)
	assert.Equal(t, session.Usage, wrong(t, s, "seek", "{}").Kind)
	assert.Equal(t, session.Usage, wrong(t, s, "seek", `{"stop": "x"}`).Kind)
	assert.Equal(t, session.Usage, wrong(t, s, "seek", `{`).Kind)
}

func TestSeekingNamesTheStepsThereAre(t *testing.T) {
	s := open(t, "")
	assert.Equal(t, 7, call[session.Position](t, s, "seek", `{"step": "K7"}`).Stop)
	assert.Equal(t, "K3", call[session.Position](t, s, "seek", `{"stop": 3}`).Step)
	for _, args := range []string{`{"step": "K15"}`, `{"stop": 99}`, `{"stop": -1}`, `{"step": ""}`} {
		e := wrong(t, s, "seek", args)
		assert.Equal(t, session.Refused, e.Kind, args)
	}
	assert.Contains(t, wrong(t, s, "seek", `{"step": "K15"}`).Message, "K12, K13")
	assert.Equal(t, 3, call[session.Info](t, s, "info", "").Position.Stop)
}

func TestStepsForwardMoveAndOthersJump(t *testing.T) {
	s := open(t, "K4")
	at := call[session.Position](t, s, "step", `{"by": 1}`)
	assert.Equal(t, "K5", at.Label)
	assert.True(t, at.Moving)
	at = call[session.Position](t, s, "step", `{"by": -1}`)
	assert.Equal(t, "K4", at.Label)
	assert.False(t, at.Moving)
}

func TestPlayingPausingAndTheClock(t *testing.T) {
	s := open(t, "")
	assert.True(t, call[session.Position](t, s, "play", "").Playing)
	assert.EqualValues(t, 2, call[session.Position](t, s, "speed", `{"x": 2}`).Speed)
	assert.Equal(t, session.Refused, wrong(t, s, "speed", `{"x": 100}`).Kind)
	for range 30 {
		assert.True(t, call[map[string]bool](t, s, "advance", `{"ms": 100}`)["moving"])
	}
	at := call[session.Position](t, s, "pause", "")
	assert.False(t, at.Playing)
	assert.Positive(t, at.Stop)
}

func TestDoingOpensABranchInMotion(t *testing.T) {
	s := open(t, "K5")
	info := call[session.Info](t, s, "do", `{"action": "crash: A"}`)
	assert.Equal(t, "b1", info.Branch)
	assert.Equal(t, session.Branch{ID: "b1", Name: "A crashes at K5", Parent: "main", Fork: 5, Stops: 7}, info.Branches[1])
	assert.True(t, info.Position.Moving)
	assert.Equal(t, "+1", info.Position.Label)
	e := wrong(t, s, "do", `{"action": "crash: A"}`)
	assert.Equal(t, session.Refused, e.Kind)
	assert.NotEmpty(t, e.Message)
	e = wrong(t, s, "do", `{"action": "crush: A"}`)
	assert.Equal(t, session.Diagnostics, e.Kind)
	assert.NotEmpty(t, e.Diagnostics)
	info = call[session.Info](t, s, "rename", `{"id": "b1", "name": "The crash"}`)
	assert.Equal(t, "The crash", info.Branches[1].Name)
	assert.Equal(t, session.Refused, wrong(t, s, "delete", `{"id": "main"}`).Kind)
	assert.Equal(t, session.Refused, wrong(t, s, "rename", `{"id": "main", "name": "x"}`).Kind)
	assert.Equal(t, "K5", call[session.Info](t, s, "branch", `{"id": "main"}`).Position.Label)
	assert.Len(t, call[session.Info](t, s, "delete", `{"id": "b1"}`).Branches, 1)
}

func TestTheSavedBranchReplaysToTheSameEnd(t *testing.T) {
	s := open(t, "K5")
	call[session.Info](t, s, "do", `{"action": "crash: A"}`)
	call[session.Info](t, s, "do", `{"action": "run: 60s"}`)
	end := call[session.Snapshot](t, s, "snapshot", "")
	assert.Equal(t, []string{"foo-0", "foo-1", "foo-2"}, end.Members["B"].Owns)
	assert.Equal(t, "absent", end.Members["A"].State)
	saved := call[string](t, s, "save", "")
	again := session.New("test")
	require.Nil(t, read(t, again.Load("saved.yaml", []byte(saved), "")).Error, saved)
	stops := call[session.Info](t, again, "info", "").Stops
	call[session.Position](t, again, "seek", `{"stop": `+jsonOf(t, len(stops)-1)+`}`)
	replayed := call[session.Snapshot](t, again, "snapshot", "")
	assert.Equal(t, end.Members, replayed.Members)
	assert.Equal(t, end.Group, replayed.Group)
	assert.Equal(t, end.Instant, replayed.Instant)
}

func jsonOf(t *testing.T, v any) string {
	t.Helper()
	raw, err := json.Marshal(v)
	require.NoError(t, err)
	return string(raw)
}

func TestAnotherRuleSetStaysAtTheStepAndKeepsBranches(t *testing.T) {
	s := open(t, "K5")
	call[session.Info](t, s, "do", `{"action": "crash: A"}`)
	call[session.Position](t, s, "seek", `{"step": "K3"}`)
	info := call[session.Info](t, s, "rules", `{"name": "kafka"}`)
	assert.Equal(t, "Kafka 4.4", info.RuleTitle)
	assert.Equal(t, "K3", info.Position.Step)
	assert.Len(t, info.Branches, 1)
	assert.Len(t, call[session.Info](t, s, "rules", `{"name": "kip"}`).Branches, 2)
	assert.Equal(t, session.Refused, wrong(t, s, "rules", `{"name": "raft"}`).Kind)
}

func TestWhatIsPossibleAndWhatIsNotSaysWhy(t *testing.T) {
	s := open(t, "K5")
	byLabel := map[string]session.Possible{}
	for _, p := range call[[]session.Possible](t, s, "possible", `{"target": "member/A"}`) {
		byLabel[p.Label] = p
		assert.Equal(t, p.Enabled, p.Reason == "", p.Label)
	}
	assert.Equal(t, session.Possible{Label: "Crash", Action: "crash: A", Enabled: true}, byLabel["Crash"])
	assert.False(t, byLabel["Restart"].Enabled)
	assert.False(t, byLabel["Join"].Enabled)
	for _, p := range byLabel {
		if p.Enabled {
			call[session.Info](t, s, "branch", `{"id": "main"}`)
			call[session.Position](t, s, "seek", `{"step": "K5"}`)
			call[session.Info](t, s, "do", `{"action": `+jsonOf(t, p.Action)+`}`)
		}
	}
	var group []string
	for _, p := range call[[]session.Possible](t, s, "possible", `{"target": "group"}`) {
		group = append(group, p.Action)
	}
	assert.Equal(t, []string{"run: 30s", "advance: 45s", "fail-over: true", "{broker-error: COORDINATOR_LOAD_IN_PROGRESS, for: 10s}",
		"{broker-error: NOT_COORDINATOR, for: 10s, lookup-fails: true}", "topics: {foo: 4}", "topics: {foo: 0}",
		"resolve: true", "describe: true", "cleanup: true", "delete-group: true"}, group)
}

// TestWhatAPageGetsToReadAtK5 pins the shapes of the JSON, and their words.
func TestWhatAPageGetsToReadAtK5(t *testing.T) {
	s := open(t, "K5")
	var b strings.Builder
	for _, c := range []struct{ method, args string }{
		{"snapshot", ""}, {"caption", ""}, {"inspect", `{"id": "member/A"}`}, {"inspect", `{"id": "partition/foo-2/current/A"}`},
		{"inspect", `{"id": "group"}`},
	} {
		b.WriteString("// " + c.method + " " + c.args + "\n")
		var out bytes.Buffer
		require.NoError(t, json.Indent(&out, read(t, s.Call(c.method, c.args)).OK, "", "  "))
		b.WriteString(out.String() + "\n")
	}
	path := filepath.Join("testdata", "k5.jsonc")
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(b.String()), 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	sameLines(t, path, string(want), b.String())
}

// sameLines names the first line that differs.
func sameLines(t *testing.T, path, want, got string) {
	t.Helper()
	if want == got {
		return
	}
	was, is := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range min(len(was), len(is)) {
		require.Equal(t, was[i], is[i], "%s:%d; go test -update writes it anew", path, i+1)
	}
	require.Len(t, is, len(was), path)
}

func TestTheLogLeadsToStopsAndEvents(t *testing.T) {
	s := open(t, "")
	lines := call[[]session.LogLine](t, s, "log", "")
	require.NotEmpty(t, lines)
	kinds := map[string]bool{}
	for _, l := range lines {
		kinds[string(l.Kind)] = true
		assert.Positive(t, l.Stop)
		in := call[session.Inspection](t, s, "inspect", `{"id": "event/`+jsonOf(t, l.Event)+`"}`)
		assert.NotEmpty(t, in.Title)
	}
	assert.Subset(t, keys(kinds), []string{"request", "decision", "records", "response", "client"})
	assert.Equal(t, session.Refused, wrong(t, s, "inspect", `{"id": "event/99999"}`).Kind)
	assert.Equal(t, session.Refused, wrong(t, s, "inspect", `{"id": "member/Z"}`).Kind)
	assert.Equal(t, session.Refused, wrong(t, s, "inspect", `{"id": "partition/foo-9"}`).Kind)
	assert.Equal(t, session.Refused, wrong(t, s, "inspect", `{"id": ""}`).Kind)
}

func keys(m map[string]bool) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	return out
}

func TestAPanicIsReportedWithItsPlace(t *testing.T) {
	s := open(t, "K5")
	s.Extend("draw", func(json.RawMessage) (any, error) { panic("two owners") })
	e := wrong(t, s, "draw", "")
	assert.Equal(t, session.Broken, e.Kind)
	assert.Equal(t, "two owners", e.Message)
	require.NotNil(t, e.Report)
	assert.Equal(t, "K5", e.Report.Step)
	assert.Equal(t, "test", e.Report.Build)
	assert.Contains(t, e.Report.Stack, "session_test")
	assert.Equal(t, "K5", call[session.Info](t, s, "info", "").Position.Label, "and the session lives on")
}

// batch reads one batch of events.
func batch(t *testing.T, s *session.Session) []map[string]any {
	t.Helper()
	raw := s.Events()
	if raw == nil {
		return nil
	}
	var out []map[string]any
	require.NoError(t, json.Unmarshal(raw, &out))
	return out
}

func types(events []map[string]any) []string {
	var out []string
	for _, e := range events {
		out = append(out, e["type"].(string))
	}
	return out
}

func TestEventsSayWhatChangedSinceTheLastBatch(t *testing.T) {
	s := session.New("")
	assert.Nil(t, s.Events(), "nothing is open")
	s = open(t, "K4")
	first := batch(t, s)
	assert.Equal(t, []string{"position", "moving"}, types(first))
	assert.Equal(t, "K4", first[0]["label"])
	assert.Equal(t, false, first[1]["moving"], "one frame is drawn, the page may park")
	assert.Nil(t, s.Events())
	s.Call("step", `{"by": 1}`)
	assert.Equal(t, []string{"position", "moving"}, types(batch(t, s)))
	for range 20 {
		s.Advance(50)
	}
	last := batch(t, s)
	assert.Equal(t, []string{"moving"}, types(last))
	assert.Equal(t, false, last[0]["moving"])
	s.Call("seek", `{"step": "K13"}`)
	s.Call("step", `{"by": -1}`)
	s.Call("play", "")
	batch(t, s)
	var seen []string
	for range 200 {
		s.Advance(50)
		seen = append(seen, types(batch(t, s))...)
	}
	assert.Equal(t, []string{"position", "end", "moving"}, seen, "the last stop, and then nothing moves")
}
