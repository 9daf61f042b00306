//go:build browser

package browsertest

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	board   = `document.querySelector('group-scope')`
	example = "kip-848-worked-example"
)

// openPage opens the full page at a place, such as "step=K5", and waits until
// the board stands.
func openPage(t *testing.T, width, height int64, place string) *tab {
	t.Helper()
	p := open(t, width, height, "index.html#"+place)
	p.until(board + `.state === 'live'`)
	return p
}

// atStep waits until a stop of that label is on screen.
func (p *tab) atStep(label string) {
	p.t.Helper()
	p.until(board + `.position?.label === '` + label + `'`)
}

// snapshot is what is on screen, by the keys of a scenario's expectations.
type snapshot struct {
	Scenario string
	Branch   string
	Step     string
	Instant  string
	Group    struct {
		Epoch  int
		State  string
		Target int `json:"target-epoch"`
	}
	Members map[string]struct {
		State                string
		Owns, Revokes, Waits []string
	}
	Unowned    []string
	Violations []string
}

func (p *tab) snapshot() snapshot {
	p.t.Helper()
	return eval[snapshot](p, board+`.snapshot()`)
}

func TestALinkOpensAtItsStep(t *testing.T) {
	p := openPage(t, 1280, 800, "scenario="+example+"&step=K5")
	p.atStep("K5")
	at := p.snapshot()
	assert.Equal(t, []string{"foo-2"}, at.Members["A"].Revokes)
	assert.Equal(t, []string{"foo-2"}, at.Members["B"].Waits)
	assert.Contains(t, eval[string](p, `document.title`), "K5")
	assert.Equal(t, "Three consumers share three partitions", eval[string](p, `document.querySelector('[aria-current=page] .gal-title').textContent`))
}

func TestALinkToTheOtherRulesOpensUnderThem(t *testing.T) {
	p := openPage(t, 1280, 800, "scenario=a-member-leaves&rules=kafka")
	assert.Equal(t, "Kafka 4.4", eval[string](p, `document.querySelector('#rules [aria-checked=true]').textContent`))
	p.click(`#rules [aria-checked=false]`)
	p.until(board + `.info.rules === 'kip'`)
	p.until(`location.hash.includes('rules=kip')`)
}

func TestAStepThatIsGoneIsSaidAndOpensAtTheStart(t *testing.T) {
	p := openPage(t, 1280, 800, "scenario="+example+"&step=K15")
	p.until(`document.querySelector('#notice').innerText.includes('K15 is not in this scenario')`)
	p.atStep("K0")
	p.click(`#notice button`)
	p.atStep("K13")
	p.until(`document.querySelector('#notice').hidden`)
}

func TestTheAddressFollowsWhatIsOnScreen(t *testing.T) {
	p := openPage(t, 1280, 800, "scenario="+example+"&step=K5")
	p.until(`location.hash === '#scenario=` + example + `&step=K5&board=group&rules=kip'`)
	entries := eval[int](p, `history.length`)
	p.press(kb.ArrowRight)
	p.until(`location.hash.includes('step=K6')`)
	p.click(`#scenarios a[href*="a-member-leaves"]`)
	p.until(`location.hash.includes('scenario=a-member-leaves') && ` + board + `.info.name === 'a-member-leaves'`)
	assert.Equal(t, entries+1, eval[int](p, `history.length`), "a step is not a page to go back to, a scenario is")
	p.do(chromedp.NavigateBack())
	p.until(board + `.info.name === '` + example + `' && location.hash.includes('step=K6')`)
}

func TestTheKeysMoveThePlayHead(t *testing.T) {
	p := openPage(t, 1280, 800, "scenario="+example)
	for _, key := range []struct{ press, at string }{
		{kb.ArrowRight, "K1"}, {kb.PageDown, "K2"}, {kb.ArrowLeft, "K1"}, {kb.End, "K13"}, {kb.PageUp, "K12"}, {"[", "K11"}, {"]", "K12"}, {kb.Home, "K0"},
	} {
		p.press(key.press)
		p.atStep(key.at)
	}
	p.press(" ")
	p.until(board + `.position.playing`)
	p.press(" ")
	p.until(`!` + board + `.position.playing`)

	p.press("?")
	p.until(`document.querySelector('dialog.help')?.open`)
	p.press(kb.Escape)
	p.until(`!document.querySelector('dialog.help')`)
	p.press("f")
	p.until(`document.documentElement.classList.contains('presenting')`)
	assert.Equal(t, "presentation", eval[string](p, board+`.getAttribute('layout')`))
	p.press(".")
	p.until(`!document.querySelector('#blank').hidden`)
	p.press("f")
	p.until(`!document.documentElement.classList.contains('presenting')`)
	assert.Equal(t, "page", eval[string](p, board+`.getAttribute('layout')`))
}

