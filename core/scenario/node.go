package scenario

import (
	"strings"
	"unicode/utf8"
)

// kind is what a piece of YAML is. The reader of the format works on this
// small tree, so only yaml.go knows the library that parses YAML.
type kind int8

const (
	nothing kind = iota // null, or no value at all
	truth               // true or false
	number              // anything that YAML reads as a number
	text                // any other scalar
	mapping             // key: value
	list                // - item
	refused             // a construct that was reported already
)

// node is one value of the file.
type node struct {
	kind    kind
	at      place
	end     position // the last character of a scalar or of a flow collection
	text    string   // of a scalar: a text's value, all others as written
	blank   bool     // of nothing: no value is written at all
	flow    bool     // of a collection: {…} or […]
	entries []entry
	items   []*node
	starts  []position // of a block list: the dash of each item
}

// position is a line and a column, both from 1.
type position struct{ line, column int }

// entry is one key of a mapping with its value.
type entry struct{ key, value *node }

// get finds the value of a key; nil when the mapping has no such key.
func (n *node) get(key string) *node {
	for _, e := range n.entries {
		if e.key.text == key {
			return e.value
		}
	}
	return nil
}

// has reports whether the mapping has the key.
func (n *node) has(key string) bool { return n.get(key) != nil }

// scalar reports whether the node is a single value.
func (n *node) scalar() bool { return n.kind == text || n.kind == number || n.kind == truth }

// word describes the node's kind in a message.
func (n *node) word() string {
	switch n.kind {
	case nothing:
		return "nothing"
	case truth:
		return n.text
	case number:
		return "the number " + n.text
	case text:
		return quoted(n.text)
	case mapping:
		return "a mapping"
	case list:
		return "a list"
	}
	return "this"
}

// quoted is a text as it is cited in a message, cut when it is long.
func quoted(s string) string {
	if utf8.RuneCountInString(s) > 40 {
		s = string([]rune(s)[:39]) + "…"
	}
	return `"` + strings.ReplaceAll(s, "\n", " ") + `"`
}
