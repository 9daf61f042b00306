package conformance

import (
	"fmt"
	"maps"
	"slices"

	"groupscope/core/client"
	"groupscope/core/protocol"
)

// clientsTrace is a recorded run of real clients: what they were made with,
// what was done to them, and everything that happened.
type clientsTrace struct {
	trace   // the topics and the broker's config
	network network
	streams bool // clients of a streams group
	until   protocol.Instant
	deltas  bool // group events have only what changed
	members []liveMember
	actions []liveAction
	events  []event
}

// network is the settings of the clients' side that a trace has for all.
type network struct {
	latency, find, metadata       protocol.Duration
	requestTimeout                protocol.Duration
	createTopics                  bool // internal topics that the coordinator asks for are made ...
	createTopicsAfter             protocol.Duration
	retryBackoff, retryBackoffMax protocol.Duration
}

// liveMember is a client of a trace.
type liveMember struct {
	config         client.Config
	start          protocol.Instant
	subscription   client.Subscription
	latency        protocol.Duration
	find, metadata protocol.Duration
}

// event is one event of the trace.
type event struct {
	line   int
	at     protocol.Instant
	kind   string
	member string
	tree   object
}

// what names the event.
func (e *event) what() string {
	if e.member == "" {
		return e.kind
	}
	return e.kind + " of " + e.member
}

// origin is where the clock stands at millisecond 0 of a trace: not at 0, so
// that no default of the client is taken for a recent time.
const origin protocol.Instant = defaultStart

// mostMembers and longest bound what a trace may ask for.
const (
	mostMembers = 1_000
	longest     = 24 * protocol.Hour
)

func readClientsTrace(doc *document) (*clientsTrace, error) {
	r := &reader{}
	f := r.object("", doc.head)
	t := &clientsTrace{}
	for _, name := range []string{"kind", "name", "doc"} {
		f.text(name)
	}
	t.streams = f.choice("protocol", "consumer", "streams") == "streams"
	t.readIDs(f.object("topicIds"))
	f.int64("seed", 0)
	t.deltas = f.flag("deltaGroups")
	t.until = f.instant("durationMs", 0)
	t.readConfig(f)
	t.topics = t.readTopics(f.objects("topics"))
	var topology *protocol.Topology
	if t.streams {
		topology = readSubtopologies(f.object("topology"))
	}
	t.readMembers(f.objects("members"), topology)
	for _, a := range f.objects("actions") {
		t.actions = append(t.actions, readLiveAction(t, a))
	}
	f.done()
	if t.events = readEvents(r, doc.lists["events"]); t.events == nil {
		r.fault("events", "want a list of events, got none")
	}
	if _, ok := doc.lists["steps"]; ok {
		r.fault("steps", "unknown field: only traces of the coordinator have steps")
	}
	return t, r.err
}

// readConfig takes the settings of the clients' side; the rest is the broker's.
func (t *clientsTrace) readConfig(head *fields) {
	f := head.object("config")
	if f == nil {
		f = head.r.object("config", object{})
	}
	t.network = network{
		latency: f.span("latencyMs", 5), find: f.span("findMs", 0), metadata: f.span("metadataMs", 10),
		requestTimeout: f.span("requestTimeoutMs", 30_000),
		createTopics:   !f.has("createTopics") || f.flag("createTopics"), createTopicsAfter: f.span("createTopicsMs", 50),
		retryBackoff: f.span("retryBackoffMs", 100), retryBackoffMax: f.span("retryBackoffMaxMs", 1_000),
	}
	broker := maps.Clone(f.in)
	for name := range f.known {
		delete(broker, name)
	}
	t.config = readConfig(f.r, broker)
}

func (t *clientsTrace) readMembers(list []*fields, topology *protocol.Topology) {
	for _, f := range list {
		m := liveMember{
			config: client.Config{
				GroupID: defaultGroup, MemberID: f.text("id"), InstanceID: f.text("instanceId"), RackID: f.text("rackId"),
				Assignor: f.text("serverAssignor"), AutoCommit: f.flag("autoCommit"),
				MaxPollInterval: f.span("maxPollIntervalMs", 300_000), PollInterval: f.span("pollMs", 0),
				RevokeTime: f.span("revokeMs", 0), AssignTime: f.span("assignMs", 0), LostTime: f.span("lostMs", 0),
				RequestTimeout: t.network.requestTimeout,
				RetryBackoff:   t.network.retryBackoff, RetryBackoffMax: t.network.retryBackoffMax,
			},
			start:        f.instant("startMs", 0),
			subscription: f.subscription(),
			latency:      f.span("latencyMs", int64(t.network.latency)),
			find:         f.span("findMs", int64(t.network.find)), metadata: f.span("metadataMs", int64(t.network.metadata)),
		}
		if t.streams {
			m.config.Streams = readStreams(f, topology)
		}
		f.done()
		switch {
		case m.config.MemberID == "" || t.has(m.config.MemberID):
			f.wanted("id", "a name of its own")
		case len(t.members) == mostMembers:
			f.r.fault(f.path, "more than %d members", mostMembers)
		}
		t.members = append(t.members, m)
	}
}

func (t *clientsTrace) has(member string) bool {
	return slices.ContainsFunc(t.members, func(m liveMember) bool { return m.config.MemberID == member })
}

// subscription reads the topics or the pattern to subscribe to.
func (f *fields) subscription() client.Subscription {
	s := client.Subscription{Topics: f.texts("topics"), Pattern: f.text("regex")}
	slices.Sort(s.Topics)
	return s
}

// span is a length of time in milliseconds.
func (f *fields) span(name string, absent int64) protocol.Duration {
	n := f.int64(name, absent)
	if n < 0 || n > int64(longest) {
		f.wanted(name, fmt.Sprintf("milliseconds from 0 to %d", int64(longest)))
	}
	return protocol.Duration(n)
}

// instant is a number of milliseconds since the start of the run.
func (f *fields) instant(name string, absent int64) protocol.Instant {
	return origin.Add(f.span(name, absent))
}

func readEvents(r *reader, list []element) []event {
	if list == nil {
		return nil
	}
	out := make([]event, len(list))
	for i, e := range list {
		v, err := e.value()
		if err != nil {
			r.fault(fmt.Sprintf("line %d", e.line), "%v", err)
			return out
		}
		f := r.object(fmt.Sprintf("line %d, event %d", e.line, i+1), v)
		out[i] = event{line: e.line, at: f.instant("atMs", -1), kind: f.text("type"), member: f.text("member"), tree: f.in}
	}
	return out
}
