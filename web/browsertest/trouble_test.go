//go:build browser

package browsertest

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
)

// inside finds something in the element of the embed page.
func inside(selector string) string { return board + `?.shadowRoot.querySelector('` + selector + `')` }

// pushed is the button with that text in the element.
func pushed(label string) string {
	return `[...` + board + `.shadowRoot.querySelectorAll('button')].find(b => b.textContent === '` + label + `').click()`
}

const embedded = "embed.html?scenario=" + example + "&step=K5"

// noWebGL2 is a browser in which the board is drawn as SVG.
const noWebGL2 = `
		const get = HTMLCanvasElement.prototype.getContext;
		HTMLCanvasElement.prototype.getContext = function (kind, ...more) { return kind === 'webgl2' ? null : get.call(this, kind, ...more); };`

func TestWithoutWebGL2TheBoardPlaysAsSVG(t *testing.T) {
	p := open(t, 800, 520, embedded, early(noWebGL2))
	p.until(inside(".still svg"))
	eval[any](p, board+`.ready()`)
	assert.Equal(t, "svg", eval[string](p, board+`.drawing`))
	assert.Contains(t, eval[string](p, inside(".note")+`.title`), "No WebGL2: drawn as a still, everything works")
	assert.Contains(t, eval[string](p, inside(".live svg title")+`.textContent`), "K5")
	eval[any](p, board+`.play()`)
	p.until(board + `.position.stop > 6`)
	assert.NotContains(t, eval[string](p, inside(".live svg title")+`.textContent`), "K5")
	eval[any](p, board+`.pause()`)
	p.until(board + `.player.parked`)
}

// TestAProgramThatBreaksSaysSo makes the page throw while the program tells it
// something in a frame, which the program meets as a panic.
func TestAProgramThatBreaksSaysSo(t *testing.T) {
	p := open(t, 800, 520, embedded)
	p.until(inside(".still svg"))
	eval[any](p, board+`.ready()`)
	p.idle(board)
	good := p.draw(board, "light")
	eval[any](p, `(() => {
		const parse = JSON.parse;
		JSON.parse = (...args) => {
			if (!args[0].startsWith('[{"type":"position"')) return parse(...args);
			JSON.parse = parse;
			throw new Error('a partition has two owners');
		};
	})()`)
	eval[any](p, board+`.seek('K6')`)
	p.until(board + `.state === 'stopped'`)
	said := eval[string](p, inside(".under")+`.innerText`)
	assert.Contains(t, said, "The program stopped in K6")
	assert.Contains(t, said, "a partition has two owners")
	assert.Contains(t, said, "Save file")
	assert.Equal(t, good.palette[good.scene.Background], p.shot(board).at(20, 4), "the last good picture stands")

	eval[any](p, pushed("Reload, go to K5"))
	p.until(board + `.state === 'live' && ` + board + `.position.label === 'K5'`)
	assert.True(t, good.same(p.draw(board, "light")))
}

func TestALostContextLeavesAStillAndDrawsAgain(t *testing.T) {
	p := open(t, 800, 520, embedded)
	p.until(inside(".still svg"))
	eval[any](p, board+`.seek('K7')`)
	p.idle(board)
	before := p.draw(board, "light")
	eval[any](p, `(window.mine = true, `+board+`.player.canvas.getContext('webgl2').getExtension('WEBGL_lose_context').loseContext())`)
	p.until(board + `.state === 'lost'`)
	assert.True(t, eval[bool](p, `window.mine`), "the page was not loaded again")
	assert.Contains(t, eval[string](p, inside(".still svg title")+`.textContent`), "K7")
	assert.Contains(t, eval[string](p, inside(".note")+`.textContent`), "graphics lost")
	eval[any](p, pushed("Draw again"))
	p.until(board + `.state === 'live' && ` + board + `.position.label === 'K7'`)
	assert.True(t, before.same(p.draw(board, "light")))
}

