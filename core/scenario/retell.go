package scenario

import (
	"slices"
	"strings"

	"groupscope/core/sim"
)

// How a scenario goes on in another way, as a file.

// Done is something done after the steps that a branch keeps: a step of its
// own, under a name to link to, or without one ("").
type Done struct {
	Name string
	Do   sim.Action
	Say  string // "" for nothing
	// Violations are the invariants that are expected not to hold after it.
	Violations []string
}

// Branch writes a scenario that begins as sc does and goes on in another way:
// the file's own text up to and including its first keep steps, then a step
// for each thing done. The copy has the given title ("" keeps the file's own), and
// names only the rule set under which the actions were done.
func Branch(sc *Scenario, ruleSet string, keep int, done []Done, title string) []byte {
	return newEditor(sc).branch(ruleSet, keep, done, title)
}

// Retell is Branch for what is a story of its own: it has another summary, and
// nothing of what the file says of itself and its place in a gallery.
func Retell(sc *Scenario, ruleSet string, keep int, done []Done, title, summary string) []byte {
	e := newEditor(sc)
	e.opening()
	e.drop("pack")
	e.drop("order")
	e.summary(scalar(summary))
	return e.branch(ruleSet, keep, done, title)
}

func (e *editor) branch(ruleSet string, keep int, done []Done, title string) []byte {
	e.steps(keep, done)
	e.topics(keep, done)
	e.value("rules", scalar(ruleSet))
	if title != "" {
		if long := []rune(title); len(long) > maxTitle {
			title = string(long[:maxTitle-1]) + "…"
		}
		e.value("title", scalar(title))
	}
	return []byte(e.result())
}

// opening drops the comment that the file begins with, but for the line that
// names a schema to editors.
func (e *editor) opening() {
	first := e.root.at.line - 1
	kept := ""
	for _, line := range e.lines[:first] {
		if strings.Contains(line, "yaml-language-server:") {
			kept += line + "\n"
		}
	}
	e.wholeLines(0, first, kept)
}

// drop leaves a key of the file out.
func (e *editor) drop(key string) {
	i := slices.IndexFunc(e.root.entries, func(x entry) bool { return x.key.text == key })
	switch {
	case i < 0:
	case !e.root.flow:
		e.wholeLines(e.keyLine(key), e.blockEnd(key), "")
	case i+1 < len(e.root.entries): // up to the next key
		from, to := e.root.entries[i].key.at, e.root.entries[i+1].key.at
		e.edits = append(e.edits, edit{e.offset(position{from.line, from.column}), e.offset(position{to.line, to.column}), ""})
	default: // with the comma before it
		before, last := e.root.entries[i-1].value.last(), e.root.entries[i].value.last()
		e.between(position{before.line, before.column + 1}, last, "")
	}
}
