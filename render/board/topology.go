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
// repartition topics between them, changelogs, and what is missing. Tasks of
// a former topology that somebody still has are shown as well.
func Topology(dst *scene.Scene, f *playback.Frame, v *View) {
	dst.Reset()
	dst.Background = scene.Paper
	dst.Width, dst.Height = v.Width, v.Height
	d := v.work.start(dst, f, v)
	d.l = tasks
	t := &plan{drawing: d, topics: map[string]int32{}, most: mostTasks}
	t.gather()
	t.choose()
	dst.Height = max(v.Height, t.draw(d.base()))
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

	form   topologyForm
	most   int     // tasks that a panel lists; of more the others are counted
	taskW  float32 // width of the tables' first column
	bottom float32 // of the topics and panels
	listed bool    // the endpoints are
}

// part is a subtopology of the picture.
type part struct {
	*protocol.Subtopology
	// former is the epoch of a topology that is not the group's any more, but
	// some member's; else -1.
	former     int32
	known      bool // its tasks are
	tasks      []protocol.Partition
	layer      int
	x, y, w, h float32 // its panel
	inputs     []topicBox
	stores     []topicBox
	writes     []string // repartition topics that no line leads to
	beside     bool     // its changelogs stand at the right
}

// topicBox is a topic of the picture.
type topicBox struct {
	name       string
	kind       string // "source", "repartition", "changelog"
	partitions int32  // 0: unknown
	missing    bool   // it does not exist
	wrong      bool   // its partitions do not match those of others
	twice      bool   // two tasks read a partition of it
	x, y, w    float32
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
		p := t.part(&t.topology.Subtopologies[i])
		for _, n := range st.Tasks {
			for k := range n.Tasks {
				if n.Subtopology == p.ID {
					p.tasks = append(p.tasks, protocol.Partition{Topic: protocol.TopicID(p.ID), Number: k})
				}
			}
		}
		p.known = len(p.tasks) > 0
		t.parts = append(t.parts, p)
	}
	slices.SortStableFunc(t.parts, func(a, b part) int { return compareSubtopologies(a.ID, b.ID) })
	t.formerParts()
	t.layer()
	t.readTwice()
}

// part describes a subtopology without its tasks.
func (t *plan) part(sub *protocol.Subtopology) part {
	p := part{Subtopology: sub, former: -1}
	for _, name := range sub.SourceTopics {
		p.inputs = append(p.inputs, t.box(name, "source", 0))
	}
	for _, info := range sub.RepartitionSourceTopics {
		p.inputs = append(p.inputs, t.box(info.Name, "repartition", info.Partitions))
	}
	for _, info := range sub.StateChangelogTopics {
		p.stores = append(p.stores, t.box(info.Name, "changelog", info.Partitions))
	}
	return p
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
	return topicBox{name: name, kind: kind, partitions: n, missing: !exists, wrong: slices.Contains(t.streams.Mismatching, name)}
}

// formerParts adds the subtopologies that the group's topology lacks, with
// the tasks of them that a member has.
func (t *plan) formerParts() {
	now := len(t.parts)
	for _, m := range t.f.State.Group.Members {
		if m.Streams == nil || m.Streams.TopologyEpoch == t.topology.Epoch {
			continue
		}
		for _, h := range slices.Concat(m.Assigned, m.PendingRevocation) {
			t.formerTask(h.Partition, m.Streams.TopologyEpoch)
		}
		for _, list := range [...]protocol.Assignment{m.Streams.Standby, m.Streams.Warmup, m.Streams.PendingStandby, m.Streams.PendingWarmup} {
			for _, task := range list.Partitions() {
				t.formerTask(task, m.Streams.TopologyEpoch)
			}
		}
	}
	former := t.parts[now:]
	slices.SortStableFunc(former, func(a, b part) int { return compareSubtopologies(a.ID, b.ID) })
	for i := range former {
		slices.SortFunc(former[i].tasks, protocol.Partition.Compare)
	}
}

func (t *plan) formerTask(task protocol.Partition, epoch int32) {
	for i := range t.parts {
		if p := &t.parts[i]; p.ID == string(task.Topic) {
			if p.former >= 0 && !slices.Contains(p.tasks, task) {
				p.tasks = append(p.tasks, task)
			}
			return
		}
	}
	sub := &protocol.Subtopology{ID: string(task.Topic)}
	for _, former := range t.f.State.Topologies {
		for i := range former.Subtopologies {
			if former.Epoch == epoch && former.Subtopologies[i].ID == sub.ID {
				sub = &former.Subtopologies[i]
			}
		}
	}
	p := t.part(sub)
	p.former, p.known, p.tasks = epoch, true, []protocol.Partition{task}
	t.parts = append(t.parts, p)
}

// readTwice marks the topics of which two tasks read the same partition.
func (t *plan) readTwice() {
	for _, v := range t.f.State.Violations {
		for _, a := range v.Partitions {
			for _, b := range v.Partitions {
				p, q := t.partOf(a), t.partOf(b)
				if p == nil || q == nil || p == q {
					continue
				}
				for i := range p.inputs {
					in := &p.inputs[i]
					in.twice = in.twice || slices.ContainsFunc(q.inputs, func(o topicBox) bool { return o.name == in.name })
				}
			}
		}
	}
}

func (t *plan) partOf(task protocol.Partition) *part {
	for i := range t.parts {
		if t.parts[i].ID == string(task.Topic) {
			return &t.parts[i]
		}
	}
	return nil
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
	for k := range t.parts[j].inputs {
		if in := &t.parts[j].inputs[k]; in.kind == "repartition" && slices.Contains(t.parts[i].RepartitionSinkTopics, in.name) {
			return true
		}
	}
	return false
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
	text += ": topology " + itoa(t.topology.Epoch) + " of group " + t.f.State.GroupID + " has " + t.counted()
	if t.streams.Status != nil {
		text += "; " + t.streams.Status.Code.String()
	}
	return text + "."
}
