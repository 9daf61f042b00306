package main

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"groupscope/core/conformance"
)

var conformCommand = command{
	name:  "conform",
	args:  "[-assign trace|own] [-v] FILE|DIR...",
	short: "run traces of real brokers and clients and compare everything",
	long: `Feeds each trace to a coordinator under the rules of Kafka, and compares after
every step everything that the trace tells: the answer or the error, the
records, the timers that fired, background work, and the group with its
members. A folder stands for all .json and .jsonl files in it and below,
compressed (.gz) or not; a line of a .jsonl file is a trace.

The first step that differs is printed field by field, as file:line, with what
we got and what the trace wants. A trace that is not in the format, down to a
single unknown field, is not run to its end, so it has failed.

Targets come from the trace, so that the state machine is judged by itself.
With -assign own our assignors decide, and each target is compared.

The last line counts traces. The exit code is 1 when one failed, 2 when there
was nothing to run.
`,
	run: runConform,
}

// mostDifferences are printed of a trace unless -v asks for all.
const mostDifferences = 12

func runConform(c *call) int {
	assign := c.flags.String("assign", "trace", "whose targets: trace or own")
	verbose := c.flags.Bool("v", false, "name each trace that passed, too, and print every difference")
	args, code, ok := c.parse()
	switch {
	case !ok:
		return code
	case len(args) == 0:
		return c.fail("no file or folder given; groupscope conform -h says more")
	case *assign != "trace" && *assign != "own":
		return c.fail("-assign is trace or own, not %s", *assign)
	}
	files, err := traceFiles(args)
	if err != nil {
		return c.fail("%v", err)
	}
	k := &conforming{out: c.stdout, verbose: *verbose, options: conformance.Options{OwnAssignors: *assign == "own"}}
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			return c.fail("%v", err)
		}
		k.file(filepath.ToSlash(file), src)
	}
	if k.passed+k.failed == 0 {
		return c.fail("there is no trace in %s", strings.Join(args, ", "))
	}
	if *assign == "own" {
		fmt.Fprintf(c.stdout, "targets: %d identical, %d different\n", k.identical, k.different)
	}
	fmt.Fprintf(c.stdout, "%d passed, %d failed\n", k.passed, k.failed)
	if k.failed > 0 {
		return exitFailed
	}
	return exitOK
}

// traceFiles lists the files to run: those given, and the traces in folders
// given, in order of their names.
func traceFiles(args []string) ([]string, error) {
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
			if err == nil && !d.IsDir() && conformance.Holds(path) {
				out = append(out, path)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
		if len(out) == before {
			return nil, fmt.Errorf("%s has no .json or .jsonl file in it", arg)
		}
	}
	return out, nil
}

// conforming counts and prints what differs.
type conforming struct {
	out                  io.Writer
	options              conformance.Options
	verbose              bool
	passed, failed       int
	identical, different int // targets
}

func (k *conforming) file(file string, src []byte) {
	traces, err := conformance.Split(file, src)
	if err != nil {
		fmt.Fprintf(k.out, "%v\n", err)
		k.failed++
		return
	}
	for _, trace := range traces {
		report := conformance.Run(trace, k.options)
		k.identical += report.Targets.Identical
		k.different += report.Targets.Computed - report.Targets.Identical
		if report.Passed() {
			k.passed++
			if k.verbose {
				fmt.Fprintf(k.out, "%s: passed, %d of %d %s\n", report.Place(0), report.Steps, report.Of, unit(&report))
			}
			continue
		}
		k.failed++
		k.report(&report)
	}
}

// unit is what a trace of that kind consists of.
func unit(r *conformance.Report) string {
	if r.Kind == "clients" {
		return "events"
	}
	return "steps"
}

// report prints what went wrong with a trace.
func (k *conforming) report(r *conformance.Report) {
	for _, d := range r.Targets.Different {
		k.difference(r, d)
	}
	for i, d := range r.Differences {
		if i == mostDifferences && !k.verbose {
			fmt.Fprintf(k.out, "%s: %d more fields of this step differ; -v prints them\n", r.Place(d.Line), len(r.Differences)-i)
			break
		}
		k.difference(r, d)
	}
	switch {
	case r.Panic != "":
		fmt.Fprintf(k.out, "%s: panic after %d of %d %s: %s\n", r.Place(0), r.Steps, r.Of, unit(r), strings.ReplaceAll(r.Panic, "\n", "\n    "))
	case r.Fault != nil:
		fmt.Fprintf(k.out, "%s: %v\n", r.Place(0), r.Fault)
	}
}

func (k *conforming) difference(r *conformance.Report, d conformance.Difference) {
	fmt.Fprintf(k.out, "%s: step %d, %s: %s\n  got   %s\n  want  %s\n", r.Place(d.Line), d.Step, d.Op, d.Field, d.Got, d.Want)
}
