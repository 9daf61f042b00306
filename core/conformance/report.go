package conformance

import (
	"fmt"
	"runtime/debug"
)

// Source is one trace as it is stored.
type Source struct {
	Name string // the file
	Line int    // of an archive that has one trace a line; 0: the file is the trace
	JSON []byte
}

// place writes where a line of a trace stands, as editors take it; line 0
// stands for the trace as a whole.
func (s Source) place(line int) string {
	switch {
	case s.Line != 0:
		return fmt.Sprintf("%s:%d", s.Name, s.Line)
	case line != 0:
		return fmt.Sprintf("%s:%d", s.Name, line)
	}
	return s.Name
}

// Options say how traces are run.
type Options struct {
	// OwnAssignors: our assignors decide every target. Without it targets are
	// taken from the trace, so that only the state machine is judged. Those of
	// a scripted assignor are always the trace's.
	OwnAssignors bool
}

// Report is what came of running one trace.
type Report struct {
	source Source
	Kind   string // consumer, streams or clients; "" when it cannot be told
	Steps  int    // steps that were run; of a clients trace events
	Of     int    // steps that the trace has
	// Differences are those of the first step that has any. What follows it
	// tells little, so it is not run.
	Differences []Difference
	// Fault says why the trace could not be run to its end: it is not in the
	// format. Panic is what the program under test died of, with its stack.
	Fault error
	Panic string
	// Targets counts what our assignors computed.
	Targets Targets
}

// Passed reports that the trace was run to its end without a difference.
func (r *Report) Passed() bool {
	return r.Fault == nil && r.Panic == "" && len(r.Differences) == 0 && len(r.Targets.Different) == 0 && r.Steps == r.Of
}

// Place writes where a line of the trace stands, as editors take it; line 0
// stands for the trace as a whole.
func (r *Report) Place(line int) string { return r.source.place(line) }

// Difference is one field in which we and the broker (or its client) are not
// the same.
type Difference struct {
	Line  int    // of the file, 1 the first; 0 when it cannot be told
	Step  int    // 1 the first
	Op    string // of the step
	Field string // path of the field, like group.members.A.memberEpoch
	Got   string // ours, as JSON; "nothing" when it is absent
	Want  string // the trace's
}

// Targets counts targets that were computed by our assignors, by whether the
// trace has the same.
type Targets struct {
	Computed, Identical int
	Different           []Difference // members whose part is not the trace's
}

// Run runs one trace of any kind.
func Run(src Source, opts Options) (report Report) {
	report.source = src
	defer func() {
		if died := recover(); died != nil {
			report.Panic = fmt.Sprintf("%v\n%s", died, debug.Stack())
		}
	}()
	root, err := readDocument(src.JSON)
	if err != nil {
		report.Fault = err
		return report
	}
	report.Kind, _ = root.head["kind"].(string)
	switch report.Kind {
	case "consumer", "streams":
		runCoordinator(root, opts, &report)
	case "clients":
		runClients(root, opts, &report)
	default:
		report.Fault = fmt.Errorf("kind: %s, want \"consumer\", \"streams\" or \"clients\"", asText(root.head["kind"]))
	}
	return report
}
