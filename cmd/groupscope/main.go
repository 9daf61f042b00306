// Command groupscope runs, checks and shows scenarios of Kafka's group
// coordinator.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
)

// Exit codes.
const (
	exitOK     = 0
	exitFailed = 1 // what was asked for was done, and the result is bad
	exitUsage  = 2 // what was asked for could not be done
)

// command is one subcommand; each lives in a file of its own.
type command struct {
	name  string
	args  string // what follows the name in its usage line
	short string // one line of the list of commands
	long  string // the rest of its usage text
	run   func(c *call) int
}

// call is a subcommand at work.
type call struct {
	flags          *flag.FlagSet
	args           []string
	stdout, stderr io.Writer
}

// commands in the order in which they are listed.
var commands = []command{serveCommand, checkCommand, conformCommand, exploreCommand, traceCommand, drawCommand, siteCommand}

func main() { os.Exit(dispatch(os.Args[1:], os.Stdout, os.Stderr)) }

// dispatch runs the subcommand that the arguments name, and returns the exit
// code.
func dispatch(args []string, stdout, stderr io.Writer) int {
	if len(args) == 0 {
		usage(stderr)
		return exitUsage
	}
	switch args[0] {
	case "help", "-h", "-help", "--help":
		usage(stdout)
		return exitOK
	}
	for _, c := range commands {
		if c.name == args[0] {
			flags := flag.NewFlagSet(c.name, flag.ContinueOnError)
			flags.SetOutput(stderr)
			flags.Usage = func() {
				fmt.Fprintf(flags.Output(), "usage: groupscope %s %s\n\n%s\n", c.name, c.args, c.long)
				flags.PrintDefaults()
			}
			return c.run(&call{flags: flags, args: args[1:], stdout: stdout, stderr: stderr})
		}
	}
	fmt.Fprintf(stderr, "groupscope: no such command: %s\n\n", args[0])
	usage(stderr)
	return exitUsage
}

func usage(w io.Writer) {
	fmt.Fprint(w, "usage: groupscope COMMAND [flags] [arguments]\n\n")
	for _, c := range commands {
		fmt.Fprintf(w, "  %-7s %s\n", c.name, c.short)
	}
	fmt.Fprint(w, "\ngroupscope COMMAND -h says more.\n")
}

// parse reads the flags, which may stand before, between or behind the other
// arguments. It returns those, and whether the call should go on; if not, the
// second value is its exit code.
func (c *call) parse() (rest []string, code int, ok bool) {
	args := c.args
	for {
		switch err := c.flags.Parse(args); {
		case err == flag.ErrHelp:
			return nil, exitOK, false
		case err != nil:
			return nil, exitUsage, false
		}
		if c.flags.NArg() == 0 {
			return rest, exitOK, true
		}
		rest = append(rest, c.flags.Arg(0))
		args = c.flags.Args()[1:]
	}
}

// fail says why a command could not do what was asked.
func (c *call) fail(format string, args ...any) int {
	fmt.Fprintf(c.stderr, "groupscope %s: %s\n", c.flags.Name(), strings.TrimSuffix(fmt.Sprintf(format, args...), "\n"))
	return exitUsage
}
