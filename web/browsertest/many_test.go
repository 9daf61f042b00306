//go:build browser

package browsertest

import (
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
)

// dozen lays twelve elements side by side, in place of what the page held.
func dozen(attributes string) string {
	return `(() => {
		const main = document.querySelector('main');
		main.style.cssText = 'display: grid; grid-template-columns: repeat(4, 300px); max-width: none';
		main.innerHTML = '<group-scope style="display: block; height: 270px" scenario="` + example + `" ` + attributes + `></group-scope>'.repeat(12);
		window.many = [...main.children];
	})()`
}

func TestWithoutRoomAutoplayStaysAStillUntilAsked(t *testing.T) {
	p := open(t, 1280, 900, sample)
	p.until(`customElements.get('group-scope')`)
	eval[any](p, dozen("autoplay"))
	p.until(`many.filter(e => e.state === 'live').length === 8`)
	states := eval[[]string](p, `many.map(e => e.state)`)
	slices.Sort(states)
	assert.Equal(t, []string{"live", "live", "live", "live", "live", "live", "live", "live", "still", "still", "still", "still"}, states)

	asked := "many[" + strconv.Itoa(eval[int](p, `many.findIndex(e => e.state === 'still')`)) + "]"
	assert.Equal(t, "K1", eval[string](p, asked+`.step(1).then(p => p.label)`))
	assert.Equal(t, "live", eval[string](p, asked+`.state`))
	p.until(`many.filter(e => e.state === 'lost').length === 1`)
}

func TestTwelveThatAreAskedAtOnceAllAnswer(t *testing.T) {
	p := open(t, 1280, 900, sample)
	p.until(`customElements.get('group-scope')`)
	eval[any](p, dozen(`step="K5"`))
	labels := eval[[]string](p, `Promise.all(many.map(e => e.step(1).then(p => p.label)))`)
	assert.Equal(t, slices.Repeat([]string{"K6"}, 12), labels)
	p.until(`many.filter(e => e.state === 'live').length === 8 && many.filter(e => e.state === 'lost').length === 4`)

	ended := "many[" + strconv.Itoa(eval[int](p, `many.findIndex(e => e.state === 'lost')`)) + "].shadowRoot"
	assert.Contains(t, eval[string](p, ended+`.querySelector('.still svg title').textContent`), "K6", "its picture stays")
	assert.Equal(t, "Draw again", eval[string](p, ended+`.querySelector('.caption .btn').textContent`))
	eval[any](p, ended+`.querySelector('.cover').click()`)
	p.until(ended + `.host.state === 'live' && ` + ended + `.host.position.label === 'K6'`)
}
