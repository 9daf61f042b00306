package playback

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"groupscope/core/coordinator"
	"groupscope/core/protocol"
	"groupscope/core/record"
	"groupscope/core/sim"
)

// Inspection is all there is to say of one thing on screen.
type Inspection struct {
	ID, Title string
	Kind      string // "member", "partition", "group", "message", "event"
	Sentence  string // what it is about, from the state, with the number that matters
	Rows      []Row
	// Request, Response and Records are the raw values behind it: of a member
	// its last heartbeat, of a message itself. Nil without one.
	Request  *protocol.ConsumerGroupHeartbeatRequest
	Response *protocol.ConsumerGroupHeartbeatResponse
	Records  []record.Record
	// Of a streams client these are the whole of Request and Response.
	StreamsRequest  *protocol.StreamsGroupHeartbeatRequest
	StreamsResponse *protocol.StreamsGroupHeartbeatResponse
}

// Row is one line of an inspection. Epoch, if any, is shown as a badge, Timer
// as a bar.
type Row struct {
	Name, Value string
	Epoch       *int32
	Timer       *Timer
}

// Timer is what is left of how much.
type Timer struct{ Left, Of protocol.Duration }

// Inspect finds what there is to say of a thing on screen: "group",
// "member/A", "partition/foo-2" (with anything after it), "message/17" or
// "event/17".
func (p *Player) Inspect(id string) (Inspection, error) {
	kind, rest, _ := strings.Cut(id, "/")
	switch kind {
	case "group":
		return p.inspectGroup(), nil
	case "member":
		return p.inspectMember(rest)
	case "partition":
		name, _, _ := strings.Cut(rest, "/")
		return p.inspectPartition(name)
	case "message", "event":
		return p.inspectEvent(kind, rest)
	}
	return Inspection{}, refuse("There is nothing to say about %q. Ask for group, member/…, partition/…, message/… or event/….", id)
}

// member is the coordinator's entry of a client, nil if it has none.
func member(s *sim.State, id string) *coordinator.Member {
	for _, m := range groupOf(s).Members {
		if m.ID == id {
			return m
		}
	}
	return nil
}

func (p *Player) inspectMember(name string) (Inspection, error) {
	f := &p.frame
	c, id := f.State.Named(name)
	m := member(f.State, id)
	if c == nil && m == nil {
		return Inspection{}, refuse("There is no member %q here.", name)
	}
	name = f.State.NameOf(id)
	out := Inspection{ID: "member/" + name, Title: "Member " + name, Kind: "member", Sentence: p.whyMember(name, c, m)}
	if m != nil {
		out.Rows = append(out.Rows, p.memberRows(m)...)
	}
	if c != nil {
		out.Rows = append(out.Rows, clientRows(c, f)...)
	}
	if id != name {
		out.Rows = append(out.Rows, text("Member id", id))
	}
	p.lastHeartbeat(id, &out)
	return out, nil
}

func text(name, value string) Row { return Row{Name: name, Value: value} }

func timerRow(name string, left, of protocol.Duration) Row {
	n, unit := CountDown(left)
	whole := Seconds(of)
	if unit == "s" {
		whole = strings.TrimSuffix(whole, " s")
	}
	return Row{Name: name, Value: fmt.Sprintf("%d %s left of %s", n, unit, whole), Timer: &Timer{left, of}}
}

// stateWord is a member's state without its suffix, as boards write it.
func stateWord(s record.MemberState) string {
	word, _, _ := strings.Cut(s.String(), "_")
	return word[:1] + strings.ToLower(word[1:])
}

// clientWord is a client's state as prose writes it.
func clientWord(state string) string { return strings.ToLower(strings.ReplaceAll(state, "_", " ")) }

func badge(name string, epoch int32) Row {
	return Row{Name: name, Value: strconv.Itoa(int(epoch)), Epoch: &epoch}
}

func (p *Player) memberRows(m *coordinator.Member) []Row {
	f := &p.frame
	g, w := groupOf(f.State), wordingOf(f.State)
	rows := []Row{
		badge("Member epoch", m.MemberEpoch),
		badge("Target epoch", g.AssignmentEpoch),
		text("State", stateWord(m.State)),
		text(w.pick("Assigned", "Active"), w.names(record.Partitions(m.Assigned))),
	}
	add := func(name string, ps []protocol.Partition) {
		if len(ps) > 0 {
			rows = append(rows, text(name, w.names(ps)))
		}
	}
	add("To revoke", record.Partitions(m.PendingRevocation))
	if waits := blocked(m); len(common(waits, copies(m))) > 0 {
		rows = append(rows, text("Waits for", w.names(waits)+" as active"))
	} else {
		add("Waits for", waits)
	}
	add("Free to take", m.Free)
	if m.Target == nil {
		rows = append(rows, text("Target", "none"))
	} else {
		rows = append(rows, text("Target", w.names(m.Target.Partitions())))
	}
	rows = append(rows, streamsMemberRows(m)...)
	timer := func(name string, deadline protocol.Instant, of protocol.Duration) {
		if deadline == 0 {
			return
		}
		left := max(0, deadline.Sub(f.Now))
		rows = append(rows, timerRow(name, left, of))
	}
	timer("Session", m.SessionDeadline, f.State.SessionTimeout)
	timer("Rebalance", m.RebalanceDeadline, m.RebalanceTimeout)
	rows = append(rows, badge("Previous epoch", m.PreviousMemberEpoch))
	rows = append(rows, subscribes(m, cmp.Or(m.ServerAssignor, "no vote"))...)
	optional := func(name, value string) {
		if value != "" {
			rows = append(rows, text(name, value))
		}
	}
	optional("Instance id", m.InstanceID)
	optional("Rack", m.RackID)
	return rows
}

