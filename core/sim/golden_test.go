package sim_test

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/core/protocol"
	"groupscope/core/rules"
	"groupscope/core/sim"
)

var update = flag.Bool("update", false, "write the transcripts anew")

// requireTranscript compares what happened with a transcript that was read
// and approved.
func requireTranscript(t *testing.T, name string, events []sim.Event) {
	t.Helper()
	tr := transcript{start: sim.DefaultStart}
	tr.add(events)
	file := filepath.Join("testdata", name+".txt")
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(tr.text.String()), 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, string(want), tr.text.String(), "-update accepts what happened")
}

func TestTheWorkedExampleByItselfReadsAsItsTranscript(t *testing.T) {
	for _, r := range rules.All() {
		w := workedExample(t, r)
		requireTranscript(t, "example-"+r.Name, must(t, w,
			join("A"), sim.Run{For: 2 * protocol.Second},
			join("B"), sim.Until{At: 12 * protocol.Second},
			join("C"), sim.Until{At: 24 * protocol.Second},
		))
		requireSettled(t, w)
	}
}

// TestALostResponseReadsAsItsTranscript loses the answer that asks A to give
// foo-2 up. A repeats its request in full, and is told again.
func TestALostResponseReadsAsItsTranscript(t *testing.T) {
	for _, r := range rules.All() {
		w := workedExample(t, r)
		requireTranscript(t, "lost-response-"+r.Name, must(t, w,
			join("A"), sim.Run{For: 2 * protocol.Second},
			join("B"), sim.LoseResponse{Member: "A", Count: 1}, sim.Run{For: 45 * protocol.Second},
		))
	}
}
