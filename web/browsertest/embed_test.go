//go:build browser

package browsertest

import (
	"context"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/render/scene"
)

const sample = "sample.html"

// counting counts what runs by itself, and how far the page moves by itself.
// It is laid before the page's own scripts.
const counting = `
window.ran = {frames: 0, timers: 0, shift: 0};
const frame = window.requestAnimationFrame.bind(window), timer = window.setTimeout.bind(window);
window.requestAnimationFrame = f => frame(t => { ran.frames++; f(t); });
window.setTimeout = (f, ms, ...more) => timer(() => { ran.timers++; f(...more); }, ms);
window.later = ms => new Promise(done => timer(done, ms));
new PerformanceObserver(list => { for (const e of list.getEntries()) ran.shift += e.value; }).observe({type: 'layout-shift', buffered: true});
`

const embeds = `[handover, crash, ladder]`

// openSample opens the documentation page and waits for its still pictures.
func openSample(t *testing.T) *tab {
	t.Helper()
	p := open(t, 1280, 900, sample, early(counting))
	p.until(`customElements.get('group-scope') && ` + embeds + `.every(e => e.shadowRoot.querySelector('.still svg'))`)
	return p
}

func TestStillsStandBeforeAnyProgramIsFetched(t *testing.T) {
	p := openSample(t)
	assert.Empty(t, eval[[]string](p, `performance.getEntriesByType('resource').map(r => r.name).filter(n => n.includes('.wasm') || n.includes('wasm_exec'))`))
	assert.Equal(t, "K5", eval[string](p, `handover.shadowRoot.querySelector('.caption .k').textContent`))
	assert.Contains(t, eval[string](p, `handover.shadowRoot.querySelector('.caption .say').textContent`), "foo-2")
	assert.Contains(t, eval[string](p, `handover.shadowRoot.querySelector('.still svg title').textContent`), "Reconciling")
}

func TestTheStillIsOfTheBoardAskedFor(t *testing.T) {
	p := open(t, 640, 360, "embed.html?scenario=where-to-ask&board=topology&step=known")
	title := `document.querySelector('group-scope')?.shadowRoot.querySelector('.still svg title')?.textContent`
	p.until(title + `?.startsWith('Topology board at step known')`)
	eval[bool](p, `(document.querySelector('group-scope').setAttribute('board', 'group'), true)`)
	p.until(title + `?.startsWith('Group board at step known')`)
	eval[bool](p, `(document.querySelector('group-scope').setAttribute('board', 'topology'), document.querySelector('group-scope').removeAttribute('step'), document.querySelector('group-scope').setAttribute('scenario', '`+example+`'), true)`)
	p.until(title + `?.startsWith('Group board')`) // a consumer group has no other
	assert.Empty(t, eval[[]string](p, `performance.getEntriesByType('resource').map(r => r.name).filter(n => n.includes('.wasm'))`))
}

func TestAScenarioThatIsNotThereIsSaidBeforeAnyProgramIsFetched(t *testing.T) {
	p := open(t, 720, 500, "embed.html?scenario=mistyped")
	p.until(`document.querySelector('group-scope')?.shadowRoot.querySelector('[role=alert]')?.innerText.includes('There is no scenario “mistyped” in the gallery.')`)
	assert.Empty(t, eval[[]string](p, `performance.getEntriesByType('resource').map(r => r.name).filter(n => n.includes('.wasm'))`))
	eval[bool](p, `(document.querySelector('group-scope').setAttribute('scenario', '`+example+`'), true)`)
	p.until(`document.querySelector('group-scope').shadowRoot.querySelector('.still svg') && !document.querySelector('group-scope').shadowRoot.querySelector('[role=alert]')`)
	p.forgive("404")
}

func TestThreeEmbedsShareOneDownload(t *testing.T) {
	p := openSample(t)
	eval[any](p, `Promise.all(`+embeds+`.map(async e => { await e.ready(); }))`)
	p.until(embeds + `.every(e => e.state === 'live')`)
	assert.Equal(t, []string{"groupscope.wasm", "groupscope.wasm.gz"},
		eval[[]string](p, `performance.getEntriesByType('resource').map(r => r.name.split('/').pop()).filter(n => n.includes('.wasm')).sort()`),
		"a plain file server is asked for the file, and once it says that it would send it whole, for its .gz instead")
	for _, e := range []struct{ scope, theme string }{{"handover", "light"}, {"crash", "dark"}, {"ladder", "light"}} {
		eval[any](p, e.scope+`.scrollIntoView({block: 'center'})`)
		d := p.draw(e.scope, e.theme)
		assert.Equal(t, d.palette[d.scene.Background], d.at(20, 4), "%s is drawn", e.scope)
		assert.NotEmpty(t, d.scene.Base.Shapes)
	}
	assert.Zero(t, eval[float64](p, `ran.shift`), "nothing on the page has moved by itself")
}

