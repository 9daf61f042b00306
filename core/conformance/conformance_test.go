package conformance_test

import (
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/core/conformance"
)

// archives are the traces of the real coordinator that are kept here.
var archives = []struct {
	file   string
	traces int
	// failing are the lines of those that the coordinator cannot pass yet.
	failing []int
}{
	{"consumer-hand.jsonl.gz", 44, nil},
	{"consumer-fuzz.jsonl.gz", 24, nil},
	{"streams-hand.jsonl.gz", 45, nil},
	{"streams-fuzz.jsonl.gz", 24, nil},
}

func traces(t testing.TB, file string) []conformance.Source {
	t.Helper()
	src, err := os.ReadFile("testdata/" + file)
	require.NoError(t, err)
	out, err := conformance.Split(file, src)
	require.NoError(t, err)
	return out
}

func TestEveryTracePasses(t *testing.T) {
	for _, archive := range archives {
		list := traces(t, archive.file)
		assert.Len(t, list, archive.traces, archive.file)
		for _, trace := range list {
			report := conformance.Run(trace, conformance.Options{})
			if slices.Contains(archive.failing, trace.Line) {
				assert.False(t, report.Passed(), "%s passes now", report.Place(0))
				continue
			}
			assert.True(t, report.Passed(), "%s: %v %v", report.Place(0), report.Fault, report.Differences)
		}
	}
}

func TestEveryTargetOfTheBrokerComesOutIdentical(t *testing.T) {
	for _, archive := range archives {
		for _, trace := range traces(t, archive.file) {
			report := conformance.Run(trace, conformance.Options{OwnAssignors: true})
			assert.Empty(t, report.Targets.Different, report.Place(0))
			assert.Equal(t, !slices.Contains(archive.failing, trace.Line), report.Passed(), report.Place(0))
		}
	}
}
