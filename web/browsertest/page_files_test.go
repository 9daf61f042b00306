//go:build browser

package browsertest

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// wrong has two mistakes, on lines 9 and 10.
const wrong = `groupscope: 1
title: A file with mistakes
protocol: consumer
topics: {foo: 3}
members:
  A: {subscribe: [foo]}
steps:
  - step: S1
    jion: A
  - run: 20 minutes
`

const small = `groupscope: 1
title: A small file
protocol: consumer
topics: {foo: 1}
members:
  A: {subscribe: [foo]}
steps:
  - step: S1
    join: A
  - step: S2
    heartbeat: A
`

func write(t *testing.T, name, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	return file
}

func TestABadFileShowsWhereAndThePageGoesOn(t *testing.T) {
	p := openPage(t, 1280, 800, "scenario="+example+"&step=K5")
	p.atStep("K5")
	p.do(chromedp.SetUploadFiles(chromedp.CSS("#file"), []string{write(t, "wrong.yaml", wrong)}))
	p.until(`document.querySelector('#notice').innerText.includes('The file was not opened')`)
	said := eval[string](p, `document.querySelector('#notice').innerText`)
	assert.Contains(t, said, "2 mistakes")
	assert.Contains(t, said, "wrong.yaml:9:5")
	assert.Contains(t, said, "jion")
	assert.Contains(t, said, "join", "what was expected")
	assert.Contains(t, said, "wrong.yaml:10:10")
	assert.Equal(t, "^^^^", eval[string](p, `document.querySelector('#notice .caret').textContent`))

	p.press(kb.ArrowRight)
	p.atStep("K6")
	assert.Equal(t, example, eval[string](p, board+`.info.name`), "what was open still is, and goes on working")

	p.do(chromedp.Click(chromedp.Search(`//section[@id="notice"]//button[text()="Edit it"]`)))
	p.until(`document.querySelector('#editor textarea').value.includes('jion')`)
	p.until(`document.querySelectorAll('#editor .probs li').length === 2`)
	p.until(`document.querySelector('#editor u')?.textContent === 'jion'`)
	assert.Equal(t, example, eval[string](p, board+`.info.name`))
}

func TestTheEditorChecksWhileOneTypes(t *testing.T) {
	p := openPage(t, 1280, 800, "scenario=a-member-leaves")
	p.click("#edit")
	p.until(`document.querySelector('#editor textarea').value.includes('groupscope: 1')`)
	title := eval[string](p, board+`.info.title`)
	typing := func(text string) {
		eval[bool](p, `(() => { const a = document.querySelector('#editor textarea'); a.focus();
			const at = a.value.indexOf('title:'); a.setSelectionRange(at, a.value.indexOf('\n', at)); return true; })()`)
		p.press(text)
	}
	typing("titel: Leaving")
	p.until(`document.querySelector('#note').innerText.includes('last version without mistakes')`)
	assert.Regexp(t, `^\d+:1`, eval[string](p, `document.querySelector('#editor .probs li').innerText`))
	assert.Equal(t, title, eval[string](p, board+`.info.title`), "the board keeps the last version without a mistake")
	eval[bool](p, `(() => { const a = document.querySelector('#editor textarea'); const at = a.value.indexOf('titel'); a.setSelectionRange(at, at + 5); return true; })()`)
	p.press("title")
	p.until(board + `.info.title === 'Leaving'`)
	p.until(`location.hash.startsWith('#file=')`)
	p.click("#close-editor")
	p.until(`document.querySelector('#editor').hidden`)
}

func TestAFileThatIsDroppedOrPastedIsOpened(t *testing.T) {
	p := openPage(t, 1280, 800, "scenario="+example)
	eval[bool](p, `(() => { const d = new DataTransfer(); d.items.add(new File([`+strconv.Quote(small)+`], 'small.yaml'));
		for (const type of ['dragenter', 'dragover', 'drop']) document.body.dispatchEvent(new DragEvent(type, {dataTransfer: d, bubbles: true, cancelable: true}));
		return true; })()`)
	p.until(board + `.info.title === 'A small file'`)
	p.until(`location.hash.includes('name=small.yaml')`)
	p.press(kb.End)
	p.atStep("S2")

	eval[bool](p, `(() => { const d = new DataTransfer(); d.setData('text/plain', `+strconv.Quote(small)+`.replace('small', 'pasted'));
		document.body.dispatchEvent(new ClipboardEvent('paste', {clipboardData: d, bubbles: true, cancelable: true})); return true; })()`)
	p.until(board + `.info.title === 'A pasted file'`)
	p.until(`document.querySelector('#drop').hidden`)
}

func TestAFileIsOpenedByItsURL(t *testing.T) {
	p := openPage(t, 1280, 800, "src=scenarios/a-member-leaves.yaml&step=K0")
	assert.Equal(t, "a-member-leaves", eval[string](p, board+`.info.name`))
	p.until(`location.hash.startsWith('#src=scenarios/a-member-leaves.yaml&step=')`)
	eval[bool](p, `(location.hash = 'src=scenarios/none.yaml', true)`)
	p.until(`document.querySelector('#notice').innerText.includes('404')`)
	assert.Equal(t, "a-member-leaves", eval[string](p, board+`.info.name`))
	p.forgive("404")
}

