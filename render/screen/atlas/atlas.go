// Package atlas keeps pictures of whole labels in one page, so that a label
// costs one quad. It knows nothing of a screen: it says which part of the page
// has changed, and somebody uploads it.
package atlas

import (
	"fmt"
	"image"
	"math"

	"golang.org/x/image/font"
	"golang.org/x/image/math/fixed"

	"groupscope/render/scene"
	"groupscope/render/scene/face"
)

// The page has a fixed width and grows downwards.
const (
	pageWidth = 2048
	minHeight = 256
	maxHeight = 4096
)

// margin is the room around a label's picture: what a glyph may reach beyond
// its advance, and a gap so that smoothing never mixes neighbours.
const margin = 2

// Label is where a label lies in the page. Lengths are device pixels.
type Label struct {
	Box     image.Rectangle
	Left    int     // from the box's left edge to the label's origin
	Ascent  int     // from the box's upper edge to the baseline
	Advance float32 // the label's width
}

// Atlas holds the pictures of labels. Use New.
type Atlas struct {
	files  [2][]byte // of the face, by weight
	faces  map[faceKey]font.Face
	labels map[labelKey]Label
	page   *image.Alpha
	dirty  image.Rectangle

	x, y, row int // where the next label goes, and the height of this row
}

type faceKey struct {
	size   fixed.Int26_6
	weight scene.Weight
}

type labelKey struct {
	faceKey
	text string
}

// New returns an empty atlas for the two weights of a face, given as TrueType
// files.
func New(regular, medium []byte) (*Atlas, error) {
	a := &Atlas{files: [2][]byte{regular, medium}}
	for i, file := range a.files {
		if _, err := face.New(file, 16); err != nil {
			return nil, fmt.Errorf("face %d: %w", i, err)
		}
	}
	a.Reset()
	return a, nil
}

// Reset forgets every label and every size.
func (a *Atlas) Reset() {
	a.faces = map[faceKey]font.Face{}
	a.x, a.y, a.row = 0, 0, 0
	if a.page != nil && len(a.labels) == 0 {
		return
	}
	if a.page != nil { // what lay there is to vanish
		a.dirty = image.Rect(0, 0, pageWidth, minHeight)
	}
	a.labels = map[labelKey]Label{}
	a.page = image.NewAlpha(image.Rect(0, 0, pageWidth, minHeight))
}

// Page is the picture of all labels. It is another one after it has grown.
func (a *Atlas) Page() *image.Alpha { return a.page }

// Used is the part of the page that has labels; all else of it is blank.
func (a *Atlas) Used() image.Rectangle {
	return image.Rect(0, 0, pageWidth, min(a.y+a.row, a.page.Rect.Dy()))
}

// Dirty returns the part of the page that has changed since the last call.
func (a *Atlas) Dirty() image.Rectangle {
	d := a.dirty
	a.dirty = image.Rectangle{}
	return d
}

// Label returns where a label lies, drawing it first if it is new. size is in
// device pixels. It returns false when the page is full: Reset, and draw again
// what is needed now.
func (a *Atlas) Label(text string, size float32, weight scene.Weight) (Label, bool) {
	key := labelKey{faceKey{fixed.Int26_6(math.Round(float64(size) * 64)), weight}, text}
	if l, ok := a.labels[key]; ok {
		return l, true
	}
	drawn := a.face(key.faceKey)
	bounds, advance := font.BoundString(drawn, text)
	l := Label{
		Left:    max(0, -bounds.Min.X.Floor()) + margin,
		Ascent:  max(0, -bounds.Min.Y.Floor()) + margin,
		Advance: float32(advance) / 64,
	}
	w := l.Left + max(0, bounds.Max.X.Ceil()) + margin
	h := l.Ascent + max(0, bounds.Max.Y.Ceil()) + margin
	at, ok := a.allot(w, h)
	if !ok {
		return Label{}, false
	}
	l.Box = image.Rect(at.X, at.Y, at.X+w, at.Y+h)
	d := font.Drawer{Dst: a.page, Src: image.Opaque, Face: drawn, Dot: fixed.P(at.X+l.Left, at.Y+l.Ascent)}
	d.DrawString(text)
	a.labels[key] = l
	a.dirty = a.dirty.Union(l.Box)
	return l, true
}

func (a *Atlas) face(key faceKey) font.Face {
	if f, ok := a.faces[key]; ok {
		return f
	}
	f, err := face.New(a.files[key.weight], float64(key.size)/64)
	if err != nil {
		panic(err) // New has tried the file
	}
	a.faces[key] = f
	return f
}

// allot finds room, row by row.
func (a *Atlas) allot(w, h int) (image.Point, bool) {
	if w > pageWidth {
		return image.Point{}, false
	}
	if a.x+w > pageWidth {
		a.x, a.y, a.row = 0, a.y+a.row, 0
	}
	for a.y+h > a.page.Rect.Dy() {
		if !a.grow() {
			return image.Point{}, false
		}
	}
	at := image.Pt(a.x, a.y)
	a.x += w
	a.row = max(a.row, h)
	return at, true
}

func (a *Atlas) grow() bool {
	height := a.page.Rect.Dy() * 2
	if height > maxHeight {
		return false
	}
	page := image.NewAlpha(image.Rect(0, 0, pageWidth, height))
	copy(page.Pix, a.page.Pix)
	a.page = page
	a.dirty = page.Rect
	return true
}
