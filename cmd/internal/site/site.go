// Package site builds the static site: the page, the program compiled to
// WASM, the gallery and its still pictures, in one folder that any file
// server can serve from any path.
package site

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"groupscope/cmd/internal/lean"
)

// Options says what to build from where.
type Options struct {
	Root     string // of the project: the folder of go.mod
	Out      string // the site's folder; made if it does not exist
	Compress bool   // write .br and the smallest .gz, for publishing
	Log      io.Writer
}

// Build writes the whole site. Files of an earlier build that no longer
// belong to it are removed, others are never touched; a folder that holds
// something else is refused.
func Build(o Options) error {
	if _, err := os.Stat(filepath.Join(o.Root, "web", "index.html")); err != nil {
		return fmt.Errorf("%s is not the project's folder (it has no web/index.html)", o.Root)
	}
	b := &builder{Options: o, written: map[string]bool{}}
	for _, part := range []func() error{b.claim, b.program, b.page, b.gallery, b.sweep} {
		if err := part(); err != nil {
			return err
		}
	}
	fmt.Fprintf(o.Log, "site: %s\n", o.Out)
	return nil
}

type builder struct {
	Options
	written map[string]bool // slash paths below Out
}

// put writes one file of the site, and leaves it alone when it is the same
// already, so that its time and its compressed copies stay.
func (b *builder) put(name string, data []byte) error {
	b.written[name] = true
	path := filepath.Join(b.Out, filepath.FromSlash(name))
	if old, err := os.ReadFile(path); err == nil && string(old) == string(data) {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o644)
}

// page copies web/, without its tests and the pictures of README.
func (b *builder) page() error {
	web := os.DirFS(filepath.Join(b.Root, "web"))
	return fs.WalkDir(web, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "browsertest" || d.Name() == "pictures"):
			return fs.SkipDir
		case d.IsDir() || strings.HasSuffix(name, ".go") || strings.HasSuffix(name, ".md"):
			return nil
		}
		data, err := fs.ReadFile(web, name)
		if err != nil {
			return err
		}
		switch {
		case path.Ext(name) == ".html":
			if data, err = b.preloaded(name, data); err != nil {
				return err
			}
		case name == "tokens.css":
			if err := b.module("tokens.js", data); err != nil {
				return err
			}
		}
		return b.put(name, data)
	})
}

// module writes a text as a module, for what has to be there at once.
func (b *builder) module(name string, text []byte) error {
	quoted, err := json.Marshal(string(text))
	if err != nil {
		return err
	}
	return b.put(name, fmt.Appendf(nil, "export default %s;\n", quoted))
}

// program compiles wasm/ and puts Go's loader beside it.
func (b *builder) program() error {
	wasm, err := b.compile()
	if err != nil {
		return err
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return fmt.Errorf("go env GOROOT: %w", err)
	}
	loader, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec.js"))
	if err != nil {
		return err
	}
	if err := b.put("wasm_exec.js", loader); err != nil {
		return err
	}
	if err := b.put("groupscope.wasm", wasm); err != nil {
		return err
	}
	if err := b.pack("groupscope.wasm", wasm); err != nil {
		return err
	}
	sum := sha256.Sum256(wasm)
	facts, err := json.Marshal(map[string]any{"bytes": len(wasm), "hash": hex.EncodeToString(sum[:8])})
	if err != nil {
		return err
	}
	return b.put("build.json", facts)
}

// swift are the packages that run in a frame or a seek, or that those lean on.
// All others are compiled without inlining, which takes a tenth off the program
// on the wire: what comes along with Ebitengine, its shader compiler, readers
// and writers of files, words.
var swift = []string{
	"runtime", "internal/runtime/...", "internal/bytealg", "internal/strconv", "sync", "sync/atomic", "math", "math/bits",
	"cmp", "slices", "sort", "strconv", "strings", "unicode/utf8", "syscall/js", "image/...", "golang.org/x/image/...",
	"groupscope/core/...", "groupscope/render/...",
	"github.com/hajimehoshi/ebiten/v2", "github.com/hajimehoshi/ebiten/v2/internal/...",
}

// bulky are those among them that need not be.
var bulky = []string{
	"groupscope/core/playback", "groupscope/core/scenario", "groupscope/core/session", "groupscope/render/svg",
	"github.com/hajimehoshi/ebiten/v2/internal/gamepaddb", "github.com/hajimehoshi/ebiten/v2/internal/ui",
}

func (b *builder) compile() ([]byte, error) {
	dir, err := os.MkdirTemp("", "groupscope-wasm")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	out := filepath.Join(dir, "groupscope.wasm")
	args := []string{"build", "-trimpath", "-ldflags=-s -w", "-gcflags=all=-l"} // of several, the last that names a package holds
	for _, p := range swift {
		args = append(args, "-gcflags="+p+"=")
	}
	for _, p := range bulky {
		args = append(args, "-gcflags="+p+"=-l")
	}
	modfile, err := lean.Prepare(b.Root)
	if err != nil {
		return nil, err
	}
	build := exec.Command("go", append(args, "-modfile="+modfile, "-o", out, "./wasm")...)
	build.Dir = b.Root
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0")
	build.Stdout, build.Stderr = b.Log, b.Log
	if err := build.Run(); err != nil {
		return nil, fmt.Errorf("compiling ./wasm failed: %w", err)
	}
	return os.ReadFile(out)
}

// listing is the file of a site that says which files belong to it.
const listing = "site.txt"

// claim makes sure that the folder is ours to write to: new, empty, or a site
// of an earlier build. Nobody's files are lost to a mistyped folder.
func (b *builder) claim() error {
	entries, err := os.ReadDir(b.Out)
	if os.IsNotExist(err) || err == nil && len(entries) == 0 {
		return nil
	}
	if err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(b.Out, "build.json")); err != nil {
		return fmt.Errorf("%s is not empty, and no site was built there before: name another folder", b.Out)
	}
	return nil
}

// sweep removes what an earlier build wrote and this one did not.
func (b *builder) sweep() error {
	old, err := os.ReadFile(filepath.Join(b.Out, listing))
	if err != nil && !os.IsNotExist(err) {
		return err
	}
	for name := range strings.Lines(string(old)) {
		name = strings.TrimSpace(name)
		if name == "" || b.written[name] || !filepath.IsLocal(filepath.FromSlash(name)) {
			continue
		}
		if err := os.Remove(filepath.Join(b.Out, filepath.FromSlash(name))); err != nil && !os.IsNotExist(err) {
			return err
		}
	}
	names := append(slices.Collect(maps.Keys(b.written)), listing)
	slices.Sort(names)
	return b.put(listing, []byte(strings.Join(names, "\n")+"\n"))
}
