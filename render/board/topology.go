package board

import (
	"slices"

	"groupscope/core/coordinator"
	"groupscope/core/playback"
	"groupscope/core/protocol"
	"groupscope/render/scene"
)

// Topology draws the topology board of a streams group into dst, which it
// resets first: source topics, subtopologies with who runs their tasks,
// repartition topics between them, changelogs below, and what is missing.
func Topology(dst *scene.Scene, f *playback.Frame, v *View) {
	dst.Reset()
	dst.Background = scene.Paper
	dst.Width, dst.Height = v.Width, v.Height
	d := v.work.start(dst, f, v)
	d.l = tasks
	t := &plan{drawing: d, topics: map[string]int32{}}
	t.gather()
	if height := t.draw(); v.Height > 0 && height > v.Height && t.topology != nil {
		dst.Reset()
		t.low = true
		t.draw()
	} else if v.Height <= 0 && t.topology != nil {
		d.slack = max(0, height-t.lowHeight())
	}
	dst.Title = t.sentence()
	v.work.keep(d)
}

// plan is a topology board being drawn.
type plan struct {
	*drawing
	topology *protocol.Topology
	streams  *coordinator.StreamsGroup
	topics   map[string]int32 // partitions of those that exist
	parts    []part
	layers   [][]int // of parts, by how many repartition topics lie before them
	missing  []string
	created  []string // internal topics that are to be created
	low      bool     // short of height: panels side by side, topics as words
}

// part is a subtopology of the picture.
type part struct {
	*protocol.Subtopology
	tasks  int32
	layer  int
	x, y   float32 // of its panel
	h      float32
	inputs []topicBox
	stores []topicBox
}

// topicBox is a topic of the picture.
type topicBox struct {
	name       string
	kind       string // "source", "repartition", "changelog"
	partitions int32  // 0: unknown
	missing    bool   // it does not exist
	x, y       float32
}

func (t *plan) gather() {
	st := t.f.State
	for i := range st.Topics {
		t.topics[st.Topics[i].Name] = st.Topics[i].Partitions
	}
	g := st.Group
	if g == nil || g.Streams == nil || g.Streams.Topology == nil {
		return
	}
	t.streams = g.Streams
	t.topology = g.Streams.Configured
	if t.topology == nil {
		t.topology = g.Streams.Topology
	}
	for _, c := range g.Streams.Creatable {
		t.created = append(t.created, c.Name)
	}
	for i := range t.topology.Subtopologies {
		sub := &t.topology.Subtopologies[i]
		p := part{Subtopology: sub}
		for _, n := range g.Streams.Tasks {
			if n.Subtopology == sub.ID {
				p.tasks = n.Tasks
			}
		}
		for _, name := range sub.SourceTopics {
			p.inputs = append(p.inputs, t.box(name, "source", 0))
		}
		for _, info := range sub.RepartitionSourceTopics {
			p.inputs = append(p.inputs, t.box(info.Name, "repartition", info.Partitions))
		}
		for _, info := range sub.StateChangelogTopics {
			p.stores = append(p.stores, t.box(info.Name, "changelog", info.Partitions))
		}
		t.parts = append(t.parts, p)
	}
	slices.SortStableFunc(t.parts, func(a, b part) int { return compareSubtopologies(a.ID, b.ID) })
	t.layer()
}

// box describes a topic: the count that it has, else the one decided for it.
func (t *plan) box(name, kind string, decided int32) topicBox {
	n, exists := t.topics[name]
	if !exists {
		n = decided
		if kind == "source" {
			t.missing = append(t.missing, name)
		}
	}
	return topicBox{name: name, kind: kind, partitions: n, missing: !exists}
}

// layer puts each subtopology after those that write what it reads.
func (t *plan) layer() {
	for range t.parts {
		for i := range t.parts {
			for j := range t.parts {
				if i != j && t.feeds(j, i) && t.parts[i].layer <= t.parts[j].layer && t.parts[j].layer < len(t.parts)-1 {
					t.parts[i].layer = t.parts[j].layer + 1
				}
			}
		}
	}
	for i := range t.parts {
		for len(t.layers) <= t.parts[i].layer {
			t.layers = append(t.layers, nil)
		}
		t.layers[t.parts[i].layer] = append(t.layers[t.parts[i].layer], i)
	}
	t.layers = slices.DeleteFunc(t.layers, func(l []int) bool { return len(l) == 0 })
}

// feeds: subtopology i writes a repartition topic that j reads.
func (t *plan) feeds(i, j int) bool {
	for _, in := range t.parts[j].RepartitionSourceTopics {
		if slices.Contains(t.parts[i].RepartitionSinkTopics, in.Name) {
			return true
		}
	}
	return false
}

// runner is who has a task, in one role.
type runner struct {
	name  string
	row   *row
	epoch int32
	look  look
	part  float32
}

// runners lists who has a task in a role, by member id.
func (t *plan) runners(task protocol.Partition, in role, out []runner) []runner {
	out = out[:0]
	for i := range t.rows {
		r := &t.rows[i]
		m := r.member
		if m == nil {
			continue
		}
		is := empty
		switch in {
		case active:
			if contains(m.Assigned, task) {
				is = owned
			} else if contains(m.PendingRevocation, task) {
				is = pending
			}
		default:
			if l, as := bookedAs(m, task); as == in {
				is = l
			}
		}
		if is == empty {
			continue
		}
		n := runner{name: r.name, row: r, epoch: m.MemberEpoch, look: is}
		if in == warmup && m.Streams != nil {
			n.part = progressOf(m.Streams.TaskOffsets, m.Streams.TaskEndOffsets, task)
		}
		out = append(out, n)
	}
	return out
}

// sentence is the picture in words.
func (t *plan) sentence() string {
	text := "Topology board"
	if t.f.Stop.Label != "" {
		text += " at step " + t.f.Stop.Label
	}
	if t.topology == nil {
		return text + ": group " + t.f.State.GroupID + " has no topology yet."
	}
	text += ": topology " + itoa(t.topology.Epoch) + " of group " + t.f.State.GroupID + " has "
	if len(t.parts) == 1 {
		text += "1 subtopology"
	} else {
		text += itoa(int32(len(t.parts))) + " subtopologies"
	}
	if t.streams.Status != nil {
		text += "; " + t.streams.Status.Code.String()
	}
	return text + "."
}
