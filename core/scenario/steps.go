package scenario

import (
	"fmt"
	"slices"
	"strings"

	"groupscope/core/protocol"
	"groupscope/core/sim"
)

// The keys of a step that are no action. A step moves the clock at most once
// and then does at most one thing.
var (
	stepKeys  = []string{"step", "say", "focus", "pause", "expect"}
	clockKeys = []string{"run", "at", "advance"}
)

// script reads the steps, and keeps what can only be judged in order.
type script struct {
	*reader
	elapsed  protocol.Duration // of the scenario's time, up to this step
	beats    int64             // heartbeats that run and at will make
	polls    int64             // calls of poll() in run and at, of those that poll now and then
	interval protocol.Duration
	members  int
}

func (r *reader) steps(n *node, interval protocol.Duration, members int) []Step {
	if n.kind != list {
		r.wanted(n, "steps are a list; each begins with a dash")
		return nil
	}
	if len(n.items) > MaxSteps {
		r.fault(n, fmt.Sprintf("%s steps: the limit is %s", grouped(len(n.items)), grouped(MaxSteps)), "")
		return nil
	}
	r.world.steps, r.world.joined, r.world.inSteps = map[string]int{}, map[string]bool{}, true
	s := &script{reader: r, interval: max(interval, 1), members: members}
	out := make([]Step, 0, len(n.items))
	for _, item := range n.items {
		out = append(out, s.step(item))
	}
	// More partitions than there may be have been reported already.
	if work := len(n.items) * r.world.all; work > MaxWork && r.world.all <= MaxPartitions {
		r.fault(n, fmt.Sprintf("%s steps with %s partitions: the limit is %s for one times the other",
			grouped(len(n.items)), grouped(r.world.all), grouped(MaxWork)), "")
		return nil
	}
	return out
}

// step reads one step.
func (s *script) step(n *node) Step {
	out := Step{Line: n.at.line, Column: n.at.column}
	if n.kind != mapping {
		s.wanted(n, "a step is a mapping, such as heartbeat: A")
		return out
	}
	if len(n.entries) == 0 {
		s.fault(n, "an empty step does nothing", "")
	}
	s.stepName(n, &out)
	if v := n.get("say"); v != nil {
		s.say(v, &out)
	}
	if v := n.get("pause"); v != nil && v.kind == truth {
		out.Pause = v.text == "true"
	}
	for _, d := range s.deeds(n) {
		out.Do = append(out.Do, d.action)
		out.places = append(out.places, d.place)
		s.inOrder(d)
	}
	if v := n.get("focus"); v != nil {
		out.Focus = s.focus(v)
	}
	if v := n.get("expect"); v != nil {
		out.Expect = s.expect(v)
	}
	return out
}

// say reads the words of a step: a text, or one for each of several rule sets.
func (s *script) say(v *node, out *Step) {
	const what, most = "say is a text, or {kip: …, kafka: …}", 400
	if v.kind != mapping {
		out.Say = s.words(v, what, most)
		return
	}
	if len(v.entries) == 0 {
		s.wanted(v, what)
	}
	out.SayUnder = map[string]string{}
	for _, e := range v.entries {
		if name, ok := s.oneOf(e.key, "rule set", ruleSets); ok {
			out.SayUnder[name] = s.words(e.value, what, most)
		}
	}
}

func (s *script) stepName(n *node, out *Step) {
	v := n.get("step")
	if v == nil {
		return
	}
	name, ok := s.name(v, "the name of a step belongs here")
	if !ok {
		return
	}
	if line, taken := s.world.steps[name]; taken {
		s.fault(v, "two steps have the name "+name, fmt.Sprintf("The other is in line %d", line))
		return
	}
	s.world.steps[name] = v.at.line
	out.Name = name
}

// focus reads what the words of a step are about.
func (r *reader) focus(n *node) string {
	s, ok := r.text(n, "focus is a member, a partition such as foo-2, or group")
	switch {
	case !ok || s == "group" || slices.Contains(r.world.members, s):
		return s
	case r.world.streams && strings.Contains(s, "_"):
		r.task(n)
		return s
	case strings.Contains(s, "-"):
		r.partition(n)
		return s
	}
	r.fault(n, "no member "+s, theFileHas(s, r.world.members, "members")+". A partition, such as foo-2, or group can stand here too")
	return s
}

// deed is an action with its place in the file.
type deed struct {
	action sim.Action
	place  place
}

