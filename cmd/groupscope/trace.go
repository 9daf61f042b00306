package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"groupscope/core/protocol"
	"groupscope/core/scenario"
	"groupscope/core/sim"
)

var traceCommand = command{
	name:  "trace",
	args:  "[-rules NAME] FILE",
	short: "print a scenario's run as a transcript",
	long: `Runs one scenario and prints, step by step, what was done, each request with
the decisions, the answer and the records it led to, and the state after it.
Heartbeats that clients send by themselves, and that change nothing and are
told nothing new, are counted only.
`,
	run: runTrace,
}

func runTrace(c *call) int {
	name := c.flags.String("rules", "", "the rule set to run under: kip or kafka (the file's first, when left out)")
	args, code, ok := c.parse()
	if !ok {
		return code
	}
	sc, set, code := c.open(args, *name)
	if sc == nil {
		return code
	}
	outcome, err := scenario.Run(sc, set.Name)
	if err != nil {
		return c.fail("%v", err)
	}
	fmt.Fprintf(c.stdout, "%s\nunder %s\n", sc.Title, set.TitleFor(sc.Protocol))
	t := &transcript{
		w: c.stdout, sc: sc, rules: set.Name, before: map[string]string{},
		said: map[string]string{}, endpoints: hasEndpoints(outcome),
	}
	for _, step := range outcome.Steps {
		t.step(step)
	}
	if d := outcome.Refusal; d != nil {
		return c.faulty(*d)
	}
	return exitOK
}

// transcript writes a run as text.
type transcript struct {
	w      io.Writer
	sc     *scenario.Scenario
	rules  string
	start  protocol.Instant
	before map[string]string // the last line written of the group and of each member
	idle   []string          // members of heartbeats that changed nothing, not written yet
	said   map[string]string // what was decided at the last heartbeat of each member
	// endpoints: some member has one, so the epoch of that information says
	// something.
	endpoints bool
}

// hasEndpoints reports whether a member ever had an endpoint.
func hasEndpoints(o *scenario.Outcome) bool {
	for _, s := range o.Steps {
		if s.State.Group == nil {
			continue
		}
		for _, m := range s.State.Group.Members {
			if m.Streams != nil && m.Streams.UserEndpoint != nil {
				return true
			}
		}
	}
	return false
}

func (t *transcript) step(s scenario.StepOutcome) {
	step := t.sc.Steps[s.Index]
	t.start = s.State.Start
	title := step.Name
	for _, a := range step.Do {
		title = strings.TrimSpace(title + "  " + t.sc.EncodeAction(a))
	}
	say := step.Words(t.rules)
	if title == "" && say == "" {
		return // it only expected something
	}
	fmt.Fprintf(t.w, "\n%s\n", cmp.Or(title, "-"))
	if say != "" {
		fmt.Fprintf(t.w, "  %q\n", say)
	}
	hand := byHand(step.Do, s.Events)
	for i, e := range s.Events {
		if h, is := e.What.(sim.Handled); is && i != hand && t.folds(&h) {
			t.idle = append(t.idle, h.Member)
			continue
		}
		t.event(e)
	}
	t.flush()
	t.state(s.State)
}

// byHand is the index of the heartbeat that the step itself has a member send,
// -1 for none: the clock of the step, if any, moves before it.
func byHand(do []sim.Action, events []sim.Event) int {
	if len(do) == 0 {
		return -1
	}
	beat, is := do[len(do)-1].(sim.Heartbeat)
	for i := len(events) - 1; is && i >= 0; i-- {
		if h, handled := events[i].What.(sim.Handled); handled && h.Member == beat.Member && !h.Raw {
			return i
		}
	}
	return -1
}

// folds reports whether a heartbeat is only counted: it changed nothing, and
// nothing was decided but that, or what was decided the time before.
func (t *transcript) folds(h *sim.Handled) bool {
	words, settled := "", true
	for i := range h.Decisions {
		words += h.Decisions[i].Text + "\n"
		settled = settled && h.Decisions[i].Settled()
	}
	before := t.said[h.Member]
	t.said[h.Member] = words
	return h.Idle && !h.ResponseLost && (settled || words == before)
}

// line writes one thing that happened: when, what kind, what.
func (t *transcript) line(at protocol.Instant, kind, format string, args ...any) {
	t.flush()
	fmt.Fprintf(t.w, "  %8s  %-9s %s\n", clock(at.Sub(t.start)), kind, fmt.Sprintf(format, args...))
}

