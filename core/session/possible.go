package session

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"groupscope/core/client"
	"groupscope/core/protocol"
	"groupscope/core/scenario"
	"groupscope/core/sim"
)

// Possible is something that can be done, or why it cannot be done now.
type Possible struct {
	Label   string `json:"label"`
	Action  string `json:"action"` // in the vocabulary of scenario files
	Enabled bool   `json:"enabled"`
	Reason  string `json:"reason"` // why not, "" if enabled
}

type offer struct {
	label  string
	action sim.Action
}

// Lengths of what a menu offers; a scenario may have any.
const (
	offeredDelay = protocol.Second
	offeredPause = 60 * protocol.Second
	offeredRun   = 30 * protocol.Second
	// offeredCut outlasts the session timeout as it is by default.
	offeredCut   = 60 * protocol.Second
	offeredError = 10 * protocol.Second
)

// offeredChangelog is how long the changelog of a task is of which nothing was
// reported.
const offeredChangelog = 1000

// offeredRevoke is a slow revocation.
var offeredRevoke = 20 * protocol.Second

// possible lists what can be done to a member that has a client, or, for any
// other target, to the group and its clock.
func (s *Session) possible(args json.RawMessage) (any, error) {
	var a struct{ Target string }
	if err := decode(args, &a); err != nil {
		return nil, err
	}
	offers := s.groupOffers()
	if c, _ := s.player.Frame().State.Named(strings.TrimPrefix(a.Target, "member/")); c != nil {
		offers = memberOffers(c)
	}
	out := []Possible{}
	for _, o := range offers {
		one := Possible{Label: o.label, Action: scenario.EncodeAction(o.action), Enabled: true}
		if err := s.player.Possible(o.action); err != nil {
			one.Enabled, one.Reason = false, err.Error()
		}
		out = append(out, one)
	}
	return out, nil
}

// memberOffers are of one kind of member: what only the other kind can do is
// no choice, so it is not there.
func memberOffers(c *sim.ClientState) []offer {
	m := c.Member
	out := []offer{
		{"Join", sim.Join{Member: m}},
		{"Heartbeat now", sim.Heartbeat{Member: m}},
	}
	if c.Streams == nil {
		out = append(out,
			offer{"Commit its offsets", sim.CommitOffsets{Member: m, Offset: scenario.DefaultOffset}},
			offer{"Ask for its offsets", sim.FetchOffsets{Member: m}},
		)
	}
	out = append(out,
		offer{"Lose its next request", sim.LoseRequest{Member: m, Count: 1}},
		offer{"Lose its next answer", sim.LoseResponse{Member: m, Count: 1}},
		offer{"Delay its next request", sim.Delay{Member: m, By: offeredDelay, Count: 1}},
		offer{"Delay its next answer", sim.Delay{Member: m, By: offeredDelay, Response: true, Count: 1}},
		offer{"Duplicate its next request", sim.Duplicate{Member: m, Count: 1}},
		offer{"Disconnect", sim.Disconnect{Member: m}},
		offer{"Cut off for 60 s", sim.Partition{Member: m, For: offeredCut}},
		offer{"Pause, stop polling", sim.Pause{Member: m, For: offeredPause}},
	)
	out = append(out, applicationOffers(c)...)
	return append(out,
		offer{"Crash", sim.Crash{Member: m}},
		offer{"Leave", sim.Leave{Member: m}},
		offer{"Restart", sim.Restart{Member: m}},
	)
}

// applicationOffers are about what a member's application does.
func applicationOffers(c *sim.ClientState) []offer {
	m := c.Member
	slow := sim.ChangeMember{Member: m, To: sim.MemberChange{RevokeTime: &offeredRevoke}}
	if c.Streams == nil {
		return []offer{
			{"Revoke slowly, 20 s", slow},
			{"Next revocation throws", sim.FailCallback{Member: m, Callback: client.PartitionsRevoked, Count: 1}},
		}
	}
	out := []offer{
		{"Close tasks slowly, 20 s", slow},
		{"Closing tasks throws next time", sim.FailCallback{Member: m, Callback: client.TasksRevoked, Count: 1}},
		{"Starting tasks throws next time", sim.FailCallback{Member: m, Callback: client.TasksAssigned, Count: 1}},
	}
	if c.Streams.Warmup.Len() > 0 {
		out = append(out, offer{"Its warm-up tasks catch up", sim.ReportOffsets{Member: m, Tasks: caughtUp(c.Streams)}})
	}
	return append(out, offer{"Shut down all instances", sim.ShutDown{Member: m}})
}