func TestALineOfTheLogGoesToItsStop(t *testing.T) {
	p := openPage(t, 1280, 800, "scenario="+example+"&step=K5")
	p.until(`document.querySelector('#log li.on')?.dataset.stop === '5'`)
	said := eval[string](p, `document.querySelector('#log li.on').innerText`)
	assert.Contains(t, said, "A heartbeats with epoch 1", "the request")
	assert.Contains(t, said, "KIP-848, member reconciliation", "the decision with its rule")
	assert.Contains(t, said, "8A assignment A", "the record")
	assert.Contains(t, said, "A is answered epoch 1", "the response")
	p.click(`#log li[data-stop="7"] button`)
	p.atStep("K7")
	p.until(`document.querySelector('#log li.on')?.dataset.stop === '7'`)
}

func TestAChipThatIsClickedIsInspected(t *testing.T) {
	p := openPage(t, 1280, 800, "scenario="+example+"&step=K5")
	at := eval[struct{ X, Y float64 }](p, `(() => { const r = `+board+`.bridge.regions().find(r => r.id === 'partition/foo-2/current/A');
		const b = `+board+`.shadowRoot.querySelector('[part=board]').getBoundingClientRect();
		return {x: b.left + r.x + r.w / 2, y: b.top + r.y + r.h / 2}; })()`)
	p.do(chromedp.MouseClickXY(at.X, at.Y))
	p.until(`document.querySelector('#inspector select').value === 'partition/foo-2'`)
	assert.Contains(t, eval[string](p, `document.querySelector('#inspector .panel').innerText`), "Target\nB")

	p.do(chromedp.SetValue(chromedp.CSS(`#inspector select`), "member/A"))
	p.until(`document.querySelector('#inspector .panel').innerText.includes('To revoke')`)
	p.click(`#inspector [data-tab=response]`)
	p.until(`document.querySelector('#inspector pre').innerText.includes('memberEpoch: 1')`)
	p.click(`#inspector [data-tab=table]`)
	assert.Equal(t, []string{"A", "B", "C"}, eval[[]string](p, `[...document.querySelectorAll('#inspector tbody th')].map(th => th.textContent)`))
}

func TestTheTableOfAStreamsGroupNamesTasksByRole(t *testing.T) {
	p := openPage(t, 1280, 800, "scenario=a-standby-takes-over&rules=kip&step=ready")
	p.atStep("ready")
	p.click(`#inspector [data-tab=table]`)
	table := eval[string](p, `document.querySelector('#inspector .panel').innerText`)
	assert.Contains(t, table, "The topology is of epoch 0")
	assert.Contains(t, table, "0_2; standby 0_1")
	assert.Contains(t, table, "process p2, topology epoch 0")
	names := eval[[]string](p, `[...document.querySelectorAll('#inspector select option')].map(o => o.textContent)`)
	assert.Contains(t, names, "0_0")
	assert.NotContains(t, names, "0-0", "tasks are named as the board names them")
}

// TestACrashByHandEndsAsItsSavedFile crashes A at K5 and lets the clients
// run, until the timers have given B everything; the file that is saved then
// ends the same.
func TestACrashByHandEndsAsItsSavedFile(t *testing.T) {
	p := openPage(t, 1280, 800, "scenario="+example+"&step=K5")
	p.atStep("K5")
	p.until(`document.querySelector('#faults .who')?.textContent === 'A'`)
	p.click(`#faults [data-action="crash: A"]`)
	p.until(board + `.info.branches.length === 2`)
	for range 3 {
		if len(p.snapshot().Members["B"].Owns) == 3 {
			break
		}
		stops := eval[int](p, board+`.info.stops.length`)
		p.until(`document.querySelector('#faults').innerText.includes('Run 60 s')`)
		p.do(chromedp.Click(chromedp.Search(`//section[@id="faults"]//button[text()="Run 60 s"]`)))
		p.until(board + `.info.stops.length > ` + strconv.Itoa(stops) + ` && ` + board + `.position.atEnd`)
	}
	end := p.snapshot()
	assert.Equal(t, []string{"foo-0", "foo-1", "foo-2"}, end.Members["B"].Owns)
	assert.Equal(t, "Stable", end.Group.State)
	assert.Empty(t, end.Violations)

	p.click(`#log [data-tab=did]`)
	assert.Contains(t, eval[string](p, `document.querySelector('#log .did').textContent`), "- crash: A\n  - run: 1m")
	file := p.download(`#log .acts button:nth-child(2)`)
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Contains(t, string(text), "crash: A")

	p.do(chromedp.SetUploadFiles(chromedp.CSS("#file"), []string{file}))
	p.until(board + `.info.branches.length === 1 && ` + board + `.info.title.includes('crash')`)
	p.press(kb.End)
	p.until(board + `.position.atEnd`)
	again := p.snapshot()
	assert.Equal(t, end.Members, again.Members)
	assert.Equal(t, end.Group, again.Group)
	assert.Equal(t, end.Instant, again.Instant)

	_, place, _ := strings.Cut(eval[string](p, `location.href`), "#")
	require.Contains(t, place, "file=", "a scenario that is not in the gallery travels inside the link")
	other := open(t, 1280, 800, "index.html#"+place)
	other.until(board + `.state === 'live' && ` + board + `.position.atEnd`)
	assert.Equal(t, end.Members, other.snapshot().Members)
}

