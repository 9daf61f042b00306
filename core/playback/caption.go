package playback

import (
	"fmt"
	"strings"

	"groupscope/core/prose"
	"groupscope/core/protocol"
	"groupscope/core/sim"
)

// Caption is a stop in words: what caused it, what the coordinator decided by
// which rule, what it wrote.
type Caption struct {
	Label, Step string
	Say         string
	Cause       string
	Decisions   []RuleText
	Records     []RecordText
	Invariants  []Invariant
	Log         int    // records in the log
	Unowned     string // who has no owner since when; "" when all have one
}

// RuleText is a decision, and the rule it follows. Main marks the one of each
// operation that explains best what came of it.
type RuleText struct {
	Rule, Text string
	Main       bool
}

// RecordText is a record in the notation of scenario files, and in words.
type RecordText struct{ Short, Text string }

// Invariant is one of the promises of the protocol, and whether it holds.
type Invariant struct {
	Name string
	OK   bool
	Text string // what, who and since when, if it does not hold
}

// Caption finds the words for what is on screen.
func (p *Player) Caption() Caption {
	f := &p.frame
	out := Caption{
		Label: f.Stop.Label, Step: f.Stop.Step, Say: f.Stop.Say,
		Invariants: invariants(f.State, p.violatedSince), Log: f.State.Log, Unowned: unowned(f),
	}
	m := p.moment()
	out.Cause = m.cause()
	l := newLedger(f.Before)
	quiet := m.decides()
	last := m.last()
	for _, e := range f.Events {
		if quiet && isIdle(e) {
			continue
		}
		rs, ds := writes(e)
		for _, r := range rs {
			out.Records = append(out.Records, RecordText{r.Short(), l.tell(r)})
		}
		for _, d := range ds {
			main := d.Main && len(last) > 0 && e.Seq >= last[0].Seq
			out.Decisions = append(out.Decisions, RuleText{d.Rule, called(f.State, d.Text), main})
		}
	}
	return out
}

func (p *Player) moment() moment {
	f := &p.frame
	return moment{
		before: f.Before, after: f.State, events: f.Events,
		idle: p.branch.track.mark(f.Stop.Index).idle,
	}
}

// decides reports whether the coordinator did more in the moment than answer
// heartbeats that change nothing.
func (m *moment) decides() bool {
	for _, e := range m.events {
		if _, deciding := causeOf(e, nil); deciding && !isIdle(e) {
			return true
		}
	}
	return false
}

// called is a text of the coordinator, which knows members by their ids: a
// client that was restarted has one with a number, A~2, and is called A.
func called(s *sim.State, text string) string {
	for _, c := range s.Clients {
		if strings.HasPrefix(c.ID, c.Member+"~") {
			text = strings.ReplaceAll(text, c.ID, c.Member)
		}
	}
	return text
}

// last are the events since the last action that does something: the one that
// a stop is about.
func (m *moment) last() []sim.Event {
	for i := len(m.events) - 1; i > 0; i-- {
		if a, ok := m.events[i].What.(sim.Acted); ok && !passesTime(a.Action) {
			return m.events[i:]
		}
	}
	return m.events
}

// cause tells what set the stop off. A stop may take in steps of no name
// before its own: the last action is the one it is about. Of what came of
// that, it is the first thing that led to a decision, else the first thing
// that happened.
func (m *moment) cause() string {
	events := m.last()
	first, l := "", newLedger(m.before)
	for _, e := range events {
		s, deciding := causeOf(e, l)
		if deciding {
			return s
		}
		if first == "" {
			first = s
		}
	}
	if heard := m.heard(events); heard != "" {
		return heard
	}
	if first == "" && m.idle > 0 {
		return prose.Count(m.idle, "idle heartbeat") + "."
	}
	if first == "" && m.before != nil && m.after.At > m.before.At {
		return "Time passes."
	}
	return first
}