// caughtUp is the state of a client's tasks once its warm-up tasks have all
// of theirs.
func caughtUp(c *sim.StreamsClient) []client.TaskProgress {
	var out []client.TaskProgress
	for _, p := range c.Progress {
		if !c.Warmup.Contains(p.Task) {
			out = append(out, client.TaskProgress(p))
		}
	}
	for _, task := range c.Warmup.Partitions() {
		end := int64(offeredChangelog)
		for _, p := range c.Progress {
			if p.Task == task {
				end = p.End
			}
		}
		out = append(out, client.TaskProgress{Task: task, Offset: end, End: end})
	}
	slices.SortFunc(out, func(a, b client.TaskProgress) int { return a.Task.Compare(b.Task) })
	return out
}

func (s *Session) groupOffers() []offer {
	out := []offer{
		{"Let the clients run", sim.Run{For: offeredRun}},
		{"Let time pass, clients silent", sim.Advance{For: s.player.Frame().State.SessionTimeout}},
		{"Fail over", sim.FailOver{}},
		{"Coordinator loads for 10 s", sim.BrokerError{Error: protocol.CoordinatorLoadInProgress, For: offeredError}},
		{"Coordinator not found for 10 s", sim.BrokerError{Error: protocol.NotCoordinator, For: offeredError, Lookup: true}},
	}
	out = append(out, topicOffers(s.player.Frame().State.Topics)...)
	if t := s.sc.Setup(s.rules.Name).Topology; t == nil {
		out = append(out, offer{"Resolve regexes", sim.ResolveRegexes{}})
	} else {
		out = append(out, internalOffers(s.player.Frame().State, t)...)
	}
	return append(out,
		offer{"Describe the group", sim.Describe{}},
		offer{"Let what is old expire", sim.Cleanup{}},
		offer{"Delete the group", sim.DeleteGroup{}},
	)
}

// internalOffers are for as long as an internal topic is missing: a broker
// that creates them may refuse to, and the other way round.
func internalOffers(st *sim.State, t *protocol.Topology) []offer {
	if g := st.Group; g != nil && g.Streams != nil && g.Streams.Topology != nil {
		t = g.Streams.Topology
	}
	missing := func(info protocol.TopicInfo) bool {
		return !slices.ContainsFunc(st.Topics, func(there protocol.Topic) bool { return there.Name == info.Name })
	}
	lacks := func(s protocol.Subtopology) bool {
		return slices.ContainsFunc(s.StateChangelogTopics, missing) || slices.ContainsFunc(s.RepartitionSourceTopics, missing)
	}
	switch {
	case !slices.ContainsFunc(t.Subtopologies, lacks):
		return nil
	case st.Refusing:
		return []offer{{"Create internal topics", sim.InternalTopics{}}}
	}
	return []offer{{"Refuse internal topics", sim.InternalTopics{Creation: sim.Creation{Refused: true}}}}
}

// maxTopicOffers is how many topics a menu has room for.
const maxTopicOffers = 4

func topicOffers(topics []protocol.Topic) []offer {
	var out []offer
	for _, t := range topics[:min(len(topics), maxTopicOffers)] {
		to := func(partitions int32) sim.Action {
			return sim.SetTopics{Topics: []protocol.Topic{{ID: protocol.TopicID(t.Name), Name: t.Name, Partitions: partitions}}}
		}
		out = append(out, offer{fmt.Sprintf("Grow %s to %d partitions", t.Name, t.Partitions+1), to(t.Partitions + 1)},
			offer{"Delete " + t.Name, to(0)})
	}
	return out
}
