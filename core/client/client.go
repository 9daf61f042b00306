package client

import (
	"slices"

	"groupscope/core/protocol"
)

// Mode is how much a client does by itself.
type Mode uint8

const (
	// Awake: it lives as a real client does.
	Awake Mode = iota
	// Silent: it does all that it would do, but sends no heartbeat.
	Silent
	// Asleep: it only takes in what it is told.
	Asleep
)

// Client is one consumer, or one streams client. Make it with New. Methods that take an instant are
// its inputs; they return what it does, valid until the next input.
type Client struct {
	cfg    Config `canon:"-"` // what its owner changes in it counts as an action
	quirks quirkSet
	mode   Mode
	out    []Output `canon:"-"`
	// version counts everything that happened, so that act sees the end.
	version uint32  `canon:"-"`
	last    Changed `canon:"-"` // what was last told

	membership
	classic classic
	heartbeats
	streams
	backoff     backoff
	coordinator lookup
	app         application
	// events are what the application thread hands to the network thread.
	events []event
}

// New makes a client that has not started.
func New(cfg Config) *Client {
	c := &Client{cfg: cfg.withDefaults(), quirks: newQuirkSet(cfg.Quirks)}
	c.backoff = backoff{first: c.cfg.RetryBackoff, most: c.cfg.RetryBackoffMax}
	if cfg.Jitter != nil {
		c.backoff.jitter, c.backoff.random = true, *cfg.Jitter
	}
	c.id = cfg.MemberID
	c.target, c.current = none, none
	c.owned = nothing
	c.memory.forget()
	if cfg.Streams != nil {
		c.streams = newStreams()
	}
	if c.cfg.Classic != nil {
		c.interval = c.cfg.Classic.HeartbeatInterval
	}
	c.last = c.change(Absent)
	return c
}

// Clone copies the client; the copy shares nothing that changes.
func (c *Client) Clone() *Client {
	d := *c
	d.out = nil
	d.outstanding = slices.Clone(c.outstanding)
	d.app.calls = slices.Clone(c.app.calls)
	d.app.background = slices.Clone(c.app.background)
	d.events = slices.Clone(c.events)
	return &d
}

// MemberID is the id that the client goes by: that of its Config, unless a
// quirk has it take another one; of the classic protocol the one that the
// coordinator gave it, "" before.
func (c *Client) MemberID() string {
	if c.cfg.Classic != nil {
		return c.classic.id
	}
	return c.id
}

// RequestTimeout is after how long a request without an answer has failed.
func (c *Client) RequestTimeout() protocol.Duration { return c.cfg.RequestTimeout }

// SetMode changes how much the client does by itself, from its next input on.
func (c *Client) SetMode(m Mode) { c.mode = m }

// State is where the member stands.
func (c *Client) State() State { return c.state }

// Epoch is the member epoch of the last answer; 0 while joining, -1 or -2
// after leaving.
func (c *Client) Epoch() int32 { return c.epoch }

// Owned are the partitions that the application reads; of a streams client
// the active tasks that it runs.
func (c *Client) Owned() protocol.Assignment {
	if c.cfg.Streams != nil {
		return c.Tasks().Active
	}
	return c.owned
}

// Pending is what the client was told and has not done yet: the partitions to
// give up and those to take.
func (c *Client) Pending() (revoke, add protocol.Assignment) {
	if c.state != Reconciling || c.reconciled() {
		return nothing, nothing
	}
	if c.cfg.Streams != nil {
		revoked, added := c.PendingTasks()
		return revoked.Active, added.Active
	}
	known := c.resolvable(c.target.partitions)
	return minus(c.owned, known), minus(known, c.owned)
}

// Subscription is what the application subscribes to now.
func (c *Client) Subscription() Subscription { return c.subscribed }

// InFlight reports whether the client waits for an answer.
func (c *Client) InFlight() bool { return c.request.inFlight }

// LacksNames reports that the client, at its last input, would have gone on
// with its assignment but for topics whose names it does not know: a real one
// asks for metadata then.
func (c *Client) LacksNames() bool { return c.lacksNames }

// AssignedTopics are the topics of the assignment that the client was given
// last.
func (c *Client) AssignedTopics() []protocol.TopicID { return topicsOf(c.target.partitions) }

// Running is the callback that the application is in.
func (c *Client) Running() (Callback, bool) {
	if c.app.running.next == nowhere {
		return Callback{}, false
	}
	return c.entered(), true
}

