//go:build browser

package browsertest

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// did is what the page lists as done by hand.
func (p *tab) did() string {
	p.t.Helper()
	return eval[string](p, `document.querySelector('#log .did')?.textContent ?? ''`)
}

func TestWhatYouDidIsThatOfTheBranchAndTheRulesOnScreen(t *testing.T) {
	p := openPage(t, 1280, 800, "scenario="+example+"&step=K5")
	p.until(`document.querySelector('#faults .who')?.textContent === 'A'`)
	p.click(`#log [data-tab=did]`)
	assert.Empty(t, p.did())
	p.click(`#faults [data-action="crash: A"]`)
	p.until(`document.querySelector('#log .did')?.textContent === '  - crash: A'`)
	assert.Contains(t, eval[string](p, `document.querySelector('#log .panel').innerText`), "1 action since K5")

	eval[any](p, board+`.call('rules', {name: 'kafka'})`)
	p.until(board + `.info.rules === 'kafka'`)
	assert.Empty(t, p.did(), "nothing was done under these rules")
	eval[any](p, board+`.seek('K5')`)
	eval[any](p, board+`.call('do', {action: 'fail-over: true'})`)
	p.until(`document.querySelector('#log .did')?.textContent === '  - fail-over: true'`)

	eval[any](p, board+`.call('rules', {name: 'kip'})`)
	eval[any](p, board+`.call('branch', {id: 'b1'})`)
	p.until(`document.querySelector('#log .did')?.textContent === '  - crash: A'`)
	eval[any](p, board+`.call('branch', {id: 'main'})`)
	p.until(`!document.querySelector('#log .did')`)
}

func TestARunThatIsLeftIsListedAsFarAsTheBranchHoldsIt(t *testing.T) {
	p := openPage(t, 1280, 800, "scenario="+example+"&step=K5")
	eval[any](p, board+`.call('do', {action: 'crash: A'})`)
	eval[any](p, board+`.call('do', {action: 'run: 60s'})`)
	p.click(`#log [data-tab=did]`)
	p.until(`document.querySelector('#log .did')?.textContent === '  - crash: A\n  - run: 1m'`)
	stop := eval[int](p, board+`.info.stops.length`) - 2
	eval[any](p, board+`.seek(`+text(stop)+`)`)
	eval[any](p, board+`.call('do', {action: 'restart: A'})`)
	p.until(`document.querySelector('#log .did')?.textContent.endsWith('- restart: A')`)
	assert.NotContains(t, p.did(), "run: 1m", "only its beginning is on this branch")
	assert.Regexp(t, `- run: \d`, p.did())
	saved := eval[string](p, board+`.bridge.save()`)
	assert.NotContains(t, saved, "run: 1m")
}

// TestABranchOutlivesItsProgram: what was done by hand is not lost with it.
func TestABranchOutlivesItsProgram(t *testing.T) {
	p := openPage(t, 1280, 800, "scenario="+example+"&step=K5")
	eval[any](p, board+`.call('do', {action: 'crash: A'})`)
	p.until(board + `.info.branch === 'b1'`)
	eval[any](p, board+`.redraw()`)
	p.until(board + `.state === 'live' && ` + board + `.info.branch === 'main' && location.hash.startsWith('#file=')`)
	assert.Contains(t, eval[string](p, board+`.bridge.save()`), "crash: A")
}

// TestWhatCanBeDoneStaysUnderTheFinger: the row is drawn anew at each step,
// but a button that means the same is the same, pressed or focused.
func TestWhatCanBeDoneStaysUnderTheFinger(t *testing.T) {
	p := openPage(t, 1280, 800, "scenario="+example+"&step=K5")
	p.atStep("K5")
	p.until(`document.querySelector('#faults [data-action^="crash"]')`)
	eval[any](p, `(window.before = document.querySelector('#faults [data-action^="crash"]'), before.focus())`)
	eval[any](p, board+`.seek('K6')`)
	p.atStep("K6")
	p.until(`document.querySelector('#faults .who')`)
	assert.True(t, eval[bool](p, `before.isConnected && document.activeElement === before`))
}

// TestAStopThatWentWithItsScenarioIsNoFault: a click on the way to another,
// shorter scenario still means the longer one.
func TestAStopThatWentWithItsScenarioIsNoFault(t *testing.T) {
	p := openPage(t, 1280, 800, "scenario=warm-up-and-hand-over")
	p.until(`document.querySelector('#log button.stop')`)
	before := eval[int](p, board+`.info.stops.length`)
	eval[any](p, `(window.late = [...document.querySelectorAll('#log button.stop')].at(-1), 1)`)
	eval[any](p, `(location.hash = '#scenario=an-old-build-joins', 1)`)
	p.until(board + `.info.name === 'an-old-build-joins'`)
	assert.Less(t, eval[int](p, board+`.info.stops.length`), before)
	stop := eval[int](p, board+`.position.stop`)
	eval[any](p, `(window.late.click(), new Promise(done => setTimeout(done, 0)))`)
	assert.Equal(t, stop, eval[int](p, board+`.position.stop`))
	said := eval[string](p, board+`.seek(999).catch(e => e.message)`)
	assert.Contains(t, said, "There is no stop 999")
}
