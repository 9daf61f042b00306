package playback

import (
	"fmt"
	"slices"
	"strings"

	"groupscope/core/coordinator"
	"groupscope/core/prose"
	"groupscope/core/protocol"
	"groupscope/core/record"
	"groupscope/core/sim"
)

// LineKind says what a line of the event log is about.
type LineKind string

// The kinds of lines.
const (
	RequestLine  LineKind = "request"
	ResponseLine LineKind = "response"
	DecisionLine LineKind = "decision"
	RecordsLine  LineKind = "records"
	TimerLine    LineKind = "timer"
	ActionLine   LineKind = "action"
	ClientLine   LineKind = "client"
	FaultLine    LineKind = "fault"
	IdleLine     LineKind = "idle"
)

// LogLine is one line of the event log.
type LogLine struct {
	Stop   int // the stop that it led to
	Label  string
	At     protocol.Duration // since the start
	Kind   LineKind
	Text   string
	Member string             // what it is called, "" for none
	Error  protocol.ErrorCode // of a response
	Event  uint64             // Seq
	Count  int                // of idle heartbeats
}

// writes are the records and decisions of an event.
func writes(e sim.Event) ([]record.Record, []coordinator.Decision) {
	switch what := e.What.(type) {
	case sim.Handled:
		return what.Records, what.Decisions
	case sim.Expired:
		return what.Records, what.Decisions
	case sim.Operated:
		return what.Records, what.Decisions
	}
	return nil, nil
}

// Log is the whole branch on screen, line by line; idle heartbeats are
// counted, not listed.
func (p *Player) Log() []LogLine {
	t := p.branch.track
	var out []LogLine
	start := p.frame.State.Start
	l := newLedger(nil)
	l.wording = wordingOf(p.frame.State)
	l.short = t.oneTopic() && !l.tasks
	for i := 1; i < t.len(); i++ {
		runs := t.idleOf(i)
		line := func(at protocol.Instant, kind LineKind, event uint64) *LogLine {
			out = append(out, LogLine{Stop: i, Label: t.stop(i).Label, At: at.Sub(start), Kind: kind, Event: event})
			return &out[len(out)-1]
		}
		idleBefore := func(seq uint64) {
			for len(runs) > 0 && runs[0].seq < seq {
				n := line(runs[0].from, IdleLine, runs[0].seq)
				n.Count, n.Text = runs[0].count, prose.Count(runs[0].count, "idle heartbeat")
				runs = runs[1:]
			}
		}
		for _, e := range lastWords(t.eventsOf(i)) {
			idleBefore(e.Seq)
			logEvent(e, l, func(kind LineKind) *LogLine { return line(e.At, kind, e.Seq) })
		}
		idleBefore(t.stop(i).Event + 1)
	}
	return out
}

// oneTopic reports whether there is one topic from the track's start to its
// end, so that its name need not be said.
func (t *track) oneTopic() bool {
	root := t
	for root.parent != nil {
		root = root.parent
	}
	ids := map[protocol.TopicID]bool{}
	note := func(topics []protocol.Topic) {
		for _, topic := range topics {
			ids[topic.ID] = true
		}
	}
	note(root.snapshots[0].world.State().Topics)
	for i := range t.len() {
		for _, e := range t.eventsOf(i) {
			if changed, ok := e.What.(sim.TopicsChanged); ok {
				note(changed.Topics)
			}
		}
	}
	return len(ids) == 1
}

// idleOf are the idle heartbeats between a stop and the one before it.
func (t *track) idleOf(i int) []idleRun {
	o := t.owner(i)
	after, to := t.stop(i-1).Event, t.stop(i).Event
	lo := 0
	for lo < len(o.idle) && o.idle[lo].seq <= after {
		lo++
	}
	hi := lo
	for hi < len(o.idle) && o.idle[hi].seq <= to {
		hi++
	}
	return o.idle[lo:hi]
}

// lastWords leaves out the states that a client only passes through: of those
// of one instant the last one counts.
func lastWords(events []sim.Event) []sim.Event {
	var out []sim.Event
	for i, e := range events {
		is, ok := e.What.(sim.ClientChanged)
		passing := ok && slices.ContainsFunc(events[i+1:], func(later sim.Event) bool {
			next, ok := later.What.(sim.ClientChanged)
			return ok && later.At == e.At && next.Client.Member == is.Client.Member
		})
		if !passing || is.Client.State == "FENCED" && is.Client.Epoch == 0 {
			out = append(out, e)
		}
	}
	return out
}

