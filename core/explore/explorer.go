package explore

import (
	"slices"

	"groupscope/core/canon"
	"groupscope/core/protocol"
	"groupscope/core/sim"
)

// Options bound an exploration.
type Options struct {
	Faults int     // how many faults may strike
	Kinds  []Fault // of which kinds; nil: Lose and Delay
	Depth  int     // how many moves; 0: no limit
	States int     // how many states; 0: DefaultStates
	// Late is how long a late request may be on its way; 0: DefaultLate.
	Late protocol.Duration
	// Except are names of what may break: it is counted, and passed over.
	Except []string
}

// The defaults of Options, and a limit.
const (
	MostFaults    = 100
	DefaultStates = 5_000_000
	DefaultLate   = 10 * protocol.Second
)

// Explorer is an exploration under way. It is not safe for concurrent use.
type Explorer struct {
	options Options
	strikes map[Fault]bool
	root    *sim.World
	deeds   []sim.Action
	names   []string

	table    table
	nodes    []node
	frontier []entry
	depth    int
	moves    int // made so far
	found    *Finding
	excepted []Excepted
	shown    []string // the invariants that are broken where the way to the finding ends
	full     bool
	whole    bool // nothing is left out by reduce

	writer  canon.Writer
	bytes   []byte
	choices []sim.Choice
	list    []offer
	ample   []offer
}

// node is a visited state: how it was reached, with as few faults as possible,
// and what follows when nothing goes wrong (calmUnknown: it was not expanded).
type node struct {
	parent uint32
	calm   uint32
	move   Move
	faults uint8
	rests  bool // the group is settled
}

const calmUnknown = ^uint32(0)

// entry is a state to be expanded.
type entry struct {
	state uint32
	situation
}

// Finding is a broken promise and the way to it.
type Finding struct {
	// Violation is the invariant that broke. Its Invariant is NeverSettles
	// for a group that does not come to rest; no world tells of that one.
	Violation sim.Violation
	Moves     []Move
}

// NeverSettles is the name of what no state alone can show: once faults stop,
// the group comes to rest.
const NeverSettles = "settles"

// Report is how far an exploration got.
type Report struct {
	States, Moves, Depth int
	Waiting              int  // states that are not expanded yet
	Full                 bool // it ended at the limit of states
	// Excepted are those of Options.Except. NeverSettles is counted by Settle.
	Excepted []Excepted
}

// New begins to explore from a world. The deeds are done in their order, each
// at any moment. An error says that an exception is none, or that the world
// cannot live.
func New(world *sim.World, deeds []sim.Action, o Options) (*Explorer, error) {
	if o.States == 0 {
		o.States = DefaultStates
	}
	if o.Late == 0 {
		o.Late = DefaultLate
	}
	if o.Kinds == nil {
		o.Kinds = []Fault{Lose, Delay}
	}
	x := &Explorer{
		options: o, strikes: map[Fault]bool{}, root: world.Clone(), deeds: deeds,
		writer: canon.Writer{Back: looksBack(world, deeds), Ahead: protocol.Hour},
	}
	for _, kind := range o.Kinds {
		x.strikes[kind] = true
	}
	for _, c := range world.State().Clients {
		x.names = append(x.names, c.Member)
	}
	if err := x.exceptions(o.Except); err != nil {
		return nil, err
	}
	if _, err := live(x.root); err != nil {
		return nil, err
	}
	x.reach(0, Move{}, situation{world: x.root}, true)
	return x, nil
}

// looksBack is how far back anything looks, whatever the deeds set.
func looksBack(w *sim.World, deeds []sim.Action) protocol.Duration {
	back := w.LooksBack()
	for _, a := range deeds {
		if _, sets := a.(sim.SetGroupConfig); sets {
			back = max(back, longestInterval)
		}
	}
	return back
}

// longestInterval is the longest assignment interval that a broker takes.
const longestInterval = 15 * protocol.Second

// Report tells how far the exploration got.
func (x *Explorer) Report() Report {
	return Report{len(x.nodes), x.moves, x.depth, len(x.frontier), x.full, slices.Clone(x.excepted)}
}

// Found is the broken promise that was found first, nil if none was so far.
func (x *Explorer) Found() *Finding { return x.found }

// Next takes all states of the present depth one move further. False: there is
// nothing left to do, be it that a promise is broken, that everything was
// visited, or that a limit is reached.
func (x *Explorer) Next() bool {
	if x.found != nil || x.full || len(x.frontier) == 0 || x.options.Depth > 0 && x.depth >= x.options.Depth {
		return false
	}
	level := x.frontier
	x.frontier = nil
	for i := range level {
		x.expand(&level[i])
		level[i].world = nil
		if x.found != nil {
			break
		}
		if len(x.nodes) >= x.options.States {
			x.full = true
			x.frontier = append(x.frontier, level[i+1:]...)
			break
		}
	}
	x.depth++
	return true
}

// expand makes all moves that a state offers.
func (x *Explorer) expand(e *entry) {
	if n := &x.nodes[e.state]; int(n.faults) < e.faults {
		return // reached with fewer faults since
	}
	x.list = x.offers(&e.situation, x.list[:0])
	list := x.list
	if reduced := x.reduce(e, list); reduced != nil {
		list = reduced
	}
	calm := calmUnknown
	for i, o := range list {
		next, possible := x.make(&e.situation, o)
		if !possible {
			continue
		}
		state := x.reach(e.state, o.Move, next, next.world.Written() > e.world.Written())
		if i == 0 && o.calm() {
			calm = state
		}
		if x.found != nil {
			return
		}
	}
	x.nodes[e.state].calm = calm
}

// calm reports whether a move is what happens when nothing goes wrong.
func (o *offer) calm() bool { return o.faults == 0 && (o.kind == deliver || o.kind == pass) }

// reach notes a situation, and checks it if it is new. The log is replayed if
// the move wrote to it.
func (x *Explorer) reach(parent uint32, m Move, s situation, wrote bool) uint32 {
	x.moves++
	hash := x.hash(&s)
	n := node{parent: parent, calm: calmUnknown, move: m, faults: uint8(s.faults)}
	if state, known := x.table.find(hash); known {
		if old := &x.nodes[state]; n.faults < old.faults {
			n.calm, n.rests = old.calm, old.rests
			*old = n
			x.frontier = append(x.frontier, entry{state, s})
		}
		return state
	}
	n.rests = x.rests(s.world)
	state := uint32(len(x.nodes))
	x.table.add(hash, state)
	x.nodes = append(x.nodes, n)
	x.frontier = append(x.frontier, entry{state, s})
	if v := x.check(s.world, wrote); v != nil {
		x.found = &Finding{*v, x.way(state)}
	}
	return state
}

// hash is that of a situation's bytes.
func (x *Explorer) hash(s *situation) uint64 {
	x.bytes = s.world.AppendState(&x.writer, x.bytes[:0])
	return hashOf(append(x.bytes, byte(s.deeds)))
}

// way is the moves that lead to a state.
func (x *Explorer) way(state uint32) []Move {
	var out []Move
	for state != 0 {
		out = append(out, x.nodes[state].move)
		state = x.nodes[state].parent
	}
	slices.Reverse(out)
	return out
}
