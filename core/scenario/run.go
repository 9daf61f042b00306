package scenario

import (
	"errors"
	"fmt"
	"slices"

	"groupscope/core/sim"
)

// maxEvents ends a run that would not end by itself.
const maxEvents = 2_000_000

// Outcome is a scenario that was run under one rule set.
type Outcome struct {
	Rules string
	// Steps are those that were carried out, in order. It is shorter than the
	// scenario's when one was refused.
	Steps []StepOutcome
	// Unmet are the expectations that were not met, in the order of the steps.
	Unmet []Unmet
	// Refusal says which action the world refused, and why; nil when none
	// was. The run ends there.
	Refusal *Diagnostic
}

// Passed reports whether everything went as the file expects.
func (o *Outcome) Passed() bool { return o.Refusal == nil && len(o.Unmet) == 0 }

// StepOutcome is what one step did.
type StepOutcome struct {
	Index  int // in Scenario.Steps
	Events []sim.Event
	State  *sim.State // after it
}

// Unmet is an expectation that was not met; its place is that of the value.
type Unmet struct {
	Diagnostic
	Step      int    // in Scenario.Steps
	Path      string // such as members.A.epoch
	Want, Got string
}

// Run carries out all steps of a scenario under a rule set and compares what
// they expect. It goes on after an expectation that is not met. The error is
// about the world itself, such as a rule set that does not exist.
func Run(sc *Scenario, ruleSet string) (*Outcome, error) {
	world, err := sim.New(sc.Setup(ruleSet))
	if err != nil {
		return nil, fmt.Errorf("scenario %s: %w", sc.Name, err)
	}
	r := &running{sc: sc, world: world, out: &Outcome{Rules: ruleSet}, before: world.State()}
	for i := range sc.Steps {
		if !r.step(i) {
			break
		}
	}
	return r.out, nil
}

// running is a run under way.
type running struct {
	sc       *Scenario
	world    *sim.World
	out      *Outcome
	before   *sim.State // to measure for how long partitions have no owner
	observed observed
	events   int
}

// step carries out one step; false when the run ends with it.
func (r *running) step(i int) bool {
	step := &r.sc.Steps[i]
	r.observed.events, r.observed.before = nil, r.world.State()
	for j, action := range step.Do {
		if err := r.do(action); err != nil {
			d := r.sc.Refusal(i, j, err)
			r.out.Refusal = &d
			return false
		}
	}
	r.observed.state = r.world.State()
	r.out.Steps = append(r.out.Steps, StepOutcome{Index: i, Events: r.observed.events, State: r.observed.state})
	r.compare(i)
	return true
}

func (r *running) do(action sim.Action) error {
	events, err := r.world.Do(action)
	if err != nil {
		return err
	}
	r.note(events)
	for {
		events, more := r.world.Step()
		r.note(events)
		if !more {
			return nil
		}
		if r.events > maxEvents {
			return fmt.Errorf("the run does not end: more than %s events", grouped(maxEvents))
		}
	}
}

// note takes events down, and for how long partitions have had no owner when
// that may have changed.
func (r *running) note(events []sim.Event) {
	r.events += len(events)
	r.observed.events = append(r.observed.events, events...)
	for _, e := range events {
		_, topics := e.What.(sim.TopicsChanged)
		if topics || len(e.Written()) > 0 {
			r.gaps()
			return
		}
	}
}

// gaps measures the partitions that had no owner until now.
func (r *running) gaps() {
	now := r.world.State()
	for _, u := range r.before.Unowned {
		if gap := now.At.Sub(u.Since); !u.Never && gap > r.observed.longest {
			r.observed.longest, r.observed.longestOf = gap, u.Partition
		}
	}
	r.before = now
}

// compare holds the step's expectations against the world. An invariant that
// is broken counts as not met unless the step says what it expects of them.
func (r *running) compare(i int) {
	step := &r.sc.Steps[i]
	r.gaps()
	said := false
	for _, c := range step.Expect.under(r.out.Rules) {
		said = said || c.path == "violations"
		got, note, ok := c.test(&r.observed)
		if !ok {
			r.unmet(i, c.at, c.path, c.want, got, note)
		}
	}
	if got := r.observed.violated(); !said && got != "[]" {
		note := ""
		for _, v := range r.observed.state.Violations {
			note = v.Text
		}
		r.unmet(i, place{step.Line, step.Column, 1}, "violations", "[]", got, note)
	}
}

func (r *running) unmet(i int, at place, path, want, got, note string) {
	message := fmt.Sprintf("%s: expected %s, got %s", path, want, got)
	if note != "" {
		message += " (" + note + ")"
	}
	r.out.Unmet = append(r.out.Unmet, Unmet{
		Diagnostic: diagnosticAt(r.sc.File, r.sc.lines, at, message, ""),
		Step:       i, Path: path, Want: want, Got: got,
	})
}

// under lists the checks that count under a rule set, in the order of the file.
func (e *Expect) under(ruleSet string) []check {
	if e == nil {
		return nil
	}
	var out []check
	for _, c := range e.checks {
		if c.rules == "" || c.rules == ruleSet {
			out = append(out, c)
		}
	}
	slices.SortStableFunc(out, func(a, b check) int {
		if a.at.line != b.at.line {
			return a.at.line - b.at.line
		}
		return a.at.column - b.at.column
	})
	return out
}

// Refusal is the diagnostic of an action that the world refused when a step
// was carried out: action counts in the step's Do.
func (sc *Scenario) Refusal(step, action int, err error) Diagnostic {
	s := sc.Steps[step]
	at := place{s.Line, s.Column, 1}
	if action < len(s.places) {
		at = s.places[action]
	}
	reason := err.Error()
	var refused *sim.Refused
	if errors.As(err, &refused) {
		reason = refused.Error()
	}
	return diagnosticAt(sc.File, sc.lines, at, "not possible now: "+reason, "")
}
