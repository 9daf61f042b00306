package scenario

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"groupscope/core/protocol"
)

// reader collects the diagnostics of one file. Its methods read a node as
// something and report when it is not; they go on after a fault, so that one
// reading finds all mistakes.
type reader struct {
	file        string
	lines       []string
	diagnostics []Diagnostic
	world       world
	anyTask     bool // a request may name tasks that there are none of
}

func newReader(file, source string) *reader {
	return &reader{file: file, lines: strings.Split(source, "\n")}
}

func (r *reader) sorted() []Diagnostic {
	r.diagnostics = sortedByPlace(r.diagnostics)
	return r.diagnostics
}

func (r *reader) fault(n *node, message, hint string) { r.faultAt(n.at, message, hint) }

func (r *reader) faultAt(at place, message, hint string) {
	r.diagnostics = append(r.diagnostics, diagnosticAt(r.file, r.lines, at, message, hint))
}

// wanted reports that a node is not what belongs there.
func (r *reader) wanted(n *node, what string) {
	switch {
	case n.kind == refused: // reported already
	case n.blank:
		r.fault(n, "nothing is written here: "+what, "")
	default:
		r.fault(n, "not "+n.word()+": "+what, "")
	}
}

// mapping checks that the node is a mapping that has no other keys than the
// known ones.
func (r *reader) mapping(n *node, what string, known []string) bool {
	if n.kind != mapping {
		r.wanted(n, what)
		return false
	}
	for _, e := range n.entries {
		if !slices.Contains(known, e.key.text) {
			r.unknownKey(e.key, known)
		}
	}
	return true
}

func (r *reader) unknownKey(key *node, known []string) {
	if near := nearest(key.text, known); near != "" {
		r.fault(key, "no such key: "+key.text, "Did you mean "+near+"?")
		return
	}
	r.fault(key, "no such key here: "+key.text, "One of: "+strings.Join(known, ", "))
}

// text reads a text; a number or a truth value counts as what is written.
func (r *reader) text(n *node, what string) (string, bool) {
	if !n.scalar() || n.text == "" {
		r.wanted(n, what)
		return "", false
	}
	if i := strings.IndexFunc(n.text, unprintable); i >= 0 {
		r.fault(n, fmt.Sprintf("the text holds %U, which cannot be shown", []rune(n.text[i:])[0]), "")
		return "", false
	}
	return n.text, true
}

// unprintable are characters that would act on a terminal, or turn the words
// around them about, instead of being read.
func unprintable(c rune) bool {
	return unicode.IsControl(c) && c != '\n' && c != '\t' || unicode.Is(unicode.Bidi_Control, c)
}

// words reads a text of at most so many characters, in one line or several.
func (r *reader) words(n *node, what string, most int) string {
	s, ok := r.text(n, what)
	if ok && len([]rune(s)) > most {
		r.fault(n, fmt.Sprintf("%d characters are too long: at most %d", len([]rune(s)), most), "")
	}
	return s
}

// integer reads a whole number between two bounds.
func (r *reader) integer(n *node, what string, low, high int64) (int64, bool) {
	if n.kind != number {
		r.wanted(n, what)
		return 0, false
	}
	v, err := strconv.ParseInt(n.text, 10, 64)
	huge := errors.Is(err, strconv.ErrRange)
	if err != nil && !huge {
		r.wanted(n, what)
		return 0, false
	}
	if huge || v < low || v > high {
		r.fault(n, fmt.Sprintf("%s is out of range: from %s to %s", n.text, grouped(int(low)), grouped(int(high))), "")
		return 0, false
	}
	return v, true
}

// truth reads true or false.
func (r *reader) truth(n *node, what string) (is, ok bool) {
	if n.kind != truth {
		r.wanted(n, what)
		return false, false
	}
	return n.text == "true", true
}

// errorCode reads the name of an error.
func (r *reader) errorCode(n *node) (protocol.ErrorCode, bool) {
	name, ok := r.text(n, "an error is one of Kafka's constants, or NONE")
	if !ok {
		return 0, false
	}
	code, known := protocol.ParseErrorCode(name)
	if !known {
		hint := "For instance FENCED_MEMBER_EPOCH, or NONE"
		if near := nearest(name, protocol.ErrorNames()); near != "" {
			hint = "Did you mean " + near + "?"
		}
		r.fault(n, "no such error: "+name, hint)
	}
	return code, known
}

// duration reads "45s", "20m", "1200000ms" or 0.
func (r *reader) duration(n *node) (protocol.Duration, bool) {
	if !n.scalar() {
		r.wanted(n, "a duration belongs here, such as 20m, 1200s or 1200000ms")
		return 0, false
	}
	d, err := protocol.ParseDuration(n.text)
	if err != nil {
		r.fault(n, err.Error(), "")
		return 0, false
	}
	return d, true
}

// span reads a duration, or two with ".." between them.
func (r *reader) span(n *node) (low, high protocol.Duration, ok bool) {
	first, second, two := strings.Cut(n.text, "..")
	if !n.scalar() || !two {
		low, ok = r.duration(n)
		return low, low, ok
	}
	low, err := protocol.ParseDuration(first)
	if err == nil {
		high, err = protocol.ParseDuration(second)
	}
	switch {
	case err != nil:
		r.fault(n, "not a span of time: write 5ms..20ms", "")
	case low > high:
		r.fault(n, fmt.Sprintf("the span ends before it begins: write %v..%v", high, low), "")
	default:
		return low, high, true
	}
	return 0, 0, false
}

// oneOf reads a word out of a few.
func (r *reader) oneOf(n *node, what string, known []string) (string, bool) {
	if !n.scalar() {
		r.wanted(n, what+": "+orList(known))
		return "", false
	}
	if slices.Contains(known, n.text) {
		return n.text, true
	}
	if near := nearest(n.text, known); near != "" {
		r.fault(n, "no such "+what+": "+n.text, "Did you mean "+near+"?")
	} else {
		r.fault(n, "no such "+what+": "+n.text, "One of: "+strings.Join(known, ", "))
	}
	return "", false
}

// names reads a list of texts; one text alone counts as a list of one.
func (r *reader) names(n *node, what string) ([]*node, bool) {
	if n.scalar() && n.text != "" {
		return []*node{n}, true
	}
	if n.kind != list {
		r.wanted(n, what)
		return nil, false
	}
	ok := true
	for _, item := range n.items {
		if _, fine := r.text(item, what); !fine {
			ok = false
		}
	}
	return n.items, ok
}

// name checks a word that stands for something in links, records and tables.
func (r *reader) name(n *node, what string) (string, bool) {
	s, ok := r.text(n, what)
	if !ok {
		return "", false
	}
	fine := len(s) <= 40
	for i, c := range s {
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
		fine = fine && (letter || i > 0 && strings.ContainsRune("-_.", c))
	}
	if !fine {
		r.fault(n, "not a name: "+quoted(s), "Letters and digits, and - _ . after the first; at most 40 of them")
	}
	return s, fine
}
