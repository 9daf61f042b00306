package assignor

import (
	"slices"
	"strings"
)

// nameTag stands for a member that is sorted by a text of its own.
type nameTag struct {
	member int32
	digits [2]byte // what follows after what all the texts begin with
}

// sortText is what the member is sorted by.
func (m *Member) sortText() string {
	if m.InstanceID != "" {
		return m.InstanceID
	}
	return m.ID
}

// sortTags sorts by text. Two bytes tell most texts apart, so tags are dealt
// by those first, as cards are, and only then compared. Spare is as long as
// tags and used up.
func sortTags(members []Member, tags, spare []nameTag) {
	if len(tags) < 2 {
		return
	}
	same := commonPrefix(members, tags)
	var start [2][256]int32 // where the tags with a digit begin
	for i := range tags {
		t := &tags[i]
		if text := members[t.member].sortText()[same:]; len(text) > 1 {
			t.digits = [2]byte{text[0], text[1]}
		} else {
			copy(t.digits[:], text)
		}
		start[0][t.digits[0]]++
		start[1][t.digits[1]]++
	}
	for d := range start {
		sum := int32(0)
		for b, n := range start[d] {
			start[d][b] = sum
			sum += n
		}
	}
	deal(tags, spare, 1, &start[1])
	deal(spare, tags, 0, &start[0])
	for rest := tags; len(rest) > 0; {
		n := 1
		for n < len(rest) && rest[n].digits == rest[0].digits {
			n++
		}
		if n > 1 {
			slices.SortFunc(rest[:n], func(a, b nameTag) int {
				return strings.Compare(members[a.member].sortText(), members[b.member].sortText())
			})
		}
		rest = rest[n:]
	}
}

// commonPrefix is the length of what all the texts begin with.
func commonPrefix(members []Member, tags []nameTag) int {
	prefix := members[tags[0].member].sortText()
	for i := 1; i < len(tags) && prefix != ""; i++ {
		n, text := 0, members[tags[i].member].sortText()
		for n < len(prefix) && n < len(text) && text[n] == prefix[n] {
			n++
		}
		prefix = prefix[:n]
	}
	return len(prefix)
}

// deal sorts by one digit; tags with the same one keep their order.
func deal(from, to []nameTag, digit int, start *[256]int32) {
	for i := range from {
		at := &start[from[i].digits[digit]]
		to[*at] = from[i]
		*at++
	}
}
