package playback_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"groupscope/core/playback"
	"groupscope/core/protocol"
	"groupscope/core/scenario"
	"groupscope/scenarios"
)

// example is the worked example of the gallery under rules kip.
func example(t testing.TB) *playback.Recording {
	t.Helper()
	src, err := scenarios.Source("kip-848-worked-example")
	require.NoError(t, err)
	return record(t, string(src), "kip")
}

func record(t testing.TB, src, ruleSet string) *playback.Recording {
	t.Helper()
	sc, mistakes := scenario.Parse("test.yaml", []byte(src))
	require.Empty(t, mistakes)
	rec, err := playback.Record(sc, ruleSet)
	require.NoError(t, err)
	return rec
}

// living is a scenario in which clients live by themselves: two members,
// then three.
const living = `
groupscope: 1
title: Clients live by themselves
protocol: consumer
rules: kip
topics: {foo: 4}
members:
  A: {subscribe: [foo]}
  B: {subscribe: [foo]}
  C: {subscribe: [foo]}
steps:
  - {step: S1, join: A, say: A joins.}
  - {step: S2, join: B, say: B joins.}
  - {step: S3, run: 30s, say: The two find their balance.}
  - {join: C}
  - run: 30s
  - {step: S4, crash: A, say: A crashes.}
  - {step: S5, run: 60s, say: Its session ends.}
  - {step: S6, advance: 10s, say: Ten silent seconds.}
`

// crowd is a scenario with that many members, the given partitions, and a
// long run.
func crowd(members, partitions int, run protocol.Duration) string {
	src := fmt.Sprintf("groupscope: 1\ntitle: A crowd\nprotocol: consumer\nrules: kip\ntopics: {foo: %d}\nmembers:\n", partitions)
	steps := ""
	for i := range members {
		src += fmt.Sprintf("  m%03d: {subscribe: [foo]}\n", i)
		steps += fmt.Sprintf("  - join: m%03d\n", i)
	}
	return src + "steps:\n" + steps + fmt.Sprintf("  - {step: long, run: %s, say: Everybody lives.}\n", run)
}

// labels lists the labels of the branch on screen.
func labels(p *playback.Player) []string {
	var out []string
	for _, s := range p.Stops() {
		out = append(out, s.Label)
	}
	return out
}
