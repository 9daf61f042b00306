// Package scene is a picture as plain values: rounded rectangles, labels and
// a few marks, in drawing order. It knows nothing of groups, themes or
// backends; colours are names that a backend resolves with a palette, so one
// scene serves light, dark and high contrast.
package scene

// Color names a colour of the palette. The epoch colours follow each other in
// blocks of four: see Epoch.
type Color uint8

// The colours that do not belong to an epoch.
const (
	NoColor Color = iota
	Paper
	Panel
	PanelEdge // the panel's own colour, ink in high contrast
	Raised
	Ink
	Ink2
	Line
	Hair
	Alert
	AlertWash
	firstEpoch
)

// Tone is one of the four colours an epoch has.
type Tone uint8

// The tones of an epoch.
const (
	Fill Tone = iota // owned
	On               // text on Fill
	Edge             // outline, hatch, chart line
	Wash             // bands, warm-up
)

// EpochColors is the number of colours of the ramp; epochs repeat after it.
const EpochColors = 8

// Epoch is the colour of an epoch: entry (e-1) mod 8 of the ramp, or the grey
// of epochs 0, -1 and -2.
func Epoch(e int32, t Tone) Color {
	i := 0
	if e > 0 {
		i = int(e-1)%EpochColors + 1
	}
	return firstEpoch + Color(i*4+int(t))
}

// Colors is the number of colours a palette has.
const Colors = int(firstEpoch) + (EpochColors+1)*4

// Pattern fills a shape with lines of its Stroke colour over its Fill.
type Pattern uint8

// The patterns of LANGUAGE.md 4.
const (
	Plain    Pattern = iota
	Hatch            // 45 degrees, period 7, line 3
	Stripes          // horizontal, period 6, line 2.5
	Diagonal         // the lower left half is filled: a matrix cell being revoked
)

// Shape is a rounded rectangle, the one thing besides labels and marks that is
// drawn. Circles and lines are shapes too. Coordinates are CSS pixels of the
// scene, x to the right, y down.
type Shape struct {
	X, Y, W, H float32
	Radii      [4]float32 // top left, top right, bottom right, bottom left
	Fill       Color      // NoColor: none
	Stroke     Color      // NoColor: none; centred on the shape's edge, as in SVG
	Width      float32    // of the stroke
	Dash       [2]float32 // on, off, along the stroke; without one the fill is dashed along the longer side; zero: solid
	Pattern    Pattern
	Mark       Mark    // drawn instead of a rectangle, in Fill, filling the box
	Alpha      float32 // 0 counts as 1
}

// Mark is a small glyph drawn in a box, without a stroke of its own.
type Mark uint8

// The marks. Each fills its box; the thickness of lines is in parts of the
// box's width.
const (
	NoMark        Mark = iota
	TriangleLeft       // its point is the middle of the left side
	TriangleRight      // its point is the middle of the right side
	TriangleDown       // its point is the middle of the lower side
	Lock               // a padlock, 10 wide and 12 high
	Cross              // both diagonals, 1/6 thick
	Tick               // a check mark, 1/7 thick
	HalfDisc           // the right half of the disc that fills the box: Reconciling
)

// Anchor is where a label's X lies in its text.
type Anchor uint8

// The anchors.
const (
	Start Anchor = iota
	Middle
	End
)

// Weight is one of the two weights of the face.
type Weight uint8

// The weights.
const (
	Regular Weight = iota
	Medium
)

// Label is a line of text. Y is the baseline. Size is in pixels.
type Label struct {
	X, Y   float32
	Text   string
	Size   float32
	Weight Weight
	Color  Color
	Anchor Anchor
	Alpha  float32 // 0 counts as 1
}

// Layer is drawn as all its shapes, then all its labels.
type Layer struct {
	Shapes []Shape
	Labels []Label
}

// Region makes a part of the picture answer to a pointer or to the keyboard.
// Regions are in reading order.
type Region struct {
	ID         string // "member/A", "partition/foo-2/current/A", "group", "message/17"
	Title      string // a sentence for a tool tip and a screen reader
	X, Y, W, H float32
}

// Scene is a picture. Base is drawn first; Over holds what moves, so that it
// is drawn above all else.
type Scene struct {
	Width, Height float32
	Background    Color
	Base, Over    Layer
	Regions       []Region
	// Title is the whole picture in a sentence or two, its text alternative.
	Title string
	// Moving says that the picture will differ a moment later by itself.
	Moving bool
}

// Reset empties the scene and keeps its memory, so that drawing the next frame
// allocates nothing.
func (s *Scene) Reset() {
	s.Base.Shapes, s.Base.Labels = s.Base.Shapes[:0], s.Base.Labels[:0]
	s.Over.Shapes, s.Over.Labels = s.Over.Shapes[:0], s.Over.Labels[:0]
	s.Regions = s.Regions[:0]
	s.Title, s.Moving = "", false
}

// Hit returns the id of the topmost region under a point.
func (s *Scene) Hit(x, y float32) (id string, ok bool) {
	for i := len(s.Regions) - 1; i >= 0; i-- {
		r := &s.Regions[i]
		if x >= r.X && x < r.X+r.W && y >= r.Y && y < r.Y+r.H {
			return r.ID, true
		}
	}
	return "", false
}