func TestAnEmbedLetsWheelAndKeysThrough(t *testing.T) {
	p := openSample(t)
	eval[any](p, `handover.ready()`)
	p.idle(`handover`)
	at := eval[struct{ X, Y float64 }](p, `(() => { const b = handover.getBoundingClientRect(); return {x: b.left + 100, y: b.top + 100}; })()`)
	p.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, input.DispatchMouseEvent, input.DispatchMouseEventParams{Type: input.DispatchMouseEventTypeMouseWheel, X: at.X, Y: at.Y, DeltaX: 0.001, DeltaY: 200})
		return err
	}))
	p.until(`scrollY >= 100`)

	before := eval[float64](p, `scrollY`)
	p.press(kb.PageDown)
	p.until(`scrollY > ` + text(before))
	assert.Equal(t, "K5", eval[string](p, `handover.position.label`), "the page's keys are the page's")
	assert.Equal(t, "BODY", eval[string](p, `document.activeElement.tagName`), "nothing has taken the focus")
}

func TestTabGoesThroughAnEmbedAndOutAgain(t *testing.T) {
	p := openSample(t)
	eval[any](p, `handover.ready()`)
	p.idle(`handover`)
	var order []string
	for len(order) < 60 {
		p.press(kb.Tab)
		at := eval[string](p, `document.activeElement.id || document.activeElement.tagName`)
		if len(order) == 0 || order[len(order)-1] != at {
			order = append(order, at)
		}
		if at == "ladder" {
			break
		}
	}
	assert.Equal(t, []string{"handover", "crash", "frame", "ladder"}, order)
}

func TestKeysInsideAnEmbedPlayIt(t *testing.T) {
	p := openSample(t)
	eval[any](p, `handover.shadowRoot.querySelector('[role=slider].line').focus()`)
	for _, key := range []struct{ press, at string }{{kb.ArrowRight, "K6"}, {kb.PageUp, "K5"}, {kb.End, "K13"}, {kb.Home, "K0"}} {
		p.press(key.press)
		p.until(`handover.position.label === '` + key.at + `'`)
	}
	assert.Equal(t, "K0, the start", eval[string](p, `handover.shadowRoot.querySelector('[role=slider].line').getAttribute('aria-valuetext').split('. ')[0]`))
	assert.Equal(t, "still", eval[string](p, `crash.state`), "the others sleep on")
}

func TestTheKeyboardReachesThePartsOfTheBoard(t *testing.T) {
	p := openSample(t)
	eval[any](p, `handover.ready()`)
	p.idle(`handover`)
	eval[any](p, `handover.addEventListener('hit', e => { window.chosen = e.detail; })`)
	p.press(kb.Tab)
	p.until(`handover.shadowRoot.activeElement?.getAttribute('role') === 'listbox'`)
	named := func() string {
		return eval[string](p, `handover.shadowRoot.querySelector('[aria-selected=true]').textContent`)
	}
	assert.Contains(t, named(), "Group example: Reconciling")
	p.press(kb.ArrowDown)
	assert.Contains(t, named(), "A: member epoch 1, Unrevoked")
	d := p.draw(`handover`, "light")
	at := d.region("member/A")
	assert.Equal(t, d.palette[scene.Ink], d.at(at.X-3, at.Y+at.H/2), "a frame stands around it")
	p.press(kb.Enter)
	assert.Equal(t, "member/A", eval[string](p, `chosen.id`))
	assert.Equal(t, "K5", eval[string](p, `handover.position.label`))
}

func TestWhatDoesNotMoveRunsNothing(t *testing.T) {
	p := openSample(t)
	eval[any](p, `Promise.all(`+embeds+`.map(e => e.ready()))`)
	eval[any](p, `crash.scrollIntoView({block: 'center'})`)
	eval[any](p, `crash.play()`)
	eval[any](p, `Object.assign(ran, {frames: 0})`)
	p.until(`ran.frames > 3`)
	eval[any](p, `ladder.scrollIntoView({block: 'start'})`)
	p.until(embeds + `.every(e => e.player.parked)`)
	require.True(t, eval[bool](p, `crash.position.playing`), "one of them is playing, out of sight")
	eval[any](p, `later(3000)`) // the last announcements to screen readers: a second each, and two may be due
	quiet := eval[struct{ Frames, Timers int }](p, `(async () => { Object.assign(ran, {frames: 0, timers: 0}); await later(5000); return ran; })()`)
	assert.Zero(t, quiet.Frames, "animation callbacks in 5 s")
	assert.Zero(t, quiet.Timers, "timers in 5 s")

	eval[any](p, `crash.scrollIntoView({block: 'center'})`)
	p.until(`ran.frames > 3`)
	eval[any](p, `crash.pause()`)
	p.idle(`crash`)
}

func TestAnEmbedAloneInAFrame(t *testing.T) {
	p := open(t, 640, 360, "embed.html?scenario="+example+"&step=K5&theme=dark")
	p.until(`document.querySelector('group-scope')?.shadowRoot.querySelector('.still svg')`)
	box := eval[struct{ Width, Height float64 }](p, board+`.getBoundingClientRect().toJSON()`)
	assert.Equal(t, 640.0, box.Width)
	assert.Equal(t, 360.0, box.Height)
	p.do(chromedp.MouseClickXY(320, 100))
	p.until(board + `.state === 'live' && ` + board + `.position.playing`)
	eval[any](p, board+`.pause()`)
	assert.Contains(t, eval[string](p, board+`.shadowRoot.querySelector('a.link').href`), "index.html#scenario="+example)
}
