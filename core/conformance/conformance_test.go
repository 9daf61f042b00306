package conformance

import (
	"maps"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// archives are read once; a run changes nothing in a trace.
var archives = map[string]func() ([]*Trace, error){"hand": once("hand"), "fuzz": once("fuzz")}

func once(name string) func() ([]*Trace, error) {
	return sync.OnceValues(func() ([]*Trace, error) { return ReadFile("testdata/consumer-" + name + ".jsonl.gz") })
}

func archive(t *testing.T, name string) []*Trace {
	t.Helper()
	traces, err := archives[name]()
	require.NoError(t, err)
	return traces
}

// judged counts what an archive came to, so that no trace, step or target
// can drop out unseen.
type judged struct {
	Traces, Whole, Steps, Targets int
	Cut                           map[string]int // traces that ended early, by the feature that was missing
}

func judge(t *testing.T, traces []*Trace) judged {
	t.Helper()
	out := judged{Traces: len(traces), Cut: map[string]int{}}
	for _, trace := range traces {
		report := runTrace(trace)
		assert.Empty(t, report.Mismatches)
		out.Steps += report.Steps
		out.Targets += report.Targets
		if report.Missing == "" {
			out.Whole++
			assert.Equal(t, report.Of, report.Steps, trace.Name)
		} else {
			out.Cut[report.Missing]++
		}
	}
	for _, feature := range slices.Sorted(maps.Keys(out.Cut)) {
		t.Logf("%d of %d traces end at their first step that needs: %s", out.Cut[feature], out.Traces, feature)
	}
	return out
}

func TestTheCoordinatorDoesWhatTheBrokerDidInEveryHandWrittenTrace(t *testing.T) {
	assert.Equal(t, judged{
		Traces: 44, Whole: 36, Steps: 755, Targets: 142,
		Cut: map[string]int{featureClassic: 2, featureCleanup: 1, featureDelete: 1, featureRegex: 4},
	}, judge(t, archive(t, "hand")))
}

func TestTheCoordinatorDoesWhatTheBrokerDidInEveryRandomTrace(t *testing.T) {
	assert.Equal(t, judged{
		Traces: 100, Whole: 12, Steps: 9285, Targets: 735,
		Cut: map[string]int{featureRegex: 88},
	}, judge(t, archive(t, "fuzz")))
}

func TestADifferenceFromTheBrokerIsFound(t *testing.T) {
	for what, spoil := range map[string]func(s *Step){
		"clock":    func(s *Step) { s.TimeMs++ },
		"response": func(s *Step) { s.Response = []byte(`{"memberId":"A","memberEpoch":7}`) },
		"error":    func(s *Step) { s.Error = &Failure{Code: "UNKNOWN_MEMBER_ID"} },
		"records":  func(s *Step) { slices.Reverse(s.Records) },
		"group":    func(s *Step) { s.Group.State = "Empty" },
	} {
		t.Run(what, func(t *testing.T) {
			traces, err := ReadFile("testdata/consumer-hand.jsonl.gz")
			require.NoError(t, err)
			trace := traces[0]
			spoil(&trace.Steps[0])
			mismatches := runTrace(trace).Mismatches
			require.NotEmpty(t, mismatches)
			assert.Contains(t, mismatches[0], trace.Name+", step 1 (heartbeat): "+what)
		})
	}
}

func TestATraceWithAnUnknownFieldIsRefused(t *testing.T) {
	_, err := decode([]byte(`{"name": "x", "steps": [{"op": "heartbeat", "weather": "fine"}]}`))
	assert.ErrorContains(t, err, `unknown field "weather"`)
}
