package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/core/conformance"
)

const traceArchives = "../../core/conformance/testdata"

// tracesIn writes traces of an archive as files of their own, a step a line.
func tracesIn(t *testing.T, archive string, dir string, names ...string) {
	t.Helper()
	file := filepath.Join(traceArchives, archive)
	src, err := os.ReadFile(file)
	require.NoError(t, err)
	list, err := conformance.Split(file, src)
	require.NoError(t, err)
	for _, name := range names {
		for _, trace := range list {
			if bytes.Contains(trace.JSON, []byte(`"name":"`+name+`"`)) {
				lines := bytes.ReplaceAll(trace.JSON, []byte(`{"op":`), []byte("\n{\"op\":"))
				require.NoError(t, os.MkdirAll(dir, 0o755))
				require.NoError(t, os.WriteFile(filepath.Join(dir, name+".json"), lines, 0o644))
			}
		}
	}
}

func TestTracesOfTheRealCoordinatorConform(t *testing.T) {
	for _, args := range [][]string{{"conform"}, {"conform", "-assign", "own"}} {
		out, errs, code := groupscope(append(args, filepath.Join(traceArchives, "consumer-hand.jsonl.gz"), filepath.Join(traceArchives, "streams-hand.jsonl.gz"))...)
		assert.Equal(t, exitOK, code, out)
		assert.Equal(t, "89 passed, 0 failed", lastLine(out))
		assert.Empty(t, errs)
		assert.Equal(t, len(args) > 1, strings.HasPrefix(out, "targets: "), out)
	}
}

func TestAFolderStandsForTheTracesInItAndBelow(t *testing.T) {
	dir := t.TempDir()
	tracesIn(t, "consumer-hand.jsonl.gz", dir, "lost-response-subset")
	tracesIn(t, "streams-hand.jsonl.gz", filepath.Join(dir, "deeper"), "join-stateless")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "readme.txt"), nil, 0o644))
	out, _, code := groupscope("conform", "-v", dir)
	assert.Equal(t, exitOK, code, out)
	assert.Contains(t, out, "lost-response-subset.json: passed, 14 of 14 steps\n")
	assert.Equal(t, "2 passed, 0 failed", lastLine(out))
}

// TestADifferenceIsPrintedWithItsPlace: one epoch of a step's answer is
// changed, on a copy.
func TestADifferenceIsPrintedWithItsPlace(t *testing.T) {
	dir := t.TempDir()
	tracesIn(t, "consumer-hand.jsonl.gz", dir, "lost-response-subset")
	file := filepath.Join(dir, "lost-response-subset.json")
	src, err := os.ReadFile(file)
	require.NoError(t, err)
	lines := bytes.Split(src, []byte("\n"))
	lines[3] = bytes.Replace(lines[3], []byte(`"response":{"memberId":"A","memberEpoch":`), []byte(`"response":{"memberId":"A","memberEpoch":9`), 1)
	require.NoError(t, os.WriteFile(file, bytes.Join(lines, []byte("\n")), 0o644))

	out, _, code := groupscope("conform", file)
	assert.Equal(t, exitFailed, code)
	printed := strings.Split(out, "\n")
	require.Len(t, printed, 5, out)
	assert.Equal(t, filepath.ToSlash(file)+":4: step 3, heartbeat: response.memberEpoch", printed[0])
	assert.Regexp(t, `^  got   \d$`, printed[1])
	assert.Regexp(t, `^  want  9\d$`, printed[2])
	assert.Equal(t, "0 passed, 1 failed", printed[3])
}

