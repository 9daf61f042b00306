package screen

import (
	"encoding/binary"
	"image"
	"slices"

	"github.com/hajimehoshi/ebiten/v2"

	"groupscope/render/scene"
	"groupscope/render/scene/face"
	"groupscope/render/screen/atlas"
)

// lettering draws labels out of an atlas whose page lies in one texture.
type lettering struct {
	atlas   *atlas.Atlas
	texture *ebiten.Image
	upload  []byte
}

func newLettering() (*lettering, error) {
	a, err := atlas.New(face.Regular, face.Medium)
	if err != nil {
		return nil, err
	}
	return &lettering{atlas: a}, nil
}

// add appends the quads of labels to a batch. It returns false when the page
// is full.
func (l *lettering) add(b *batch, labels []scene.Label, p *scene.Palette, g grid) bool {
	whole := true
	for i := range labels {
		s := &labels[i]
		if s.Text == "" || s.Color == scene.NoColor {
			continue
		}
		at, ok := l.atlas.Label(s.Text, s.Size*g.scale, s.Weight)
		if !ok {
			whole = false
			continue
		}
		x, y := s.X*g.scale, s.Y*g.scale
		switch s.Anchor {
		case scene.Middle:
			x -= at.Advance / 2
		case scene.End:
			x -= at.Advance
		}
		if g.snap {
			x, y = round(x), round(y)
		}
		c, alpha := p[s.Color], opacity(s.Alpha)/255
		v := ebiten.Vertex{ColorR: float32(c.R) * alpha, ColorG: float32(c.G) * alpha, ColorB: float32(c.B) * alpha, ColorA: float32(c.A) * alpha}
		x, y = x-float32(at.Left), y-float32(at.Ascent)
		box := at.Box
		b.quad(x, y, x+float32(box.Dx()), y+float32(box.Dy()),
			float32(box.Min.X), float32(box.Min.Y), float32(box.Max.X), float32(box.Max.Y), v)
	}
	return whole
}

// send brings what is new in the page into the texture. Textures are made
// here, never while drawing.
func (l *lettering) send() {
	dirty := l.atlas.Dirty()
	if dirty.Empty() {
		return
	}
	page := l.atlas.Page()
	if l.texture == nil || l.texture.Bounds() != page.Rect {
		if l.texture != nil {
			l.texture.Deallocate()
		}
		l.texture = ebiten.NewImageWithOptions(page.Rect, &ebiten.NewImageOptions{Unmanaged: true})
		dirty = l.atlas.Used() // a new texture is blank, as is the rest of the page
	}
	l.upload = white(l.upload, page, dirty)
	l.texture.SubImage(dirty).(*ebiten.Image).WritePixels(l.upload)
}

// white gives a part of the page as white pixels of that opacity,
// premultiplied, so that a vertex's colour tints it. It takes the room of dst.
func white(dst []byte, page *image.Alpha, r image.Rectangle) []byte {
	dst = slices.Grow(dst[:0], 4*r.Dx()*r.Dy())[:4*r.Dx()*r.Dy()]
	at := dst
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for _, a := range page.Pix[page.PixOffset(r.Min.X, y):page.PixOffset(r.Max.X, y)] {
			binary.LittleEndian.PutUint32(at, uint32(a)*0x01010101)
			at = at[4:]
		}
	}
	return dst
}
