package conformance

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/core/protocol"
)

// cloning replaces every client by its clone whenever anything happens, and
// leads the original astray.
type cloning struct{ answers }

func (c cloning) expire(r *liveRun, until protocol.Instant) {
	for _, each := range r.clients {
		original := each.Client
		each.Client = original.Clone()
		if each.lives() {
			later := r.now + 1<<40
			original.Failed(later, 1, 2, 3)
			original.Unsubscribe(later)
			original.Resume(later)
		}
	}
	c.answers.expire(r, until)
}

func TestACloneOfAClientGoesOnAsItsOriginal(t *testing.T) {
	for _, file := range []string{"clients-consumer-hand.jsonl.gz", "clients-streams-hand.jsonl.gz"} {
		src, err := os.ReadFile("testdata/" + file)
		require.NoError(t, err)
		list, err := Split(file, src)
		require.NoError(t, err)
		for _, trace := range list {
			doc, err := readDocument(trace.JSON)
			require.NoError(t, err)
			run, err := readClientRun(doc)
			require.NoError(t, err)
			recorded, err := newRecordedAnswers(run)
			require.NoError(t, err)
			var report Report
			judge(run, cloning{recorded}, ofClients, &report)
			assert.Empty(t, report.Differences, "%s:%d", trace.Name, trace.Line)
		}
	}
}
