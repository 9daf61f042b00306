package board

import (
	"groupscope/core/coordinator"
	"groupscope/core/playback"
	"groupscope/core/protocol"
	"groupscope/core/sim"
	"groupscope/render/scene"
)

// work is the memory a View keeps between frames.
type work struct {
	drawing drawing
	rows    []row
	slots   []slot
	topics  []topic
	cells   []cell
	words   words
}

// drawing is one frame being drawn.
type drawing struct {
	s *scene.Scene
	f *playback.Frame
	v *View
	l layout
	w *words

	form    form
	grid    grid
	rows    []row
	slots   []slot
	topics  []topic
	cells   []cell // of row i: cells[i*len(slots):][:len(slots)]
	total   int    // partitions of the topics
	short   bool   // labels are prefixes of topics
	streams bool   // partitions are tasks, topics their subtopologies
	scroll  string // which rows are shown, "" for all
	dropped bool   // members to come have no row, for want of height
	still   bool   // all motion is over
	age     float32

	above              float32 // height of a line of its own for long names
	step               float32 // in a card, from line to line: own, current, target
	pitch              float32
	wordsRoom          float32 // from the baseline of the words under a row to the next row
	slack              float32 // how much lower rows could be drawn, all together
	laneY, panelBottom float32
}

// topic is one topic of the picture; its partitions have consecutive slots.
type topic struct {
	id     protocol.TopicID
	first  int
	n      int
	prefix string
}

// slot is the place of a partition, the same in each column and row.
type slot struct {
	p         protocol.Partition
	topic     int
	label     string // as long as fits
	width     float32
	line, col int
	holder    int // the row whose member holds it, -1 for nobody
	waiter    int // the row whose member waits for it, -1
	never     bool
	since     protocol.Instant
	change    playback.PartitionChange
	ring      bool // around the chip in the nobody lane
}

// row is one member: its client's own view, and what the coordinator holds.
type row struct {
	name      string
	client    *sim.ClientState
	wasClient *sim.ClientState // before this step, nil if there was none
	member    *coordinator.Member
	was       *coordinator.Member
	change    playback.MemberChange
	moved     playback.ClientChange
	fenced    bool // refused for its epoch in this step
	wrong     bool // an invariant names the member, and no partition
	shown     bool
	process   string  // that a streams member belongs to
	first     bool    // the first row of its process
	y         float32 // of its chips
	// The messages of this step, nil for none: a Sent or Handled event, and a
	// Handled event.
	request, response *sim.Event
}

// look is how a chip is drawn.
type look uint8

const (
	empty look = iota
	owned
	pending // to be given up
	waiting // somebody else holds it
	free    // may be taken
	target
	nobody
	fresh  // never had an owner
	fenced // lost by being fenced
)

// cell is what one row shows in one slot.
type cell struct {
	own, current look
	// What a task that the member has in one role is on its way to in another:
	// waiting or free, empty for nothing.
	ownNext, currentNext look
	target               bool
	// The roles of a task, and how far a warm-up is; partitions are active.
	ownRole, currentRole, targetRole role
	ownPart, currentPart             float32
	ownRestores                      bool // an active task, as far as ownPart
	// The rings of "changed in this step" and of a broken invariant.
	ownRing, currentRing, targetRing bool
	ownAlert, currentAlert           bool
}

// start gathers what the frame shows.
func (w *work) start(s *scene.Scene, f *playback.Frame, v *View) *drawing {
	w.drawing = drawing{s: s, f: f, v: v, w: &w.words, rows: w.rows[:0], slots: w.slots[:0], topics: w.topics[:0], cells: w.cells}
	d := &w.drawing
	d.w.fresh()
	d.clock()
	d.streams = f.State.Streams()
	d.findTopics()
	d.findRows()
	d.groupRows()
	d.form = d.pickForm()
	if d.form == chips || d.form == cards {
		d.makeSlots(0, d.total)
		d.fill()
	}
	return d
}

