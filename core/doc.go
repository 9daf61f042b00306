// Package core has nothing but the tests that hold the project's architecture
// together: which package may import which, and what may not happen in them.
// The model itself is in the packages below this folder.
package core