// heard is the answer that makes a client's application start or stop reading.
func (m *moment) heard(events []sim.Event) string {
	for _, e := range events {
		called, ok := e.What.(sim.Called)
		if !ok || !called.Done || len(called.Partitions) == 0 {
			continue
		}
		for _, cause := range events {
			if r, ok := cause.What.(sim.Received); ok && r.Member == called.Member {
				text, _ := causeOf(cause, nil)
				return text
			}
		}
	}
	return ""
}

// causeOf tells an event as a cause; deciding says that the coordinator
// decided because of it. The ledger, if any, knows who is in the group.
func causeOf(e sim.Event, l *ledger) (text string, deciding bool) {
	switch what := e.What.(type) {
	case sim.Handled:
		if what.Again {
			return own(what.Member) + " request arrives a second time.", true
		}
		if what.Classic != nil {
			return classicSends(what.Member, what.Classic.Request.Name(), what.Request.MemberEpoch) + ".", true
		}
		return l.asked(sender(what.Member, what.Raw), what.Request, what.Asked()) + ".", true
	case sim.Operated:
		return askedOf(what), true
	case sim.Expired:
		return fmt.Sprintf("%s timer ends.", capital(own(timerOf(what.Name)))+" "+what.Timer.String()), true
	case sim.FailedOver:
		return "The coordinator fails over.", true
	case sim.Acted:
		if passesTime(what.Action) {
			return "", false
		}
		return sentence(phrase(what.Action)), false
	case sim.TopicsChanged:
		return sentence(topicsChanged(what)), false
	case sim.ThreadEnded:
		return sayThreadEnded(what), false
	case sim.Sent:
		if what.Classic != nil {
			return classicSends(what.Member, what.Classic.Name(), what.Request.MemberEpoch) + ".", false
		}
		return l.asked(sender(what.Member, what.Raw), what.Request, what.Streams) + ".", false
	case sim.Received:
		if what.Failure != "" {
			return fmt.Sprintf("%s gets no answer: %s.", what.Member, failure(what.Failure)), false
		}
		return fmt.Sprintf("%s hears its answer: %s.", what.Member, answer(what.Response, what.Streams)), false
	case sim.Raised:
		return sayRaised(what), false
	case sim.TopicsLearnt:
		return "Clients learn which topics there are now.", false
	case sim.Called:
		if what.Failed {
			return sayCalled(what), false
		}
		if what.Done {
			return fmt.Sprintf("%s returns.", own(what.Member)+" "+what.What), false
		}
		return fmt.Sprintf("%s is called.", own(what.Member)+" "+what.What), false
	}
	return "", false
}

func invariants(s *sim.State, label func(protocol.Instant) string) []Invariant {
	var out []Invariant
	for _, inv := range s.Watched() {
		one := Invariant{Name: inv.Says, OK: true}
		for _, v := range s.Violations {
			if v.Invariant == inv.Name {
				one = Invariant{Name: inv.Says, Text: fmt.Sprintf("%s (since %s)", strings.TrimSuffix(v.Text, "."), label(v.Since))}
				break
			}
		}
		out = append(out, one)
	}
	return out
}

// unowned tells the partitions without an owner, by the stop they lost it at.
func unowned(f *Frame) string {
	w := wordingOf(f.State)
	var labels []string
	since := map[string][]protocol.Partition{}
	for _, u := range f.State.Unowned {
		label := ""
		if !u.Never {
			label = f.ReleasedAt(u.Partition)
		}
		if _, ok := since[label]; !ok {
			labels = append(labels, label)
		}
		since[label] = append(since[label], u.Partition)
	}
	var out []string
	for _, label := range labels {
		ps := since[label]
		verb := "have"
		if len(ps) == 1 {
			verb = "has"
		}
		if label == "" {
			out = append(out, fmt.Sprintf("%s %s no owner yet", w.list(ps), verb))
		} else {
			out = append(out, fmt.Sprintf("%s %s no owner since %s", w.list(ps), verb, label))
		}
	}
	return strings.Join(out, "; ")
}
