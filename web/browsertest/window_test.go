//go:build browser

package browsertest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/assert"
)

// crowded is a scenario of a group too large for most boards.
func crowded(members, partitions int) string {
	var s strings.Builder
	fmt.Fprintf(&s, "groupscope: 1\ntitle: A crowd\nprotocol: consumer\ntopics: {foo: %d}\nmembers:\n", partitions)
	for i := range members {
		fmt.Fprintf(&s, "  m%d: {subscribe: [foo]}\n", i+1)
	}
	s.WriteString("steps:\n")
	for i := range members {
		fmt.Fprintf(&s, "  - step: J%d\n    join: m%d\n", i+1, i+1)
	}
	return s.String()
}

func TestABoardThatShowsAPartIsMovedWithKeys(t *testing.T) {
	for _, drawn := range []string{"canvas", "svg"} {
		t.Run(drawn, func(t *testing.T) {
			var before []chromedp.Action[chromedp.Void]
			if drawn == "svg" {
				before = append(before, early(noWebGL2))
			}
			p := open(t, 1280, 720, "index.html#scenario="+example, before...)
			p.until(board + `.state === 'live'`)
			assert.Equal(t, drawn, eval[string](p, board+`.drawing`))
			rows, columns := mover("members"), mover("partitions")
			assert.True(t, eval[bool](p, rows+`.hidden && `+columns+`.hidden`), "all of three members is shown")

			eval[any](p, board+`.open('crowd.yaml', `+text(crowded(60, 200))+`)`)
			eval[any](p, board+`.seek('J1')`)
			p.until(`!` + rows + `.hidden && !` + columns + `.hidden`)
			first := func() string {
				return eval[string](p, `/^members (\d+) to/.exec(`+rows+`.ariaLabel)[1] + ' ' + /^partitions (\d+) to/.exec(`+columns+`.ariaLabel)[1]`)
			}
			assert.Equal(t, "1 1", first())
			assert.Equal(t, "true", eval[string](p, rows+`.children[0].ariaDisabled`))
			for _, key := range []string{rows + `.children[0]`, rows + `.children[1]`, columns + `.children[0]`, columns + `.children[1]`} {
				size := eval[[]float64](p, `(r => [r.width, r.height])(`+key+`.getBoundingClientRect())`)
				assert.GreaterOrEqual(t, min(size[0], size[1]), 24.0)
				assert.NotEmpty(t, eval[string](p, key+`.ariaLabel`))
			}

			eval[any](p, rows+`.children[1].focus()`)
			p.press(kb.Enter)
			p.until(`!/^members 1 to/.test(` + rows + `.ariaLabel)`)
			assert.Contains(t, eval[string](p, rows+`.querySelector('[role=status]').textContent`), "of 60")
			assert.False(t, eval[bool](p, board+`.bridge.regions().some(r => r.id === 'member/m1')`), "the first member is out of sight")
			for range 6 {
				p.press(kb.Enter)
			}
			p.until(rows + `.children[1].ariaDisabled === 'true' && ` + rows + `.ariaLabel.includes(' to 60 of 60')`)
			assert.True(t, eval[bool](p, board+`.bridge.regions().some(r => r.id === 'member/m60')`))

			hits := eval[int](p, `(window.hits = 0, `+board+`.addEventListener('hit', () => window.hits++), 0)`)
			eval[any](p, columns+`.children[1].click()`)
			p.until(`!/^partitions 1 to/.test(` + columns + `.ariaLabel)`)
			assert.Equal(t, hits, eval[int](p, `window.hits`), "a key is no click on the board")

			eval[any](p, board+`.seek('J2')`)
			p.until(board + `.bridge.regions().some(r => r.id === 'member/m2')`)
		})
	}
}

func mover(what string) string {
	return board + `.shadowRoot.querySelector('[data-moves=` + what + `]')`
}
