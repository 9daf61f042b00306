// Package lean prepares Ebitengine for a program that has to be light: a copy
// of the pinned version that has its shaders compiled ahead, by itself, and
// lacks the compiler.
//
// As it is, Ebitengine compiles three shaders each time a program starts, and
// its other users' shaders when they ask; so each program carries the
// compiler, with go/parser, go/printer, text/template (which keeps every
// exported method of everything alive) and math/big. Of the program in the
// browser that is a quarter, and of its start a sixth of a second.
//
// Six files are changed, below _ebitengine. What they stand in for belongs to
// one version; another one has to be looked at first.
package lean

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"

	"groupscope/render/screen/kage"
)

const (
	ebitengine = "github.com/hajimehoshi/ebiten/v2"
	version    = "v2.10.2" // that the stand-ins were written for
)

//go:embed _ebitengine
var standIns embed.FS

// whole are the packages of which nothing is kept but the stand-in.
var whole = []string{"internal/legacyshader", "internal/builtinshader", "internal/colormshader", "internal/vmguest"}

// The compiler's own entry: the driver compiles what was not compiled ahead.
const (
	driver   = "internal/graphicsdriver/opengl/shader.go"
	compiles = "vssrc, fssrc = glsl.Compile(s.ir, version)"
	refuses  = `return fmt.Errorf("opengl: a shader was not compiled ahead")`
)

// ahead is where the command is that compiles shaders ahead.
const ahead = "internal/ahead"

// Prepare makes the copy below the project's folder, unless it is there
// already, and returns the go.mod to build with: go build -modfile.
func Prepare(root string) (modfile string, err error) {
	if root, err = filepath.Abs(root); err != nil {
		return "", err
	}
	original, err := download(root)
	if err != nil {
		return "", err
	}
	sum, err := fingerprint(root)
	if err != nil {
		return "", err
	}
	rel := path.Join(".cache", "lean-"+sum)
	dir := filepath.Join(root, filepath.FromSlash(rel))
	if _, err := os.Stat(dir); err == nil {
		return filepath.Join(dir, "go.mod"), nil
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return "", err
	}
	draft, err := os.MkdirTemp(filepath.Dir(dir), "draft")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(draft)
	if err := build(root, draft, rel, original); err != nil {
		return "", fmt.Errorf("lean: %w", err)
	}
	if err := os.Rename(draft, dir); err != nil {
		if _, there := os.Stat(dir); there != nil {
			return "", err
		} // another build was faster
	}
	return filepath.Join(dir, "go.mod"), nil
}

// download fetches Ebitengine as it is, and returns its folder.
func download(root string) (string, error) {
	var module struct{ Dir, Version, Error string }
	out, err := command(root, nil, "mod", "download", "-json", ebitengine)
	if len(out) > 0 {
		if wrong := json.Unmarshal(out, &module); wrong != nil {
			return "", fmt.Errorf("lean: go mod download: %w", wrong)
		}
	}
	switch {
	case module.Error != "":
		return "", fmt.Errorf("lean: %s", module.Error)
	case err != nil:
		return "", fmt.Errorf("lean: %w", err)
	case module.Version != version:
		return "", fmt.Errorf("lean: cmd/internal/lean was written for Ebitengine %s, and go.mod has %s: compare the files that it replaces", version, module.Version)
	}
	return module.Dir, nil
}

// fingerprint tells copies apart that differ.
func fingerprint(root string) (string, error) {
	h := sha256.New()
	fmt.Fprintln(h, version, kage.Shape())
	for _, name := range []string{"go.mod", "go.sum"} {
		data, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			return "", err
		}
		h.Write(data)
	}
	err := fs.WalkDir(standIns, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := standIns.ReadFile(name)
		fmt.Fprintln(h, name, len(data))
		h.Write(data)
		return err
	})
	return hex.EncodeToString(h.Sum(nil)[:8]), err
}

// build makes the copy in a folder that will be moved to its place.
func build(root, draft, place, original string) error {
	tree := filepath.Join(draft, "ebitengine")
	if err := copyModule(original, tree); err != nil {
		return err
	}
	// The command that compiles ahead still needs all of Ebitengine.
	if err := put(tree, ahead+"/main.go"); err != nil {
		return err
	}
	here, err := filepath.Rel(root, tree)
	if err != nil {
		return err
	}
	if err := writeModfile(root, draft, filepath.ToSlash(here)); err != nil {
		return err
	}
	table, err := command(root, strings.NewReader(kage.Shape()), "run", "-modfile="+filepath.Join(draft, "go.mod"), ebitengine+"/"+ahead)
	if err != nil {
		return fmt.Errorf("compiling shaders: %w", err)
	}
	if err := replace(tree); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(tree, "internal", "legacyshader", "table.go"), table, 0o644); err != nil {
		return err
	}
	return writeModfile(root, draft, place+"/ebitengine")
}

// writeModfile writes the project's go.mod, but for where Ebitengine is. The
// place is relative: the program says which modules it was built from.
func writeModfile(root, dir, place string) error {
	for _, name := range []string{"go.mod", "go.sum"} {
		data, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			return err
		}
		if name == "go.mod" {
			data = fmt.Appendf(data, "\nreplace %s => ./%s\n", ebitengine, place)
		}
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// command runs the go command in the project's folder.
func command(root string, in *strings.Reader, args ...string) ([]byte, error) {
	c := exec.Command("go", args...)
	c.Dir = root
	c.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=-trimpath")
	if in != nil {
		c.Stdin = in
	}
	var problems bytes.Buffer
	c.Stderr = &problems
	out, err := c.Output()
	if err != nil {
		err = fmt.Errorf("go %s: %w\n%s", args[0], err, problems.Bytes())
	}
	return out, err
}
