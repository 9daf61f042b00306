// Package scenario reads and runs scenario files: YAML that says which topics
// and members there are, what happens step by step, and what is expected
// after it. The vocabulary is described in scenarios/README.md.
//
// A mistake in a file is a Diagnostic with its place; Parse collects all of
// them. An action that the world refuses, and an expectation that is not met,
// become Diagnostics when a scenario is run.
package scenario

import (
	"path"
	"strings"

	"groupscope/core/protocol"
	"groupscope/core/sim"
)

// Scenario is a file that was read without a mistake.
type Scenario struct {
	Name     string // the file's name without folders and extension
	File     string // as it was given to Parse
	Title    string
	Summary  string
	Protocol string   // "consumer" or "streams"
	Rules    []string // names of rule sets, at least one; the first is shown
	Pack     string   // the group of the gallery that it belongs to, "" for none
	Order    int      // its place in the gallery, from low to high
	// Setup makes the world before the first step, under a rule set of Rules
	// or any other.
	Setup  func(rules string) sim.Setup
	Steps  []Step
	Source []byte

	lines      []string
	root       *node
	topologies map[string]*protocol.Topology // by their names
}

// Step is one step of the script.
type Step struct {
	Name string // "" for a step nobody links to
	// Say are the words under each rule set, SayUnder those under one of them.
	Say      string
	SayUnder map[string]string
	Focus    string // what the words are about: a member, a partition such as foo-2, or "group"
	// Do holds the step's actions in order: the clock first, then what is
	// done at the instant reached. It is empty for words and expectations alone.
	Do     []sim.Action
	Expect *Expect // nil: nothing is expected
	Pause  bool    // playing stops here
	Line   int     // of the step in its file
	Column int

	places []place // of each action in Do
}

// Words is what a viewer is told under a rule set, "" for nothing.
func (s *Step) Words(ruleSet string) string {
	if words, said := s.SayUnder[ruleSet]; said {
		return words
	}
	return s.Say
}

// Scripted reports whether the end of the step is a place to stop at.
func (s *Step) Scripted() bool { return s.Name != "" || s.Say != "" || len(s.SayUnder) > 0 }

// Parse reads a scenario. It returns either a scenario, or at least one
// diagnostic, sorted by place.
func Parse(file string, src []byte) (*Scenario, []Diagnostic) {
	text, fault := decodeText(src)
	r := newReader(file, text)
	if fault != nil {
		r.faultAt(fault.place, fault.message, fault.hint)
		return nil, r.sorted()
	}
	root := r.tree(text)
	if root == nil {
		return nil, r.sorted()
	}
	sc := &Scenario{
		Name: strings.TrimSuffix(path.Base(strings.ReplaceAll(file, `\`, "/")), path.Ext(file)), File: file,
		Source: src, lines: r.lines,
	}
	readScenario(r, root, sc)
	if len(r.diagnostics) > 0 {
		return nil, r.sorted()
	}
	return sc, nil
}
