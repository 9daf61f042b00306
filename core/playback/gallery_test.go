package playback_test

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/core/playback"
	"groupscope/core/sim"
	"groupscope/scenarios"
)

// clumsy finds words that a person would not write.
var clumsy = regexp.MustCompile(`%!|  |\.\.|, \.|\bby \.| for \.|\(nil\)|0x|nothing and |map\[`)

func TestEveryScenarioOfTheGalleryPlays(t *testing.T) {
	for _, name := range scenarios.Names() {
		src, err := scenarios.Source(name)
		require.NoError(t, err)
		rec := record(t, string(src), ruleOf(t, string(src)))
		p := playback.NewPlayer(rec)
		seen := map[string]bool{}
		for i, s := range p.Stops() {
			assert.False(t, seen[s.Label], "%s: two stops are called %s", name, s.Label)
			seen[s.Label] = true
			require.NoError(t, p.Seek(i))
			wellSaid(t, name, p)
			holds(t, name, string(src), p)
		}
		for _, l := range p.Log() {
			assert.NotRegexp(t, clumsy, l.Text, "%s, %s", name, l.Label)
			assert.NotEmpty(t, l.Text, "%s, %s, %s", name, l.Label, l.Kind)
		}
	}
}

func ruleOf(t *testing.T, src string) string {
	t.Helper()
	found := regexp.MustCompile(`(?m)^rules: \[?(\w+)`).FindStringSubmatch(src)
	require.NotNil(t, found)
	return found[1]
}

// wellSaid looks over all words of the stop on screen.
func wellSaid(t *testing.T, name string, p *playback.Player) {
	t.Helper()
	c := p.Caption()
	texts := []string{c.Say, c.Cause, c.Unowned}
	for _, r := range c.Records {
		texts = append(texts, r.Text)
	}
	ids := []string{"group"}
	for _, m := range p.Frame().State.Clients {
		ids = append(ids, "member/"+m.Member)
	}
	state := p.Frame().State
	for _, topic := range state.Topics {
		if !state.Streams() {
			ids = append(ids, "partition/"+string(topic.ID)+"-0")
		}
	}
	if g := state.Group; g != nil && g.Streams != nil {
		for _, t := range g.Streams.Tasks {
			ids = append(ids, "partition/"+t.Subtopology+"-0", "partition/"+t.Subtopology+"_0")
		}
	}
	for _, id := range ids {
		in, err := p.Inspect(id)
		require.NoError(t, err, "%s, %s", name, c.Label)
		texts = append(texts, in.Sentence)
		for _, r := range in.Rows {
			texts = append(texts, r.Value)
		}
	}
	for _, s := range texts {
		assert.NotRegexp(t, clumsy, s, "%s, %s", name, c.Label)
	}
	assert.NotEmpty(t, c.Say, "%s, %s", name, c.Label)
}

// holds looks at the invariants of the stop on screen: none is broken but those
// that the file itself expects to break.
func holds(t *testing.T, name, src string, p *playback.Player) {
	t.Helper()
	broken := false
	for _, v := range p.Frame().State.Violations {
		broken = true
		assert.Contains(t, src, "violations: ["+v.Invariant+"]", "%s, %s: %s", name, p.Caption().Label, v.Text)
	}
	for _, i := range p.Caption().Invariants {
		assert.True(t, i.OK || broken, "%s, %s: %s", name, p.Caption().Label, i.Text)
	}
}

func TestEveryStopOfTheGalleryCanBeActedAtAndSaved(t *testing.T) {
	for i, name := range scenarios.Names() {
		if testing.Short() && i%4 > 0 {
			continue // beside the race detector
		}
		src, err := scenarios.Source(name)
		require.NoError(t, err)
		rec := record(t, string(src), ruleOf(t, string(src)))
		n := playback.NewPlayer(rec).Len()
		for i := 0; i < n; i += max(1, n/5) {
			p := playback.NewPlayer(rec)
			require.NoError(t, p.Seek(i))
			require.NoError(t, p.Do(sim.FailOver{}))
			require.NoError(t, p.Do(sim.Run{For: 90_000}))
			text, err := p.Save()
			require.NoError(t, err)
			require.Equal(t, end(p), end(replayed(t, p)), "%s, stop %d\n%s", name, i, text)
		}
	}
}
