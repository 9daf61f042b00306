package sim

import (
	"bufio"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"math"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"groupscope/core/client"
	"groupscope/core/coordinator"
	"groupscope/core/protocol"
	"groupscope/core/rules"
)

// realRun is a recorded run of real clients against the real coordinator, in
// virtual time.
type realRun struct {
	Name       string
	DurationMs int64
	Config     struct {
		SessionTimeoutMs, HeartbeatIntervalMs, AssignmentIntervalMs, GroupMaxSize, LatencyMs int64
		Assignors                                                                            []string
		streamsRunConfig
	}
	Topics   []protocol.Topic
	Topology runTopology // nil: consumers
	Members  []struct {
		ID, InstanceID, RackID, ServerAssignor                                    string
		Topics                                                                    []string
		StartMs, MaxPollIntervalMs, RevokeMs, AssignMs, LostMs, LatencyMs, PollMs int64
		streamsRunMember
	}
	Actions []realAction
	Events  []realEvent
}

type realAction struct {
	AtMs, DurMs, Ms    int64
	Op, Member, Option string
	Count              *int
	RevokeMs, AssignMs *int64
	Topics             json.RawMessage
	Code, What         string
}

type realEvent struct {
	AtMs                                   int64
	Type, Member, State, Phase, What, Lost string
	Failure, Timer                         string
	MemberEpoch                            int32
	Owned, Partitions                      json.RawMessage
	Request                                *realRequest
	Response                               *realResponse
	Error                                  *struct{ Code string }
}

type realRequest struct {
	MemberEpoch          int32
	RebalanceTimeoutMs   *int32
	SubscribedTopicNames []string
	TopicPartitions      map[protocol.TopicID][]int32
	streamsRunRequest
}

type realResponse struct {
	MemberEpoch int32
	Assignment  map[protocol.TopicID][]int32
	streamsRunResponse
}

func readRuns(t *testing.T, archive string) []realRun {
	f, err := os.Open(archive)
	require.NoError(t, err)
	defer f.Close()
	unzipped, err := gzip.NewReader(f)
	require.NoError(t, err)
	lines := bufio.NewScanner(unzipped)
	lines.Buffer(nil, 1<<24)
	var out []realRun
	for lines.Scan() {
		var run realRun
		require.NoError(t, json.Unmarshal(lines.Bytes(), &run))
		out = append(out, run)
	}
	require.NoError(t, lines.Err())
	return out
}

// world is the world of a recorded run.
func (r *realRun) world(t *testing.T) *World {
	c := coordinator.DefaultConfig(rules.Kafka())
	c.AssignmentInterval = protocol.Duration(r.Config.AssignmentIntervalMs) // 0 where the run says nothing
	if ms := r.Config.SessionTimeoutMs; ms != 0 {
		c.SessionTimeout = protocol.Duration(ms)
	}
	if ms := r.Config.HeartbeatIntervalMs; ms != 0 {
		c.HeartbeatInterval = protocol.Duration(ms)
	}
	c.MaxSize = math.MaxInt32
	if n := r.Config.GroupMaxSize; n != 0 {
		c.MaxSize = int(n)
	}
	if r.Config.Assignors != nil {
		c.Assignors = r.Config.Assignors
	}
	s := Setup{GroupID: "group", Config: c, Topics: r.Topics, Topology: r.Topology.made()}
	r.Config.apply(&s.Config)
	for _, m := range r.Members {
		var latency *Range // where the run says nothing, the recorder's was the default too
		if ms := cmp.Or(max(m.LatencyMs, 0), r.Config.LatencyMs); ms != 0 {
			latency = &Range{protocol.Duration(ms), protocol.Duration(ms)}
		}
		s.Members = append(s.Members, MemberSetup{
			Name: m.ID, Subscribe: m.Topics, InstanceID: m.InstanceID, RackID: m.RackID, Assignor: m.ServerAssignor,
			RebalanceTimeout: protocol.Duration(m.MaxPollIntervalMs), Latency: latency,
			RevokeTime: protocol.Duration(m.RevokeMs), AssignTime: protocol.Duration(m.AssignMs), LostTime: protocol.Duration(m.LostMs),
			Poll: protocol.Duration(m.PollMs), Streams: m.streams(),
		})
	}
	w, err := New(s)
	require.NoError(t, err)
	return w
}