// deeds reads what a step does: the clock first, then the action. Unknown
// keys, and keys that belong to another action, are reported.
func (r *reader) deeds(n *node) []deed {
	var clock, act *entry
	var out []deed
	for i, e := range n.entries {
		switch key := e.key.text; {
		case slices.Contains(clockKeys, key):
			if clock != nil {
				r.fault(e.key, "a step moves the clock once, and "+clock.key.text+" does so already", "Make it a step of its own")
				continue
			}
			clock = &n.entries[i]
		case isAction(e):
			if act != nil {
				r.fault(e.key, "a step does one thing, and "+act.key.text+" stands here already", "Make it a step of its own")
				continue
			}
			act = &n.entries[i]
		}
	}
	r.stepKeys(n, act)
	if clock != nil {
		if a := r.clock(clock); a != nil {
			out = append(out, deed{a, clock.value.at})
		}
	}
	if act == nil {
		return out
	}
	of := actionOf(act.key.text)
	if !r.fits(of.only) {
		r.misplaced(act.key, act.key.text, of.only)
	} else if a := of.read(r, n, act.value); a != nil {
		out = append(out, deed{a, act.value.at})
	}
	return out
}

// isAction reports whether an entry of a step is its action. "pause: true"
// stops the playing, "pause: A" is something done to A.
func isAction(e entry) bool {
	return actionOf(e.key.text) != nil && !(e.key.text == "pause" && e.value.kind == truth)
}

// stepKeys reports the keys of a step that do not belong there.
func (r *reader) stepKeys(n *node, act *entry) {
	fitting := slices.Concat(stepKeys, clockKeys)
	if act == nil {
		fitting = append(fitting, r.actionKeys()...)
	} else {
		fitting = append(fitting, actionOf(act.key.text).params...)
	}
	slices.Sort(fitting)
	for _, e := range n.entries {
		key := e.key.text
		switch owners := paramOwners(key); {
		case slices.Contains(fitting, key) || actionOf(key) != nil:
		case owners != nil:
			r.fault(e.key, key+" belongs to "+orList(owners), "")
		default:
			r.unknownStepKey(e.key, act != nil, slices.Compact(fitting))
		}
	}
}

func (r *reader) unknownStepKey(key *node, acts bool, fitting []string) {
	known := slices.Concat(r.actionKeys(), clockKeys, fitting)
	near := nearest(key.text, known)
	switch {
	case near == "" && acts:
		r.fault(key, "no such key here: "+key.text, "One of: "+strings.Join(fitting, ", "))
	case near == "":
		r.fault(key, "no such step: "+key.text, "One of: "+strings.Join(fitting, ", "))
	case actionOf(near) != nil:
		r.fault(key, "no such step: "+key.text, "Did you mean "+near+"?")
	default:
		r.fault(key, "no such key: "+key.text, "Did you mean "+near+"?")
	}
}

func (r *reader) clock(e *entry) sim.Action {
	d, ok := r.duration(e.value)
	if !ok {
		return nil
	}
	switch e.key.text {
	case "run":
		return sim.Run{For: d}
	case "at":
		return sim.Until{At: d}
	}
	return sim.Advance{For: d}
}

// inOrder checks what depends on the steps before.
func (s *script) inOrder(d deed) {
	passed, lives := protocol.Duration(0), true
	switch a := d.action.(type) {
	case sim.Join:
		s.world.joined[a.Member] = true
	case sim.Run:
		passed = a.For
	case sim.Advance:
		passed, lives = a.For, false
	case sim.Until:
		passed = a.At - s.elapsed
		if passed < 0 {
			s.faultAt(d.place, fmt.Sprintf("%v is in the past: %v have gone by when this step begins", a.At, s.elapsed), "")
			return
		}
	default:
		s.joinedBefore(d)
	}
	s.elapsed += passed
	if s.elapsed > MaxRun {
		s.faultAt(d.place, fmt.Sprintf("the scenario lasts %v up to here: the limit is %v", s.elapsed, MaxRun), "")
		s.elapsed = 0 // said once
	}
	if lives && s.world.minPoll > 0 {
		before := s.polls
		s.polls += int64(s.members) * int64(passed/s.world.minPoll)
		if before <= MaxPolls && s.polls > MaxPolls {
			s.faultAt(d.place, fmt.Sprintf("up to here %d members poll about %s times: the limit is %s", s.members, grouped(int(s.polls)), grouped(MaxPolls)), "")
		}
	}
	if lives {
		before := s.beats
		s.beats += int64(s.members) * int64(passed/s.interval)
		if before <= MaxHeartbeats && s.beats > MaxHeartbeats {
			s.faultAt(d.place, fmt.Sprintf("up to here %d members send about %s heartbeats: the limit is %s", s.members, grouped(int(s.beats)), grouped(MaxHeartbeats)), "")
		}
	}
}

// joinedBefore reports an action on a member that no step before has let join.
// Faults may wait for its first message.
func (s *script) joinedBefore(d deed) {
	name := sim.MemberOf(d.action)
	if name == "" || s.world.joined[name] || !slices.Contains(s.world.members, name) {
		return
	}
	switch d.action.(type) {
	case sim.LoseRequest, sim.LoseResponse, sim.Delay, sim.Duplicate, sim.Partition, sim.ChangeMember:
		return
	}
	s.faultAt(d.place, name+" has not joined yet", "Put a step with join: "+name+" before this one")
	s.world.joined[name] = true // said once
}