// clock writes an instant so that all of a transcript line up.
func clock(d protocol.Duration) string { return fmt.Sprintf("%d.%03ds", d/1000, d%1000) }

// flush writes how many heartbeats changed nothing since the last line.
func (t *transcript) flush() {
	if len(t.idle) == 0 {
		return
	}
	counts := map[string]int{}
	for _, m := range t.idle {
		counts[m]++
	}
	names := slices.Compact(slices.Sorted(slices.Values(t.idle)))
	for i, m := range names {
		names[i] = fmt.Sprintf("%s x %d", m, counts[m])
	}
	t.idle = nil
	fmt.Fprintf(t.w, "  %8s  %-9s %s\n", "", "idle", strings.Join(names, ", "))
}

func (t *transcript) event(e sim.Event) {
	switch what := e.What.(type) {
	case sim.Sent:
		if what.Lost {
			t.line(e.At, "lost", "%s's request: %s", what.Member, t.askedText(what.Request, what.Streams, what.Classic))
		}
	case sim.Handled:
		t.handled(e, what)
	case sim.Received:
		if what.Failure != "" {
			t.line(e.At, "failed", "%s gets no answer: %s", what.Member, what.Failure)
		}
	case sim.Expired:
		t.line(e.At, "timer", "%s timer of %s ends", what.Timer, cmp.Or(what.Name, "the group"))
		for _, d := range what.Decisions {
			t.line(e.At, "decision", "%s (%s)", d.Text, d.Rule)
		}
		t.records(e.At, recordNames(what.Records))
	case sim.Operated:
		t.operated(e, what)
	case sim.Raised:
		if !what.Again {
			t.line(e.At, "client", "%s: poll() throws %s", what.Member, what.Error)
		}
	case sim.Called:
		if what.Failed {
			t.line(e.At, "client", "%s: %s throws", what.Member, what.What)
		}
		if told := toldText(what); !what.Done && told != "" {
			t.line(e.At, "client", "%s: %s(%s)", what.Member, what.What, told)
		}
	case sim.ThreadEnded:
		t.line(e.At, "client", "%s: its thread ends, status %v", what.Member, what.Why)
	case sim.TopicsChanged:
		text := topicsText(what.Topics)
		if len(what.Internal) > 0 {
			text += "; the broker created " + strings.Join(what.Internal, ", ")
		}
		t.line(e.At, "topics", "%s", text)
	case sim.TopicsLearnt:
		t.line(e.At, "topics", "clients know of %v", what.Topics)
	case sim.FailedOver:
		t.line(e.At, "fail-over", "rebuilt from %d records", what.Records)
	case sim.Violated:
		t.line(e.At, "VIOLATED", "%s: %s", what.Violation.Invariant, what.Violation.Text)
	}
}

func (t *transcript) operated(e sim.Event, o sim.Operated) {
	who := ""
	if o.Member != "" {
		who = " of " + o.Member
	}
	t.line(e.At, "request", "%s%s", o.Operation, who)
	for _, d := range o.Decisions {
		t.line(e.At, "decision", "%s (%s)", d.Text, d.Rule)
	}
	if o.Operation.Answers() {
		t.line(e.At, "response", "%s", o.Error)
	}
	if d := o.Description; d != nil && o.Error == protocol.None {
		for _, m := range d.Members {
			has, target := m.Assignment.String(), m.TargetAssignment.String()
			if m.Streams != nil {
				has, target = rolesText(m.Tasks), rolesText(m.TargetTasks)
			}
			t.line(e.At, "described", "%s at epoch %d has %s; target %s", m.MemberID, m.MemberEpoch, has, target)
		}
	}
	t.records(e.At, recordNames(o.Records))
}

func (t *transcript) handled(e sim.Event, h sim.Handled) {
	if !h.Late {
		t.line(e.At, "request", "%s: %s", h.Member, t.askedText(h.Request, h.Asked(), classicRequest(h)))
	}
	for _, d := range h.Decisions {
		t.line(e.At, "decision", "%s (%s)", d.Text, d.Rule)
	}
	answer := t.answerText(h)
	switch {
	case h.Again:
		answer += " (to the same request again; it goes nowhere)"
	case h.ResponseLost:
		answer += " (lost on the way)"
	}
	t.line(e.At, "response", "%s: %s", h.Member, answer)
	t.records(e.At, recordNames(h.Records))
}

func (t *transcript) records(at protocol.Instant, names []string) {
	if len(names) > 0 {
		t.line(at, "records", "%s", strings.Join(names, " "))
	}
}