// keep holds on to memory that grew.
func (w *work) keep(d *drawing) {
	w.rows, w.slots, w.topics, w.cells = d.rows, d.slots, d.topics, d.cells
}

// findTopics lists the topics that somebody subscribes to (all of them as
// long as nobody does), and incarnations that are gone but still held.
func (d *drawing) findTopics() {
	st := d.f.State
	if d.streams {
		d.findSubtopologies()
		return
	}
	wanted := func(name string) bool {
		any := false
		for _, c := range st.Clients {
			for _, t := range c.Subscribed {
				if t == name {
					return true
				}
				any = true
			}
		}
		return !any
	}
	for i := range st.Topics {
		if t := &st.Topics[i]; wanted(t.Name) {
			d.addTopic(t.ID, int(t.Partitions))
		}
	}
	if st.Group != nil {
		for _, m := range st.Group.Members {
			for _, h := range m.Assigned {
				d.addTopic(h.Partition.Topic, int(h.Partition.Number)+1)
			}
			for _, h := range m.PendingRevocation {
				d.addTopic(h.Partition.Topic, int(h.Partition.Number)+1)
			}
		}
	}
	for i := range d.topics {
		d.topics[i].first = d.total
		d.total += d.topics[i].n
	}
	d.w.prefixes(d.topics)
}

func (d *drawing) addTopic(id protocol.TopicID, n int) {
	for i := range d.topics {
		if t := &d.topics[i]; t.id == id {
			t.n = max(t.n, n)
			return
		}
	}
	d.topics = append(d.topics, topic{id: id, n: n})
}

// place is the slot number of a partition among all of them.
func (d *drawing) place(p protocol.Partition) (int, bool) {
	for i := range d.topics {
		if t := &d.topics[i]; t.id == p.Topic {
			return t.first + int(p.Number), int(p.Number) < t.n && p.Number >= 0
		}
	}
	return 0, false
}

// members is the number of members in the books.
func (d *drawing) members() int {
	if g := d.f.State.Group; g != nil {
		return len(g.Members)
	}
	return 0
}

// findRows makes a row for each client, in the scenario's order, and after it
// one for each member of the books that an earlier client left behind.
func (d *drawing) findRows() {
	st := d.f.State
	for _, c := range st.Clients {
		r := row{name: c.Member, client: c, wasClient: clientOf(d.f.Before, c.Member)}
		d.books(&r, c.ID)
		d.rows = append(d.rows, r)
	}
	if st.Group == nil {
		return
	}
	known := len(d.rows)
next:
	for _, m := range st.Group.Members {
		for i := range known {
			if d.rows[i].member == m {
				continue next
			}
		}
		r := row{name: st.NameOf(m.ID)}
		d.books(&r, m.ID)
		d.rows = append(d.rows, r)
	}
}

// books fills in what the coordinator holds for a member id.
func (d *drawing) books(r *row, id string) {
	r.member = memberOf(d.f.State, id)
	r.was = memberOf(d.f.Before, id)
	r.change = d.f.Changes.Member(id)
	r.fenced = r.change.Fenced
	if r.client != nil {
		r.moved = d.f.Changes.Client(r.name)
		if r.was == nil && r.wasClient != nil && memberOf(d.f.State, r.wasClient.ID) == nil {
			r.was = memberOf(d.f.Before, r.wasClient.ID)
		}
	}
}

func memberOf(s *sim.State, id string) *coordinator.Member {
	if s == nil || s.Group == nil {
		return nil
	}
	ms := s.Group.Members
	lo, hi := 0, len(ms)
	for lo < hi {
		mid := (lo + hi) / 2
		if ms[mid].ID < id {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo < len(ms) && ms[lo].ID == id {
		return ms[lo]
	}
	return nil
}

func clientOf(s *sim.State, name string) *sim.ClientState {
	if s == nil {
		return nil
	}
	for _, c := range s.Clients {
		if c.Member == name {
			return c
		}
	}
	return nil
}
