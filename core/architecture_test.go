package core_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const module = "groupscope/"

// source is one Go file of the project, test files left out.
type source struct {
	path string // from the project's root, with slashes
	file *ast.File
	set  *token.FileSet
}

func (s source) pkg() string { return filepath.ToSlash(filepath.Dir(s.path)) }

func (s source) imports() []string {
	var out []string
	for _, spec := range s.file.Imports {
		path, _ := strconv.Unquote(spec.Path.Value)
		out = append(out, path)
	}
	return out
}

func sources(t *testing.T) []source {
	t.Helper()
	var out []source
	root := ".."
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() && (name == "dist" || name == "testdata" || strings.HasPrefix(name, ".") && path != root) {
			return fs.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, path)
		out = append(out, source{filepath.ToSlash(rel), file, set})
		return err
	})
	require.NoError(t, err)
	require.NotEmpty(t, out)
	return out
}

// layers lists, for each package that has a place in the picture of the
// architecture, the packages of the project that it may import.
var layers = map[string][]string{
	"core/protocol":      {},
	"core/prose":         {},
	"core/journal":       {},
	"core/canon":         {"core/protocol"},
	"core/rules":         {"core/protocol"},
	"core/record":        {"core/protocol"},
	"core/assignor":      {"core/protocol"},
	"core/consumergroup": {"core/protocol", "core/rules", "core/record", "core/assignor"},
	"core/classicgroup":  {"core/protocol", "core/record"},
	"core/streamsgroup":  {"core/protocol", "core/rules", "core/record", "core/assignor"},
	"core/coordinator":   {"core/prose", "core/journal", "core/protocol", "core/rules", "core/record", "core/assignor", "core/consumergroup", "core/classicgroup", "core/streamsgroup"},
	"core/client":        {"core/protocol", "core/rules", "core/record"},
	"core/sim":           {"core/journal", "core/canon", "core/protocol", "core/rules", "core/record", "core/assignor", "core/coordinator", "core/client"},
	"core/scenario":      {"core/prose", "core/protocol", "core/rules", "core/record", "core/client", "core/coordinator", "core/sim"},
	"core/explore":       {"core/canon", "core/protocol", "core/rules", "core/sim", "core/scenario"},
	"core/playback":      {"core/prose", "core/protocol", "core/rules", "core/record", "core/coordinator", "core/sim", "core/scenario"},
	"core/session":       {"core/protocol", "core/rules", "core/record", "core/client", "core/coordinator", "core/sim", "core/scenario", "core/playback"},
	"render/scene":       {},
	"render/svg":         {"render/scene", "render/scene/face"},
	"render/board":       {"core/protocol", "core/record", "core/coordinator", "core/sim", "core/playback", "render/scene"},
	"render/screen":      {"render/scene", "render/scene/face"},
}

func TestDependenciesPointDown(t *testing.T) {
	for _, s := range sources(t) {
		allowed, ruled := layers[s.pkg()]
		if !ruled {
			continue
		}
		for _, path := range s.imports() {
			inner, ours := strings.CutPrefix(path, module)
			if ours && !strings.HasPrefix(inner, s.pkg()+"/") {
				assert.Contains(t, allowed, inner, "%s imports %s", s.path, inner)
			}
		}
	}
}

func TestOnePackageImportsEbitengine(t *testing.T) {
	for _, s := range sources(t) {
		if strings.Contains(s.path, "/_ebitengine/") {
			continue // becomes a part of Ebitengine's copy
		}
		for _, path := range s.imports() {
			if strings.HasPrefix(path, "github.com/hajimehoshi/ebiten") {
				assert.Equal(t, "render/screen", s.pkg(), s.path)
			}
		}
	}
}

// TestTheCoreIsAFunctionOfItsInput holds what makes a run repeatable: nothing
// under core/ reads a clock, starts a goroutine or draws from randomness that
// was not handed in.
func TestTheCoreIsAFunctionOfItsInput(t *testing.T) {
	for _, s := range sources(t) {
		if !strings.HasPrefix(s.path, "core/") {
			continue
		}
		assert.NotContains(t, s.imports(), "math/rand", s.path)
		ast.Inspect(s.file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.GoStmt:
				assert.Fail(t, "starts a goroutine", s.set.Position(n.Pos()).String())
			case *ast.SelectorExpr:
				x, ok := n.X.(*ast.Ident)
				if !ok || x.Obj != nil {
					break
				}
				name := x.Name + "." + n.Sel.Name
				assert.NotContains(t, []string{"time.Now", "time.Since", "time.After", "time.Sleep", "time.NewTimer"}, name,
					s.set.Position(n.Pos()).String())
				if x.Name == "rand" {
					assert.Contains(t, []string{"rand.New", "rand.NewPCG", "rand.PCG", "rand.Rand", "rand.Source"}, name,
						"%s: global randomness", s.set.Position(n.Pos()))
				}
			}
			return true
		})
	}
}

