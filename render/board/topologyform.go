package board

import (
	"math"
	"slices"

	"groupscope/render/scene"
)

// topologyForm is one way to draw a topology: in columns, topics beside the
// panels that read them, or in a grid, topics above their panels. Short of
// height the changelogs go, then all topics.
type topologyForm struct {
	sizes
	columns        bool
	inputs, stores bool
}

// sizes are those of a topology board.
type sizes struct {
	margin            float32
	title, titleY     float32 // size, baseline
	top               float32 // of what stands below the title
	topicH, topicGap  float32
	leastTopic, gap   float32 // widths: of a topic beside a panel, between the two
	leastPanel        float32
	nameY, nameSize   float32 // of a panel's name, from its top
	headY             float32 // of the table's head
	table, pitch, end float32 // from a panel's top to its first task; from task to task; below the last
	chipH             float32
	drop              float32 // from a panel to topics above or below it
	foot              float32 // height of the line at the bottom
	brief             bool    // the line at the bottom only where it tells members apart
}

var (
	roomy = sizes{
		margin: 32, title: 22, titleY: 48, top: 102, topicH: 64, topicGap: 24, leastTopic: 150, gap: 40, leastPanel: 284,
		nameY: 36, nameSize: 18, headY: 72, table: 84, pitch: 42, end: 12, chipH: 28, drop: 48, foot: 52,
	}
	snug = sizes{
		margin: 16, title: 18, titleY: 32, top: 48, topicH: 46, topicGap: 10, leastTopic: 130, gap: 28, leastPanel: 226,
		nameY: 26, nameSize: 16, headY: 50, table: 58, pitch: 36, end: 2, chipH: 28, drop: 22, foot: 38,
	}
	tiny = sizes{
		margin: 12, title: 16, titleY: 22, top: 32, topicH: 38, topicGap: 6, leastTopic: 110, gap: 24, leastPanel: 212,
		nameY: 20, nameSize: 14, headY: 40, table: 45, pitch: 30, end: 2, chipH: 25, drop: 15, foot: 28, brief: true,
	}
)

// mostTasks is how many tasks a panel lists at most.
const mostTasks = 12

// forms are the ways that there is width for, the best first.
func (t *plan) forms() []topologyForm {
	var out []topologyForm
	n := float32(len(t.layers))
	least := tiny
	if t.roles() == 1 {
		least.leastPanel = 132
	}
	for _, s := range [...]sizes{roomy, snug, least} {
		room := t.v.Width - 2*s.margin
		if room >= n*(s.leastPanel+s.leastTopic)+(2*n-1)*s.gap+16 {
			out = append(out, topologyForm{sizes: s, columns: true, inputs: true, stores: true})
		}
		if s != roomy {
			out = append(out, topologyForm{sizes: s, inputs: true, stores: true})
		}
	}
	return append(out, topologyForm{sizes: least, inputs: true}, topologyForm{sizes: least})
}

// roles is how many of them have a column: short of room, standbys and
// warm-ups have none where no subtopology has state.
func (t *plan) roles() int {
	for i := range t.parts {
		if len(t.parts[i].StateChangelogTopics) > 0 {
			return len(roleNames)
		}
	}
	return 1
}

// choose takes the best form that the height allows, and places all of it.
func (t *plan) choose() {
	forms := t.forms()
	if t.topology == nil {
		t.form = forms[0]
		return
	}
	if t.v.Height <= 0 {
		least := float32(math.MaxFloat32)
		for _, f := range forms {
			if f.stores {
				least = min(least, t.take(f))
			}
		}
		t.listed = true
		t.slack = t.take(forms[0]) - least
		return
	}
	for _, f := range forms {
		if t.take(f) <= t.v.Height {
			t.listed = true // where there is room for it, too
			if t.take(f) > t.v.Height {
				t.listed = false
				t.take(f)
			}
			return
		}
	}
	for t.most > 1 && t.take(t.form) > t.v.Height {
		t.most--
	}
}

// take places everything in a form and returns the height that it needs.
func (t *plan) take(f topologyForm) float32 {
	t.form = f
	t.l.chipH = f.chipH
	t.taskW = 40
	for i := range t.parts {
		for _, task := range t.parts[i].tasks {
			t.taskW = max(t.taskW, ceil(t.w.width(t.w.task(task), 16, scene.Medium))+12)
		}
	}
	if left, right := t.edges(); !f.brief && !t.titleFits(left, right) {
		t.form.top += 24
	}
	if f.columns {
		t.placeColumns()
	} else {
		t.placeGrid()
	}
	return t.foot(t.base().faded(0))
}

// edges are where the picture begins and ends.
func (t *plan) edges() (left, right float32) { return t.form.margin, t.v.Width - t.form.margin }

func (t *plan) panelHeight(b *part) float32 {
	h := t.form.table + float32(max(1, min(len(b.tasks), t.most)))*t.form.pitch + t.form.end
	if len(b.tasks) > t.most {
		h += 22
	}
	return h + 20*float32(len(b.writes))
}

