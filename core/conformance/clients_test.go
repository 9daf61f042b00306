package conformance_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"groupscope/core/conformance"
)

// clientRuns are the recorded runs of real clients that are kept here, and
// how many events they have.
var clientRuns = []struct {
	file           string
	traces, events int
}{
	{"clients-consumer-hand.jsonl.gz", 58, 6808},
	{"clients-consumer-fuzz.jsonl.gz", 32, 35399},
	{"clients-streams-hand.jsonl.gz", 25, 2681},
	{"clients-streams-fuzz.jsonl.gz", 16, 16250},
}

func TestOurClientsAndCoordinatorDoWhatTheRealOnesDidToTheMillisecond(t *testing.T) {
	for _, runs := range clientRuns {
		list := traces(t, runs.file)
		events := 0
		for _, trace := range list {
			report := conformance.Run(trace, conformance.Options{})
			assert.True(t, report.Passed(), "%s: %v %s %v", report.Place(0), report.Fault, report.Panic, report.Differences)
			events += report.Of
		}
		assert.Equal(t, []int{runs.traces, runs.events}, []int{len(list), events}, "%s: none is left out", runs.file)
	}
}
