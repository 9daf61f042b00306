// Package prose has the few turns of English that texts of several packages
// need.
package prose

import (
	"strconv"
	"strings"
)

// And reads "a", "a and b", "a, b and c"; "" for no words.
func And(words []string) string { return list(words, "and") }

// Or reads "a", "a or b", "a, b or c"; "" for no words.
func Or(words []string) string { return list(words, "or") }

func list(words []string, last string) string {
	n := len(words)
	if n < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:n-1], ", ") + " " + last + " " + words[n-1]
}

// Count reads "1 member", "2 members".
func Count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return strconv.Itoa(n) + " " + thing + "s"
}

// IsAre is the verb for so many things.
func IsAre(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}
