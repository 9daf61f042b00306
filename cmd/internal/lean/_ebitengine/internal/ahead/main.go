// Command ahead is put into a copy of Ebitengine. It compiles the shader on
// its input, and those that Ebitengine brings, and writes the table of them
// that the other files here look shaders up in.
package main

import (
	"fmt"
	"io"
	"os"

	"github.com/hajimehoshi/ebiten/v2/internal/builtinshader"
	"github.com/hajimehoshi/ebiten/v2/internal/legacyshader"
	"github.com/hajimehoshi/ebiten/v2/internal/shaderir"
	"github.com/hajimehoshi/ebiten/v2/internal/shaderir/glsl"
)

func main() {
	own, err := io.ReadAll(os.Stdin)
	if err != nil {
		fail(err)
	}
	fmt.Printf("package legacyshader\n\nimport %q\n\nvar table = map[shaderir.SourceID]*shader{\n", "github.com/hajimehoshi/ebiten/v2/internal/shaderir")
	write(string(own), own)
	for filter := range builtinshader.Filter(builtinshader.FilterCount) {
		for address := range builtinshader.Address(builtinshader.AddressCount) {
			write(fmt.Sprintf("built in: filter %d, address %d", filter, address), builtinshader.ShaderSource(filter, address))
		}
	}
	write("built in: clear", []byte(builtinshader.ClearShaderSource))
	fmt.Println("}")
}

// write compiles a shader and writes the entry that a name finds it by.
func write(name string, source []byte) {
	p, unit, err := legacyshader.CompileShader(source)
	if err != nil {
		fail(err)
	}
	vertex, fragment := glsl.Compile(p, glsl.GLSLVersionES300)
	fmt.Printf("\t%#v: {%d, %#v, %#v, %#v, %d, %#v, %#v, %q, %q},\n",
		shaderir.CalcSourceID([]byte(name)), unit, p.UniformNames, p.Uniforms, used(p), p.TextureCount, p.Attributes, p.Varyings, vertex, fragment)
}

// used are the uniform variables that make a difference.
func used(p *shaderir.Program) []int {
	words := 0
	for _, t := range p.Uniforms {
		words += t.DwordCount()
	}
	values := make([]uint32, words)
	for i := range values {
		values[i] = 1
	}
	p.FilterUniformVariables(values)
	out := []int{}
	at := 0
	for i, t := range p.Uniforms {
		if n := t.DwordCount(); n > 0 && values[at] == 1 {
			out = append(out, i)
		}
		at += t.DwordCount()
	}
	return out
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "ahead:", err)
	os.Exit(1)
}
