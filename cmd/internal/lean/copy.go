package lean

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// copyModule copies what a program is built from: the package itself and those
// below internal/, without tests.
func copyModule(from, to string) error {
	return filepath.WalkDir(from, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, file)
		if err != nil {
			return err
		}
		slashed := filepath.ToSlash(rel)
		top, _, nested := strings.Cut(slashed, "/")
		switch {
		case d.IsDir() && slashed != "." && (top != "internal" || d.Name() == "testdata"):
			return fs.SkipDir
		case d.IsDir():
			return os.MkdirAll(filepath.Join(to, rel), 0o755)
		case strings.HasSuffix(slashed, "_test.go"), !nested && path.Ext(slashed) != ".go" && slashed != "go.mod" && slashed != "go.sum" && slashed != "LICENSE":
			return nil
		}
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, rel), data, 0o644)
	})
}

// put writes one of the stand-ins.
func put(tree, name string) error {
	data, err := standIns.ReadFile("_ebitengine/" + name)
	if err != nil {
		return err
	}
	file := filepath.Join(tree, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return os.WriteFile(file, data, 0o644)
}

// replace takes the compiler out.
func replace(tree string) error {
	for _, dir := range append([]string{ahead}, whole...) {
		if err := os.RemoveAll(filepath.Join(tree, filepath.FromSlash(dir))); err != nil {
			return err
		}
	}
	err := fs.WalkDir(standIns, "_ebitengine", func(name string, d fs.DirEntry, err error) error {
		name = strings.TrimPrefix(name, "_ebitengine/")
		if err != nil || d.IsDir() || path.Dir(name) == ahead {
			return err
		}
		return put(tree, name)
	})
	if err != nil {
		return err
	}
	file := filepath.Join(tree, filepath.FromSlash(driver))
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if bytes.Count(data, []byte(compiles)) != 1 {
		return fmt.Errorf("%s does not compile shaders where it did", driver)
	}
	return os.WriteFile(file, bytes.Replace(data, []byte(compiles), []byte(refuses), 1), 0o644)
}
