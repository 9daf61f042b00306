package sim

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"groupscope/core/client"
	"groupscope/core/coordinator"
	"groupscope/core/journal"
	"groupscope/core/protocol"
	"groupscope/core/record"
)

// World is a coordinator, its clients, the connections between them, and a
// clock. Do carries out actions; Step handles what they set in motion, one
// thing at a time. It is not safe for concurrent use.
type World struct {
	groupID string             `canon:"-"`
	config  coordinator.Config `canon:"-"`
	seed    uint64             `canon:"-"`
	jitter  bool               `canon:"-"`
	// topology is the group's, nil of a consumer group. Members may have one of
	// their own.
	topology *protocol.Topology `canon:"-"`
	start    protocol.Instant   `canon:"-"`
	topics   []protocol.Topic   `canon:"-"` // sorted by name
	known    []protocol.TopicID // the topics that clients know of
	news     []news             // that clients will know of, the next first
	born     []incarnations     `canon:"-"` // sorted by name

	now     protocol.Instant `canon:"-"`
	horizon protocol.Instant `canon:"-"`
	live    bool             // clients live by themselves up to the horizon
	byHand  bool             // an action is being carried out: nothing takes time
	mode    client.Mode

	// coordinator may belong to a clone of the world as well: it is acted on
	// through broker.
	coordinator *coordinator.Coordinator `canon:"-"` // AppendState writes it
	shared      bool                     `canon:"-"` // the coordinator is
	bytes       stateBytes               `canon:"-"` // of the coordinator
	members     []member                 // in the order of the setup
	agendas     []agenda                 // of the members
	queue       queue                    `canon:"-"` // AppendState writes it
	// targeted are the topics as they were when the target was last computed.
	targeted    []protocol.Topic
	readers     shelves     `canon:"-"` // who reads what, by the clients
	violations  []Violation `canon:"-"` // those that hold now
	order       uint64      `canon:"-"` // of the last thing that was scheduled
	ledger      ledger      `canon:"-"`
	broken      brokerError
	waiting     []ticket          // requests of the classic protocol; replaced, never changed
	resolveTime protocol.Duration `canon:"-"`
	background  slot              // what the coordinator does in the background ends
	groupConfig []GroupSetting    `canon:"-"`
	creation    creation
	log         journal.Journal[LogEntry] `canon:"-"`

	events uint64  `canon:"-"` // number of events so far
	cause  uint64  `canon:"-"` // of the events that are being made
	out    []Event `canon:"-"`
	view   view    `canon:"-"`
}

// incarnations counts how often a topic was created.
type incarnations struct {
	name  string
	count int
}

// LogEntry is a record in the log: when it was written and by which event.
type LogEntry struct {
	Offset int
	At     protocol.Instant
	Event  uint64
	Record record.Record
}

// New makes a world in which nothing has happened. The error says what is
// wrong with the setup.
func New(s Setup) (*World, error) {
	if s.Start == 0 {
		s.Start = DefaultStart
	}
	if err := s.check(); err != nil {
		return nil, err
	}
	w := &World{
		groupID: s.GroupID, config: s.Config,
		start: s.Start, now: s.Start, horizon: s.Start,
		seed: s.Seed, jitter: s.Jitter, resolveTime: s.ResolveTime, groupConfig: s.Settings,
		coordinator: coordinator.New(s.Config),
		members:     make([]member, len(s.Members)),
		agendas:     make([]agenda, len(s.Members)),
		mode:        client.Asleep,
		topology:    s.Topology,
		creation:    creation{Creation: s.InternalTopics},
	}
	w.ledger = newLedger(s.Config.Rules.InitialGroupEpoch)
	w.config.HiddenTopics = s.Hidden
	w.coordinator.HideTopics(s.Hidden)
	w.configure()
	w.setTopics(s.Topics)
	w.known = w.ids()
	for i, m := range s.Members {
		m.Subscribe = sortedNames(m.Subscribe)
		if m.Latency == nil {
			m.Latency = &Range{DefaultLatency, DefaultLatency}
		}
		w.members[i] = member{
			setup: &m,
			index: i,
			up:    connection{random: generator(s.Seed, m.Name+" to coordinator")},
			down:  connection{random: generator(s.Seed, "coordinator to "+m.Name)},
		}
	}
	return w, w.load(s.Log)
}

