//go:build browser

package browsertest

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
)

// cutWords are the heads and texts under the sentence that do not show all of
// themselves, and whether a further line would have had room.
const cutWords = `(() => {
  const root = document.querySelector('group-scope').shadowRoot, strip = root.querySelector('.caption').getBoundingClientRect().bottom;
  return [...root.querySelectorAll('.column h3, .column .body')].filter(e => e.scrollHeight > e.clientHeight + 1 || e.scrollWidth > e.clientWidth + 1)
    .map(e => (e.getBoundingClientRect().bottom + parseFloat(getComputedStyle(e).lineHeight) <= strip ? 'without need: ' : '') + e.textContent);
})()`

// TestTheWordsUnderTheSentenceUseTheRoomOfTheStrip: what is cut has all lines
// that there are.
func TestTheWordsUnderTheSentenceUseTheRoomOfTheStrip(t *testing.T) {
	for _, size := range [][2]int64{{1280, 720}, {1440, 900}} {
		p := openPage(t, size[0], size[1], "scenario=the-first-thread-takes-all&step=first&rules=kafka")
		where := fmt.Sprint(size)
		p.until(`document.querySelector('group-scope').shadowRoot.querySelector('.column h3 + .body')?.textContent === 'A joins with epoch 0.'`)
		cut := eval[[]string](p, cutWords)
		assert.LessOrEqual(t, len(cut), 1, "%s: of the records there are more than have room: %s", where, cut)
		for _, words := range cut {
			assert.NotContains(t, words, "without need", where)
			assert.Contains(t, words, "member A, topology", where)
		}
		assert.Contains(t, eval[string](p, `document.querySelector('group-scope').shadowRoot.querySelectorAll('.column h3')[1].textContent`), "initial.rebalance.delay.ms", where)
	}
}

// TestAnEmbedSaysUnderWhichRulesItPlays, before any program is loaded, too. In
// the page the bar says it.
func TestAnEmbedSaysUnderWhichRulesItPlays(t *testing.T) {
	const rules = `document.querySelector('group-scope')?.shadowRoot.querySelector('.rules')`
	p := open(t, 640, 360, "embed.html?scenario=where-to-ask&step=known")
	p.until(rules + `?.textContent === 'KIP-1071 text' && ` + rules + `.offsetWidth > 0`)
	assert.Empty(t, eval[[]string](p, `performance.getEntriesByType('resource').map(r => r.name).filter(n => n.includes('.wasm'))`))
	p = open(t, 640, 360, "embed.html?scenario=where-to-ask&step=known&rules=kafka")
	p.until(rules + `?.textContent === 'Kafka 4.4' && ` + rules + `.offsetWidth > 0`)
	p = openPage(t, 1280, 800, "scenario="+example)
	assert.Zero(t, eval[int](p, rules+`.offsetWidth`))
}

// TestTheInspectorsNamesEndBeforeTheirValues: a setting's name, and a long one
// of two words.
func TestTheInspectorsNamesEndBeforeTheirValues(t *testing.T) {
	for _, c := range []struct{ place, thing, name string }{
		{"scenario=standbys-are-switched-on&step=set&rules=kafka", "group", "streams.num.standby.replicas"},
		{"scenario=warm-up-and-hand-over&step=warming&rules=kip", "member/B", "Target, warm-up"},
	} {
		p := openPage(t, 1280, 720, c.place)
		eval[bool](p, `(() => { const s = document.querySelector('#inspector select'); s.value = '`+c.thing+`'; s.dispatchEvent(new Event('change')); return true; })()`)
		p.until(`[...document.querySelectorAll('#inspector dt')].some(e => e.textContent === '` + c.name + `')`)
		assert.Empty(t, eval[[]string](p, `[...document.querySelectorAll('#inspector dt')].filter(e => {
		  const range = document.createRange();
		  range.selectNodeContents(e);
		  const name = range.getBoundingClientRect(), value = e.nextElementSibling.getBoundingClientRect();
		  return name.right > value.left && name.bottom > value.top + 1 && value.bottom > name.top + 1;
		}).map(e => e.textContent)`))
	}
}