func TestALinkThatWasCutSaysSo(t *testing.T) {
	p := openPage(t, 1280, 800, "file=1VbBct&name=cut.yaml&step=K5")
	p.until(`document.querySelector('#notice').innerText.includes('damaged')`)
	assert.Equal(t, example, eval[string](p, board+`.info.name`), "there is a scenario to look at all the same")
}

func TestATextThatIsTooLargeForALinkSaysSo(t *testing.T) {
	p := openPage(t, 1280, 800, "scenario="+example)
	said := eval[string](p, `import('./packing.js').then(({pack}) => pack(Array.from({length: 60000}, (_, i) => (i * 7919 % 104729).toString(36)).join('')).then(() => '', e => e.message))`)
	assert.Contains(t, said, "links end at 16 KB")
	assert.Equal(t, small, eval[string](p, `import('./packing.js').then(({pack, unpack}) => pack(`+strconv.Quote(small)+`).then(unpack))`))
}

func TestNothingIsCutOffOnAPhone(t *testing.T) {
	for _, place := range []string{"scenario=" + example + "&step=K5", "scenario=two-topics-three-members"} {
		p := openPage(t, 390, 844, place)
		assert.LessOrEqual(t, eval[int](p, `document.documentElement.scrollWidth`), 390)
		for _, panel := range []string{"Scenarios", "Inspect", "Events", "Faults"} {
			p.do(chromedp.Click(chromedp.Search(`//nav[@id="bottom"]//button[text()="` + panel + `"]`)))
			p.until(`document.querySelector('#bottom [aria-expanded=true]')?.textContent === '` + panel + `'`)
			assert.LessOrEqual(t, eval[int](p, `document.documentElement.scrollWidth`), 390, panel)
			out := eval[[]string](p, `[...document.querySelectorAll('body *')].filter(e => e.checkVisibility() && !e.closest('.visually-hidden, .skip, .code, pre, [part]'))
				.filter(e => { const r = e.getBoundingClientRect(); return r.width > 0 && (r.right > 390.5 || r.left < -0.5); }).map(e => e.outerHTML.slice(0, 80))`)
			assert.Empty(t, out, panel)
		}
		p.press(kb.Escape)
		p.until(`!document.querySelector('#bottom [aria-expanded=true]')`)
	}
}

func TestALinkToThePageThatIsPastedIsFollowed(t *testing.T) {
	p := openPage(t, 1280, 800, "scenario="+example)
	eval[bool](p, `(() => { const d = new DataTransfer(); d.setData('text/plain', new URL('index.html#scenario=a-member-leaves&step=taken', location).href);
		document.body.dispatchEvent(new ClipboardEvent('paste', {clipboardData: d, bubbles: true, cancelable: true})); return true; })()`)
	p.until(board + `.info.name === 'a-member-leaves' && ` + board + `.position.label === 'taken'`)
	assert.True(t, eval[bool](p, `document.querySelector('#notice').hidden`))
}

func TestWhatIsDraggedWithinThePageIsNoFile(t *testing.T) {
	p := openPage(t, 1280, 800, "scenario="+example)
	taken := eval[[]bool](p, `(() => { const d = new DataTransfer(); d.setData('text/plain', 'Three consumers');
		return ['dragstart', 'dragenter', 'dragover', 'drop', 'dragend'].map(type =>
			!document.querySelector('.gal-list a').dispatchEvent(new DragEvent(type, {dataTransfer: d, bubbles: true, cancelable: true})) || !document.querySelector('#drop').hidden); })()`)
	assert.Equal(t, make([]bool, 5), taken)
	assert.True(t, eval[bool](p, `document.querySelector('#notice').hidden`))
}

func TestTheAddressNamesWhatIsOnScreenWhateverIsTyped(t *testing.T) {
	p := openPage(t, 1280, 800, "scenario="+example+"&step=K5")
	p.atStep("K5")
	full := `location.hash.startsWith('#scenario=` + example + `&step=`
	for _, typed := range []string{"foo", ""} {
		eval[bool](p, `(location.hash = '`+typed+`', true)`)
		p.until(full + `K5&')`)
	}
	eval[bool](p, `(location.hash = 'step=K2', true)`)
	p.atStep("K2")
	p.until(full + `K2&')`)
}

func TestAServerThatTakesItsTimeIsNamedOnThePage(t *testing.T) {
	p := open(t, 1280, 800, "index.html#src=slow.yaml", early(`
		const get = window.fetch;
		window.fetch = (url, options) => String(url).endsWith('/slow.yaml') ? new Promise((_, reject) => options.signal.addEventListener('abort', () => reject(options.signal.reason))) : get(url, options);`))
	p.until(`document.querySelector('#note').innerText.includes('Fetching slow.yaml')`)
	p.do(chromedp.Click(chromedp.Search(`//*[@id="note"]//button[text()="Cancel"]`)))
	p.until(board + `.state === 'live'`)
	assert.NotContains(t, eval[string](p, `document.querySelector('#note').innerText`), "slow.yaml")
}