func TestATraceThatIsNotInTheFormatHasFailed(t *testing.T) {
	for name, c := range map[string]struct{ trace, want string }{
		"unknown operation":  {`{"kind":"consumer","steps":[{"op":"dance"}]}`, `line 1, step 1: op: unknown operation "dance"`},
		"unknown field":      {`{"kind":"consumer","steps":[{"op":"advance","ms":1,"weather":"fine"}]}`, "line 1, step 1: weather: unknown field"},
		"misspelt field":     {`{"kind":"consumer","steps":[{"op":"heartbeat","request":{"memberid":"A"}}]}`, "line 1, step 1: request.memberid: unknown field"},
		"unknown config":     {`{"kind":"consumer","config":{"weather":1},"steps":[]}`, "config.weather: unknown field"},
		"unknown at the top": {`{"kind":"consumer","weather":1,"steps":[]}`, "weather: unknown field"},
		"field twice":        {`{"kind":"consumer","steps":[{"op":"advance","ms":1,"ms":2}]}`, `line 1, step 1: "ms" stands twice in an object`},
		"wrong type":         {`{"kind":"consumer","steps":[{"op":"advance","ms":"soon"}]}`, `line 1, step 1: ms: want a whole number, got "soon"`},
		"no steps":           {`{"kind":"streams"}`, "steps: want a list of steps, got none"},
		"no kind":            {`{"steps":[]}`, `kind: null, want "consumer", "streams" or "clients"`},
		"broken":             {"{\"kind\":\"consumer\",\n\"steps\":[,]}", "line 2, column 10: "},
		"cut off":            {`{"kind":"consumer","steps":[`, "line 1, column 29: the file ends in the middle of the trace"},
		"two traces":         {`{"kind":"consumer","steps":[]}{}`, "something follows the end of the trace"},
		"no trace":           {`[]`, "a trace is a JSON object"},
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "trace.json")
			require.NoError(t, os.WriteFile(file, []byte(c.trace), 0o644))
			out, _, code := groupscope("conform", file)
			assert.Equal(t, exitFailed, code)
			assert.Contains(t, out, filepath.ToSlash(file)+": ")
			assert.Contains(t, out, c.want)
			assert.Equal(t, "0 passed, 1 failed", lastLine(out))
		})
	}
}

// TestATargetOfOursThatDiffersIsNamed: the trace's target is changed wherever
// it shows, so that the trace is right in itself and our assignor is not.
func TestATargetOfOursThatDiffersIsNamed(t *testing.T) {
	trace := `{"kind":"consumer","topics":[{"name":"foo","partitions":2}],"steps":[` +
		`{"op":"heartbeat","request":{"memberId":"A","memberEpoch":0,"rebalanceTimeoutMs":1000,"subscribedTopicNames":["foo"],"topicPartitions":{}},` +
		`"records":[{"type":"ConsumerGroupTargetAssignmentMember","key":{"memberId":"A"},"value":{"topicPartitions":{"foo":[1]}}},` +
		`{"type":"ConsumerGroupTargetAssignmentMetadata","key":{},"value":{"assignmentEpoch":2,"assignmentTimestamp":1000000}}]}]}`
	require.True(t, json.Valid([]byte(trace)))
	file := filepath.Join(t.TempDir(), "trace.json")
	require.NoError(t, os.WriteFile(file, []byte(trace), 0o644))
	out, _, code := groupscope("conform", "-assign", "own", file)
	assert.Equal(t, exitFailed, code)
	assert.Contains(t, out, ":1: step 1, heartbeat: target.A.active.foo\n  got   [0,1]\n  want  [1]\n")
	assert.Contains(t, out, "\ntargets: 0 identical, 1 different\n")

	out, _, _ = groupscope("conform", file)
	assert.NotContains(t, out, "target.A", "by default the trace's target is taken as it is")
}

func TestConformSaysHowItIsMeant(t *testing.T) {
	for name, c := range map[string]struct {
		args []string
		want string
	}{
		"no file":        {nil, "no file or folder given"},
		"no such file":   {[]string{"nowhere.json"}, "nowhere.json"},
		"empty folder":   {[]string{t.TempDir()}, "has no .json or .jsonl file in it"},
		"no such source": {[]string{"-assign", "kafka", "x.json"}, "-assign is trace or own, not kafka"},
	} {
		out, errs, code := groupscope(append([]string{"conform"}, c.args...)...)
		assert.Equal(t, exitUsage, code, name)
		assert.Empty(t, out, name)
		assert.Contains(t, errs, c.want, name)
	}
}
