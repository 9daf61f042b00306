package sim

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"groupscope/core/client"
	"groupscope/core/conformance"
	"groupscope/core/protocol"
)

// realRun is a recorded run of real clients against the real coordinator, in
// virtual time.
type realRun struct {
	*conformance.ClientRun
	name string
}

// readRuns reads the runs on one subject each, and unless time is short the
// random ones.
func readRuns(t *testing.T) (out []*realRun) {
	files := []string{"consumer-hand", "streams-hand", "consumer-fuzz", "streams-fuzz"}
	if testing.Short() {
		files = files[:2]
	}
	for _, file := range files {
		file = "clients-" + file + ".jsonl.gz"
		src, err := os.ReadFile("../conformance/testdata/" + file)
		require.NoError(t, err)
		traces, err := conformance.Split(file, src)
		require.NoError(t, err)
		for _, trace := range traces {
			run, err := conformance.ReadClientRun(trace)
			require.NoError(t, err)
			out = append(out, &realRun{run, fmt.Sprintf("%s:%d", trace.Name, trace.Line)})
		}
	}
	return out
}

// beyond says what of a run no world can do, "" if it can do all.
func (r *realRun) beyond() string {
	for _, m := range r.Members {
		if m.Find > 0 {
			return "beyond: lookups that take time"
		}
	}
	for _, a := range r.Actions {
		if a.Op == "target" {
			return "beyond: scripted targets"
		}
	}
	return ""
}

// world is the world of a recorded run.
func (r *realRun) world(t *testing.T) *World {
	s := Setup{GroupID: "group", Config: r.Broker, Topics: r.Topics, InternalTopics: Creation{Refused: !r.CreateTopics, After: &r.CreateTopicsAfter}}
	for i := range r.Members {
		m := &r.Members[i]
		setup := MemberSetup{
			Name: m.Config.MemberID, Subscribe: m.Subscription.Topics, Latency: &Range{m.Latency, m.Latency}, Poll: m.Config.PollInterval,
		}
		if of := m.Config.Streams; of != nil {
			s.Topology = of.Topology
		}
		s.Members = append(s.Members, setup)
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
	until := func(at protocol.Instant) { // everything before that instant
		w.horizon = at - 1
		w.setLive(true)
		out = append(out, w.Settle()...)
		w.setLive(true)
		w.now = at
		w.expire()
		out = append(out, w.took()...)
	}
	type deed struct {
		at protocol.Instant
		do func(w *World)
	}
	var deeds []deed
	for i := range r.Members {
		m := &r.Members[i]
		deeds = append(deeds, deed{m.Start, func(w *World) { r.start(w, &w.members[i], m) }})
	}
	for i := range r.Actions {
		a := &r.Actions[i]
		deeds = append(deeds, deed{a.At, func(w *World) { r.act(t, w, a) }})
	}
	for i := range r.Events {
		if e := &r.Events[i]; e.Kind == "metadata" {
			deeds = append(deeds, deed{e.At, func(w *World) { r.learn(w, e) }})
		}
	}
	slices.SortStableFunc(deeds, func(a, b deed) int { return cmp.Compare(a.at, b.at) })
	for _, d := range deeds {
		if d.at > w.now || !w.live {
			until(d.at)
		}
		d.do(w)
		out = append(out, w.took()...)
	}
	until(r.Until + 1)
	require.Empty(t, w.Check(), r.name)
	return out
}

// start starts a client that has all the settings of the run's.
func (r *realRun) start(w *World, m *member, of *conformance.RunMember) {
	m.life, m.made, m.client = 1, m.setup, client.New(of.Config)
	if every := of.Config.PollInterval; every > 0 {
		w.agendas[m.index].tick = slot{w.now.Add(every), w.next()}
	}
	var known []protocol.TopicID
	for _, topic := range w.topics {
		if slices.Contains(of.Subscription.Topics, topic.Name) {
			known = append(known, topic.ID)
		}
	}
	w.react(m, w.own(m).Start(w.now, of.Subscription, known))
}

// learn has a client learn of topics when the real one did: what a world's
// clients know of topics does not hang on when they ask.
func (r *realRun) learn(w *World, e *conformance.RunEvent) {
	var known []protocol.TopicID
	for _, id := range e.Tree["topics"].([]any) {
		known = append(known, protocol.TopicID(id.(string)))
	}
	if m := w.find(e.Member); m.running() {
		w.react(m, w.own(m).Metadata(w.now, known))
	}
}

func (r *realRun) act(t *testing.T, w *World, a *conformance.RunAction) {
	if a.Member != "" {
		if m := w.find(a.Member); m.running() {
			r.actOn(t, w, m, a)
		}
		return
	}
	switch a.Op {
	case "topics":
		w.setTopics(changes(w.topics, a.Topics))
	case "brokerError":
		w.broken = brokerError{a.Code, w.now.Add(a.Span), a.FindCode != protocol.None}
	case "groupConfig":
		require.NoError(t, w.broker().SetGroupConfig(w.now, "group", a.GroupConfig))
	case "deleteGroup":
		w.operate(DeleteGroup{})
	default:
		require.Fail(t, "unknown action", a.Op)
	}
}

// changes are what turns one list of topics into another.
func changes(from, to []protocol.Topic) (out []protocol.Topic) {
	for _, topic := range from {
		if !slices.ContainsFunc(to, func(o protocol.Topic) bool { return o.ID == topic.ID }) {
			out = append(out, protocol.Topic{Name: topic.Name})
		}
	}
	return append(out, to...)
}

func (r *realRun) actOn(t *testing.T, w *World, m *member, a *conformance.RunAction) {
	switch a.Op {
	case "loseRequest":
		m.faults.loseRequests += a.Count
	case "loseResponse":
		m.faults.loseResponses += a.Count
	case "delayRequest":
		m.faults.delayRequests = delay{a.Span, a.Count}
	case "delayResponse":
		m.faults.delayResponses = delay{a.Span, a.Count}
	case "duplicate":
		m.faults.duplicates = delay{a.Span, a.Count}
	case "latency":
		setup := *m.setup
		setup.Latency = &Range{a.Span, a.Span}
		m.setup = &setup
	case "disconnect":
		w.breakConnection(m, "disconnect")
	case "partition":
		m.faults.cutOff = w.now.Add(a.Span)
	case "crash":
		w.crash(m)
	case "close":
		w.react(m, w.own(m).Close(w.now, a.Option))
	case "unsubscribe":
		w.react(m, w.own(m).Unsubscribe(w.now))
	case "subscribe":
		w.react(m, w.own(m).Subscribe(w.now, a.Subscription))
	case "pausePoll":
		w.agendas[m.index].resume = slot{w.now.Add(a.Span), w.next()}
		w.react(m, w.own(m).Pause(w.now))
	case "callbackMs":
		for what, takes := range a.Times {
			w.own(m).SetCallbackTime(what, takes)
		}
	case "failCallback":
		w.own(m).FailCallbacks(a.What, a.Count)
	case "offsets":
		w.react(m, w.own(m).ReportOffsets(w.now, a.Progress))
	case "shutdownApplication":
		w.own(m).ShutDownApplication(w.now)
	default:
		require.Fail(t, "unknown action", a.Op)
	}
}
