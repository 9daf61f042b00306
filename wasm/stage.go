//go:build js

package main

import (
	"bytes"
	"encoding/json"
	"time"

	"groupscope/core/playback"
	"groupscope/core/protocol"
	"groupscope/core/session"
	"groupscope/core/sim"
	"groupscope/render/board"
	"groupscope/render/scene"
	"groupscope/render/screen"
	"groupscope/render/svg"
)

// stage shows the open scenario: it lays the board out for the page's view,
// and is what the screen draws.
type stage struct {
	session *session.Session
	send    func(json.RawMessage)

	board   *board.Kind
	view    board.View
	palette *scene.Palette
	scale   float32

	picture scene.Scene
	shown   moment        // what picture shows
	dirty   bool          // a call may have changed what there is to show
	drawn   bool          // the screen has picture
	rest    time.Duration // of the clock, less than a millisecond
}

// moment is what a picture depends on besides the view. Two equal moments give
// the same picture.
type moment struct {
	player *playback.Player
	state  *sim.State
	stop   playback.Stop
	now    protocol.Instant
	age    protocol.Duration
	pulses bool // a pulse grows by itself
}

func newStage(s *session.Session) *stage {
	st := &stage{session: s, scale: 1, board: &board.Kinds[0]}
	st.palette, _ = scene.Theme("light")
	s.Extend("view", st.setView)
	s.Extend("hit", st.hit)
	s.Extend("regions", st.regions)
	s.Extend("svg", st.svg)
	s.Extend("scene", func(json.RawMessage) (any, error) { return st.lay(), nil })
	return st
}

// Update implements screen.Board.
func (st *stage) Update(elapsed time.Duration) (screen.Picture, bool) {
	st.send(st.session.Events()) // of the frame before: it stands on the screen by now
	p := st.session.Player()
	if p == nil || st.view.Width == 0 {
		return screen.Picture{}, false
	}
	if p.Moving() {
		st.rest += elapsed
		whole := st.rest.Truncate(time.Millisecond)
		st.rest -= whole
		st.session.Advance(protocol.Duration(whole.Milliseconds()))
	}
	st.lay()
	changed := !st.drawn
	st.drawn = true
	return screen.Picture{Scene: &st.picture, Palette: st.palette, Scale: st.scale, Moving: p.Moving()}, changed
}

// Idle implements screen.Board: the page may park.
func (st *stage) Idle() {
	st.send(st.session.Events())
	st.send(json.RawMessage(`[{"type":"moving","moving":false}]`))
}

// Broken implements screen.Board.
func (st *stage) Broken(cause any, stack []byte) {
	st.send(st.session.ErrorEvent(cause, string(stack)))
}

// lay makes picture show this moment.
func (st *stage) lay() *scene.Scene {
	p := st.session.Player()
	f := p.Frame()
	m := moment{p, f.State, f.Stop, f.Now, f.Age, len(f.Pulses) > 0}
	if m != st.shown || st.dirty || m.pulses {
		st.board.Draw(&st.picture, f, &st.view)
		st.shown, st.dirty, st.drawn = m, false, false
	}
	return &st.picture
}

type viewArgs struct {
	Width         float32 `json:"width"`
	Height        float32 `json:"height"`
	Scale         float32 `json:"scale"`
	Theme         string  `json:"theme"`
	Board         string  `json:"board"`
	ReducedMotion bool    `json:"reducedMotion"`
	Selected      string  `json:"selected"`
	Presentation  bool    `json:"presentation"`
	FirstRow      int     `json:"firstRow"`
	FirstColumn   int     `json:"firstColumn"`
	Held          bool    `json:"held"`
}

type windowAnswer struct {
	First int     `json:"first"`
	Shown int     `json:"shown"`
	Count int     `json:"count"`
	X     float32 `json:"x"`
	Y     float32 `json:"y"`
}

// window is null for one that shows everything.
func window(w board.Window) *windowAnswer {
	if w.All() {
		return nil
	}
	return &windowAnswer{w.First, w.Shown, w.Count, w.X, w.Y}
}

func (st *stage) setView(args json.RawMessage) (any, error) {
	a := viewArgs{Scale: 1, Theme: "light", Board: "group"}
	if err := json.Unmarshal(args, &a); err != nil {
		return nil, usage("The view is not understood: " + err.Error() + ".")
	}
	palette, ok := scene.Theme(a.Theme)
	kind, known := board.Named(a.Board)
	switch {
	case !ok:
		return nil, usage("There is no theme " + a.Theme + ".")
	case !known:
		return nil, usage("There is no board " + a.Board + ".")
	case a.Width <= 0 || a.Scale <= 0:
		return nil, usage("A view needs a width and a scale.")
	}
	st.palette, st.scale, st.board = palette, a.Scale, kind
	v := &st.view
	v.Width, v.Height = a.Width, a.Height
	v.ReducedMotion, v.Selected, v.Presentation = a.ReducedMotion, a.Selected, a.Presentation
	v.FirstRow, v.FirstColumn, v.Held = a.FirstRow, a.FirstColumn, a.Held
	st.dirty = true
	preferred, least := st.board.Heights(st.session.Player().Frame(), v)
	st.lay()
	rows, columns := v.Windows()
	firm := float32(0)
	if rows.Count == 0 {
		firm = least
	}
	return struct {
		Height  float32       `json:"height"`
		Least   float32       `json:"least"`
		Firm    float32       `json:"firm"`
		Rows    *windowAnswer `json:"rows"`
		Columns *windowAnswer `json:"columns"`
	}{preferred, least, firm, window(rows), window(columns)}, nil
}

func (st *stage) hit(args json.RawMessage) (any, error) {
	var a struct{ X, Y float32 }
	if err := json.Unmarshal(args, &a); err != nil {
		return nil, usage("A point is not understood: " + err.Error() + ".")
	}
	s := st.lay()
	id, ok := s.Hit(a.X, a.Y)
	if !ok {
		return nil, nil
	}
	for i := range s.Regions {
		if s.Regions[i].ID == id {
			return region(&s.Regions[i]), nil
		}
	}
	return nil, nil
}

type regionAnswer struct {
	ID    string  `json:"id"`
	Title string  `json:"title"`
	X     float32 `json:"x"`
	Y     float32 `json:"y"`
	W     float32 `json:"w"`
	H     float32 `json:"h"`
}

func region(r *scene.Region) regionAnswer {
	return regionAnswer{r.ID, r.Title, r.X, r.Y, r.W, r.H}
}

func (st *stage) regions(json.RawMessage) (any, error) {
	s := st.lay()
	out := make([]regionAnswer, 0, len(s.Regions))
	for i := range s.Regions {
		out = append(out, region(&s.Regions[i]))
	}
	return out, nil
}

func (st *stage) svg(args json.RawMessage) (any, error) {
	a := struct {
		Standalone bool
		Theme      string
	}{Theme: "light"}
	if err := json.Unmarshal(args, &a); err != nil {
		return nil, usage("Options are not understood: " + err.Error() + ".")
	}
	var out bytes.Buffer
	write := func() error { return svg.Inline(&out, st.lay()) }
	if a.Standalone {
		write = func() error { return svg.Standalone(&out, st.lay(), a.Theme) }
	}
	if err := write(); err != nil {
		return nil, usage(err.Error())
	}
	return out.String(), nil
}

func usage(sentence string) error {
	return &session.Error{Kind: session.Usage, Message: sentence}
}