// replay carries the run's actions out at their instants, as calls of the
// application of a client that lives by itself, not by hand.
func (r *realRun) replay(t *testing.T) []Event {
	w := r.world(t)
	var out []Event
	until := func(at int64) { // everything before that instant
		w.horizon = w.start + protocol.Instant(at) - 1
		w.setLive(true)
		out = append(out, w.Settle()...)
		w.setLive(true)
		w.now = w.start + protocol.Instant(at)
		w.expire()
		out = append(out, w.took()...)
	}
	type deed struct {
		at int64
		do func(w *World)
	}
	var deeds []deed
	for i, m := range r.Members {
		deeds = append(deeds, deed{m.StartMs, func(w *World) {
			member := &w.members[i]
			member.life, member.made, member.client = 1, member.setup, client.New(w.clientConfig(member))
			if poll := member.setup.Poll; poll > 0 {
				w.agendas[i].tick = slot{w.now.Add(poll), w.next()}
			}
			w.react(member, w.own(member).Start(w.now, w.subscription(member), w.known))
		}})
	}
	for i := range r.Actions {
		deeds = append(deeds, deed{r.Actions[i].AtMs, func(w *World) { r.Actions[i].do(t, w) }})
	}
	slices.SortStableFunc(deeds, func(a, b deed) int { return int(a.at - b.at) })
	for _, d := range deeds {
		if w.start+protocol.Instant(d.at) > w.now || !w.live {
			until(d.at)
		}
		d.do(w)
		out = append(out, w.took()...)
	}
	until(r.DurationMs + 1)
	require.Empty(t, w.Check())
	return out
}

func (a *realAction) do(t *testing.T, w *World) {
	m := w.find(a.Member)
	count := 1
	if a.Count != nil {
		count = *a.Count
	}
	var topics []string
	if a.Op == "subscribe" {
		require.NoError(t, json.Unmarshal(a.Topics, &topics))
	}
	switch a.Op {
	case "loseRequest":
		m.faults.loseRequests += count
	case "loseResponse":
		m.faults.loseResponses += count
	case "delayRequest":
		m.faults.delayRequests = delay{protocol.Duration(a.Ms), count}
	case "delayResponse":
		m.faults.delayResponses = delay{protocol.Duration(a.Ms), count}
	case "disconnect":
		w.breakConnection(m, "disconnect")
	case "crash":
		w.crash(m)
	case "close":
		option := map[string]client.LeaveOption{"LEAVE_GROUP": client.LeaveGroup, "REMAIN_IN_GROUP": client.RemainInGroup}[a.Option]
		w.react(m, w.own(m).Close(w.now, option))
	case "unsubscribe":
		w.react(m, w.own(m).Unsubscribe(w.now))
	case "subscribe":
		w.react(m, w.own(m).Subscribe(w.now, client.Subscription{Topics: sortedNames(topics)}))
	case "pausePoll":
		w.agendas[m.index].resume = slot{w.now.Add(protocol.Duration(a.DurMs)), w.next()}
		w.react(m, w.own(m).Pause(w.now))
	case "callbackMs":
		setup := *m.setup
		if a.RevokeMs != nil {
			setup.RevokeTime = protocol.Duration(*a.RevokeMs)
		}
		if a.AssignMs != nil {
			setup.AssignTime = protocol.Duration(*a.AssignMs)
		}
		m.setup = &setup
	case "topics":
		var changed []protocol.Topic
		require.NoError(t, json.Unmarshal(a.Topics, &changed))
		w.setTopics(append(changed, w.gone(changed)...))
	default:
		a.doStreams(t, w, m)
	}
}
