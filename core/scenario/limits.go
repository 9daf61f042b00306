package scenario

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/token"

	"groupscope/core/protocol"
	"groupscope/core/sim"
)

// The sizes that a scenario may have. Each is far above what a picture can
// show, and low enough that a file can neither hang nor crash its reader.
const (
	MaxFileBytes  = 1 << 20
	MaxPartitions = sim.MaxPartitions // of all topics together, also of those deleted later
	MaxTopics     = sim.MaxTopics
	MaxMembers    = sim.MaxMembers
	MaxSteps      = 10_000
	MaxWork       = 5_000_000          // steps times partitions: what all states together hold
	MaxRun        = 24 * protocol.Hour // of all steps together
	MaxHeartbeats = 200_000            // members times run and at, by the heartbeat interval
	MaxPolls      = 1_000_000          // members times run and at, by the shortest poll of any member

	maxDepth = 32     // of collections inside each other
	maxKeys  = 2_000  // of one mapping
	maxItems = 20_000 // of one list

	maxMarks = 200_000 // characters of the file that separate values

	// absurdDepth is how many brackets a file may leave open, and how many
	// dashes may follow each other, those in texts and comments counted in.
	absurdDepth = 1_000
)

// marks counts the characters that YAML is made of, to refuse a file that
// would take long even to split into tokens.
type marks struct{ all, open, dashes int }

// see takes the next character in, and says when there are too many; "" when
// there are not.
func (m *marks) see(c rune) string {
	switch c {
	case '[', '{':
		m.open++
		m.all++
	case ']', '}':
		m.open = max(0, m.open-1)
	case ',', ':':
		m.all++
	case '-':
		m.dashes++
		m.all++
		if m.dashes > absurdDepth {
			return tooDeep
		}
		return ""
	case ' ':
		return ""
	}
	m.dashes = 0
	switch {
	case m.open > absurdDepth:
		return tooDeep
	case m.all > maxMarks:
		return fmt.Sprintf("the file has more than %s values: that is the limit", grouped(maxMarks))
	}
	return ""
}

var tooDeep = fmt.Sprintf("collections stand inside each other more than %d deep: that is the limit", maxDepth)

// level is an open collection of the text: block collections are told apart
// by their column, flow collections have column 0.
type level struct {
	column int
	item   bool // a block list
	count  int
}

// tooBig looks for nesting and sizes that the YAML parser should not be asked
// to take, since it recurses on both. The message is "" when all is well.
func tooBig(tokens token.Tokens) (place, string) {
	var levels []level
	flow := 0
	for _, tk := range tokens {
		switch tk.Type {
		case token.SequenceStartType, token.MappingStartType:
			flow++
			levels = append(levels, level{})
		case token.SequenceEndType, token.MappingEndType:
			if flow > 0 {
				flow--
				levels = levels[:len(levels)-1]
			}
		case token.CollectEntryType:
			if flow > 0 {
				levels[len(levels)-1].count++
			}
		case token.SequenceEntryType, token.MappingValueType:
			if flow > 0 {
				continue
			}
			levels = enter(levels, tk)
		default:
			continue
		}
		if len(levels) == 0 {
			continue
		}
		top := levels[len(levels)-1]
		limit := maxKeys
		if top.item || top.column == 0 {
			limit = maxItems
		}
		switch {
		case len(levels) > maxDepth:
			return tokenPlace(tk), tooDeep
		case top.count > limit:
			return tokenPlace(tk), fmt.Sprintf("a collection has more than %s entries: that is the limit", grouped(limit))
		}
	}
	return place{}, ""
}

// enter closes the block collections that a "-" or a key ends, and counts it
// in its own.
func enter(levels []level, tk *token.Token) []level {
	item := tk.Type == token.SequenceEntryType
	column := tk.Position.Column
	if !item && tk.Prev != nil && tk.Prev.Position.Line == tk.Position.Line {
		column = tk.Prev.Position.Column
	}
	for n := len(levels); n > 0; n = len(levels) {
		top := levels[n-1]
		if top.column < column || top.column == column && (top.item == item || item) {
			break
		}
		levels = levels[:n-1]
	}
	if n := len(levels); n == 0 || levels[n-1].column != column || levels[n-1].item != item {
		levels = append(levels, level{column: column, item: item})
	}
	levels[len(levels)-1].count++
	return levels
}

// grouped writes a number with commas between its thousands.
func grouped(n int) string {
	s := strconv.Itoa(n)
	if n < 0 {
		return s
	}
	var parts []string
	for len(s) > 3 {
		parts = append([]string{s[len(s)-3:]}, parts...)
		s = s[:len(s)-3]
	}
	return strings.Join(append([]string{s}, parts...), ",")
}
