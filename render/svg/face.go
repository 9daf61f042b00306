package svg

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strings"

	"groupscope/render/scene"
	"groupscope/render/scene/face"
)

// embeddedFace is the style of a file that carries its own face: one font for
// each weight, with the glyphs of the scene's labels only.
func embeddedFace(s *scene.Scene) (string, error) {
	var b strings.Builder
	for weight, ttf := range [][]byte{scene.Regular: face.Regular, scene.Medium: face.Medium} {
		used := characters(s, scene.Weight(weight))
		if len(used) == 0 {
			continue
		}
		font, err := face.Cut(ttf, used)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&b, "@font-face{font-family:'Groupscope Inter';font-weight:%d;src:url(data:font/ttf;base64,%s)}",
			400+100*weight, base64.StdEncoding.EncodeToString(font))
	}
	return b.String(), nil
}

// characters lists what the labels of one weight are made of, sorted.
func characters(s *scene.Scene, w scene.Weight) []rune {
	var out []rune
	for _, l := range []*scene.Layer{&s.Base, &s.Over} {
		for i := range l.Labels {
			if l.Labels[i].Weight == w {
				out = append(out, []rune(l.Labels[i].Text)...)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
