package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/andybalholm/brotli"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"groupscope/cmd/internal/serve"
)

// patience is how long the browser may take for anything.
const patience = 3 * time.Minute

// watch counts and times every frame callback of the page, and says when the
// first picture stood there. It is laid before the page's own scripts.
const watch = `
window.bench = {frames: 0, ms: [], still: 0, ready: 0};
document.addEventListener('ready', () => { bench.ready ||= performance.now(); }, true);
const raf = window.requestAnimationFrame.bind(window);
window.requestAnimationFrame = callback => raf(t => {
  const start = performance.now();
  callback(t);
  bench.frames++;
  bench.ms.push(performance.now() - start);
});
const look = setInterval(() => {
  if (document.querySelector('group-scope')?.shadowRoot?.querySelector('svg[viewBox] rect, svg[viewBox] path')) {
    bench.still = performance.now();
    clearInterval(look);
  }
}, 4);
`

// lab is a built site, served, and a browser.
type lab struct {
	dir, url string
	browser  context.Context
}

// browserRows measures what needs a browser.
func browserRows() ([]row, error) {
	dir, err := os.MkdirTemp("", "groupscope-bench")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	fmt.Fprintln(os.Stderr, "bench: building the site as it is published (a few minutes)")
	if err := build(dir); err != nil {
		return nil, err
	}
	server := httptest.NewServer(serve.Handler(dir))
	defer server.Close()
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.NoSandbox,
		chromedp.Flag("use-angle", "swiftshader"), chromedp.Flag("enable-unsafe-swiftshader", true))
	allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
	defer stop()
	browser, end := chromedp.NewContext(allocator)
	defer end()
	if err := chromedp.Do(browser); err != nil {
		return nil, fmt.Errorf("the browser did not start: %w", err)
	}
	l := &lab{dir: dir, url: server.URL + "/", browser: browser}
	var rows []row
	for _, part := range []func() ([]row, error){l.startup, l.parked, l.frames, l.seeks} {
		some, err := part()
		if err != nil {
			return nil, err
		}
		rows = append(rows, some...)
	}
	return rows, nil
}

func build(dir string) error {
	site := exec.Command("go", "run", "./cmd/groupscope", "site", "-compress", "-o", dir)
	site.Stderr = os.Stderr
	if err := site.Run(); err != nil {
		return err
	}
	stress := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", filepath.Join(dir, "stress.wasm"), "./cmd/bench/stress")
	stress.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0")
	stress.Stderr = os.Stderr
	return stress.Run()
}

// open shows a page in a new tab; the caller closes it.
func (l *lab) open(path string) (context.Context, context.CancelFunc, error) {
	tab, end := chromedp.NewContext(l.browser)
	ctx, cancel := context.WithTimeout(tab, patience)
	done := func() { cancel(); end() }
	err := chromedp.Do(ctx, chromedp.EmulateViewport(1280, 720), early(watch), chromedp.Navigate(l.url+path))
	if err != nil {
		done()
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	return ctx, done, nil
}

// early lays a script before those of every page of the tab.
func early(script string) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: script})
		return err
	})
}

// ask gives the value of an expression, or what its promise comes to.
func ask[T any](ctx context.Context, expression string) (T, error) {
	var out T
	text, err := chromedp.Run(ctx, chromedp.Evaluate[string](
		"(async () => JSON.stringify(await ("+expression+")) ?? 'null')()", chromedp.EvalAwaitPromise))
	if err != nil {
		return out, fmt.Errorf("%s: %w", expression, err)
	}
	return out, json.Unmarshal([]byte(text), &out)
}

const board = `document.querySelector('group-scope')`

// drawn waits until the program has drawn, and gives the time since navigation.
const drawn = `(async () => {
	for (let n = 0; n < 6000 && !bench.ready; n++) await new Promise(done => setTimeout(done, 5));
	return bench.ready;
})()`

// startup loads the first page five times, with an empty cache each.
func (l *lab) startup() ([]row, error) {
	var still, ready []float64
	var names []string
	for range 5 {
		ctx, done, err := l.open("index.html#scenario=kip-848-worked-example")
		if err != nil {
			return nil, err
		}
		at, err := ask[float64](ctx, drawn)
		if err == nil {
			ready = append(ready, at)
			var first float64
			first, err = ask[float64](ctx, "bench.still")
			still = append(still, first)
		}
		if err == nil {
			names, err = ask[[]string](ctx, `[location.pathname, ...performance.getEntriesByType('resource').map(r => new URL(r.name).pathname)]`)
		}
		done()
		if err != nil {
			return nil, err
		}
	}
	bytes, files, err := l.packed(names)
	if err != nil {
		return nil, err
	}
	return []row{
		limit("everything the first page needs, brotli", "<= 3.0 MB", bytes/1e6, 3.0, "%.2f MB in %d files", files),
		limit("still picture, before any WASM", "< 0.3 s", median(still)/1000, 0.3, "%.2f s"),
		limit("navigation -> board drawn, local", "<= 0.9 s", median(ready)/1000, 0.9, "%.2f s"),
	}, nil
}

// packed is the size of files as a host with brotli sends them.
func (l *lab) packed(names []string) (bytes float64, files int, err error) {
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		if name == "/" {
			name = "/index.html"
		}
		file := filepath.Join(l.dir, filepath.FromSlash(strings.TrimSuffix(name, ".gz")))
		if ready, err := os.Stat(file + ".br"); err == nil {
			bytes += float64(ready.Size())
		} else {
			data, err := os.ReadFile(file)
			if err != nil {
				return 0, 0, err
			}
			var out counter
			w := brotli.NewWriterLevel(&out, brotli.BestCompression)
			if _, err := w.Write(data); err != nil {
				return 0, 0, err
			}
			if err := w.Close(); err != nil {
				return 0, 0, err
			}
			bytes += float64(out)
		}
		files++
	}
	return bytes, files, nil
}

type counter int

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}

// parked counts the frames of a page that is left alone.
func (l *lab) parked() ([]row, error) {
	ctx, done, err := l.open("index.html#scenario=kip-848-worked-example&step=K5")
	if err != nil {
		return nil, err
	}
	defer done()
	if _, err := ask[float64](ctx, drawn); err != nil {
		return nil, err
	}
	n, err := ask[float64](ctx, `(async () => {
		const wait = ms => new Promise(done => setTimeout(done, ms));
		await wait(2000);
		bench.frames = 0;
		await wait(5000);
		return bench.frames;
	})()`)
	return []row{limit("paused, over 5 s", "0 frames", n, 0, "%.0f frames")}, err
}

// text writes a string as a JavaScript literal.
func text(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(b)
}

func median(xs []float64) float64 {
	xs = slices.Sorted(slices.Values(xs))
	return xs[len(xs)/2]
}
