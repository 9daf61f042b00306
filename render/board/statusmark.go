package board

import "groupscope/render/scene"

// marked: a row has no room for the words under its client's chips, so that
// the status of its last answer is a mark.
func (d *drawing) marked(r *row) bool {
	_, any := statusOf(r.client)
	return any && d.l.stateDY == 0 && (d.form == chips || d.form == cards) && !gone(r.client.State)
}

// statusMark stands for a status: an outlined disc with an exclamation mark.
func (d *drawing) statusMark(p pen, cx, cy float32) {
	p.shape(scene.Shape{X: cx - 9, Y: cy - 9, W: 18, H: 18, Radii: round(9), Fill: scene.Paper, Stroke: scene.Ink, Width: 1.5})
	p.label(scene.Label{X: cx, Y: cy + 5, Text: "!", Size: 14, Weight: scene.Medium, Color: scene.Ink, Anchor: scene.Middle})
}
