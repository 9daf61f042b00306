package session

import "encoding/json"

// told is what the page knows already.
type told struct {
	known   bool
	branch  string
	stop    int
	playing bool
	moving  bool
}

// Events says what changed since it was asked last, as a JSON array; nil when
// nothing did. A host asks once a frame, after the frame was drawn: then
// "moving: false" means that the last needed frame is on the screen.
func (s *Session) Events() []byte {
	if s.player == nil {
		return nil
	}
	p := s.player
	now := told{known: true, branch: p.Branch(), stop: p.Stop(), playing: p.Playing(), moving: p.Moving()}
	was := s.told
	if now == was {
		return nil
	}
	s.told = now
	var out []any
	if !was.known || was.branch != now.branch || was.stop != now.stop || was.playing != now.playing {
		out = append(out, struct {
			Type string `json:"type"`
			Position
		}{"position", s.position()})
	}
	if was.playing && !now.playing && p.AtEnd() {
		out = append(out, struct {
			Type string `json:"type"`
		}{"end"})
	}
	if !was.known || was.moving != now.moving {
		out = append(out, struct {
			Type   string `json:"type"`
			Moving bool   `json:"moving"`
		}{"moving", now.moving})
	}
	raw, err := json.Marshal(out)
	if err != nil {
		panic(err) // positions hold nothing but texts and numbers
	}
	return raw
}

// ErrorEvent is a batch of one event: something broke outside of a call.
func (s *Session) ErrorEvent(r any, stack string) []byte {
	raw, err := json.Marshal([]any{struct {
		Type  string `json:"type"`
		Error *Error `json:"error"`
	}{"error", s.broken(r, stack)}})
	if err != nil {
		panic(err)
	}
	return raw
}
