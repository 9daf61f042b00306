// Package legacyshader stands in for Ebitengine's: shaders are not compiled
// while the program runs, they come from table, which the build has written.
package legacyshader

import (
	"errors"

	"github.com/hajimehoshi/ebiten/v2/internal/shaderir"
	"github.com/hajimehoshi/ebiten/v2/internal/shaderprecomp"
)

// Unit is the unit of coordinates that a shader is written in.
type Unit int

// The units.
const (
	Texels Unit = iota
	Pixels
)

// shader is what is left of a compiled shader: what its caller has to know,
// and its text for the graphics card.
type shader struct {
	unit     Unit
	names    []string        // of uniform variables
	uniforms []shaderir.Type // their types
	used     []int           // those that make a difference
	textures int
	inputs   []shaderir.Type // of a vertex
	between  []shaderir.Type // from there to the fragment
	vertex   string          // GLSL ES 3.00
	fragment string
}

func init() {
	for id, s := range table {
		shaderprecomp.RegisterGLSL(id, nil, nil, []byte(s.vertex), []byte(s.fragment))
	}
}

// CompileShader finds a shader that was compiled ahead.
func CompileShader(source []byte) (*shaderir.Program, Unit, error) {
	id := shaderir.CalcSourceID(source)
	s, ok := table[id]
	if !ok {
		return nil, 0, errors.New("this shader was not compiled ahead (cmd/internal/lean)")
	}
	used := &shaderir.Block{}
	for _, i := range s.used {
		used.Stmts = append(used.Stmts, shaderir.Stmt{Type: shaderir.ExprStmt, Exprs: []shaderir.Expr{{Type: shaderir.UniformVariable, Index: i}}})
	}
	return &shaderir.Program{
		UniformNames: s.names, Uniforms: s.uniforms, TextureCount: s.textures, Attributes: s.inputs, Varyings: s.between,
		VertexFunc: shaderir.VertexFunc{Block: &shaderir.Block{}}, FragmentFunc: shaderir.FragmentFunc{Block: used}, SourceID: id,
	}, s.unit, nil
}
