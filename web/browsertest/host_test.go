//go:build browser

package browsertest

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestAServerThatCompressesIsAskedOnce has a server send the program with a
// content encoding, as most hosts do.
func TestAServerThatCompressesIsAskedOnce(t *testing.T) {
	site, err := url.Parse(siteURL)
	require.NoError(t, err)
	host := httptest.NewServer(&httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(site)
			if strings.HasSuffix(r.In.URL.Path, ".wasm") {
				r.Out.URL.Path += ".gz"
				r.Out.Header.Del("Accept-Encoding")
			}
		},
		ModifyResponse: func(r *http.Response) error {
			if strings.HasSuffix(r.Request.URL.Path, ".wasm.gz") {
				r.Header.Set("Content-Encoding", "gzip")
				r.Header.Set("Content-Type", "application/wasm")
			}
			return nil
		},
	})
	defer host.Close()
	p := open(t, 640, 360, "embed.html")
	p.do(chromedp.Navigate(host.URL + "/" + embedded))
	p.until(inside(".still svg"))
	eval[any](p, board+`.ready()`)
	assert.Equal(t, []string{"groupscope.wasm"},
		eval[[]string](p, `performance.getEntriesByType('resource').map(r => r.name.split('/').pop()).filter(n => n.includes('.wasm'))`))
}

func TestTheHostLeavesThePageAlone(t *testing.T) {
	p := openSample(t)
	state := `({
		styles: [document.body, document.documentElement].map(e => e.getAttribute('style')),
		metas: document.querySelectorAll('meta').length,
		canvases: document.querySelectorAll('body > canvas').length,
		go: typeof globalThis.Go,
		body: document.body.children.length,
	})`
	before := eval[any](p, state)
	eval[any](p, `handover.ready()`)
	p.idle(`handover`)
	assert.Equal(t, before, eval[any](p, state))
	assert.Equal(t, -1, eval[int](p, `handover.player.canvas.tabIndex`), "the canvas takes no focus")
}

func TestANinthProgramEndsTheOneUsedLongestAgo(t *testing.T) {
	p := open(t, 1280, 900, sample)
	p.until(`customElements.get('group-scope')`)
	eval[any](p, `(async () => {
		window.many = [];
		for (let i = 0; i < 9; i++) {
			const e = document.createElement('group-scope');
			e.setAttribute('scenario', '`+example+`');
			e.setAttribute('step', 'K5');
			document.querySelector('main').prepend(e);
			many.push(e);
			await e.ready();
			await e.player.drawn;
		}
	})()`)
	assert.Equal(t, []string{"lost", "live", "live", "live", "live", "live", "live", "live", "live"}, eval[[]string](p, `many.map(e => e.state)`))
	eval[any](p, `many[0].step(1)`)
	assert.Equal(t, "live", eval[string](p, `many[0].state`), "it begins again when it is wanted")
	assert.Equal(t, "K6", eval[string](p, `many[0].position.label`), "where it stood")
	assert.Equal(t, "lost", eval[string](p, `many[1].state`))
}

func TestAProgramThatEndsInACallIsSaidToHaveEnded(t *testing.T) {
	p := open(t, 640, 360, "embed.html?scenario="+example)
	p.until(board)
	said := eval[string](p, `import('./bridge.js').then(({BridgeClient}) => {
		try { new BridgeClient({call: () => undefined}, () => {}).call('info'); } catch (e) { return e.kind + ': ' + e.message; }
	})`)
	assert.Contains(t, said, "ended: The player ended")
}
