//go:build browser

// Package browsertest holds the built site against a real browser. Each test
// has a tab of its own; whatever a page complains about on its console, or
// fails to fetch, fails the test that opened it.
package browsertest

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// patience is how long a condition may take to come true: the browser draws
// in software, on machines that do other things too.
const patience = 40 * time.Second

var (
	siteURL string          // where the site is served: below a path, as on a documentation host
	chrome  context.Context // the browser; each test opens tabs of it
)

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	dir := os.Getenv("GROUPSCOPE_SITE") // a site that is built already saves a minute
	if dir == "" {
		built, err := buildSite()
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer os.RemoveAll(built)
		dir = built
	}
	server := httptest.NewServer(http.StripPrefix("/some/path/", http.FileServer(http.Dir(dir))))
	defer server.Close()
	siteURL = server.URL + "/some/path/"

	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.NoSandbox,
		chromedp.Flag("use-angle", "swiftshader"),
		chromedp.Flag("enable-unsafe-swiftshader", true),
	)
	allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
	defer stop()
	browser, end := chromedp.NewContext(allocator)
	defer end()
	if err := chromedp.Do(browser); err != nil {
		fmt.Fprintln(os.Stderr, "the browser did not start:", err)
		return 1
	}
	chrome = browser
	return m.Run()
}

func buildSite() (string, error) {
	dir, err := os.MkdirTemp("", "groupscope-site")
	if err != nil {
		return "", err
	}
	build := exec.Command("go", "run", "./cmd/groupscope", "site", "-o", dir)
	build.Dir = "../.."
	if out, err := build.CombinedOutput(); err != nil {
		os.RemoveAll(dir)
		return "", fmt.Errorf("building the site: %w\n%s", err, out)
	}
	return dir, nil
}

// tab is one page in the browser.
type tab struct {
	t   *testing.T
	ctx context.Context

	mu         sync.Mutex
	complaints []string
}

// open shows a page of the site, such as "index.html#step=K5", in a new tab
// of that size in CSS pixels. The steps are taken before it is loaded.
func open(t *testing.T, width, height int64, page string, before ...chromedp.Action[chromedp.Void]) *tab {
	t.Helper()
	ctx, end := chromedp.NewContext(chrome)
	p := &tab{t: t, ctx: ctx}
	console := chromedp.Console(ctx)
	heard := make(chan struct{})
	go func() {
		defer close(heard)
		for message, err := range console {
			if err != nil {
				return
			}
			if message.Type == chromedp.ConsoleError || message.Type == chromedp.ConsoleException {
				p.mu.Lock()
				p.complaints = append(p.complaints, message.Text+" "+message.URL)
				p.mu.Unlock()
			}
		}
	}()
	t.Cleanup(func() {
		end()
		<-heard
		require.Empty(t, p.complaints, "the page complained on its console")
	})
	p.do(chromedp.EmulateViewport(width, height))
	p.do(before...)
	p.do(chromedp.Navigate(siteURL + page))
	return p
}

// forgive takes back complaints that a test provokes.
func (p *tab) forgive(containing string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	kept := p.complaints[:0]
	for _, c := range p.complaints {
		if !strings.Contains(c, containing) {
			kept = append(kept, c)
		}
	}
	p.complaints = kept
}

func (p *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	require.NoError(p.t, chromedp.Do(ctx, steps...))
}

// eval gives the value of an expression, or what its promise comes to.
func eval[T any](p *tab, expression string) T {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	text, err := chromedp.Run(ctx, chromedp.Evaluate[string](
		"(async () => JSON.stringify(await ("+expression+")) ?? 'null')()", chromedp.EvalAwaitPromise))
	require.NoError(p.t, err, expression)
	var out T
	require.NoError(p.t, json.Unmarshal([]byte(text), &out), "%s is %s", expression, text)
	return out
}

// until waits for an expression to come true.
func (p *tab) until(expression string) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	_, err := chromedp.Run(ctx, chromedp.Poll[bool]("!!("+expression+")",
		chromedp.WithPollingInterval(50*time.Millisecond), chromedp.WithPollingTimeout(patience)))
	if err != nil {
		seen, _ := chromedp.Run(p.ctx, chromedp.Evaluate[string](`[location.href,
			...[...document.querySelectorAll('group-scope')].map(s => s.state + ' ' + JSON.stringify(s.position)),
			...[...document.querySelectorAll('[role=status], [role=alert], #notice')].map(e => e.innerText)].join('\n')`))
		require.NoError(p.t, err, "waiting for %s\nthe page: %s", expression, seen)
	}
}

// click clicks the middle of what a CSS selector finds, as a person would.
func (p *tab) click(selector string) {
	p.t.Helper()
	p.do(chromedp.Click(chromedp.CSS(selector)))
}

// press presses keys: letters, or those of package kb.
func (p *tab) press(keys string) {
	p.t.Helper()
	p.do(chromedp.KeyEvent(keys))
}