func clientRows(c *sim.ClientState, f *Frame) []Row {
	w := wording{c.Streams != nil}
	rows := []Row{text("Client", clientWord(c.State)), badge("Own epoch", c.Epoch), text(w.pick("Reads", "Runs"), w.names(c.Owned.Partitions()))}
	if len(c.Revoking) > 0 {
		rows = append(rows, text(w.pick("Stops reading", "Closes"), w.names(c.Revoking.Partitions())))
	}
	if len(c.Adding) > 0 {
		rows = append(rows, text("Takes up", w.names(c.Adding.Partitions())))
	}
	if c.Streams != nil {
		rows = append(rows, streamsClientRows(c.Streams)...)
	}
	if c.InFlight {
		rows = append(rows, text("In flight", "waits for an answer"))
	}
	if c.LastError != protocol.None {
		rows = append(rows, text("Last error", c.LastError.String()))
	}
	if left := c.CutOffTill.Sub(f.Now); left > 0 {
		rows = append(rows, text("Cut off", "for "+Left(left)))
	}
	if len(c.Quirks) > 0 {
		rows = append(rows, text("Quirks", words(c.Quirks)))
	}
	if left := c.PausedTill.Sub(f.Now); c.PausedTill != 0 && left > 0 {
		rows = append(rows, text("Does not poll", "for "+Left(left)))
	}
	return rows
}

func subscription(m *coordinator.Member) string {
	if m.SubscribedTopicRegex == "" {
		return words(m.SubscribedTopicNames)
	}
	return "topics that match " + m.SubscribedTopicRegex
}

func words(names []string) string {
	if len(names) == 0 {
		return "nothing"
	}
	return strings.Join(names, ", ")
}

// lastHeartbeat finds the last heartbeat with a member id up to the stop on
// screen, of those that are kept.
func (p *Player) lastHeartbeat(id string, out *Inspection) {
	t := p.branch.track
	for i := p.Stop(); i > 0; i-- {
		events := t.eventsOf(i)
		for j := len(events) - 1; j >= 0; j-- {
			switch what := events[j].What.(type) {
			case sim.Handled:
				if what.Request.MemberID == id {
					out.Request, out.Response, out.Records = &what.Request, &what.Response, what.Records
					out.StreamsRequest, out.StreamsResponse = what.Asked(), what.Answer()
					return
				}
			case sim.Sent:
				if what.Request.MemberID == id {
					out.Request, out.StreamsRequest = &what.Request, what.Streams
					return
				}
			}
		}
	}
}

func (p *Player) inspectGroup() Inspection {
	s := p.frame.State
	g := groupOf(s)
	out := Inspection{ID: "group", Title: "Group " + s.GroupID, Kind: "group", Sentence: p.whyGroup()}
	if s.Group == nil {
		return out
	}
	out.Rows = []Row{
		text("State", g.State.String()),
		badge("Group epoch", g.GroupEpoch),
		badge("Target epoch", g.AssignmentEpoch),
		text("Members", strconv.Itoa(len(g.Members))),
		text("Assignor", g.PreferredAssignor),
		text("Records", strconv.Itoa(s.Log)),
	}
	out.Rows = append(out.Rows, streamsGroupRows(g.Streams)...)
	for _, r := range g.ResolvedRegexes {
		out.Rows = append(out.Rows, text(r.Regex, "matches "+words(r.Topics)))
	}
	if s.Resolving != 0 {
		out.Rows = append(out.Rows, text("In the background", "regexes are being resolved"))
	}
	for _, setting := range s.Settings {
		out.Rows = append(out.Rows, text(setting.Name, setting.Value))
	}
	if b := s.Broken; b != nil {
		if left := b.Until.Sub(p.frame.Now); left > 0 {
			out.Rows = append(out.Rows, text("Broker answers", b.Error.String()+" to all, for "+Left(left)))
		}
	}
	if len(s.Unowned) > 0 {
		out.Rows = append(out.Rows, text("Nobody owns", unowned(&p.frame)))
	}
	return out
}
