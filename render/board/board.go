// Package board draws boards: from a frame of a recording and a view it fills
// a scene. Layout and motion are pure functions of the two, so the same frame
// gives the same scene, byte for byte, whichever way it was reached.
//
// Layouts come from the design's tokens by the width of the container; a
// group that does not fit changes its form (chips, matrix, aggregates), it
// never shrinks under 14 pixels of type.
package board

import (
	"groupscope/core/playback"
	"groupscope/render/scene"
)

// View is how a board is to be drawn. It also keeps the memory that makes the
// next frame cheap, so use one View for one picture on screen; the zero value
// with a Width is ready. It must not be used by two goroutines at once.
type View struct {
	// Width and Height are the container's, in CSS pixels. Height 0 takes what
	// the board needs (see Heights); with less than that, timers,
	// client states and reserved rows go, in this order, then rows scroll.
	Width, Height float32
	// ReducedMotion draws the end state at once.
	ReducedMotion bool
	// Selected is the id of a region; "partition/foo-2" marks all its chips.
	Selected string
	// Presentation draws for a projector: bigger, with less.
	Presentation bool
	// FirstRow and FirstColumn are the first row and, in a matrix, the first
	// partition to show when not all fit (see Windows). Rows move on from there
	// to show what changed, unless Held.
	FirstRow, FirstColumn int
	Held                  bool

	work work
}

// The limits of the forms: above them a group is a matrix, then aggregates.
const (
	chipMembers    = 6
	chipPartitions = 12
	chipTasks      = 18
	chipLines      = 3 // lines a row may have
	matrixMembers  = 64
)

// Group draws the group board into dst, which it resets first.
func Group(dst *scene.Scene, f *playback.Frame, v *View) {
	dst.Reset()
	dst.Background = scene.Paper
	dst.Width, dst.Height = v.Width, v.Height
	d := v.work.start(dst, f, v)
	switch d.form {
	case cards:
		d.cards()
	case chips:
		d.chips()
	case matrix:
		d.matrix()
	case aggregates:
		d.aggregates()
	}
	dst.Title = d.sentence()
	v.work.keep(d)
}

// form is how a group is drawn.
type form uint8

const (
	chips form = iota
	cards
	matrix
	aggregates
)

// pickForm chooses by the size of the group and the room for it.
func (d *drawing) pickForm() form {
	members := max(len(d.rows), d.members())
	switch {
	case members > matrixMembers:
		return aggregates
	case members > chipMembers || d.total > chipPartitions && !d.streams || d.total > chipTasks:
		return matrix
	}
	if d.v.Width < embedSmallFrom {
		return cards
	}
	l := pick(d.v.Width, d.v.Presentation, d.inLines(), d.streams)
	if d.inLines() && d.linesFor(l.perLine(d.v.Width)) > chipLines {
		return matrix
	}
	return chips
}
