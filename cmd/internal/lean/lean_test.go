package lean

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const project = "../../.."

func TestTheProgramIsBuiltWithoutTheShaderCompiler(t *testing.T) {
	modfile, err := Prepare(project)
	require.NoError(t, err)
	list := exec.Command("go", "list", "-modfile="+modfile, "-deps", "./wasm")
	list.Dir, list.Env = project, append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0")
	out, err := list.Output()
	require.NoError(t, err)
	packages := strings.Fields(string(out))
	assert.Contains(t, packages, ebitengine)
	// text/template above all: it looks methods up by name, so the linker keeps all of them.
	for _, p := range []string{"text/template", "go/printer", "go/build", "encoding/gob", "net"} {
		assert.NotContains(t, packages, p)
	}
}

func TestTheCopyIsMadeOnceAndHoldsOurShaderAndEbitenginesOwn(t *testing.T) {
	modfile, err := Prepare(project)
	require.NoError(t, err)
	table := filepath.Join(filepath.Dir(modfile), "ebitengine", "internal", "legacyshader", "table.go")
	before, err := os.Stat(table)
	require.NoError(t, err)
	text, err := os.ReadFile(table)
	require.NoError(t, err)
	assert.Equal(t, 1+9+1, strings.Count(string(text), "\tshaderir.SourceID{"), "ours, three filters by three addresses, clear")
	assert.Contains(t, string(text), `"Palette"`, "our shader's variables keep their names")

	again, err := Prepare(project)
	require.NoError(t, err)
	assert.Equal(t, modfile, again)
	after, err := os.Stat(table)
	require.NoError(t, err)
	assert.Equal(t, before.ModTime(), after.ModTime())
}

func TestTheProgramDoesNotSayWhereItWasBuilt(t *testing.T) {
	modfile, err := Prepare(project)
	require.NoError(t, err)
	text, err := os.ReadFile(modfile)
	require.NoError(t, err)
	assert.Contains(t, string(text), "\nreplace "+ebitengine+" => ./.cache/lean-")
}

func TestAnotherVersionOfEbitengineHasToBeLookedAtFirst(t *testing.T) {
	root := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(root, "go.mod"), []byte("module other\n\ngo 1.26\n"), 0o644))
	_, err := Prepare(root)
	assert.ErrorContains(t, err, "lean: ")
}
