package session

import (
	"strconv"
	"strings"

	"groupscope/core/coordinator"
	"groupscope/core/protocol"
	"groupscope/core/record"
	"groupscope/core/sim"
)

// Snapshot is what is on screen as data: the text that stands for the
// picture. Its keys are those of expect in scenario files, and some more.
type Snapshot struct {
	Scenario   string                    `json:"scenario"`
	Rules      string                    `json:"rules"`
	Branch     string                    `json:"branch"`
	Step       string                    `json:"step"`    // the stop's label
	Instant    string                    `json:"instant"` // since the start
	Say        string                    `json:"say"`
	Cause      string                    `json:"cause"`
	Decision   string                    `json:"decision"`
	Records    []string                  `json:"records"`
	Response   *SnapshotResponse         `json:"response"` // null: the coordinator answered nothing
	Group      *SnapshotGroup            `json:"group"`    // null: there is none
	Members    map[string]SnapshotMember `json:"members"`
	Unowned    []string                  `json:"unowned"`
	Violations []string                  `json:"violations"`
}

// SnapshotResponse is the last answer of the step.
type SnapshotResponse struct {
	Member     string        `json:"member"`
	Epoch      *int32        `json:"epoch,omitempty"`
	Assignment *partitionSet `json:"assignment,omitempty"`
	Error      string        `json:"error"` // NONE, or Kafka's constant
	*SnapshotStreamsResponse
}

// SnapshotGroup is the group's header.
type SnapshotGroup struct {
	Epoch       int32               `json:"epoch"`
	TargetEpoch int32               `json:"target-epoch"`
	State       string              `json:"state"`
	Size        int                 `json:"size"`
	Assignor    string              `json:"assignor"`
	Regexes     map[string][]string `json:"regexes"`
	*SnapshotStreamsGroup
}

// SnapshotMember is a member: what the coordinator holds, none of it if it
// has no entry, and what the client believes.
type SnapshotMember struct {
	Epoch   *int32            `json:"epoch,omitempty"`
	Before  *int32            `json:"previous-epoch,omitempty"`
	State   string            `json:"state"` // "absent" if the coordinator has no entry
	Owns    []string          `json:"owns"`
	Revokes []string          `json:"revokes"`
	Waits   []string          `json:"waits"`
	Free    []string          `json:"free"` // may be taken with its next heartbeat
	Target  []string          `json:"target"`
	Timers  map[string]string `json:"timers,omitempty"`
	Client  *SnapshotClient   `json:"client,omitempty"`
	*SnapshotStreamsMember
}

// SnapshotClient is a client's own view.
type SnapshotClient struct {
	Epoch   int32    `json:"epoch"`
	State   string   `json:"state"`
	Owns    []string `json:"owns"`
	Revokes []string `json:"revokes"`
	Error   string   `json:"error"` // of its last answer, NONE or Kafka's constant
	*SnapshotStreamsClient
}

func (s *Session) snapshot() Snapshot {
	f := s.player.Frame()
	caption := s.player.Caption()
	out := Snapshot{
		Scenario: s.sc.Name, Rules: s.rules.Name, Branch: s.player.Branch(), Step: f.Stop.Label,
		Instant: inSeconds(f.Now.Sub(f.State.Start)), Say: caption.Say, Cause: caption.Cause,
		Records: []string{}, Members: map[string]SnapshotMember{}, Unowned: []string{}, Violations: []string{},
	}
	var decisions []string
	for _, d := range caption.Decisions {
		if d.Main {
			decisions = append(decisions, d.Text)
		}
	}
	out.Decision = strings.Join(decisions, " ")
	for _, r := range caption.Records {
		out.Records = append(out.Records, r.Short)
	}
	out.Response = lastAnswer(f.Events)
	if g := f.State.Group; g != nil {
		out.Group = &SnapshotGroup{g.GroupEpoch, g.AssignmentEpoch, g.State.String(), len(g.Members), g.PreferredAssignor, map[string][]string{}, streamsGroup(g)}
		for _, r := range g.ResolvedRegexes {
			out.Group.Regexes[r.Regex] = r.Topics
		}
	}
	membersInto(out.Members, f.State, f.Now)
	for _, u := range f.State.Unowned {
		out.Unowned = append(out.Unowned, heldName(u.Partition, f.State.Streams()))
	}
	for _, v := range f.State.Violations {
		out.Violations = append(out.Violations, v.Invariant)
	}
	return out
}

func lastAnswer(events []sim.Event) *SnapshotResponse {
	for i := len(events) - 1; i >= 0; i-- {
		if o, ok := events[i].What.(sim.Operated); ok && o.Operation.Answers() {
			return &SnapshotResponse{Member: o.Member, Error: o.Error.String()}
		}
		h, ok := events[i].What.(sim.Handled)
		if !ok {
			continue
		}
		out := &SnapshotResponse{Member: h.Member, Error: h.Response.Error.String()}
		if h.Response.Error == protocol.None {
			out.Epoch, out.Assignment = &h.Response.MemberEpoch, setOf(h.Response.Assignment)
			if r := h.Answer(); r != nil {
				out.Assignment, out.SnapshotStreamsResponse = nil, streamsResponse(r)
			}
		}
		return out
	}
	return nil
}

// membersInto writes the clients, and the members that an earlier client left
// behind, by their names.
func membersInto(out map[string]SnapshotMember, s *sim.State, now protocol.Instant) {
	entries := map[string]*coordinator.Member{}
	if s.Group != nil {
		for _, m := range s.Group.Members {
			entries[m.ID] = m
		}
	}
	for _, c := range s.Clients {
		one := memberOf(entries[c.ID], now)
		tasks := c.Streams != nil
		one.Client = &SnapshotClient{
			c.Epoch, c.State, set(c.Owned.Partitions(), tasks), set(c.Revoking.Partitions(), tasks), c.LastError.String(), streamsClient(c),
		}
		out[c.Member] = one
		delete(entries, c.ID)
	}
	for id, m := range entries {
		out[s.NameOf(id)] = memberOf(m, now)
	}
}

func memberOf(m *coordinator.Member, now protocol.Instant) SnapshotMember {
	if m == nil {
		return SnapshotMember{State: "absent", Owns: []string{}, Revokes: []string{}, Waits: []string{}, Free: []string{}, Target: []string{}}
	}
	tasks := m.Streams != nil
	out := SnapshotMember{
		Epoch: &m.MemberEpoch, Before: &m.PreviousMemberEpoch, State: m.StateName(),
		Owns: set(record.Partitions(m.Assigned), tasks), Revokes: set(record.Partitions(m.PendingRevocation), tasks),
		Waits: set(m.Waiting, tasks), Free: set(m.Free, tasks), Target: set(m.Target.Partitions(), tasks),
		Timers: map[string]string{}, SnapshotStreamsMember: streamsMember(m),
	}
	timer := func(name string, deadline protocol.Instant) {
		if deadline != 0 {
			out.Timers[name] = inSeconds(max(0, deadline.Sub(now)))
		}
	}
	timer("session", m.SessionDeadline)
	timer("rebalance", m.RebalanceDeadline)
	return out
}

// inSeconds writes a duration as files do, but never in longer units: a table
// compares better that way.
func inSeconds(d protocol.Duration) string {
	return strconv.FormatFloat(float64(d)/float64(protocol.Second), 'f', -1, 64) + "s"
}
