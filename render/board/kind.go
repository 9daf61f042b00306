package board

import (
	"groupscope/core/playback"
	"groupscope/render/scene"
)

// Kind is one of the boards.
type Kind struct {
	Name string // in links and attributes
	// Streams: only a streams group has it.
	Streams bool
	draw    func(dst *scene.Scene, f *playback.Frame, v *View)
}

// Kinds are the boards, in the order of the number keys.
var Kinds = []Kind{
	{Name: "group", draw: Group},
	{Name: "topology", Streams: true, draw: Topology},
}

// Named finds a board by its name, false when there is none of that name.
func Named(name string) (*Kind, bool) {
	for i := range Kinds {
		if Kinds[i].Name == name {
			return &Kinds[i], true
		}
	}
	return nil, false
}

// Draw draws the board into dst, which it resets first. Where the group has
// no such board, it is the group board.
func (k *Kind) Draw(dst *scene.Scene, f *playback.Frame, v *View) {
	if k.Streams && !f.State.Streams() {
		k = &Kinds[0]
	}
	k.draw(dst, f, v)
}

// Heights are those of the board at the view's width. With the preferred one
// nothing is left out: the group board has room for every member that the
// scenario will have, where the layout reserves rows, and on narrow ones for
// those there are at this stop. With the least one all these rows are still
// shown.
func (k *Kind) Heights(f *playback.Frame, v *View) (preferred, least float32) {
	var s scene.Scene
	whole := *v
	whole.Height, whole.work = 0, work{}
	k.Draw(&s, f, &whole)
	return s.Height, s.Height - whole.work.drawing.slack
}
