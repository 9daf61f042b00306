package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"
)

// cost is what the real coordinator takes for one operation: on the JVM, called
// directly, one thread on two virtual CPUs.
type cost struct {
	benchmark string // its name without "Benchmark"
	jvm       time.Duration
}

// costs are in the order of the table.
var costs = []cost{
	{"Assign/uniform/members=100/from=empty", 25 * time.Microsecond},
	{"Assign/uniform/members=1000/from=empty", 260 * time.Microsecond},
	{"Assign/uniform/members=10000/from=empty", 2900 * time.Microsecond},
	{"Assign/uniform/members=100/from=one-less", 10 * time.Microsecond},
	{"Assign/uniform/members=1000/from=one-less", 100 * time.Microsecond},
	{"Assign/uniform/members=10000/from=one-less", 2300 * time.Microsecond},
	{"Assign/range/members=100/from=empty", 16 * time.Microsecond},
	{"Assign/range/members=1000/from=empty", 350 * time.Microsecond},
	{"Assign/range/members=10000/from=empty", 5 * time.Millisecond},
	{"Assign/sticky/members=100/standbys=0/from=empty", 270 * time.Microsecond},
	{"Assign/sticky/members=1000/standbys=0/from=empty", 3500 * time.Microsecond},
	{"Assign/sticky/members=10000/standbys=0/from=empty", 81 * time.Millisecond},
	{"Assign/sticky/members=100/standbys=0/from=one-less", 180 * time.Microsecond},
	{"Assign/sticky/members=1000/standbys=0/from=one-less", 3500 * time.Microsecond},
	{"Assign/sticky/members=10000/standbys=0/from=one-less", 116 * time.Millisecond},
	{"Assign/sticky/members=100/standbys=1/from=empty", 590 * time.Microsecond},
	{"Assign/sticky/members=1000/standbys=1/from=empty", 9400 * time.Microsecond},
	{"Assign/sticky/members=10000/standbys=1/from=empty", 188 * time.Millisecond},
	{"Assign/sticky/members=100/standbys=1/from=one-less", 490 * time.Microsecond},
	{"Assign/sticky/members=1000/standbys=1/from=one-less", 12800 * time.Microsecond},
	{"Assign/sticky/members=10000/standbys=1/from=one-less", 588 * time.Millisecond},
	{"HeartbeatSteady", time.Second / 2_200_000},
	{"Converge/members=100", 28 * time.Millisecond},
	{"Converge/members=300", 87 * time.Millisecond},
	{"StreamsHeartbeatSteady/rules=kip/warmups=0", time.Second / 512_000},
	{"StreamsHeartbeatSteady/rules=kip/warmups=2", time.Second / 512_000},
	{"StreamsHeartbeatSteady/rules=kafka/warmups=0", time.Second / 512_000},
	{"StreamsHeartbeatSteady/rules=kafka/warmups=2", time.Second / 512_000},
	{"StreamsConverge/members=100", 70 * time.Millisecond},
	{"StreamsConverge/members=300", 280 * time.Millisecond},
}

// How often each benchmark is run. The best run counts: it is the one that
// other programs disturbed least.
const (
	nativeRuns = 5
	wasmRuns   = 2
)

// printCore runs the benchmarks that stand beside the core's code, natively
// and under Node.js, and prints them beside the costs of the real coordinator.
func printCore(w io.Writer) error {
	dir, err := os.MkdirTemp("", "groupscope-bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	fmt.Fprintln(os.Stderr, "bench: the core's benchmarks, natively and as WASM (a few minutes)")
	native, wasm := map[string]time.Duration{}, map[string]time.Duration{}
	for _, pkg := range []string{"core/assignor", "core/coordinator"} {
		if err := runBenchmarks(native, dir, pkg); err != nil {
			return err
		}
		if err := runBenchmarks(wasm, dir, pkg, "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0"); err != nil {
			return err
		}
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "core\tJVM\there\there, WASM\t")
	for _, c := range costs {
		ours, ran := native[c.benchmark]
		if !ran {
			return fmt.Errorf("there is no benchmark %s", c.benchmark)
		}
		mark := ""
		if ours > c.jvm {
			mark = "missed"
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\n", c.benchmark, short(c.jvm), short(ours), short(wasm[c.benchmark]), mark)
	}
	return table.Flush()
}

// runBenchmarks runs a package's benchmarks, built for the platform of the
// environment, and notes the best time of each.
func runBenchmarks(best map[string]time.Duration, dir, pkg string, platform ...string) error {
	binary := filepath.Join(dir, "test")
	build := exec.Command("go", "test", "-c", "-trimpath", "-o", binary, "./"+pkg)
	build.Env = append(os.Environ(), platform...)
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		return fmt.Errorf("%s: %w", pkg, err)
	}
	run, times := []string{binary}, nativeRuns
	if len(platform) > 0 {
		root, err := exec.Command("go", "env", "GOROOT").Output()
		if err != nil {
			return err
		}
		run, times = []string{filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "go_js_wasm_exec"), binary}, wasmRuns
	}
	run = append(run, "-test.run=^$", "-test.bench="+benchPattern(), "-test.benchtime=100ms", "-test.count="+strconv.Itoa(times))
	command := exec.Command(run[0], run[1:]...)
	command.Dir = pkg
	command.Stderr = os.Stderr
	out, err := command.Output()
	if err != nil {
		return fmt.Errorf("%s: %w", pkg, err)
	}
	return readBenchmarks(best, out)
}

// benchPattern selects the benchmarks of the table by their first part.
func benchPattern() string {
	var names []string
	seen := map[string]bool{}
	for _, c := range costs {
		name, _, _ := strings.Cut(c.benchmark, "/")
		if !seen[name] {
			seen[name] = true
			names = append(names, name)
		}
	}
	return "^Benchmark(" + strings.Join(names, "|") + ")$"
}

// readBenchmarks reads lines such as "BenchmarkX/members=100-2  500  2031 ns/op".
func readBenchmarks(best map[string]time.Duration, out []byte) error {
	for lines := bufio.NewScanner(bytes.NewReader(out)); lines.Scan(); {
		fields := strings.Fields(lines.Text())
		if len(fields) < 4 || !strings.HasPrefix(fields[0], "Benchmark") || fields[3] != "ns/op" {
			continue
		}
		ns, err := strconv.ParseFloat(fields[2], 64)
		if err != nil {
			return fmt.Errorf("%q: %w", lines.Text(), err)
		}
		name := strings.TrimPrefix(fields[0], "Benchmark")
		if at := strings.LastIndexByte(name, '-'); at >= 0 {
			if _, err := strconv.Atoi(name[at+1:]); err == nil {
				name = name[:at] // how many CPUs it could use
			}
		}
		if was, ran := best[name]; !ran || time.Duration(ns) < was {
			best[name] = time.Duration(ns)
		}
	}
	return nil
}

// short writes a time with three digits or so.
func short(d time.Duration) string {
	switch {
	case d == 0:
		return "?"
	case d < time.Microsecond:
		return fmt.Sprintf("%d ns", d.Nanoseconds())
	case d < time.Millisecond:
		return fmt.Sprintf("%.3g us", float64(d.Nanoseconds())/1e3)
	}
	return fmt.Sprintf("%.3g ms", float64(d.Nanoseconds())/1e6)
}
