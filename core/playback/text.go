package playback

import (
	"fmt"
	"strconv"
	"strings"

	"groupscope/core/prose"
	"groupscope/core/protocol"
)

// Seconds writes a duration as prose does: "45 s", "0.4 s", "250 ms"; rounded
// where nobody would say it to the millisecond.
func Seconds(d protocol.Duration) string {
	switch {
	case d%protocol.Second == 0:
		return strconv.FormatInt(int64(d/protocol.Second), 10) + " s"
	case d%(protocol.Second/10) == 0:
		return strconv.FormatFloat(float64(d)/float64(protocol.Second), 'f', 1, 64) + " s"
	case d < protocol.Second:
		return strconv.FormatInt(int64(d), 10) + " ms"
	case d > 10*protocol.Second:
		return strconv.FormatInt(int64((d+protocol.Second/2)/protocol.Second), 10) + " s"
	}
	return strconv.FormatFloat(float64(d)/float64(protocol.Second), 'f', 1, 64) + " s"
}

// CountDown is what is left of a timer as every picture and text has it: whole
// seconds, of which the last one has begun, and minutes from 1000 seconds on.
func CountDown(left protocol.Duration) (n int64, unit string) {
	n = int64((max(0, left) + protocol.Second - 1) / protocol.Second)
	if n >= 1000 {
		return (n + 59) / 60, "min"
	}
	return n, "s"
}

// Left is what is left of a timer, as a text.
func Left(left protocol.Duration) string {
	n, unit := CountDown(left)
	return fmt.Sprintf("%d %s", n, unit)
}

// Partitions writes a sorted list of partitions as prose does: "foo-2",
// "foo 0, 1 and 2", "foo 0 to 11 and bar 3"; "nothing" for none.
func Partitions(ps []protocol.Partition) string {
	switch len(ps) {
	case 0:
		return "nothing"
	case 1:
		return ps[0].String()
	}
	var topics []string
	for len(ps) > 0 {
		n := 1
		for n < len(ps) && ps[n].Topic == ps[0].Topic {
			n++
		}
		topics = append(topics, string(ps[0].Topic)+" "+numbers(ps[:n]))
		ps = ps[n:]
	}
	return prose.And(topics)
}

// numbers writes the numbers of partitions of one topic: "0, 1 and 2", with
// runs of five or more as "0 to 11".
func numbers(ps []protocol.Partition) string {
	var words []string
	for len(ps) > 0 {
		n := 1
		for n < len(ps) && ps[n].Number == ps[0].Number+int32(n) {
			n++
		}
		if n < 5 {
			n = 1
			words = append(words, strconv.Itoa(int(ps[0].Number)))
		} else {
			words = append(words, fmt.Sprintf("%d to %d", ps[0].Number, ps[n-1].Number))
		}
		ps = ps[n:]
	}
	return prose.And(words)
}

// without is what is in a and not in b; both are sorted.
func without(a, b []protocol.Partition) []protocol.Partition {
	var out []protocol.Partition
	for _, p := range a {
		for len(b) > 0 && b[0].Compare(p) < 0 {
			b = b[1:]
		}
		if len(b) == 0 || b[0] != p {
			out = append(out, p)
		}
	}
	return out
}

// common is what is in both; both are sorted.
func common(a, b []protocol.Partition) []protocol.Partition {
	return without(a, without(a, b))
}

// own is the possessive: "A's", "orders' ".
func own(name string) string {
	if strings.HasSuffix(name, "s") {
		return name + "’"
	}
	return name + "’s"
}

// sentence is a clause as a sentence.
func sentence(s string) string {
	if s == "" {
		return s
	}
	return capital(s) + "."
}

// capital begins with a capital if the clause begins with a word of ours;
// names stay as they are.
func capital(s string) string {
	for _, w := range []string{"the ", "clients ", "nothing ", "time ", "somebody ", "an operator ", "a tool "} {
		if strings.HasPrefix(s, w) {
			return strings.ToUpper(s[:1]) + s[1:]
		}
	}
	return s
}
