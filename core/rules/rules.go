// Package rules holds the places where the KIP texts and the broker differ.
package rules

// Rules: one field a difference.
type Rules struct {
	Name string
}
