// Package colormshader stands in for Ebitengine's: colour matrices are not
// used, so their shaders are not there.
package colormshader

// Filter has the values of builtinshader.Filter.
type Filter int

// Address has the values of builtinshader.Address.
type Address int

// The names of the matrix.
const (
	UniformColorMBody        = "ColorMBody"
	UniformColorMTranslation = "ColorMTranslation"
)

// ShaderSource names a shader that was not compiled.
func ShaderSource(Filter, Address) []byte { return []byte("built in: colour matrix") }