// placeColumns puts the layers from left to right, each after its topics.
func (t *plan) placeColumns() {
	f := &t.form
	left, right := t.edges()
	for i := range t.parts {
		if t.bracketed(&t.parts[i]) {
			left = f.margin + 16
		}
	}
	t.link(func(i, j int) bool { return t.parts[j].layer == t.parts[i].layer+1 })
	n, gaps := float32(len(t.layers)), float32(2*len(t.layers)-1)
	room := right - left
	topicW := min(200, max(f.leastTopic, floor(room*0.16)))
	// Where there is room at the right, the changelogs of the last layer
	// stand there: it saves height.
	beside := f.sizes != roomy && t.lastStores() && room-topicW >= n*(topicW+f.leastPanel)+(gaps+1)*f.gap
	if beside {
		room, gaps = room-topicW, gaps+1
	}
	panelW := min(340, floor((room-n*topicW-gaps*f.gap)/n))
	gap := min(72, floor((room-n*(topicW+panelW))/gaps))
	t.bottom = f.top
	for k, layer := range t.layers {
		x, y := left+float32(k)*(topicW+panelW+2*gap), f.top
		for _, i := range layer {
			b := &t.parts[i]
			label := float32(0)
			if t.bracketed(b) && stackHeight(b.inputs, f) > b.h-40 {
				label = 20 // for a word above the topics
			}
			b.x, b.y, b.w, b.beside = x+topicW+gap, y+label, panelW, false
			t.stackAt(b.inputs, x, topicW, b)
			below := max(b.y+b.h, stackEnd(b.inputs, f))
			if beside && k == len(t.layers)-1 {
				b.beside = true
				t.stackAt(b.stores, b.x+panelW+gap, topicW, b)
				below = max(below, stackEnd(b.stores, f))
			} else if f.stores && len(b.stores) > 0 {
				below = max(below, t.storesBelow(b, b.x, panelW))
			}
			t.bottom = max(t.bottom, below)
			y = below + max(12, f.topicGap)
		}
	}
}

// lastStores: a subtopology of the last layer has changelogs.
func (t *plan) lastStores() bool {
	return slices.ContainsFunc(t.layers[len(t.layers)-1], func(i int) bool { return len(t.parts[i].stores) > 0 })
}

func stackHeight(topics []topicBox, f *topologyForm) float32 {
	return float32(len(topics))*(f.topicH+f.topicGap) - f.topicGap
}

func stackEnd(topics []topicBox, f *topologyForm) float32 {
	if len(topics) == 0 {
		return 0
	}
	return topics[len(topics)-1].y + f.topicH
}

// stackAt puts topics one above the other, beside the middle of a panel.
func (t *plan) stackAt(topics []topicBox, x, w float32, b *part) {
	y := max(b.y, floor(b.y+(b.h-stackHeight(topics, &t.form))/2))
	for i := range topics {
		topics[i].x, topics[i].y, topics[i].w = x, y, w
		y += t.form.topicH + t.form.topicGap
	}
}

// storesBelow puts the changelogs beside each other under a panel, and more
// of them in further lines.
func (t *plan) storesBelow(b *part, x, w float32) (bottom float32) {
	f := &t.form
	across := min(len(b.stores), max(1, int((w+8)/(f.leastTopic+8))))
	each := min(200, floor((w-float32(across-1)*8)/float32(across)))
	x += floor((w - float32(across)*each - float32(across-1)*8) / 2)
	y := b.y + b.h + f.drop
	for i := range b.stores {
		s := &b.stores[i]
		s.x, s.y, s.w = x+float32(i%across)*(each+8), y+float32(i/across)*(f.topicH+8), each
		bottom = s.y + f.topicH
	}
	return bottom
}

// bracketed: some of its topics are read together.
func (t *plan) bracketed(b *part) bool { return len(b.CopartitionGroups) > 0 && len(b.inputs) > 1 }

// link lists what each subtopology writes that no line leads to, and measures
// the panels; leads tells whether one does from a subtopology to another.
func (t *plan) link(leads func(i, j int) bool) {
	f := &t.form
	for i := range t.parts {
		b := &t.parts[i]
		b.writes = b.writes[:0]
		for _, name := range b.RepartitionSinkTopics {
			if f.inputs && !slices.ContainsFunc(t.readersOf(name), func(j int) bool { return leads(i, j) }) {
				b.writes = append(b.writes, name)
			}
		}
		b.h = t.panelHeight(b)
	}
}

// readersOf are the subtopologies that read a repartition topic.
func (t *plan) readersOf(name string) (out []int) {
	for j := range t.parts {
		for k := range t.parts[j].inputs {
			if in := &t.parts[j].inputs[k]; in.kind == "repartition" && in.name == name {
				out = append(out, j)
			}
		}
	}
	return out
}
