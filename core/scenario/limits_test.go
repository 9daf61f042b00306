package scenario_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/core/scenario"
)

const head = "groupscope: 1\ntitle: t\ntopics: {foo: 3}\nmembers: {A: {subscribe: [foo]}}\n"

// TestWhatIsTooBigIsRefusedNamingTheLimit also holds that none of it makes
// reading slow or deep: the test would not end.
func TestWhatIsTooBigIsRefusedNamingTheLimit(t *testing.T) {
	many := func(n int, line string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, strings.ReplaceAll(line, "%d", "%[1]d")+"\n", i)
		}
		return b.String()
	}
	for name, c := range map[string]struct{ src, want string }{
		"file":          {strings.Repeat("# comment\n", 200_000), "the file has 2,000,000 bytes: the limit is 1,048,576"},
		"open brackets": {strings.Repeat("[", 1_000_000), "collections stand inside each other more than 32 deep: that is the limit"},
		"open braces":   {strings.Repeat("{a: ", 250_000), "collections stand inside each other more than 32 deep: that is the limit"},
		"dashes":        {strings.Repeat("- ", 500_000), "collections stand inside each other more than 32 deep: that is the limit"},
		"indentation": {func() string {
			var b strings.Builder
			for i := range 1_000 {
				b.WriteString(strings.Repeat(" ", i) + "a:\n")
			}
			return b.String()
		}(), "collections stand inside each other more than 32 deep: that is the limit"},
		"keys":       {many(60_000, "key%d: 1"), "a collection has more than 2,000 entries: that is the limit"},
		"flow list":  {"a: [" + strings.Repeat("1,", 30_000) + "1]", "a collection has more than 20,000 entries: that is the limit"},
		"values":     {"a: [" + strings.Repeat("1,", 400_000) + "1]", "the file has more than 200,000 values: that is the limit"},
		"partitions": {"groupscope: 1\ntitle: t\ntopics: {foo: 1000000}\nmembers: {}\nsteps: []\n", "1,000,000 partitions: the limit is 10,000 for all topics together"},
		"topics":     {"groupscope: 1\ntitle: t\ntopics:\n" + many(1_001, "  t%d: 1") + "members: {}\nsteps: []\n", "1,001 topics: the limit is 1,000"},
		"partitions of steps": {head + "steps:\n" + many(60, "  - topics: {t%d: 10000}"),
			"with this topic there are 10,003 partitions: the limit is 10,000"},
		"partitions that a topic gets later": {head + "steps: [{topics: {foo: 9000, bar: 1001}}]",
			"with this topic there are 10,001 partitions: the limit is 10,000"},
		"partitions of topics that come and go": {head + "steps:\n" + strings.Repeat("  - topics: {bar: 5000}\n  - topics: {bar: 0}\n", 3),
			"with this topic there are 10,003 partitions: the limit is 10,000"},
		"topics of steps": {head + "steps:\n" + many(1_000, "  - topics: {t%d: 1}"), "with this one there are 1,001 topics: the limit is 1,000"},
		"members":         {"groupscope: 1\ntitle: t\ntopics: {foo: 3}\nmembers:\n" + many(1_001, "  m%d: {subscribe: [foo]}") + "steps: []\n", "1,001 members: the limit is 1,000"},
		"steps":           {head + "steps:\n" + many(10_001, "  - say: number %d"), "10,001 steps: the limit is 10,000"},
		"length of runs":  {head + "steps: [{run: 20h}, {advance: 5h}]", "the scenario lasts 25h up to here: the limit is 24h"},
		"heartbeats":      {"groupscope: 1\ntitle: t\ntopics: {foo: 3}\nmembers:\n" + many(500, "  m%d: {subscribe: [foo]}") + "steps: [{run: 1h}]\n", "up to here 500 members send about 360,000 heartbeats: the limit is 200,000"},
	} {
		t.Run(name, func(t *testing.T) {
			sc, faults := scenario.Parse("big.yaml", []byte(c.src))
			assert.Nil(t, sc)
			require.NotEmpty(t, faults)
			assert.Equal(t, c.want, faults[0].Message)
			assert.Len(t, faults, 1, "once is enough")
		})
	}
}

// TestNoTangleOfAnchorsIsFollowed: a few lines that would expand to billions
// of values are refused where the first anchor stands.
func TestNoTangleOfAnchorsIsFollowed(t *testing.T) {
	src := "a: &a [x, x, x, x, x, x, x, x, x, x]\n"
	for c := 'b'; c <= 'k'; c++ {
		src += fmt.Sprintf("%c: &%c [%s*%c]\n", c, c, strings.Repeat(fmt.Sprintf("*%c, ", c-1), 9), c-1)
	}
	sc, faults := scenario.Parse("bomb.yaml", []byte(src))
	assert.Nil(t, sc)
	require.NotEmpty(t, faults)
	assert.Contains(t, fmt.Sprint(faults), "anchors and aliases are not part of the format")
}

func TestWhatIsAtTheLimitIsRead(t *testing.T) {
	var b strings.Builder
	b.WriteString("groupscope: 1\ntitle: t\ntopics: {foo: 500}\nmembers:\n")
	for i := range scenario.MaxMembers {
		fmt.Fprintf(&b, "  m%d: {subscribe: [foo]}\n", i)
	}
	b.WriteString("steps:\n")
	for i := range scenario.MaxSteps {
		fmt.Fprintf(&b, "  - join: m%d\n", i%scenario.MaxMembers)
	}
	sc, faults := scenario.Parse("full.yaml", []byte(b.String()))
	require.Empty(t, faults)
	assert.Len(t, sc.Steps, scenario.MaxSteps)
}

// TestManyStepsWithManyPartitionsAreRefused: each number alone is allowed, but
// the states of all steps together would not fit into a browser.
func TestManyStepsWithManyPartitionsAreRefused(t *testing.T) {
	src := "groupscope: 1\ntitle: t\ntopics: {foo: 10000}\nmembers: {A: {subscribe: [foo]}}\nsteps:\n" + strings.Repeat("  - fail-over: true\n", 501)
	_, faults := scenario.Parse("x.yaml", []byte(src))
	require.Len(t, faults, 1)
	assert.Contains(t, faults[0].String(), "501 steps with 10,000 partitions: the limit is 5,000,000 for one times the other")
}

func TestWordsThatActInsteadOfBeingReadAreRefused(t *testing.T) {
	for name, text := range map[string]string{"escape": `a\e[31mred`, "bell": `a\a`, "nothing": `a\0`, "turned about": `a\u202eb`} {
		src := "groupscope: 1\ntitle: \"" + text + "\"\ntopics: {foo: 1}\nmembers: {A: {subscribe: [foo]}}\nsteps: []\n"
		_, faults := scenario.Parse("x.yaml", []byte(src))
		require.Len(t, faults, 1, name)
		assert.Equal(t, 2, faults[0].Line)
		assert.Contains(t, faults[0].Message, "which cannot be shown", name)
	}
}