// TestTimeThatPassesIsShownFromWhereSomethingChanged: at the end there are
// only heartbeats that change nothing; the removal is what one wants to see.
func TestTimeThatPassesIsShownFromWhereSomethingChanged(t *testing.T) {
	run := `//section[@id="faults"]//button[text()="Run 60 s"]`
	crash := func(p *tab) {
		p.until(board + `.state === 'live' && document.querySelector('#faults .who')?.textContent === 'A'`)
		p.click(`#faults [data-action="crash: A"]`)
		p.until(board + `.info.branches.length === 2`)
		eval[any](p, `(window.seen = [], `+board+`.addEventListener('step', e => seen.push(e.detail.position.label)))`)
		p.do(chromedp.Click(chromedp.Search(run)))
	}
	p := openPage(t, 1280, 800, "scenario="+example+"&step=K5")
	crash(p)
	p.until(board + `.position.playing`)
	p.until(board + `.position.atEnd && !` + board + `.position.playing`)
	seen := eval[[]string](p, `seen`)
	last := eval[string](p, board+`.position.label`)
	require.Greater(t, len(seen), 4)
	assert.Equal(t, last, seen[0], "the act itself")
	assert.Equal(t, []string{"+2", "+3", "+4"}, seen[1:4], "then what changed, one after another")

	still := open(t, 1280, 800, "index.html#scenario="+example+"&step=K5", prefers("prefers-reduced-motion", "reduce"))
	crash(still)
	still.atStep("+2")
	assert.False(t, eval[bool](still, board+`.position.playing`))
}

func TestBranchesAreSwitchedRenamedAndDeleted(t *testing.T) {
	p := openPage(t, 1280, 800, "scenario="+example+"&step=K5")
	p.until(`document.querySelector('#faults .who')?.textContent === 'A'`)
	p.press("h")
	p.until(board + `.info.branches.length === 2`)
	p.until(`document.querySelector('#branch').textContent === '2 branches' && !document.querySelector('#rail').hidden`)
	p.press("b")
	p.until(board + `.info.branch === 'main'`)
	p.press("b")
	p.until(board + `.info.branch !== 'main'`)

	more := `document.querySelector('#rail .icon')`
	p.click(`#rail .icon`)
	p.do(chromedp.Click(chromedp.Search(`//button[@role="menuitem"][span="Rename"]`)))
	p.until(`document.activeElement.matches('#rail input')`)
	p.press("Sooner" + kb.Enter)
	p.until(board + `.info.branches[1].name === 'Sooner'`)
	p.until(more + `.getAttribute('aria-label').includes('Sooner')`)
	p.click(`#rail .icon`)
	p.do(chromedp.Click(chromedp.Search(`//button[@role="menuitem"][span="Delete"]`)))
	p.until(board + `.info.branches.length === 1 && document.querySelector('#rail').hidden`)
	assert.Equal(t, "Branch: main", eval[string](p, `document.querySelector('#branch').textContent`))
}

func TestWhatCannotBeDoneNowSaysWhy(t *testing.T) {
	p := openPage(t, 1280, 800, "scenario="+example)
	p.until(`document.querySelector('#faults [data-action="crash: A"]')?.ariaDisabled === 'true'`)
	p.click(`#faults [data-action="crash: A"]`)
	p.until(`document.querySelector('#note').innerText.includes('Let it join first')`)
	assert.Equal(t, 1, eval[int](p, board+`.info.branches.length`))
}

// download clicks and gives the file that the page hands out.
func (p *tab) download(selector string) string {
	p.t.Helper()
	dir := p.t.TempDir()
	_, err := chromedp.CallBrowser(p.ctx, browser.SetDownloadBehavior, browser.SetDownloadBehaviorParams{
		Behavior: browser.SetDownloadBehaviorBehaviorAllowAndName, DownloadPath: dir, EventsEnabled: new(true),
	})
	require.NoError(p.t, err)
	progress := chromedp.BrowserEvents(p.ctx, browser.DownloadProgress)
	p.click(selector)
	for event, err := range progress {
		require.NoError(p.t, err)
		if event.State == browser.DownloadProgressStateCompleted {
			return named(p.t, filepath.Join(dir, event.GUID), "saved.yaml")
		}
	}
	require.Fail(p.t, "nothing was downloaded")
	return ""
}

// named gives a file another name in its folder.
func named(t *testing.T, file, name string) string {
	t.Helper()
	to := filepath.Join(filepath.Dir(file), name)
	require.NoError(t, os.Rename(file, to))
	return to
}
