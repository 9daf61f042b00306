package session

import (
	"encoding/json"
	"fmt"
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
		offers = memberOffers(c.Member)
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

func memberOffers(m string) []offer {
	return []offer{
		{"Join", sim.Join{Member: m}},
		{"Heartbeat now", sim.Heartbeat{Member: m}},
		{"Commit its offsets", sim.CommitOffsets{Member: m, Offset: scenario.DefaultOffset}},
		{"Ask for its offsets", sim.FetchOffsets{Member: m}},
		{"Lose its next request", sim.LoseRequest{Member: m, Count: 1}},
		{"Lose its next answer", sim.LoseResponse{Member: m, Count: 1}},
		{"Delay its next request", sim.Delay{Member: m, By: offeredDelay, Count: 1}},
		{"Delay its next answer", sim.Delay{Member: m, By: offeredDelay, Response: true, Count: 1}},
		{"Duplicate its next request", sim.Duplicate{Member: m, Count: 1}},
		{"Disconnect", sim.Disconnect{Member: m}},
		{"Cut off for 60 s", sim.Partition{Member: m, For: offeredCut}},
		{"Pause, stop polling", sim.Pause{Member: m, For: offeredPause}},
		{"Revoke slowly, 20 s", sim.ChangeMember{Member: m, To: sim.MemberChange{RevokeTime: &offeredRevoke}}},
		{"Next revocation throws", sim.FailCallback{Member: m, Callback: client.PartitionsRevoked, Count: 1}},
		{"Crash", sim.Crash{Member: m}},
		{"Leave", sim.Leave{Member: m}},
		{"Restart", sim.Restart{Member: m}},
	}
}

func (s *Session) groupOffers() []offer {
	c := s.player.Recording().Config()
	out := []offer{
		{"Let the clients run", sim.Run{For: offeredRun}},
		{"Let time pass, clients silent", sim.Advance{For: c.SessionTimeout}},
		{"Fail over", sim.FailOver{}},
		{"Coordinator loads for 10 s", sim.BrokerError{Error: protocol.CoordinatorLoadInProgress, For: offeredError}},
		{"Coordinator not found for 10 s", sim.BrokerError{Error: protocol.NotCoordinator, For: offeredError, Lookup: true}},
	}
	out = append(out, topicOffers(s.player.Frame().State.Topics)...)
	return append(out,
		offer{"Resolve regexes", sim.ResolveRegexes{}},
		offer{"Describe the group", sim.Describe{}},
		offer{"Let what is old expire", sim.Cleanup{}},
		offer{"Delete the group", sim.DeleteGroup{}},
	)
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
