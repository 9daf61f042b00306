package playback_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTheLogIsTheSameWhereverTheViewerStands(t *testing.T) {
	p := at(t, record(t, `
groupscope: 1
title: A topic comes and another one
protocol: consumer
rules: kip
topics: {foo: 2, bar: 0}
members: {A: {subscribe: [foo, bar]}}
steps:
  - {step: S1, join: A, say: A joins.}
  - {step: S2, heartbeat: A, say: A reads foo.}
  - {step: S3, topics: {bar: 1}, say: Now there is bar.}
  - {step: S4, heartbeat: A, say: The group moves on.}
  - {step: S5, topics: {foo: 0}, say: Now there is only bar.}
`, "kip"), "S1")
	first := p.Log()
	for i := range p.Len() {
		require.NoError(t, p.Seek(i))
		assert.Equal(t, first, p.Log(), p.Frame().Stop.Label)
	}
	told := false
	for _, l := range first {
		told = told || l.Kind == "records" && assert.NotContains(t, l.Text, ": 0", "with two topics a number alone says too little")
	}
	assert.True(t, told)
}

func TestAMemberThatAsksForNoAssignorHasNoVote(t *testing.T) {
	p := at(t, record(t, `
groupscope: 1
title: Two of three vote for range
protocol: consumer
rules: kip
topics: {foo: 4}
members: {A: {subscribe: [foo]}, B: {subscribe: [foo], assignor: range}, C: {subscribe: [foo], assignor: range}}
steps:
  - join: A
  - join: B
  - join: C
  - {step: S1, run: 30s, say: They settle.}
`, "kip"), "S1")
	value := func(id string) string {
		in, err := p.Inspect(id)
		require.NoError(t, err)
		for _, r := range in.Rows {
			if r.Name == "Assignor" {
				return r.Value
			}
		}
		return ""
	}
	assert.Equal(t, "no vote", value("member/A"))
	assert.Equal(t, "range", value("member/B"))
	assert.Equal(t, "range", value("group"))
}
