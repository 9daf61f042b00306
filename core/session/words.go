package session

import (
	"encoding/json"

	"groupscope/core/playback"
	"groupscope/core/protocol"
)

// Caption is the words of the stop on screen.
type Caption struct {
	Label      string      `json:"label"`
	Step       string      `json:"step"`
	Say        string      `json:"say"`
	Cause      string      `json:"cause"`
	Decisions  []Decision  `json:"decisions"`
	Records    []Written   `json:"records"`
	Invariants []Invariant `json:"invariants"`
	RulesTitle string      `json:"rulesTitle"`
	Log        int         `json:"log"`
	Unowned    string      `json:"unowned"`
}

// Decision is a decision and its rule. Main is the one of each operation that
// explains best what came of it.
type Decision struct {
	Rule string `json:"rule"`
	Text string `json:"text"`
	Main bool   `json:"main"`
}

// Written is a record in short and in words.
type Written struct {
	Short string `json:"short"`
	Text  string `json:"text"`
}

// Invariant is a promise and whether it holds.
type Invariant struct {
	Name string `json:"name"`
	OK   bool   `json:"ok"`
	Text string `json:"text"`
}

func (s *Session) caption() Caption {
	c := s.player.Caption()
	out := Caption{
		Label: c.Label, Step: c.Step, Say: c.Say, Cause: c.Cause, RulesTitle: s.rules.TitleFor(s.sc.Protocol), Log: c.Log, Unowned: c.Unowned,
		Decisions: []Decision{}, Records: []Written{}, Invariants: []Invariant{},
	}
	for _, d := range c.Decisions {
		out.Decisions = append(out.Decisions, Decision(d))
	}
	for _, r := range c.Records {
		out.Records = append(out.Records, Written(r))
	}
	for _, i := range c.Invariants {
		out.Invariants = append(out.Invariants, Invariant(i))
	}
	return out
}

// LogLine is one line of the event log.
type LogLine struct {
	Stop   int               `json:"stop"`
	Label  string            `json:"label"`
	At     protocol.Duration `json:"at"`
	Kind   playback.LineKind `json:"kind"`
	Text   string            `json:"text"`
	Member string            `json:"member"`
	Error  string            `json:"error"` // "" for none
	Event  uint64            `json:"event"`
	Count  int               `json:"count"`
}

func (s *Session) log() []LogLine {
	out := []LogLine{}
	for _, l := range s.player.Log() {
		line := LogLine{Stop: l.Stop, Label: l.Label, At: l.At, Kind: l.Kind, Text: l.Text, Member: l.Member, Event: l.Event, Count: l.Count}
		if l.Error != protocol.None {
			line.Error = l.Error.String()
		}
		out = append(out, line)
	}
	return out
}

// Inspection is all there is to say of one thing.
type Inspection struct {
	ID       string       `json:"id"`
	Title    string       `json:"title"`
	Kind     string       `json:"kind"`
	Sentence string       `json:"sentence"`
	Rows     []Row        `json:"rows"`
	Request  any          `json:"request,omitempty"`
	Response any          `json:"response,omitempty"`
	Records  []recordJSON `json:"records,omitempty"`
}

// Row is one line of an inspection.
type Row struct {
	Name  string `json:"name"`
	Value string `json:"value"`
	Epoch *int32 `json:"epoch,omitempty"`
	Timer *Timer `json:"timer,omitempty"`
}

// Timer is what is left of how much.
type Timer struct {
	LeftMs protocol.Duration `json:"leftMs"`
	OfMs   protocol.Duration `json:"ofMs"`
}

func (s *Session) inspect(args json.RawMessage) (any, error) {
	var a struct{ ID string }
	if err := decode(args, &a); err != nil {
		return nil, err
	}
	in, err := s.player.Inspect(a.ID)
	if err != nil {
		return nil, err
	}
	out := Inspection{
		ID: in.ID, Title: in.Title, Kind: in.Kind, Sentence: in.Sentence, Rows: []Row{},
		Request: requestOf(in.Request), Response: responseOf(in.Response), Records: recordsOf(in.Records),
	}
	if in.StreamsRequest != nil {
		out.Request = streamsRequestOf(in.StreamsRequest)
	}
	if r := in.StreamsResponse; r != nil && r.Error == protocol.None {
		out.Response = streamsResponseOf(r)
	}
	for _, r := range in.Rows {
		row := Row{Name: r.Name, Value: r.Value, Epoch: r.Epoch}
		if r.Timer != nil {
			row.Timer = &Timer{r.Timer.Left, r.Timer.Of}
		}
		out.Rows = append(out.Rows, row)
	}
	return out, nil
}
