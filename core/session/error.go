package session

import (
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"

	"groupscope/core/playback"
	"groupscope/core/scenario"
	"groupscope/core/sim"
)

// Kind tells the ways in which a call can go wrong.
type Kind string

// The kinds of wrong.
const (
	Diagnostics Kind = "diagnostics" // the file has mistakes
	Refused     Kind = "refused"     // not possible now, or no such thing
	Usage       Kind = "usage"       // the caller is at fault
	Broken      Kind = "broken"      // the program is at fault
)

// Error is what goes wrong, as a page sees it.
type Error struct {
	Kind        Kind                  `json:"kind"`
	Message     string                `json:"message"` // a sentence
	Diagnostics []scenario.Diagnostic `json:"diagnostics,omitempty"`
	Report      *Report               `json:"report,omitempty"`
}

// Error is the sentence.
func (e *Error) Error() string { return e.Message }

// Report is what somebody needs to find what broke.
type Report struct {
	Seed    uint64 `json:"seed"`
	Instant string `json:"instant,omitempty"`
	Step    string `json:"step,omitempty"`
	Build   string `json:"build,omitempty"`
	Stack   string `json:"stack,omitempty"`
}

func refused(format string, args ...any) error {
	return &Error{Kind: Refused, Message: fmt.Sprintf(format, args...)}
}

func usage(format string, args ...any) error {
	return &Error{Kind: Usage, Message: fmt.Sprintf(format, args...)}
}

// asError gives every error a kind.
func asError(err error) *Error {
	var ours *Error
	if errors.As(err, &ours) {
		return ours
	}
	var place *playback.RefusedError
	var world *sim.Refused
	var limit *playback.LimitError
	if errors.As(err, &place) || errors.As(err, &world) || errors.As(err, &limit) {
		return &Error{Kind: Refused, Message: err.Error()}
	}
	return &Error{Kind: Broken, Message: err.Error()}
}

// Answer runs f and writes what it returns as JSON: {"ok": …} or
// {"error": …}. A panic in it is an error of the kind Broken, with a report.
func (s *Session) Answer(f func() (any, error)) (out []byte) {
	defer func() {
		if r := recover(); r != nil {
			out = failed(s.broken(r, string(debug.Stack())))
		}
	}()
	value, err := f()
	if err != nil {
		return failed(asError(err))
	}
	out, err = json.Marshal(struct {
		OK any `json:"ok"`
	}{value})
	if err != nil {
		return failed(asError(err))
	}
	return out
}

func failed(e *Error) []byte {
	out, err := json.Marshal(struct {
		Error *Error `json:"error"`
	}{e})
	if err != nil {
		panic(err) // an Error holds nothing but texts and numbers
	}
	return out
}

// broken reports a panic with the place at which it happened.
func (s *Session) broken(r any, stack string) *Error {
	e := &Error{Kind: Broken, Message: fmt.Sprint(r), Report: &Report{Build: s.build, Stack: stack}}
	if s.player != nil {
		f := s.player.Frame()
		e.Report.Seed = s.player.Recording().Seed()
		e.Report.Instant = f.Now.Sub(f.State.Start).String()
		e.Report.Step = f.Stop.Label
	}
	return e
}

// decode reads the arguments of a call.
func decode(args json.RawMessage, into any) error {
	if len(args) == 0 {
		return nil
	}
	if err := json.Unmarshal(args, into); err != nil {
		return usage("The arguments are not understood: %v.", err)
	}
	return nil
}
