package session

import (
	"slices"
	"strings"

	"groupscope/core/playback"
	"groupscope/core/protocol"
	"groupscope/core/rules"
	"groupscope/core/scenario"
)

// Info is what is open.
type Info struct {
	Name      string    `json:"name"`
	Title     string    `json:"title"`
	Summary   string    `json:"summary"`
	Protocol  string    `json:"protocol"`
	Rules     string    `json:"rules"`
	RuleTitle string    `json:"ruleTitle"`
	RuleSets  []RuleSet `json:"ruleSets"`
	// Foreign: the file does not list the rule set in force, so its own words
	// may be false under it and are left out.
	Foreign  bool           `json:"foreign"`
	Branch   string         `json:"branch"`
	Branches []Branch       `json:"branches"`
	Stops    []Stop         `json:"stops"`
	Members  []string       `json:"members"`
	Position Position       `json:"position"`
	Config   map[string]any `json:"config"`
	Stats    Stats          `json:"stats"`
}

// RuleSet is a rule set to choose.
type RuleSet struct {
	Name  string `json:"name"`
	Title string `json:"title"`
}

// Branch is a branch in a list.
type Branch struct {
	ID     string `json:"id"`
	Name   string `json:"name"`
	Parent string `json:"parent"`
	Fork   int    `json:"fork"`
	Stops  int    `json:"stops"`
}

// Stop is a stop on the ladder.
type Stop struct {
	Index           int               `json:"index"`
	Label           string            `json:"label"`
	Step            string            `json:"step"`
	Say             string            `json:"say"`
	At              protocol.Duration `json:"at"` // ms since the start
	GroupEpoch      int32             `json:"groupEpoch"`
	AssignmentEpoch int32             `json:"assignmentEpoch"`
	MinMemberEpoch  int32             `json:"minMemberEpoch"`
	MaxMemberEpoch  int32             `json:"maxMemberEpoch"`
	Violated        bool              `json:"violated"`
	Line            int               `json:"line"`
}

// Stats counts what the branch on screen holds.
type Stats struct {
	Events  int `json:"events"`
	Records int `json:"records"`
}

// Position is where playback stands.
type Position struct {
	Stop    int               `json:"stop"`
	Label   string            `json:"label"`
	Step    string            `json:"step"`
	At      protocol.Duration `json:"at"`
	Playing bool              `json:"playing"`
	Speed   float64           `json:"speed"`
	AtEnd   bool              `json:"atEnd"`
	AtStart bool              `json:"atStart"`
	Moving  bool              `json:"moving"`
}

func (s *Session) position() Position {
	p := s.player
	f := p.Frame()
	return Position{
		Stop: f.Stop.Index, Label: f.Stop.Label, Step: f.Stop.Step, At: f.Now.Sub(f.State.Start),
		Playing: p.Playing(), Speed: p.Speed(), AtEnd: p.AtEnd(), AtStart: f.Stop.Index == 0, Moving: p.Moving(),
	}
}

func (s *Session) info() Info {
	p, f := s.player, s.player.Frame()
	out := Info{
		Foreign: !slices.Contains(s.sc.Rules, s.rules.Name),
		Name:    s.sc.Name, Title: s.sc.Title, Summary: s.sc.Summary, Protocol: s.sc.Protocol,
		Rules: s.rules.Name, RuleTitle: s.rules.TitleFor(s.sc.Protocol), RuleSets: ruleSets(s.sc),
		Branch: p.Branch(), Branches: []Branch{}, Stops: []Stop{}, Members: []string{},
		Position: s.position(), Config: s.config(),
	}
	for _, b := range p.Branches() {
		out.Branches = append(out.Branches, Branch{b.ID, b.Name, b.Parent, b.Fork, b.Stops})
	}
	for _, stop := range p.Stops() {
		out.Stops = append(out.Stops, stopOf(stop, f.State.Start))
	}
	for _, c := range f.State.Clients {
		out.Members = append(out.Members, c.Member)
	}
	out.Stats.Events, out.Stats.Records = p.Totals()
	return out
}

func stopOf(s playback.Stop, start protocol.Instant) Stop {
	return Stop{
		Index: s.Index, Label: s.Label, Step: s.Step, Say: s.Say, At: s.At.Sub(start),
		GroupEpoch: s.GroupEpoch, AssignmentEpoch: s.AssignmentEpoch,
		MinMemberEpoch: s.MinMemberEpoch, MaxMemberEpoch: s.MaxMemberEpoch,
		Violated: s.Violated, Line: s.Line,
	}
}

// ruleSets lists all of them, those of the file first.
func ruleSets(sc *scenario.Scenario) []RuleSet {
	names := slices.Clone(sc.Rules)
	for _, r := range []rules.Rules{rules.Kip(), rules.Kafka()} {
		if !slices.Contains(names, r.Name) {
			names = append(names, r.Name)
		}
	}
	out := make([]RuleSet, 0, len(names))
	for _, n := range names {
		if r, ok := rules.ByName(n); ok {
			out = append(out, RuleSet{r.Name, r.TitleFor(sc.Protocol)})
		}
	}
	return out
}

// config is the coordinator's, by Kafka's names.
func (s *Session) config() map[string]any {
	c := s.player.Recording().Config()
	out := map[string]any{
		"group.consumer.session.timeout.ms":     c.SessionTimeout,
		"group.consumer.heartbeat.interval.ms":  c.HeartbeatInterval,
		"group.consumer.assignment.interval.ms": c.AssignmentInterval,
		"group.consumer.assignors":              strings.Join(c.Assignors, ", "),
	}
	if c.MaxSize > 0 {
		out["group.consumer.max.size"] = c.MaxSize
	}
	return out
}
