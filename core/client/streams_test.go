package client_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestOurStreamsClientDoesWhatTheRealOneDidToTheMillisecond(t *testing.T) {
	assert.Equal(t, []int{41, 144, 10662}, replayAll(t, readTraces(t, "testdata/streams.jsonl.gz")),
		"traces, members and things done: none is left out")
}
