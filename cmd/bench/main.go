// Command bench measures Groupscope against its budgets, and its core against
// the real coordinator, and prints two tables; with -core the second alone.
// It is called in the project's folder; `make bench` does. The figures depend
// on the machine, so nothing here passes or fails: the last column says where
// a budget is missed.
package main

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"text/tabwriter"
)

// row is a line of the table.
type row struct {
	what, budget, measured string
	missed                 bool
}

// limit writes a measured value, and whether it keeps within its limit.
func limit(what, budget string, measured, most float64, format string, args ...any) row {
	return row{what, budget, fmt.Sprintf(format, append([]any{measured}, args...)...), measured > most}
}

func main() {
	core := flag.Bool("core", false, "measure the core alone, not the page")
	flag.Parse()
	if err := run(*core); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(coreOnly bool) error {
	fmt.Printf("Groupscope, measured with %s on %d cores (%s)\n\n", runtime.Version(), runtime.NumCPU(), runtime.GOARCH)
	if !coreOnly {
		if err := printBudgets(); err != nil {
			return err
		}
		fmt.Println()
	}
	return printCore(os.Stdout)
}

// printBudgets prints what the page has to keep within.
func printBudgets() error {
	var table []row
	for _, part := range []func() ([]row, error){browserRows, recordingRows} {
		rows, err := part()
		if err != nil {
			return err
		}
		table = append(table, rows...)
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "what\tbudget\tmeasured\t")
	for _, r := range table {
		mark := ""
		if r.missed {
			mark = "missed"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", r.what, r.budget, r.measured, mark)
	}
	return w.Flush()
}
