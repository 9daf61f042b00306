package scenario

import (
	"slices"
	"strings"

	"groupscope/core/prose"
)

// nearest finds the known word that was probably meant: the same but for case
// or dashes, one that begins or ends the same, or the one with the fewest
// slips of the finger. "" when none is near.
func nearest(word string, known []string) string {
	plain := func(s string) string {
		return strings.ToLower(strings.NewReplacer("-", "", "_", "", ".", "").Replace(s))
	}
	w := plain(word)
	if w == "" || len(w) > 80 {
		return ""
	}
	best, distance := "", max(1, len(w)/3)+1
	for _, k := range known {
		p := plain(k)
		d := slips(w, p)
		if len(w) >= 4 && (strings.HasPrefix(p, w) || strings.HasSuffix(p, w)) {
			d = min(d, 1)
		}
		if d < distance {
			best, distance = k, d
		}
	}
	return best
}

// slips counts letters to insert, delete, replace or swap with their
// neighbour to make b of a.
func slips(a, b string) int {
	x, y := []rune(a), []rune(b)
	before, previous := make([]int, len(y)+1), make([]int, len(y)+1)
	for j := range previous {
		previous[j] = j
	}
	for i := 1; i <= len(x); i++ {
		current := make([]int, len(y)+1)
		current[0] = i
		for j := 1; j <= len(y); j++ {
			cost := 1
			if x[i-1] == y[j-1] {
				cost = 0
			}
			current[j] = min(previous[j]+1, current[j-1]+1, previous[j-1]+cost)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				current[j] = min(current[j], before[j-2]+1)
			}
		}
		before, previous = previous, current
	}
	return previous[len(y)]
}

// andList reads "A, B and C".
func andList(words []string) string { return prose.And(few(words)) }

// orList reads "A, B or C".
func orList(words []string) string { return prose.Or(few(words)) }

// few cuts a list to what somebody would read.
func few(words []string) []string {
	switch {
	case len(words) == 0:
		return []string{"none"}
	case len(words) > 8:
		return append(slices.Clone(words[:8]), "others")
	}
	return words
}