// logEvent writes the lines of one event; line starts one.
func logEvent(e sim.Event, l *ledger, line func(LineKind) *LogLine) {
	switch what := e.What.(type) {
	case sim.Acted:
		if !passesTime(what.Action) && !sends(what.Action) {
			line(ActionLine).Text = phrase(what.Action)
		}
	case sim.Sent:
		n := line(RequestLine)
		n.Member, n.Text = what.Member, l.asked(sender(what.Member, what.Raw), what.Request, what.Streams)
		if what.Classic != nil {
			n.Text = classicSends(what.Member, what.Classic.Name(), what.Request.MemberEpoch)
		}
		if what.Lost {
			n.Kind, n.Text = FaultLine, n.Text+", lost on the way"
		}
	case sim.Handled:
		logDecided(e, what.Member, l, line)
		n := line(ResponseLine)
		n.Member, n.Error = what.Member, what.Response.Error
		n.Text = fmt.Sprintf("%s is answered %s", what.Member, answer(what.Response, what.Answer()))
		if what.Classic != nil {
			n.Text = classicAnswer(what)
		}
		if what.Again {
			n.Kind, n.Text = FaultLine, fmt.Sprintf("%s request arrives a second time, its answer %s goes nowhere", own(what.Member), answer(what.Response, what.Answer()))
		} else if what.ResponseLost {
			n.Kind, n.Text = FaultLine, n.Text+", lost on the way"
		}
	case sim.Received:
		if what.Failure != "" {
			n := line(FaultLine)
			n.Member, n.Text = what.Member, fmt.Sprintf("%s gets no answer: %s", what.Member, failure(what.Failure))
		}
	case sim.Expired:
		n := line(TimerLine)
		n.Member, n.Text = what.Name, own(timerOf(what.Name))+" "+what.Timer.String()+" timer ends"
		logDecided(e, what.Name, l, line)
	case sim.ClientChanged:
		n := line(ClientLine)
		n.Member, n.Text = what.Client.Member, clientText(what.Client)
	case sim.Operated:
		logOperated(e, what, l, line)
	case sim.Raised:
		n := line(FaultLine)
		n.Member, n.Text = what.Member, strings.TrimSuffix(sayRaised(what), ".")
	case sim.Called:
		if what.Failed {
			n := line(FaultLine)
			n.Member, n.Text = what.Member, strings.TrimSuffix(sayCalled(what), ".")
		} else if len(what.Partitions) > 0 && what.Done {
			n := line(ClientLine)
			n.Member, n.Text = what.Member, strings.TrimSuffix(sayCalled(what), ".")
		}
	case sim.TopicsChanged:
		line(ActionLine).Text = topicsChanged(what)
	case sim.ThreadEnded:
		n := line(FaultLine)
		n.Member, n.Text = what.Member, strings.TrimSuffix(sayThreadEnded(what), ".")
	case sim.TopicsLearnt:
		line(ActionLine).Text = "clients learn which topics there are now"
	case sim.FailedOver:
		line(ActionLine).Text = fmt.Sprintf("a new coordinator reads %s", prose.Count(what.Records, "record"))
	case sim.Violated:
		line(FaultLine).Text = "invariant broken: " + what.Violation.Text
	}
}

// logOperated writes what was asked of the coordinator beside heartbeats, and
// what it did about it.
func logOperated(e sim.Event, o sim.Operated, l *ledger, line func(LineKind) *LogLine) {
	kind := ActionLine
	if o.Member != "" {
		kind = RequestLine
	}
	n := line(kind)
	n.Member, n.Text = o.Member, strings.TrimSuffix(askedOf(o), ".")
	logDecided(e, o.Member, l, line)
	if text := operatedAnswer(o); text != "" {
		n = line(ResponseLine)
		n.Member, n.Error, n.Text = o.Member, o.Error, text
	}
}

func logDecided(e sim.Event, member string, l *ledger, line func(LineKind) *LogLine) {
	rs, ds := writes(e)
	for _, d := range ds {
		n := line(DecisionLine)
		n.Member, n.Text = member, d.Rule+": "+d.Text
	}
	if len(rs) == 0 {
		return
	}
	n := line(RecordsLine)
	n.Member = member
	for i, r := range rs {
		if i > 0 {
			n.Text += "; "
		}
		n.Text += r.Short() + " " + l.tell(r)
	}
}

// sends reports whether an action's own event is told by the request it makes.
func sends(a sim.Action) bool {
	switch a.(type) {
	case sim.Heartbeat, sim.Join, sim.Leave, sim.SendRequest, sim.CommitOffsets, sim.FetchOffsets, sim.DeleteGroup,
		sim.Cleanup, sim.Describe, sim.ResolveRegexes, sim.SetGroupConfig:
		return true
	}
	return false
}

func clientText(c sim.ClientState) string {
	s := fmt.Sprintf("%s is %s at epoch %d", c.Member, clientWord(c.State), c.Epoch)
	switch {
	case c.Streams != nil && len(c.Owned)+len(c.Streams.Standby)+len(c.Streams.Warmup) > 0:
		s += ", runs " + inRoles(c.Owned, c.Streams.Standby, c.Streams.Warmup)
	case len(c.Owned) > 0:
		s += ", reads " + Partitions(c.Owned.Partitions())
	}
	return s
}
