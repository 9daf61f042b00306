// Package face holds the two weights of the face of the pictures as TrueType.
package face

import _ "embed"

// Regular and Medium are "Groupscope Inter", subsets of Inter: see NOTE.md.
// They are not to be changed.
var (
	//go:embed inter-regular.ttf
	Regular []byte
	//go:embed inter-medium.ttf
	Medium []byte
)
