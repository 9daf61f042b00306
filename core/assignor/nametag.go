package assignor

import (
	"slices"
	"strings"
)

// nameTag is a member and the text that it is sorted by.
type nameTag struct {
	text   string
	member int32
	digits [2]byte // what follows after what all the texts begin with
}

// sortTags sorts by text. Two bytes tell most texts apart, so tags are dealt
// by those first, as cards are, and only then compared.
func sortTags(tags []nameTag) []nameTag {
	if len(tags) < 2 {
		return tags
	}
	same := commonPrefix(tags)
	for i := range tags {
		t := &tags[i]
		copy(t.digits[:], t.text[same:])
	}
	tags = deal(deal(tags, 1), 0)
	for rest := tags; len(rest) > 0; {
		n := 1
		for n < len(rest) && rest[n].digits == rest[0].digits {
			n++
		}
		slices.SortFunc(rest[:n], func(a, b nameTag) int { return strings.Compare(a.text, b.text) })
		rest = rest[n:]
	}
	return tags
}

// commonPrefix is the length of what all the texts begin with.
func commonPrefix(tags []nameTag) int {
	prefix := tags[0].text
	for i := range tags {
		n := 0
		for n < len(prefix) && n < len(tags[i].text) && tags[i].text[n] == prefix[n] {
			n++
		}
		prefix = prefix[:n]
	}
	return len(prefix)
}

// deal sorts by one digit; tags with the same one keep their order.
func deal(tags []nameTag, digit int) []nameTag {
	var start [257]int32
	for i := range tags {
		start[int(tags[i].digits[digit])+1]++
	}
	for b := range 256 {
		start[b+1] += start[b]
	}
	out := make([]nameTag, len(tags))
	for i := range tags {
		at := &start[tags[i].digits[digit]]
		out[*at] = tags[i]
		*at++
	}
	return out
}
