package explore

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"groupscope/core/protocol"
	"groupscope/core/sim"
)

// timing finds instants for the moves of a way, in a world with latencies of
// its own: it makes the same moves there, each after the one before, and notes
// by how much messages have to be later than they would be.
type timing struct {
	x     *Explorer
	ideal situation  // as it was explored
	real  *sim.World // with latencies
	// done counts, in each of them, what happened without a choice.
	idealDone, realDone map[happening]int
	messages            map[line][]message // of the real world, in the order of sending
	deeds               []timed
}

// line is one direction of a member's connection.
type line struct {
	member   string
	response bool
}

// message is when a message is sent, and what becomes of it.
type message struct {
	sent  protocol.Instant
	extra protocol.Duration // later than it would arrive
	lost  bool
}

// timed is an action and its instant.
type timed struct {
	at protocol.Instant
	do sim.Action
}

// happening is what timers lead to, told apart as far as that is needed to see
// that they lead to the same in both worlds.
type happening struct {
	what   string
	member string
}

var errTiming = errors.New("no latencies of a scenario lead to this order")

// schedule times a way. The world is as the scenario makes it.
func (x *Explorer) schedule(world *sim.World, way []Move) (*timing, error) {
	t := &timing{
		x: x, ideal: situation{world: x.root}, real: world.Clone(),
		idealDone: map[happening]int{}, realDone: map[happening]int{}, messages: map[line][]message{},
	}
	if _, err := live(t.real); err != nil {
		return nil, err
	}
	for i, m := range way {
		if err := t.move(m); err != nil {
			return nil, fmt.Errorf("move %d: %w", i+1, err)
		}
	}
	t.hold()
	return t, nil
}

// hold keeps messages that have not arrived by the end from doing so.
func (t *timing) hold() {
	end := t.real.Now()
	for _, c := range t.real.Choices(nil) {
		if c.Kind == sim.Deliver && c.Arrives <= end {
			t.fate(c).extra += end.Sub(c.Arrives) + 1
		}
	}
}

// move makes one move in both worlds.
func (t *timing) move(m Move) error {
	var made *offer
	for _, o := range t.x.offers(&t.ideal, nil) {
		if o.Move == m {
			made = &o
		}
	}
	if made == nil {
		return errTiming
	}
	before := t.ideal.deeds
	world := t.ideal.world.Clone()
	action := t.x.action(m, before)
	t.ideal.faults += made.faults
	if action != nil {
		events, err := byHand(world, action)
		if err != nil {
			return err
		}
		t.ideal.world = world
		if m.kind == deed {
			t.ideal.deeds++
		}
		count(t.idealDone, events)
		return t.hand(action)
	}
	count(t.idealDone, world.Take(made.choice(made.at)))
	t.ideal.world = world
	switch m.kind {
	case deliver:
		return t.deliver(m)
	case lose:
		return t.lose(m)
	}
	return t.pass()
}

// hand does an action by hand, at the instant reached.
func (t *timing) hand(a sim.Action) error {
	t.deeds = append(t.deeds, timed{t.real.Now(), a})
	events, err := byHand(t.real, a)
	t.note(events)
	if sent := t.messages[line{sim.MemberOf(a), false}]; sends(a) && len(sent) > 0 && sent[len(sent)-1].sent == t.real.Now() {
		sent[len(sent)-1].extra = handDelay
	}
	return err
}

// deliver lets a message arrive, after everything that happened so far.
func (t *timing) deliver(m Move) error {
	for _, c := range t.real.Choices(nil) {
		if c.Kind != sim.Deliver || c.Member != int(m.member) || c.Response != m.response {
			continue
		}
		at := max(c.Arrives, t.real.Now()+1)
		if err := t.wait(at); err != nil {
			return err
		}
		t.fate(c).extra += at.Sub(c.Arrives)
		t.note(t.real.Take(c))
		return nil
	}
	return errTiming
}

func (t *timing) lose(m Move) error {
	for _, c := range t.real.Choices(nil) {
		if c.Kind == sim.Lose && c.Member == int(m.member) && c.Response == m.response {
			t.fate(c).lost = true
			t.real.Take(c)
			return nil
		}
	}
	return errTiming
}

// fate is the note about a message on its way: of those that a client sent at
// one instant, before a crash and after it, the last.
func (t *timing) fate(c sim.Choice) *message {
	all := t.messages[line{t.x.names[c.Member], c.Response}]
	for i := range slices.Backward(all) {
		if all[i].sent == c.At {
			return &all[i]
		}
	}
	return &message{}
}

// wait lets the clock run to an instant before which nothing happens.
func (t *timing) wait(at protocol.Instant) error {
	choices := t.real.Choices(nil)
	if last := choices[len(choices)-1]; last.Kind == sim.Pass && last.At <= at {
		return errTiming
	}
	t.real.Take(sim.Choice{Kind: sim.Pass, At: at})
	return nil
}

// pass lets time pass until timers have led to what they led to in the world
// that was explored, where more of them fire at one instant.
func (t *timing) pass() error {
	for !maps.Equal(t.idealDone, t.realDone) {
		choices := t.real.Choices(nil)
		last := choices[len(choices)-1]
		if last.Kind != sim.Pass || t.ahead() {
			return errTiming
		}
		t.note(t.real.Take(last))
	}
	return nil
}

// ahead reports whether the real world did something that the other did not.
func (t *timing) ahead() bool {
	for what, n := range t.realDone {
		if n > t.idealDone[what] {
			return true
		}
	}
	return false
}

// note takes down what happened in the real world.
func (t *timing) note(events []sim.Event) {
	count(t.realDone, events)
	for _, e := range events {
		var on line
		switch what := e.What.(type) {
		case sim.Sent:
			on = line{what.Member, false}
		case sim.Handled:
			on = line{what.Member, true}
		default:
			continue
		}
		t.messages[on] = append(t.messages[on], message{sent: e.At})
	}
}

// count adds up what happened.
func count(done map[happening]int, events []sim.Event) {
	for _, e := range events {
		switch what := e.What.(type) {
		case sim.Sent:
			done[happening{"sent", what.Member}]++
		case sim.Received:
			done[happening{"received " + what.Failure, what.Member}]++
		case sim.Called:
			done[happening{fmt.Sprint(what.What, what.Done), what.Member}]++
		case sim.Expired:
			done[happening{what.Timer.String(), what.Member}]++
		case sim.TopicsChanged:
			done[happening{"topics changed", ""}]++
		}
	}
}