func (s *Setup) check() error {
	if s.GroupID == "" {
		return fmt.Errorf("sim: the group has no id")
	}
	if s.Start < 0 {
		return fmt.Errorf("sim: the start %d is not above 0", s.Start)
	}
	if reason := checkSettings(s.Settings); reason != "" {
		return fmt.Errorf("sim: the group's config: %s", reason)
	}
	names := map[string]bool{}
	for _, m := range s.Members {
		switch {
		case m.Name == "" || strings.Contains(m.Name, "~"):
			return fmt.Errorf("sim: %q is no name for a member: it is not empty and has no ~", m.Name)
		case names[m.Name]:
			return fmt.Errorf("sim: two members are called %s", m.Name)
		}
		if reason := m.check(); reason != "" {
			return fmt.Errorf("sim: member %s: %s", m.Name, reason)
		}
		names[m.Name] = true
	}
	topics := map[string]bool{}
	for _, t := range s.Topics {
		if t.Name == "" || t.Partitions < 0 || topics[t.Name] {
			return fmt.Errorf("sim: topic %q has no name, is there twice, or has %d partitions", t.Name, t.Partitions)
		}
		topics[t.Name] = true
	}
	return nil
}

// generator draws the latencies of one link, whatever the other links do.
func generator(seed uint64, link string) rand.PCG {
	const offset, prime = 14695981039346656037, 1099511628211
	hash := uint64(offset)
	for i := range len(link) {
		hash = (hash ^ uint64(link[i])) * prime
	}
	return *rand.NewPCG(seed, hash)
}

func sortedNames(names []string) []string {
	out := slices.Clone(names)
	slices.Sort(out)
	return slices.Compact(out)
}

// Clone copies the world. The copy shares nothing that ever changes, and goes
// on exactly as the original would.
func (w *World) Clone() *World {
	c := *w
	c.out = nil
	c.shared, w.shared = true, true
	c.born = slices.Clone(w.born)
	c.members = slices.Clone(w.members)
	c.agendas = slices.Clone(w.agendas)
	for i := range c.members {
		c.members[i].shared, w.members[i].shared = true, true
	}
	c.queue = slices.Clone(w.queue)
	c.ledger, c.readers = w.ledger.clone(), w.readers.clone()
	return &c
}

// Log is everything that the coordinator wrote, oldest first.
func (w *World) Log() []LogEntry { return w.log.All() }

// emit makes the next event and returns its number.
func (w *World) emit(what Occurrence) uint64 {
	w.events++
	w.view.stale = true
	w.out = append(w.out, Event{Seq: w.events, At: w.now, Cause: w.cause, What: what})
	return w.events
}

// took hands the events made since the last call over to the caller.
func (w *World) took() []Event {
	out := w.out
	w.out = nil
	w.cause = 0
	return out
}

// wrote takes records down in the log and in the ledger, and checks the
// invariants if there were any.
func (w *World) wrote(records []record.Record, event uint64) {
	if len(records) == 0 {
		return
	}
	w.noteTasks(records)
	entries := make([]LogEntry, len(records))
	for i, r := range records {
		entries[i] = LogEntry{Offset: w.log.Len() + i, At: w.now, Event: event, Record: r}
		w.enter(r)
		if r.Key.Type == record.TargetAssignmentMetadata {
			w.targeted = w.topics
		}
	}
	w.log.Append(entries...)
	w.watch(event)
}

// broker is the coordinator, to be acted on.
func (w *World) broker() *coordinator.Coordinator {
	if w.shared {
		w.coordinator, w.shared = w.coordinator.Clone(), false
	}
	w.bytes.known = nil
	return w.coordinator
}

// find is the member of a name, nil if there is none.
func (w *World) find(name string) *member {
	for i := range w.members {
		if w.members[i].setup.Name == name {
			return &w.members[i]
		}
	}
	return nil
}

// next is the order of something that is scheduled now.
func (w *World) next() uint64 {
	w.order++
	return w.order
}

// clientConfig is what the client of a member is made with.
func (w *World) clientConfig(m *member) client.Config {
	out := client.Config{
		GroupID:         w.groupID,
		MemberID:        m.idOfLife(),
		InstanceID:      m.setup.InstanceID,
		RackID:          m.setup.RackID,
		Assignor:        m.setup.Assignor,
		MaxPollInterval: m.setup.RebalanceTimeout,
		AutoCommit:      m.setup.AutoCommit,
		PollInterval:    m.setup.Poll,
		RevokeTime:      m.setup.RevokeTime,
		AssignTime:      m.setup.AssignTime,
		LostTime:        m.setup.LostTime,
		TwoStepJoin:     w.config.Rules.TwoStepJoin,
		Quirks:          m.setup.Quirks,
		Streams:         w.streamsConfig(m),
		Classic:         m.setup.classicConfig(),
	}
	if w.jitter {
		random := generator(w.seed, m.id()+" backs off")
		out.Jitter = &random
	}
	return out
}

func byName(a protocol.Topic, name string) int { return cmp.Compare(a.Name, name) }
