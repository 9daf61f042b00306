// Package session is one open scenario as a page sees it: it loads a file,
// answers calls with JSON, and says what changed since it was asked last. It
// knows nothing of the browser, so everything but pictures is tested natively.
package session

import (
	"encoding/json"
	"errors"
	"fmt"

	"groupscope/core/playback"
	"groupscope/core/protocol"
	"groupscope/core/rules"
	"groupscope/core/scenario"
)

// Session is one open scenario. Not for concurrent use.
type Session struct {
	build   string
	methods map[string]Method
	sc      *scenario.Scenario
	rules   rules.Rules
	player  *playback.Player
	// players are those of the rule sets shown so far: each keeps its branches.
	players map[string]*playback.Player
	told    told
}

// Method answers a call. The arguments are a JSON object, or nothing; the
// result is written as JSON.
type Method func(args json.RawMessage) (any, error)

// New makes a session with nothing open. build goes into reports of what broke.
func New(build string) *Session {
	s := &Session{build: build}
	s.methods = map[string]Method{
		"info":     s.opened(func(json.RawMessage) (any, error) { return s.info(), nil }),
		"seek":     s.opened(s.seek),
		"step":     s.opened(s.step),
		"play":     s.opened(s.play),
		"pause":    s.opened(s.pause),
		"speed":    s.opened(s.speed),
		"rules":    s.opened(s.switchRules),
		"do":       s.opened(s.do),
		"possible": s.opened(s.possible),
		"branch":   s.opened(s.branch),
		"rename":   s.opened(s.rename),
		"delete":   s.opened(s.delete),
		"snapshot": s.opened(func(json.RawMessage) (any, error) { return s.snapshot(), nil }),
		"caption":  s.opened(func(json.RawMessage) (any, error) { return s.caption(), nil }),
		"acts":     s.opened(func(json.RawMessage) (any, error) { return s.acts(), nil }),
		"log":      s.opened(func(json.RawMessage) (any, error) { return s.log(), nil }),
		"inspect":  s.opened(s.inspect),
		"advance":  s.opened(s.advance),
		"save":     s.opened(s.save),
	}
	return s
}

// Extend adds a method that needs an open scenario, such as those that draw.
func (s *Session) Extend(name string, m Method) { s.methods[name] = s.opened(m) }

// opened lets a method be called only while something is open.
func (s *Session) opened(m Method) Method {
	return func(args json.RawMessage) (any, error) {
		if s.player == nil {
			return nil, &Error{Kind: Usage, Message: "No scenario is open: load one first."}
		}
		return m(args)
	}
}

// Player is what plays the open scenario, nil if none is open.
func (s *Session) Player() *playback.Player { return s.player }

// Call answers a method with JSON: {"ok": …} or {"error": …}. It never
// panics.
func (s *Session) Call(method, args string) []byte {
	return s.Answer(func() (any, error) {
		m, ok := s.methods[method]
		if !ok {
			return nil, usage("There is no method %q.", method)
		}
		raw := json.RawMessage(args)
		if len(args) == 0 {
			raw = json.RawMessage("{}")
		}
		return m(raw)
	})
}

// Options are those of Load.
type Options struct {
	Rules string `json:"rules"` // "": the file's first
	Step  string `json:"step"`  // where to open it; "" or unknown: at the start
}

// Load opens a scenario file and answers as Call does. With mistakes in it,
// what was open stays.
func (s *Session) Load(name string, src []byte, options string) []byte {
	return s.Answer(func() (any, error) {
		var o Options
		if options != "" {
			if err := decode(json.RawMessage(options), &o); err != nil {
				return nil, err
			}
		}
		if err := s.load(name, src, o); err != nil {
			return nil, err
		}
		return s.info(), nil
	})
}

func (s *Session) load(name string, src []byte, o Options) error {
	sc, mistakes := scenario.Parse(name, src)
	if len(mistakes) > 0 {
		return &Error{Kind: Diagnostics, Message: mistakesIn(name, len(mistakes)), Diagnostics: mistakes}
	}
	ruleSet := sc.Rules[0]
	if o.Rules != "" {
		ruleSet = o.Rules
	}
	set, ok := rules.ByName(ruleSet)
	if !ok {
		return refused("There is no rule set %q. There are kip and kafka.", ruleSet)
	}
	rec, err := playback.Record(sc, ruleSet)
	if err != nil {
		return recordError(sc, err)
	}
	player := playback.NewPlayer(rec)
	if o.Step != "" {
		// A link may name a step that is gone: the page says so, and sees
		// from the position that the scenario opened at its start.
		_ = player.SeekStep(o.Step)
	}
	s.sc, s.rules, s.player = sc, set, player
	s.players = map[string]*playback.Player{ruleSet: player}
	s.told = told{}
	return nil
}

// recordError turns a step that is not possible into a diagnostic.
func recordError(sc *scenario.Scenario, err error) error {
	var step *playback.StepError
	if !errors.As(err, &step) {
		return err
	}
	d := sc.Refusal(step.Step, step.Action, step.Err)
	return &Error{Kind: Diagnostics, Message: d.String(), Diagnostics: []scenario.Diagnostic{d}}
}

func mistakesIn(name string, n int) string {
	if n == 1 {
		return fmt.Sprintf("%s has 1 mistake.", name)
	}
	return fmt.Sprintf("%s has %d mistakes.", name, n)
}

// switchRules runs the scenario under another rule set and stays at the step
// on screen, if it is there.
func (s *Session) switchRules(args json.RawMessage) (any, error) {
	var a struct{ Name string }
	if err := decode(args, &a); err != nil {
		return nil, err
	}
	set, ok := rules.ByName(a.Name)
	if !ok {
		return nil, refused("There is no rule set %q. There are kip and kafka.", a.Name)
	}
	stop := s.player.Frame().Stop
	next, ok := s.players[a.Name]
	if !ok {
		rec, err := playback.Record(s.sc, a.Name)
		if err != nil {
			return nil, refusedUnder(set.TitleFor(s.sc.Protocol), s.sc, err)
		}
		next = playback.NewPlayer(rec)
		s.players[a.Name] = next
	}
	if err := next.SetSpeed(s.player.Speed()); err != nil {
		return nil, err
	}
	s.player.Pause()
	s.rules, s.player = set, next
	name := stop.Step
	if name == "" {
		name = stop.Label
	}
	if err := next.SeekStep(name); err != nil {
		next.Home()
	}
	return s.info(), nil
}

func refusedUnder(title string, sc *scenario.Scenario, err error) error {
	var step *playback.StepError
	if !errors.As(err, &step) {
		return err
	}
	d := sc.Refusal(step.Step, step.Action, step.Err)
	return refused("Under %s this scenario does not run to its end: line %d, %s.", title, d.Line, d.Text())
}

// Advance lets the viewer's clock move on by that many milliseconds.
func (s *Session) Advance(wall protocol.Duration) {
	if s.player != nil {
		s.player.Advance(wall)
	}
}
