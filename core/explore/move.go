package explore

import (
	"fmt"

	"groupscope/core/protocol"
	"groupscope/core/scenario"
	"groupscope/core/sim"
)

// Fault is a kind of fault that an exploration may strike with.
type Fault string

// The kinds of faults.
const (
	Lose       Fault = "lose"       // a request or an answer gets lost
	Delay      Fault = "delay"      // a request is late: time passes while it is on its way
	Disconnect Fault = "disconnect" // a connection breaks
	Crash      Fault = "crash"      // a client crashes; it may be restarted at any time
	FailOver   Fault = "fail-over"  // another coordinator loads the log
)

// Faults are all kinds.
var Faults = []Fault{Lose, Delay, Disconnect, Crash, FailOver}

// Move is one thing that happens.
type Move struct {
	kind     moveKind
	member   uint8 // in the order of the setup, 0 if it is about none
	response bool  // of deliver and lose
}

type moveKind uint8

const (
	deliver moveKind = iota
	lose
	pass
	deed // the next of the deeds is done
	disconnect
	crash
	restart
	failOver
)

// choice is the move as one of the world's choices.
func (m Move) choice(at protocol.Instant) sim.Choice {
	kinds := [...]sim.ChoiceKind{deliver: sim.Deliver, lose: sim.Lose, pass: sim.Pass}
	return sim.Choice{Kind: kinds[m.kind], Member: int(m.member), Response: m.response, At: at}
}

// offer is a move that is possible, and what it costs.
type offer struct {
	Move
	faults int
	at     protocol.Instant // of pass: up to when
	made   *situation       // it was made already: what it leads to
}

// situation is a world on the way.
type situation struct {
	world  *sim.World
	deeds  int // how many were done
	faults int // how many struck
}

// offers appends the moves that are possible in a situation. The first is what
// happens when nothing goes wrong.
func (x *Explorer) offers(s *situation, list []offer) []offer {
	x.choices = s.world.Choices(x.choices[:0])
	left := x.options.Faults - s.faults
	answers, late, fresh := 0, false, 0
	for _, response := range []bool{true, false} {
		for _, c := range x.choices {
			if c.Kind == sim.Deliver && c.Response == response {
				list = append(list, offer{Move: Move{deliver, uint8(c.Member), response}})
			}
		}
	}
	for _, c := range x.choices {
		age := s.world.Now().Sub(c.At)
		switch {
		case c.Kind == sim.Lose && left > 0 && x.strikes[Lose]:
			list = append(list, offer{Move: Move{lose, uint8(c.Member), c.Response}, faults: 1})
		case c.Kind == sim.Deliver && c.Response:
			answers++
		case c.Kind == sim.Deliver && age == 0:
			fresh++
		case c.Kind == sim.Pass:
			for _, o := range x.choices {
				late = late || o.Kind == sim.Deliver && c.At.Sub(o.At) > x.options.Late
			}
			if answers == 0 && !late && fresh <= left && (len(x.choices) == 1 || x.strikes[Delay]) {
				list = append(list, offer{Move: Move{kind: pass}, faults: fresh, at: c.At})
			}
		}
	}
	if s.deeds < len(x.deeds) {
		list = append(list, offer{Move: Move{kind: deed}})
	}
	return x.strokes(s, left, list)
}

// strokes appends the faults that are no choices of the world.
func (x *Explorer) strokes(s *situation, left int, list []offer) []offer {
	for i := range x.names {
		member := uint8(i)
		if left > 0 && x.strikes[Disconnect] && s.world.Possible(sim.Disconnect{Member: x.names[i]}) == nil {
			list = append(list, offer{Move: Move{disconnect, member, false}, faults: 1})
		}
		if left > 0 && x.strikes[Crash] && s.world.Possible(sim.Crash{Member: x.names[i]}) == nil {
			list = append(list, offer{Move: Move{crash, member, false}, faults: 1})
		}
		if x.strikes[Crash] && s.world.Possible(sim.Restart{Member: x.names[i]}) == nil {
			list = append(list, offer{Move: Move{restart, member, false}})
		}
	}
	if left > 0 && x.strikes[FailOver] {
		list = append(list, offer{Move: Move{kind: failOver}, faults: 1})
	}
	return list
}

// action is what a move does to the world by hand; nil if it is a choice.
func (x *Explorer) action(m Move, deeds int) sim.Action {
	switch m.kind {
	case deed:
		return x.deeds[deeds]
	case disconnect:
		return sim.Disconnect{Member: x.names[m.member]}
	case crash:
		return sim.Crash{Member: x.names[m.member]}
	case restart:
		return sim.Restart{Member: x.names[m.member]}
	case failOver:
		return sim.FailOver{}
	}
	return nil
}

// make makes a move in a copy of the situation; false if the world refuses.
func (x *Explorer) make(s *situation, o offer) (situation, bool) {
	if o.made != nil {
		return *o.made, true
	}
	next := situation{world: s.world.Clone(), deeds: s.deeds, faults: s.faults + o.faults}
	a := x.action(o.Move, s.deeds)
	if a == nil {
		next.world.Take(o.choice(o.at))
		return next, true
	}
	if o.kind == deed {
		next.deeds++
	}
	_, err := byHand(next.world, a)
	return next, err == nil
}

// handDelay keeps what is sent by hand on its way.
const handDelay = protocol.Millisecond

// byHand does something by hand, and lets the clients live on. What it sends
// stays on its way.
func byHand(w *sim.World, a sim.Action) ([]sim.Event, error) {
	if sends(a) {
		if _, err := w.Do(sim.Delay{Member: sim.MemberOf(a), By: handDelay, Count: 1}); err != nil {
			return nil, err
		}
	}
	did, err := w.Do(a)
	if err != nil {
		return nil, err
	}
	looked, err := live(w)
	return append(did, looked...), err
}

// sends reports whether an action by hand sends a heartbeat.
func sends(a sim.Action) bool {
	switch a.(type) {
	case sim.Join, sim.Restart, sim.Leave:
		return true
	}
	return false
}

// live lets clients live by themselves, and those to whom something was done
// look around.
func live(w *sim.World) ([]sim.Event, error) {
	if _, err := w.Do(sim.Run{For: protocol.Hour}); err != nil {
		return nil, fmt.Errorf("explore: %w", err)
	}
	var out []sim.Event
	for {
		choices := w.Choices(nil)
		if n := len(choices); n == 0 || choices[n-1].Kind != sim.Pass || choices[n-1].At > w.Now() {
			return out, nil
		}
		out = append(out, w.Take(choices[len(choices)-1])...)
	}
}

// Words are the moves of the finding, in plain words.
func (x *Explorer) Words() []string {
	var out []string
	deeds := 0
	for _, m := range x.found.Moves {
		name := ""
		if int(m.member) < len(x.names) {
			name = x.names[m.member]
		}
		what := name + "'s request"
		if m.response {
			what = "the answer to " + name
		}
		text := ""
		switch m.kind {
		case deliver:
			text = what + " arrives"
		case lose:
			text = what + " gets lost"
		case pass:
			text = "time passes to the next timer"
		default:
			text = scenario.EncodeAction(x.action(m, deeds))
		}
		if m.kind == deed {
			deeds++
		}
		out = append(out, text)
	}
	return out
}
