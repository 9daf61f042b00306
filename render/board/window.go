package board

// Window is the part of a board's rows, or of a matrix's columns, that is
// shown where there is no room for all of them.
type Window struct {
	First, Shown, Count int
	// X and Y are the upper left corner of a place of KeysWidth by KeysHeight
	// that the board keeps free for keys that move the window.
	X, Y float32
}

// The place for two keys beside each other, in CSS pixels.
const (
	KeysWidth, KeysHeight = 52, 24
	keysGap               = 8 // between the keys and words before them
)

// All says that nothing is left out.
func (w Window) All() bool { return w.Shown >= w.Count }

// Windows are those of the picture that was drawn last with this view. A board
// without rows or columns of that kind gives the zero Window.
func (v *View) Windows() (rows, columns Window) {
	l := &v.work.drawing.l
	return l.rows, l.columns
}

// keysAt puts the place for keys before right, its middle at y.
func (w *Window) keysAt(right, y float32) {
	w.X, w.Y = right-KeysWidth, y-KeysHeight/2
}

// keysRoom is how much of a line's end the keys of a window take.
func (w Window) keysRoom() float32 {
	if w.All() {
		return 0
	}
	return KeysWidth + keysGap
}
