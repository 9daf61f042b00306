package conformance

import (
	"fmt"
	"maps"
	"slices"

	"groupscope/core/client"
	"groupscope/core/coordinator"
	"groupscope/core/protocol"
)

// ClientRun is a recorded run of real clients: what they were made with, what
// was done to them, and everything that happened.
type ClientRun struct {
	Streams           bool // clients of a streams group
	Broker            coordinator.Config
	Topics            []protocol.Topic // at the start
	Until             protocol.Instant // the end
	Members           []RunMember
	Actions           []RunAction // in the order of time
	Events            []RunEvent
	CreateTopics      bool              // internal topics that the coordinator asks for are made ...
	CreateTopicsAfter protocol.Duration // ... after that time

	trace  trace
	deltas bool // group events have only what changed
}

// RunMember is a client of a run.
type RunMember struct {
	Config       client.Config
	Start        protocol.Instant
	Subscription client.Subscription
	Latency      protocol.Duration // one way
	Find         protocol.Duration // from a lookup of the coordinator to its answer
	Metadata     protocol.Duration // from a metadata request to its answer
}

// RunEvent is one event of a run. Tree is all of it, as JSON has it.
type RunEvent struct {
	Line   int
	At     protocol.Instant
	Kind   string
	Member string // "" for none
	Tree   map[string]any
}

// what names the event.
func (e *RunEvent) what() string {
	if e.Member == "" {
		return e.Kind
	}
	return e.Kind + " of " + e.Member
}

// RunStart is where the clock stands at millisecond 0 of a run: not at 0, so
// that no default of the client is taken for a recent time.
const RunStart protocol.Instant = defaultStart

// mostMembers and longest bound what a trace may ask for.
const (
	mostMembers = 1_000
	longest     = 24 * protocol.Hour
)

// ReadClientRun reads a run of clients for whoever plays it elsewhere. The
// error says where the trace is not in the format.
func ReadClientRun(src Source) (*ClientRun, error) {
	doc, err := readDocument(src.JSON)
	if err != nil {
		return nil, err
	}
	return readClientRun(doc)
}

func readClientRun(doc *document) (*ClientRun, error) {
	r := &reader{}
	f := r.object("", doc.head)
	t := &ClientRun{}
	if f.text("kind") != "clients" {
		f.wanted("kind", `"clients"`)
	}
	f.text("name")
	f.text("doc")
	f.int64("seed", 0)
	t.Streams, t.deltas = f.choice("protocol", "consumer", "streams") == "streams", f.flag("deltaGroups")
	t.Until = f.instant("durationMs", 0)
	common := t.readConfig(f)
	t.trace.readIDs(f.object("topicIds"))
	t.Topics = t.trace.readTopics(f.objects("topics"))
	if t.Streams {
		common.Config.Streams = &client.StreamsConfig{Topology: readSubtopologies(f.object("topology"))}
	}
	for _, m := range f.objects("members") {
		t.readMember(m, common)
	}
	for _, a := range f.objects("actions") {
		t.Actions = append(t.Actions, readRunAction(t, a))
	}
	f.done()
	if t.Events = readEvents(r, doc.lists["events"]); t.Events == nil {
		r.fault("events", "want a list of events, got none")
	}
	if _, ok := doc.lists["steps"]; ok {
		r.fault("steps", "unknown field: only traces of the coordinator have steps")
	}
	return t, r.err
}

// readConfig takes the settings of the clients' side: what members have that
// say nothing else. The rest is the broker's.
func (t *ClientRun) readConfig(head *fields) (common RunMember) {
	f := head.object("config")
	if f == nil {
		f = head.r.object("config", object{})
	}
	common = RunMember{
		Config: client.Config{
			GroupID: defaultGroup, RequestTimeout: f.span("requestTimeoutMs", 30_000),
			RetryBackoff: f.span("retryBackoffMs", 100), RetryBackoffMax: f.span("retryBackoffMaxMs", 1_000),
		},
		Latency: f.span("latencyMs", 5), Find: f.span("findMs", 0), Metadata: f.span("metadataMs", 10),
	}
	t.CreateTopics, t.CreateTopicsAfter = !f.has("createTopics") || f.flag("createTopics"), f.span("createTopicsMs", 50)
	broker := maps.Clone(f.in)
	for name := range f.known {
		delete(broker, name)
	}
	t.trace.config = readConfig(f.r, broker)
	t.Broker = t.trace.config.broker
	return common
}

func (t *ClientRun) readMember(f *fields, common RunMember) {
	m := common
	m.Start, m.Subscription = f.instant("startMs", 0), f.subscription()
	m.Latency = f.span("latencyMs", int64(common.Latency))
	m.Find, m.Metadata = f.span("findMs", int64(common.Find)), f.span("metadataMs", int64(common.Metadata))
	c := &m.Config
	c.MemberID, c.InstanceID, c.RackID, c.Assignor = f.text("id"), f.text("instanceId"), f.text("rackId"), f.text("serverAssignor")
	c.MaxPollInterval, c.PollInterval, c.AutoCommit = f.span("maxPollIntervalMs", 300_000), f.span("pollMs", 0), f.flag("autoCommit")
	c.RevokeTime, c.AssignTime, c.LostTime = f.span("revokeMs", 0), f.span("assignMs", 0), f.span("lostMs", 0)
	if t.Streams {
		c.Streams = readStreams(f, common.Config.Streams.Topology)
	}
	f.done()
	switch {
	case c.MemberID == "" || t.has(c.MemberID):
		f.wanted("id", "a name of its own")
	case len(t.Members) == mostMembers:
		f.r.fault(f.path, "more than %d members", mostMembers)
	}
	t.Members = append(t.Members, m)
}

func (t *ClientRun) has(member string) bool {
	return slices.ContainsFunc(t.Members, func(m RunMember) bool { return m.Config.MemberID == member })
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
	return RunStart.Add(f.span(name, absent))
}

func readEvents(r *reader, list []element) []RunEvent {
	if list == nil {
		return nil
	}
	out := make([]RunEvent, len(list))
	for i, e := range list {
		v, err := e.value()
		if err != nil {
			r.fault(fmt.Sprintf("line %d", e.line), "%v", err)
			return out
		}
		f := r.object(fmt.Sprintf("line %d, event %d", e.line, i+1), v)
		out[i] = RunEvent{Line: e.line, At: f.instant("atMs", -1), Kind: f.text("type"), Member: f.text("member"), Tree: f.in}
	}
	return out
}
