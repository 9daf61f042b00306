package session

import (
	"encoding/json"

	"groupscope/core/protocol"
	"groupscope/core/scenario"
)

func (s *Session) seek(args json.RawMessage) (any, error) {
	var a struct {
		Stop *int
		Step *string
	}
	if err := decode(args, &a); err != nil {
		return nil, err
	}
	var err error
	switch {
	case a.Step != nil:
		err = s.player.SeekStep(*a.Step)
	case a.Stop != nil:
		err = s.player.Seek(*a.Stop)
	default:
		err = usage("Seek needs a stop or a step.")
	}
	if err != nil {
		return nil, err
	}
	return s.position(), nil
}

func (s *Session) step(args json.RawMessage) (any, error) {
	a := struct{ By int }{By: 1}
	if err := decode(args, &a); err != nil {
		return nil, err
	}
	s.player.StepBy(a.By)
	return s.position(), nil
}

func (s *Session) play(json.RawMessage) (any, error) {
	s.player.Play()
	return s.position(), nil
}

func (s *Session) pause(json.RawMessage) (any, error) {
	s.player.Pause()
	return s.position(), nil
}

func (s *Session) speed(args json.RawMessage) (any, error) {
	var a struct{ X float64 }
	if err := decode(args, &a); err != nil {
		return nil, err
	}
	if err := s.player.SetSpeed(a.X); err != nil {
		return nil, err
	}
	return s.position(), nil
}

// do carries out one step in the vocabulary of scenario files.
func (s *Session) do(args json.RawMessage) (any, error) {
	var a struct{ Action string }
	if err := decode(args, &a); err != nil {
		return nil, err
	}
	action, mistakes := scenario.DecodeAction([]byte(a.Action))
	if len(mistakes) > 0 {
		return nil, &Error{Kind: Diagnostics, Message: mistakes[0].Text(), Diagnostics: mistakes}
	}
	if err := s.player.Do(action); err != nil {
		return nil, err
	}
	return s.info(), nil
}

type branchArgs struct{ ID, Name string }

func (s *Session) branch(args json.RawMessage) (any, error) {
	return s.onBranch(args, func(a branchArgs) error { return s.player.Switch(a.ID) })
}

func (s *Session) rename(args json.RawMessage) (any, error) {
	return s.onBranch(args, func(a branchArgs) error { return s.player.Rename(a.ID, a.Name) })
}

func (s *Session) delete(args json.RawMessage) (any, error) {
	return s.onBranch(args, func(a branchArgs) error { return s.player.Delete(a.ID) })
}

func (s *Session) onBranch(args json.RawMessage, do func(branchArgs) error) (any, error) {
	var a branchArgs
	if err := decode(args, &a); err != nil {
		return nil, err
	}
	if err := do(a); err != nil {
		return nil, err
	}
	return s.info(), nil
}

func (s *Session) advance(args json.RawMessage) (any, error) {
	var a struct{ MS float64 }
	if err := decode(args, &a); err != nil {
		return nil, err
	}
	s.player.Advance(protocol.Duration(a.MS))
	return struct {
		Moving bool `json:"moving"`
	}{s.player.Moving()}, nil
}

func (s *Session) save(json.RawMessage) (any, error) {
	src, err := s.player.Save()
	return string(src), err
}

// Act is something done by hand on the branch on screen.
type Act struct {
	Stop   int    `json:"stop"`   // index of the stop it was done at
	Label  string `json:"label"`  // of that stop
	Action string `json:"action"` // in the vocabulary of scenario files
}

// acts lists what was done by hand, in order, inherited acts first.
func (s *Session) acts() []Act {
	out := []Act{}
	for _, a := range s.player.Acts() {
		out = append(out, Act{a.Stop, a.Label, s.sc.EncodeAction(a.Action)})
	}
	return out
}
