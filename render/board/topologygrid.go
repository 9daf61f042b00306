package board

import (
	"slices"
	"strings"
)

// placeGrid puts the subtopologies side by side, as many as there is room for,
// each under the topics that it reads.
func (t *plan) placeGrid() {
	f := &t.form
	left, right := t.edges()
	const gap = 24
	across := min(max(1, int((right-left+gap)/(f.leastPanel+gap))), max(1, len(t.parts)))
	each := min(520, floor((right-left-float32(across-1)*gap)/float32(across)))
	y := f.top
	var order []int
	for _, layer := range t.layers {
		order = append(order, layer...)
	}
	t.link(func(i, j int) bool {
		a, b := slices.Index(order, i), slices.Index(order, j)
		return b == a+1 && (across == 1 || b%across != 0)
	})
	for first := 0; first < len(order); first += across {
		line := order[first:min(first+across, len(order))]
		y = t.placeLine(line, left, each, gap, y)
		t.bottom = y
		y += max(12, f.topicGap)
	}
}

// placeLine places neighbours of a grid from y on, and returns where they end.
func (t *plan) placeLine(line []int, left, each, gap, y float32) (bottom float32) {
	f := &t.form
	above, tall := float32(0), float32(0)
	for _, i := range line {
		b := &t.parts[i]
		if f.inputs && t.bracketed(b) {
			above = 26
		}
		tall = max(tall, b.h)
	}
	y += above
	top := y
	if f.inputs {
		top += f.topicH + f.drop
	}
	bottom = top + tall
	for k, i := range line {
		b := &t.parts[i]
		b.x, b.y, b.w, b.h, b.beside = left+float32(k)*(each+gap), top, each, tall, false
		if f.inputs {
			t.inputsAbove(b, y, k > 0 && t.feeds(line[k-1], i))
		}
		if f.stores && len(b.stores) > 0 {
			w := b.w
			if len(line) == 1 && len(t.parts) > 1 {
				w = floor(b.w * 0.55) // a line passes to the right of them
			}
			bottom = max(bottom, t.storesBelow(b, b.x, w))
		}
	}
	return bottom
}

// inputsAbove puts topics side by side above a panel. What the neighbour at
// the left writes comes first, what one above writes last.
func (t *plan) inputsAbove(b *part, y float32, fed bool) {
	slices.SortStableFunc(b.inputs, func(a, b topicBox) int {
		if fed {
			a, b = b, a
		}
		return strings.Compare(b.kind, a.kind) // "source" before "repartition"
	})
	n := float32(len(b.inputs))
	w := min(200, floor((b.w-(n-1)*8)/n))
	x := b.x
	if n == 1 && b.inputs[0].kind == "repartition" && !fed {
		x = b.x + b.w - w
	}
	for i := range b.inputs {
		in := &b.inputs[i]
		in.x, in.y, in.w = x, y, w
		x += w + 8
	}
}
