// Package kage holds the boards' shader, in the language of Ebitengine's
// shaders: for the program, and for its build, which compiles it ahead.
package kage

import (
	_ "embed"
	"strconv"
	"strings"

	"groupscope/render/scene"
)

//go:embed shape.kage
var shape string

// Shape is the shader that draws every shape and mark.
func Shape() string {
	return strings.Replace(shape, "COLORS", strconv.Itoa(scene.Colors), 1)
}
