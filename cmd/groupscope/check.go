package main

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"groupscope/core/scenario"
)

var checkCommand = command{
	name:  "check",
	args:  "[-v] FILE|DIR...",
	short: "run scenario files and compare what they expect",
	long: `Reads each file, runs it under every rule set it names, and compares what its
steps expect. A folder stands for all .yaml and .yml files in it and below.

Each fault, each refused action and each expectation that is not met is
printed as file:line:col with the line it stands in. The last line counts
runs: a file under one rule set is one, a file that cannot be read counts as
one failure. The exit code is 1 when something failed, 2 when there was
nothing to check.
`,
	run: runCheck,
}

func runCheck(c *call) int {
	verbose := c.flags.Bool("v", false, "name each run that passed, too")
	args, code, ok := c.parse()
	if !ok {
		return code
	}
	if len(args) == 0 {
		return c.fail("no file or folder given; groupscope check -h says more")
	}
	files, err := scenarioFiles(args)
	if err != nil {
		return c.fail("%v", err)
	}
	k := &checking{out: c.stdout, verbose: *verbose}
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			return c.fail("%v", err)
		}
		k.file(file, src)
	}
	fmt.Fprintf(c.stdout, "%d passed, %d failed\n", k.passed, k.failed)
	if k.failed > 0 {
		return exitFailed
	}
	return exitOK
}

// scenarioFiles lists the files to check: those given, and the scenarios in
// folders given, in order of their names.
func scenarioFiles(args []string) ([]string, error) {
	var out []string
	for _, arg := range args {
		info, err := os.Stat(arg)
		if err != nil {
			return nil, err
		}
		if !info.IsDir() {
			out = append(out, arg)
			continue
		}
		before := len(out)
		err = filepath.WalkDir(arg, func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && (strings.HasSuffix(path, ".yaml") || strings.HasSuffix(path, ".yml")) {
				out = append(out, path)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
		if len(out) == before {
			return nil, fmt.Errorf("%s has no .yaml file in it", arg)
		}
	}
	return out, nil
}

// checking counts and prints what went wrong.
type checking struct {
	out            io.Writer
	verbose        bool
	passed, failed int
}

func (k *checking) file(file string, src []byte) {
	sc, faults := scenario.Parse(filepath.ToSlash(file), src)
	for _, d := range faults {
		fmt.Fprintf(k.out, "%v\n%s", d, d.Excerpt())
	}
	if sc == nil {
		k.failed++
		return
	}
	for _, rules := range sc.Rules {
		outcome, err := scenario.Run(sc, rules)
		switch {
		case err != nil:
			fmt.Fprintf(k.out, "%s:1:1: %s: %v\n", sc.File, rules, err)
			k.failed++
		case outcome.Passed():
			k.passed++
			if k.verbose {
				fmt.Fprintf(k.out, "%s: %s: passed, %d steps\n", sc.File, rules, len(outcome.Steps))
			}
		default:
			k.failed++
			k.report(sc, outcome)
		}
	}
}

// report prints what went wrong in a run, with the difference below the line.
func (k *checking) report(sc *scenario.Scenario, o *scenario.Outcome) {
	for _, u := range o.Unmet {
		u.Message = where(sc, u.Step, o.Rules) + u.Message
		fmt.Fprintf(k.out, "%v\n%s  - %s: %s\n  + %s: %s\n", u.Diagnostic, u.Excerpt(), u.Path, u.Want, u.Path, u.Got)
	}
	if d := o.Refusal; d != nil {
		refusal := *d
		refusal.Message = where(sc, len(o.Steps), o.Rules) + refusal.Message
		fmt.Fprintf(k.out, "%v\n%s", refusal, refusal.Excerpt())
	}
}

// where names the step and the rule set of a run.
func where(sc *scenario.Scenario, step int, rules string) string {
	if name := sc.Steps[step].Name; name != "" {
		return name + ", " + rules + ": "
	}
	return rules + ": "
}
