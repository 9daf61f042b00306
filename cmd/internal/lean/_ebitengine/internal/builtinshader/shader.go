// Package builtinshader stands in for Ebitengine's: it has the names of the
// shaders, under which those that were compiled ahead are found.
package builtinshader

import "strconv"

// Filter is how pixels between those of an image come about.
type Filter int

// The filters.
const (
	FilterNearest Filter = iota
	FilterLinear
	FilterPixelated
)

// FilterCount is how many filters there are.
const FilterCount = 3

// Address is what is outside of an image.
type Address int

// What may be there.
const (
	AddressUnsafe Address = iota
	AddressClampToZero
	AddressRepeat
)

// AddressCount is how many of them there are.
const AddressCount = 3

// ShaderSource names the shader that draws an image.
func ShaderSource(filter Filter, address Address) []byte {
	return []byte("built in: filter " + strconv.Itoa(int(filter)) + ", address " + strconv.Itoa(int(address)))
}

// ClearShaderSource names the shader that clears.
const ClearShaderSource = "built in: clear"
