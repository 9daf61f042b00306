package conformance_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"groupscope/core/conformance"
)

// FuzzTrace: whatever a trace file holds, it is run or refused; nothing
// panics.
func FuzzTrace(f *testing.F) {
	f.Add([]byte(`{"kind":"consumer","name":"x","steps":[{"op":"advance","ms":1,"timeMs":1000001}]}`))
	for _, archive := range archives {
		for i, src := range traces(f, archive.file) {
			if i < 45 && len(src.JSON) < 20_000 {
				f.Add(src.JSON)
			}
		}
	}
	for _, runs := range clientRuns {
		for _, src := range traces(f, runs.file) {
			if len(src.JSON) < 8_000 {
				f.Add(src.JSON)
			}
		}
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		for _, own := range []bool{false, true} {
			report := conformance.Run(conformance.Source{Name: "trace.json", JSON: src}, conformance.Options{OwnAssignors: own})
			require.Empty(t, report.Panic)
		}
	})
}
