package playback

import (
	"fmt"
	"strings"

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

// RuleText is a decision, and the rule it follows. Main marks the one that
// explains best what came of it all.
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
	main := m.main()
	out.Cause = m.cause(main)
	l := newLedger(f.Before)
	quiet := m.decides()
	for _, e := range f.Events {
		if quiet && isIdle(e) {
			continue
		}
		rs, ds := writes(e)
		for _, r := range rs {
			out.Records = append(out.Records, RecordText{r.Short(), l.tell(r)})
		}
		for _, d := range ds {
			out.Decisions = append(out.Decisions, RuleText{d.Rule, called(f.State, d.Text), d.Main && main != nil && e.Seq == main.Seq})
		}
	}
	if r := p.ran(&m); r != nil {
		r.caption(&out)
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

// called is a text of the coordinator, which knows members by their ids: a
// client that was restarted has one with a number, A~2, and is called A.
func called(s *sim.State, text string) string {
	for _, c := range s.Clients {
		if !strings.HasPrefix(c.ID, c.Member+"~") || !strings.Contains(text, c.ID) {
			continue
		}
		// One of both of its lives is about the first one, too.
		text = eachWord(text, func(word string) string {
			switch word {
			case c.ID:
				return c.Member
			case c.Member:
				return s.NameOf(c.Member)
			}
			return word
		})
	}
	return text
}

// eachWord replaces words, which end at a space or a sign that no name has.
func eachWord(text string, by func(string) string) string {
	var out strings.Builder
	for len(text) > 0 {
		n := strings.IndexFunc(text, func(r rune) bool { return strings.ContainsRune(" ,;:()", r) })
		if n < 0 {
			n = len(text)
		}
		word := text[:n]
		bare := strings.TrimSuffix(word, ".")
		out.WriteString(by(bare) + word[len(bare):])
		if text = text[n:]; len(text) > 0 {
			out.WriteByte(text[0])
			text = text[1:]
		}
	}
	return out.String()
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
