package conformance

import (
	"fmt"

	"groupscope/core/coordinator"
	"groupscope/core/protocol"
)

// runner feeds one trace to one coordinator.
type runner struct {
	trace       *trace
	coordinator *coordinator.Coordinator
	now         protocol.Instant
	step        int // 0 the first
	hashes      hashes
	targets     *targets
	snapshots   map[string]object              // of each group, the last that was taken
	views       map[*coordinator.Member]object // of the group that was looked at last
	tickets     map[int64]int                  // the steps of requests that wait for their answer
	count       *Targets
}

// runCoordinator runs a trace of the coordinator alone (kinds consumer and
// streams), up to the first step that differs.
func runCoordinator(doc *document, opts Options, report *Report) {
	t, err := readTrace(doc)
	if err != nil {
		report.Fault = err
		return
	}
	report.Of = len(t.steps)
	r := &runner{trace: t, now: t.start, snapshots: map[string]object{}, tickets: map[int64]int{}, count: &report.Targets, targets: newTargets(&t.config, opts)}
	r.coordinator = coordinator.New(t.config.broker)
	r.coordinator.SetTopics(r.now, t.topics)
	if err := r.coordinator.SetGroupConfig(r.now, t.config.group, t.config.groupConfig); err != nil {
		report.Fault = fmt.Errorf("config.groupConfig: %w", err)
		return
	}
	for i, e := range t.steps {
		r.step = i
		differences, err := r.run(e)
		if err != nil {
			report.Fault = fmt.Errorf("line %d, step %d: %w", e.line, i+1, err)
			return
		}
		report.Steps++
		if len(differences) > 0 {
			report.Differences = differences
			break
		}
	}
	report.contradicted(r.hashes.judge())
}

// contradicted adds what came to light only later, of the step in which it
// is.
func (r *Report) contradicted(later []Difference) {
	if len(later) == 0 {
		return
	}
	first := later[0].Step
	if len(r.Differences) > 0 && r.Differences[0].Step < first {
		return
	}
	if len(r.Differences) > 0 && r.Differences[0].Step > first {
		r.Differences = nil
	}
	for _, d := range later {
		if d.Step == first {
			r.Differences = append(r.Differences, d)
		}
	}
	r.Differences = sorted(r.Differences)
}

// action is a step that was read: what it does, and whose group is looked at
// afterwards.
type action struct {
	group string
	do    func(outcome)
	// alike, if there is one, decides that a response of the trace says the
	// same as ours in other words.
	alike func(want any, got object) bool
}

// outcome is what a step did, in the words of a trace.
type outcome object

// put leaves out what a trace leaves out.
func (o outcome) put(field string, v []any) {
	if len(v) > 0 {
		o[field] = v
	}
}

// outputs are the fields of a step that tell what came of it, in the order
// in which they are looked at.
var outputs = []string{"timeMs", "error", "replayFailed", "response", "creatableTopics", "records", "expired", "async", "completed", "group"}

// operations read the input fields of a step.
var operations = map[string]func(*runner, *fields) action{
	"heartbeat":        (*runner).readHeartbeat,
	"advance":          (*runner).readAdvance,
	"topics":           (*runner).readTopics,
	"target":           (*runner).readTarget,
	"groupConfig":      (*runner).readGroupConfig,
	"describe":         (*runner).readDescribe,
	"deleteGroup":      (*runner).readDeleteGroup,
	"cleanup":          (*runner).readCleanup,
	"runExecutor":      (*runner).readRunExecutor,
	"commitOffset":     (*runner).readCommitOffset,
	"classicJoin":      (*runner).readClassicJoin,
	"classicSync":      (*runner).readClassicSync,
	"classicHeartbeat": (*runner).readClassicHeartbeat,
	"classicLeave":     (*runner).readClassicLeave,
}

// run does a step and compares all that came of it. An error says that the
// step is not in the format.
func (r *runner) run(e element) ([]Difference, error) {
	v, err := e.value()
	if err != nil {
		return nil, err
	}
	in := &reader{}
	f := in.object("", v)
	want := object{}
	for _, name := range outputs {
		if f.has(name) {
			want[name] = f.in[name]
		}
	}
	op := f.text("op")
	read, known := operations[op]
	if !known {
		in.fault("op", "unknown operation %q", op)
		return nil, in.err
	}
	act := read(r, f)
	f.text("note")
	f.done()
	if in.err != nil {
		return nil, in.err
	}
	if err := r.targets.open(want, act.group); err != nil {
		return nil, err
	}
	got := outcome{}
	act.do(got)
	if !r.trace.config.manual {
		got.put("async", r.runBackground())
	}
	got["timeMs"] = int64(r.now)
	if response, ok := got["response"].(object); ok && act.alike != nil && act.alike(want["response"], response) {
		delete(want, "response")
		delete(got, "response")
	}
	r.snapshot(act.group, want, got)
	r.hashes.now = Difference{Line: e.line, Step: r.step + 1, Op: op}
	c := comparison{hashes: &r.hashes, order: func(path string, list []any) []int { return freeOrder(op, path, list) }}
	c.compare("", want, object(got))
	r.count.Computed += r.targets.count.Computed
	r.count.Identical += r.targets.count.Identical
	r.count.Different = append(r.count.Different, r.placed(r.targets.count.Different, e, op)...)
	return r.placed(append(c.differences, r.targets.contradictions()...), e, op), nil
}

// placed puts differences in order, each with its place.
func (r *runner) placed(list []Difference, e element, op string) []Difference {
	for i := range list {
		list[i].Line, list[i].Step, list[i].Op = e.line, r.step+1, op
	}
	return sorted(list)
}

// runBackground runs the tasks that wait.
func (r *runner) runBackground() []any {
	var out []any
	for _, run := range r.coordinator.RunBackground(r.now) {
		task := outcome{"task": run.Task.Name}
		task.put("records", r.records(run.Records))
		out = append(out, object(task))
	}
	return out
}
