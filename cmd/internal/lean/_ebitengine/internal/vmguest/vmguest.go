// Package vmguest stands in for Ebitengine's: a program in a browser is never
// the guest of another one.
package vmguest

// MarkGuest notes whether this program is a guest.
func MarkGuest(guest bool) {
	if guest {
		panic("vmguest: not in a browser")
	}
}

// IsGuest reports whether this program is a guest.
func IsGuest() bool { return false }
