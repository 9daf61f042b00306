//go:build browser

package browsertest

import (
	"testing"

	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/assert"
)

const note = `document.querySelector('#note').innerText`

func TestALinkWithoutRulesMeansThoseOfItsFileInARunningPageToo(t *testing.T) {
	p := openPage(t, 1280, 800, "scenario="+example+"&step=K5&rules=kafka")
	assert.Equal(t, "kafka", eval[string](p, board+`.info.rules`))
	eval[bool](p, `(location.hash = 'scenario=`+example+`&step=K7', true)`)
	p.until(board + `.info.rules === 'kip' && ` + board + `.position.label === 'K7'`)
	p.until(`location.hash.includes('step=K7') && location.hash.includes('rules=kip')`)
}

func TestAFileUnderRulesItWasNotWrittenForSaysSo(t *testing.T) {
	p := openPage(t, 1280, 800, "scenario="+example+"&step=K5")
	assert.Empty(t, eval[string](p, note))
	p.click(`#rules [aria-checked=false]`)
	p.until(board + `.info.rules === 'kafka'`)
	p.until(note + ` === 'Written for KIP-848 text: under Kafka 4.4 the words are the program’s own.'`)
	p.click(`#rules [aria-checked=false]`)
	p.until(board + `.info.rules === 'kip' && ` + note + ` === ''`)
}

func TestOtherRulesLeaveABranchWhereItForksAndSayWhereItIsKept(t *testing.T) {
	p := openPage(t, 1280, 800, "scenario="+example+"&step=K5")
	p.until(`document.querySelector('#faults .who')?.textContent === 'A'`)
	p.press("h")
	p.until(board + `.info.branches.length === 2`)
	p.click(`#rules [aria-checked=false]`)
	p.until(note + `.includes('The branch is kept under KIP-848 text.')`)
	p.atStep("K5")
	p.click(`#rules [aria-checked=false]`)
	p.until(board + `.info.branch !== 'main' && !` + note + `.includes('The branch')`)
}

func TestAScenarioThatWasJustChosenPlaysWithTheSpaceBar(t *testing.T) {
	p := openPage(t, 1280, 720, "scenario="+example)
	p.click(`#scenarios a[href*="a-third-member-joins"]`)
	p.until(board + `.info.name === 'a-third-member-joins-midway' && document.activeElement.matches('#scenarios a')`)
	// A key that the page takes does nothing else: the list under the focus does not scroll.
	eval[any](p, `(window.taken = [], addEventListener('keydown', e => taken.push(e.key + ' ' + e.defaultPrevented)), null)`)
	p.press(" ")
	p.until(board + `.position.playing`)
	p.press(" ")
	p.until(`!` + board + `.position.playing`)
	p.press(kb.End)
	p.until(board + `.position.atEnd`)
	p.press(kb.Home)
	p.until(board + `.position.atStart`)
	assert.Equal(t, []string{"  true", "  true", "End true", "Home true"}, eval[[]string](p, `taken`))
}
