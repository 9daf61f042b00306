package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"groupscope/core/rules"
	"groupscope/core/scenario"
)

// open reads the one scenario file of a call, and finds the rule set to run it
// under: the file's first for "". If it cannot, it has said why, and the last
// value is the exit code.
func (c *call) open(args []string, ruleSet string) (*scenario.Scenario, rules.Rules, int) {
	if len(args) != 1 {
		return nil, rules.Rules{}, c.fail("one file is needed; groupscope %s -h says more", c.flags.Name())
	}
	src, err := os.ReadFile(args[0])
	if err != nil {
		return nil, rules.Rules{}, c.fail("%v", err)
	}
	sc, faults := scenario.Parse(filepath.ToSlash(args[0]), src)
	if sc == nil {
		return nil, rules.Rules{}, c.faulty(faults...)
	}
	if ruleSet == "" {
		ruleSet = sc.Rules[0]
	}
	set, known := rules.ByName(ruleSet)
	if !known {
		return nil, rules.Rules{}, c.fail("no such rule set: %s. There are %s", ruleSet, strings.Join(rules.Names(), " and "))
	}
	return sc, set, exitOK
}

// faulty prints what is wrong with a file, each with the line it stands in.
func (c *call) faulty(faults ...scenario.Diagnostic) int {
	for _, d := range faults {
		fmt.Fprintf(c.stderr, "%v\n%s", d, d.Excerpt())
	}
	return exitFailed
}
