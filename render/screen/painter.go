// Package screen draws scenes with Ebitengine. It is the only package that
// imports it.
//
// A frame is at most five draw calls whatever the scene holds: the background,
// then for each of the two layers one batch of shapes, drawn by one shader, and
// one batch of labels, one quad each, from one texture.
package screen

import (
	"github.com/hajimehoshi/ebiten/v2"

	"groupscope/render/scene"
	"groupscope/render/screen/kage"
)

// Picture is a scene and how to show it.
type Picture struct {
	Scene   *scene.Scene
	Palette *scene.Palette
	Scale   float32 // device pixels a pixel of the scene
	// Moving says that the next picture may differ though nobody asked for
	// another one.
	Moving bool
}

// painter turns pictures into batches, and batches into draw calls.
type painter struct {
	shader   *ebiten.Shader
	letters  *lettering
	base     layer
	over     layer
	backdrop scene.Color
	palette  *scene.Palette
	scale    float32

	shapeOptions ebiten.DrawTrianglesShaderOptions
	labelOptions ebiten.DrawTrianglesOptions
	uniforms     [scene.Colors * 4]float32
}

type layer struct {
	shapes, labels batch
	gliding        bool // not on the pixel grid, so smoothed
}

func newPainter() (*painter, error) {
	shader, err := ebiten.NewShader([]byte(kage.Shape()))
	if err != nil {
		return nil, err
	}
	letters, err := newLettering()
	if err != nil {
		return nil, err
	}
	p := &painter{shader: shader, letters: letters}
	p.labelOptions.ColorScaleMode = ebiten.ColorScaleModePremultipliedAlpha
	p.shapeOptions.Uniforms = map[string]any{"Palette": p.uniforms[:], "Scale": float32(1)}
	return p, nil
}

// prepare lays a picture out in device pixels. Everything that makes or fills
// textures happens here.
func (p *painter) prepare(pic *Picture) {
	s := pic.Scene
	if pic.Scale != p.scale {
		p.scale = pic.Scale
		p.letters.atlas.Reset()
		p.shapeOptions.Uniforms["Scale"] = pic.Scale
	}
	if pic.Palette != p.palette {
		p.palette = pic.Palette
		for i, c := range pic.Palette {
			p.uniforms[4*i], p.uniforms[4*i+1] = float32(c.R)/255, float32(c.G)/255
			p.uniforms[4*i+2], p.uniforms[4*i+3] = float32(c.B)/255, float32(c.A)/255
		}
	}
	p.backdrop = s.Background
	if p.backdrop == scene.NoColor {
		p.backdrop = scene.Paper
	}
	p.over.gliding = s.Moving
	if !p.lay(s) { // the page is full of labels of the past
		p.letters.atlas.Reset()
		p.lay(s)
	}
	p.letters.send()
}

func (p *painter) lay(s *scene.Scene) bool {
	base := p.base.lay(&s.Base, p)
	over := p.over.lay(&s.Over, p)
	return base && over
}

func (l *layer) lay(from *scene.Layer, p *painter) bool {
	g := grid{scale: p.scale, snap: !l.gliding}
	l.shapes.reset()
	for i := range from.Shapes {
		l.shapes.shape(&from.Shapes[i], g)
	}
	l.labels.reset()
	return p.letters.add(&l.labels, from.Labels, p.palette, g)
}

// paint draws what prepare laid out.
func (p *painter) paint(dst *ebiten.Image) {
	dst.Fill(p.palette[p.backdrop])
	p.draw(dst, &p.base)
	p.draw(dst, &p.over)
}

func (p *painter) draw(dst *ebiten.Image, l *layer) {
	if len(l.shapes.indices) > 0 {
		dst.DrawTrianglesShader32(l.shapes.vertices, l.shapes.indices, p.shader, &p.shapeOptions)
	}
	if len(l.labels.indices) > 0 {
		p.labelOptions.Filter = ebiten.FilterNearest
		if l.gliding {
			p.labelOptions.Filter = ebiten.FilterLinear
		}
		dst.DrawTriangles32(l.labels.vertices, l.labels.indices, p.letters.texture, &p.labelOptions)
	}
}