// TestRuleSetsAreAskedByField: a package that decides something asks for a
// field of core/rules, never which rule set is in force. Files that only name
// the rule sets to a person (the file format, the page) may.
func TestRuleSetsAreAskedByField(t *testing.T) {
	deciding := map[string]bool{
		"core/assignor": true, "core/consumergroup": true, "core/coordinator": true, "core/client": true, "core/sim": true,
	}
	for _, s := range sources(t) {
		if !deciding[s.pkg()] {
			continue
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.BasicLit:
				if n.Kind == token.STRING {
					text, _ := strconv.Unquote(n.Value)
					assert.NotContains(t, []string{"kip", "kafka"}, text, s.set.Position(n.Pos()).String())
				}
			case *ast.SelectorExpr:
				assert.False(t, namesRules(n), "%s: asks which rule set it is", s.set.Position(n.Pos()))
			case *ast.BinaryExpr:
				assert.False(t, (n.Op == token.EQL || n.Op == token.NEQ) && (isRules(n.X) || isRules(n.Y)),
					"%s: compares whole rule sets", s.set.Position(n.Pos()))
			}
			return true
		})
	}
}

// namesRules reports x.Rules.Name, rules.Kip and their like.
func namesRules(n *ast.SelectorExpr) bool {
	if isRules(n.X) {
		return n.Sel.Name == "Name" || n.Sel.Name == "Title"
	}
	x, ok := n.X.(*ast.Ident)
	return ok && x.Name == "rules" && n.Sel.Name != "Rules" && x.Obj == nil && !ruleValue(n.Sel.Name)
}

// ruleValue reports that a name of core/rules is the value of a field, which
// everybody may compare a field with.
func ruleValue(name string) bool {
	for _, which := range []string{"Kip", "Kafka", "All", "ByName"} {
		if name == which {
			return false
		}
	}
	return true
}

func isRules(x ast.Expr) bool {
	switch x := x.(type) {
	case *ast.SelectorExpr:
		return x.Sel.Name == "Rules"
	case *ast.Ident:
		return x.Name == "rules" && x.Obj != nil
	}
	return false
}

// The sizes of rooms: files and functions that can be read in one go.
const (
	mostLines         = 400
	mostFunctionLines = 70
)

// TestOnlyTestsBreakARule: a rule that is broken on purpose is handed from the
// coordinator's config to the reconciliation, and nobody else speaks of it.
func TestOnlyTestsBreakARule(t *testing.T) {
	for _, s := range sources(t) {
		if s.pkg() == "core/coordinator" || s.pkg() == "core/streamsgroup" {
			continue
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				assert.NotContains(t, []string{"BrokenRule", "GrantsHeldTasks"}, id.Name, s.set.Position(n.Pos()).String())
			}
			return true
		})
	}
}

func TestRoomsAreSmall(t *testing.T) {
	for _, s := range sources(t) {
		lines := s.set.File(s.file.Pos()).LineCount()
		assert.LessOrEqual(t, lines, mostLines, "%s has %d lines", s.path, lines)
		for _, decl := range s.file.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok && f.Body != nil {
				n := s.set.Position(f.End()).Line - s.set.Position(f.Pos()).Line + 1
				assert.LessOrEqual(t, n, mostFunctionLines, "%s: %s has %d lines", s.path, f.Name.Name, n)
			}
		}
	}
}

func TestExportedThingsAreDocumented(t *testing.T) {
	for _, s := range sources(t) {
		if strings.HasPrefix(s.path, "cmd/") {
			continue
		}
		for _, decl := range s.file.Decls {
			switch d := decl.(type) {
			case *ast.FuncDecl:
				exported := d.Name.IsExported() && (d.Recv == nil || receiverExported(d.Recv))
				assert.False(t, exported && d.Doc == nil, "%s: %s has no doc comment", s.path, d.Name.Name)
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					if ts, ok := spec.(*ast.TypeSpec); ok && ts.Name.IsExported() {
						assert.False(t, d.Doc == nil && ts.Doc == nil && ts.Comment == nil, "%s: %s has no doc comment", s.path, ts.Name.Name)
					}
				}
			}
		}
	}
}

func receiverExported(recv *ast.FieldList) bool {
	typ := recv.List[0].Type
	if star, ok := typ.(*ast.StarExpr); ok {
		typ = star.X
	}
	id, ok := typ.(*ast.Ident)
	return ok && id.IsExported()
}

func TestNoLeftoverMarkers(t *testing.T) {
	markers := []string{"TO" + "DO", "FIX" + "ME", "XX" + "X"}
	for _, s := range sources(t) {
		for _, group := range s.file.Comments {
			for _, m := range markers {
				assert.NotContains(t, group.Text(), m, "%s", s.set.Position(group.Pos()))
			}
		}
	}
}