// Start makes the client subscribe and enter poll() for the first time.
func (c *Client) Start(now protocol.Instant, s Subscription, topics []protocol.TopicID) []Output {
	c.begin()
	c.metadata = topics
	c.state = Unsubscribed
	c.last.State = Unsubscribed
	c.app.pollAt = now
	c.pollDeadline = now.Add(c.cfg.MaxPollInterval)
	c.subscribed = s
	c.events = append(c.events, event{kind: subscriptionChanged})
	return c.act(now)
}

// Wake lets the client look at its timers: at NextDeadline, or at any time.
func (c *Client) Wake(now protocol.Instant) []Output {
	c.begin()
	return c.act(now)
}

// Metadata tells the client which topics exist.
func (c *Client) Metadata(now protocol.Instant, topics []protocol.TopicID) []Output {
	c.begin()
	c.metadata = topics
	return c.act(now)
}

// Crash ends the client without a word.
func (c *Client) Crash(protocol.Instant) []Output {
	c.begin()
	c.app, c.events = application{}, nil
	c.epoch, c.owned = 0, nothing
	c.confirmed, c.runs = empty, nothing
	c.transition(Crashed)
	return c.out
}

// NextDeadline is the next instant at which the client would do something by
// itself, always after now.
func (c *Client) NextDeadline(now protocol.Instant) (protocol.Instant, bool) {
	next := protocol.Instant(0)
	earlier := func(at protocol.Instant) {
		if at > now && (next == 0 || at < next) {
			next = at
		}
	}
	if c.state.in(Absent, Closed, Crashed) {
		return 0, false
	}
	if !c.coordinator.known && !c.coordinator.request.inFlight {
		earlier(c.coordinator.request.readyAt())
	}
	if c.coordinator.known && c.state.InGroup() {
		if !c.request.inFlight {
			earlier(max(c.intervalEnd, c.request.readyAt()))
		}
		if !c.app.inside {
			earlier(c.pollDeadline)
		}
	}
	if c.leaving {
		earlier(c.leaveDeadline)
	}
	earlier(c.reconciliation.commitUntil)
	if c.thread.missing {
		earlier(c.patienceEnds())
	}
	return next, next != 0
}

// NextHeartbeat is when the client would send its next heartbeat by itself, 0
// when it would not.
func (c *Client) NextHeartbeat() protocol.Instant {
	if !c.state.InGroup() {
		return 0
	}
	return max(c.intervalEnd, c.request.readyAt())
}

// begin drops what the last input led to.
func (c *Client) begin() {
	c.out = c.out[:0]
	c.lacksNames = false
}

func (c *Client) emit(o Output) {
	c.version++
	c.out = append(c.out, o)
}

// act works off all that needs no time: the network thread's pass, then the
// application thread's, until nothing changes.
func (c *Client) act(now protocol.Instant) []Output {
	if c.mode == Asleep {
		c.finishWaiting(now)
	}
	if c.mode == Asleep || c.state.in(Absent, Closed, Crashed) {
		return c.out
	}
	c.app.polled = false
	for before := c.version - 1; before != c.version || len(c.events) > 0; {
		before = c.version
		c.networkPass(now)
		c.networkPassed()
		c.applicationPass(now)
		if c.state == Closed {
			return c.out
		}
	}
	c.app.inside = c.cfg.PollInterval == 0 && c.polling(now)
	return c.out
}

func (c *Client) networkPass(now protocol.Instant) {
	for i := 0; i < len(c.events); i++ {
		c.process(now, c.events[i])
	}
	c.events = c.events[:0]
	c.lookUp(now)
	c.heartbeatPass(now)
	c.reconcile(now, false)
}

// Rest tells of a change of epoch or owned partitions that came without a
// transition. It is called when nothing more happens at this instant.
func (c *Client) Rest() []Output {
	c.begin()
	c.tellNews()
	return c.out
}

// tellNews tells of what is new since it was last told.
func (c *Client) tellNews() {
	if !c.last.same(c.change(c.state)) {
		c.tell()
	}
}

func (c *Client) tell() {
	c.last = c.change(c.state)
	c.emit(c.last)
}

func (c *Client) change(to State) Changed {
	out := Changed{
		State: to, Epoch: c.epoch, Owned: c.owned,
		Standby: c.confirmed.standby, Warmup: c.confirmed.warmup, Ready: c.confirmed.ready,
	}
	if c.cfg.Streams != nil {
		out.Owned = c.confirmed.partitions
	}
	return out
}