func TestAFileWithMistakesIsSaidInAnEmbed(t *testing.T) {
	p := open(t, 800, 520, "embed.html?hold=&src=none.yaml")
	p.until(`customElements.get('group-scope')`)
	eval[any](p, `(async () => {
		const url = URL.createObjectURL(new Blob([`+text(wrong)+`]));
		`+board+`.setAttribute('src', url);
		await `+board+`.ready().catch(() => {});
	})()`)
	said := eval[string](p, inside(".under")+`.innerText`)
	assert.Contains(t, said, "has 2 mistakes")
	assert.Contains(t, said, "9:5")
	eval[any](p, pushed("All 2"))
	assert.Contains(t, eval[string](p, inside(".diagnostics")+`.innerText`), "^^^^")
	eval[any](p, board+`.open('small.yaml', `+text(small)+`)`)
	p.until(board + `.state === 'live' && ` + board + `.info.title === 'A small file'`)
	assert.True(t, eval[bool](p, inside(".under")+`.hidden`))
}

func TestAStepThatIsGoneIsSaidInAnEmbed(t *testing.T) {
	p := open(t, 800, 520, "embed.html?scenario="+example+"&step=K15")
	p.until(inside(".caption .say") + `?.textContent.includes('The link’s step K15 is gone, this is the start.')`)
	eval[any](p, board+`.ready()`)
	assert.Contains(t, eval[string](p, inside(".caption .say")+`.textContent`), "K15 is gone")
	eval[any](p, board+`.step(1)`)
	assert.NotContains(t, eval[string](p, inside(".caption .say")+`.textContent`), "K15")
}

func TestADownloadCanBeCancelled(t *testing.T) {
	p := open(t, 800, 520, embedded, early(`
		const get = window.fetch;
		window.fetch = (url, options) => String(url).includes('.wasm') && !window.go ? new Promise((_, reject) => options.signal.addEventListener('abort', () => reject(options.signal.reason))) : get(url, options);`))
	p.until(inside(".still svg"))
	p.do(chromedp.MouseClickXY(400, 200))
	p.until(board + `.state === 'loading'`)
	eval[any](p, pushed("Cancel"))
	p.until(board + `.state === 'cancelled'`)
	assert.Contains(t, eval[string](p, inside(".loading")+`.innerText`), "Stopped at 0.0 MB")
	eval[any](p, `(window.go = true, `+pushed("Load")+`)`)
	p.until(board + `.state === 'live'`)
	assert.Equal(t, "K5", eval[string](p, board+`.position.label`))
}

func TestAttributesThatChangeMeanwhileOpenTheLastOnesNamed(t *testing.T) {
	p := open(t, 800, 520, embedded)
	p.until(inside(".still svg"))
	eval[any](p, board+`.ready()`)
	named := eval[string](p, `(async () => {
		for (const name of ['a-member-leaves', 'a-member-crashes', '`+example+`', 'a-member-leaves']) `+board+`.setAttribute('scenario', name);
		await `+board+`.ready();
		return `+board+`.info.name;
	})()`)
	assert.Equal(t, "a-member-leaves", named)
	p.until(board + `.state === 'live'`)
}

func TestUnknownRulesOpenTheFirstOnesOfTheFile(t *testing.T) {
	p := open(t, 800, 520, embedded+"&rules=bogus")
	p.until(board + `?.state === 'live'`)
	assert.Equal(t, "kip", eval[string](p, board+`.info.rules`))
	assert.Equal(t, "K5", eval[string](p, board+`.position.label`))
	assert.Contains(t, eval[string](p, inside(".note")+`.title`), "There are no rules “bogus”: shown under KIP-848 text")
}

func TestAServerThatDoesNotAnswerIsNamedAndCanBeLeft(t *testing.T) {
	p := open(t, 800, 520, "embed.html?src=slow.yaml", early(`
		const get = window.fetch;
		window.fetch = (url, options) => String(url).endsWith('/slow.yaml') ? new Promise((_, reject) => options.signal.addEventListener('abort', () => reject(options.signal.reason))) : get(url, options);`))
	p.until(inside(".loading") + `?.innerText.includes('Fetching slow.yaml')`)
	eval[any](p, pushed("Cancel"))
	p.until(board + `.state === 'cancelled'`)
	assert.Contains(t, eval[string](p, inside(".loading")+`.innerText`), "Stopped fetching slow.yaml")
}
