// Package playback records runs of a scenario and plays them: forwards,
// backwards, to any stop, and on branches that begin where somebody acted.
// It also finds the words for what happened.
//
// A Recording holds what happened; a Player holds where a viewer stands, and
// is the only place where the viewer's time becomes virtual time.
package playback

import (
	"fmt"
	"slices"

	"groupscope/core/coordinator"
	"groupscope/core/protocol"
	"groupscope/core/scenario"
	"groupscope/core/sim"
)

// Recording is a scenario's run under one rule set, and the branches that
// began in it. Not for concurrent use.
type Recording struct {
	Scenario *scenario.Scenario
	Rules    string // the rule set's name
	config   coordinator.Config
	seed     uint64
	branches []*branch // the first is main
	made     int       // branches made so far, for their ids
}

// A StepError says that a scripted step is not possible where it stands.
type StepError struct {
	Step, Action int   // the step's index, and that of the action in it
	Err          error // a *sim.Refused or a *LimitError
}

// Error is the reason.
func (e *StepError) Error() string { return e.Err.Error() }

// Unwrap gives the refusal.
func (e *StepError) Unwrap() error { return e.Err }

// Record carries out a scenario's steps under a rule set. The error is a
// *StepError when a step is not possible or the run grows too long.
func Record(sc *scenario.Scenario, ruleSet string) (*Recording, error) {
	setup := sc.Setup(ruleSet)
	world, err := sim.New(setup)
	if err != nil {
		return nil, err
	}
	state := world.State()
	r := newRecorder(world, 0)
	r.rules = ruleSet
	// The words of a file are true of the rules it was written for. Under
	// others every stop gets words of ours.
	r.foreign = !slices.Contains(sc.Rules, ruleSet)
	r.snapshots = append(r.snapshots, snapshot{0, state.Seq, world.Clone()})
	if err := r.opening(sc); err != nil {
		return nil, err
	}
	for i, step := range sc.Steps {
		if err := r.step(i, step); err != nil {
			return nil, err
		}
	}
	if r.trailing() {
		if err := r.finish(len(sc.Steps)-1, Stop{}, true); err != nil {
			return nil, err
		}
	}
	rec := &Recording{Scenario: sc, Rules: ruleSet, config: setup.Config, seed: setup.Seed}
	rec.branches = []*branch{{id: Main, name: Main, track: &track{segment: r.segment}}}
	return rec, nil
}

// opening makes the first stop, where nothing has happened yet, unless the
// scenario's first step is just that.
func (r *recorder) opening(sc *scenario.Scenario) error {
	r.label = labeller{base: "0"}
	if len(sc.Steps) > 0 && len(sc.Steps[0].Do) == 0 && sc.Steps[0].Scripted() {
		return nil
	}
	return r.add(mark{tick: r.end, step: live, authored: sc.Summary != ""}, r.state,
		Stop{Event: r.seq, At: r.state.At, Say: sc.Summary})
}

func (r *recorder) step(i int, step scenario.Step) error {
	for j, a := range step.Do {
		if err := r.do(a, i, step.Line); err != nil {
			return &StepError{i, j, err}
		}
	}
	stop := Stop{Step: step.Name, Say: step.Words(r.rules), Line: step.Line, Pause: step.Pause}
	if r.foreign {
		stop.Say = ""
	}
	if err := r.finish(i, stop, step.Scripted()); err != nil {
		return &StepError{i, max(0, len(step.Do)-1), err}
	}
	return nil
}

// trailing reports whether anything happened, or time passed, since the last
// stop.
func (r *recorder) trailing() bool {
	return r.seq != r.state.Seq || r.world.State().At != r.state.At
}

// labeller names stops: by their step; else by the last named step and a
// number, "K5.2"; on a branch by the number alone, "+2".
type labeller struct {
	base string
	n    int
	live bool
}

func (l *labeller) next(step string, first bool) string {
	switch {
	case step != "":
		l.base, l.n = step, 0
		return step
	case first:
		return l.base
	}
	l.n++
	if l.live {
		return fmt.Sprintf("+%d", l.n)
	}
	return fmt.Sprintf("%s.%d", l.base, l.n)
}

// StateAt is the world's state on a branch after the event with that Seq; the
// start's for 0, the branch's end beyond its last event.
func (r *Recording) StateAt(id string, seq uint64) (*sim.State, error) {
	b, err := r.find(id)
	if err != nil {
		return nil, err
	}
	return b.track.stateAt(seq), nil
}

// StateWhen is the world's state on a branch at an instant, after all that
// happened at it.
func (r *Recording) StateWhen(id string, at protocol.Instant) (*sim.State, error) {
	b, err := r.find(id)
	if err != nil {
		return nil, err
	}
	return b.track.stateWhen(at), nil
}

// Config is what the coordinator is configured with.
func (r *Recording) Config() coordinator.Config { return r.config }

// Seed is what the run's randomness began with.
func (r *Recording) Seed() uint64 { return r.seed }
