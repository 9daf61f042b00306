package client_test

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"groupscope/core/client"
	"groupscope/core/protocol"
)

// wild is a client to which anything may happen at any time, and what must
// hold all the same.
type wild struct {
	*rapid.T
	c       *client.Client
	streams bool
	quirks  bool
	twoStep bool
	now     protocol.Instant
	open    []client.Send // without an answer
	busy    bool          // a heartbeat is in flight, so no other but a leave may be sent
	state   client.State
	called  bool // the application is in a callback
	closed  bool
}

// before are the states that may come before each, as client.md 2 lists them;
// CLOSED and CRASHED, which are ours, may come after any.
var before = map[client.State][]client.State{
	client.Unsubscribed:   {client.Unsubscribed, client.PrepareLeaving, client.Leaving, client.Fenced},
	client.Joining:        {client.Unsubscribed, client.Fenced, client.Stale},
	client.Reconciling:    {client.Stable, client.Joining, client.Acknowledging, client.Reconciling},
	client.Acknowledging:  {client.Reconciling},
	client.Stable:         {client.Joining, client.Acknowledging, client.Reconciling},
	client.PrepareLeaving: {client.Joining, client.Stable, client.Reconciling, client.Acknowledging, client.Unsubscribed},
	client.Leaving:        {client.PrepareLeaving},
	client.Fenced:         {client.Joining, client.Stable, client.Reconciling, client.Acknowledging, client.PrepareLeaving, client.Leaving},
	client.Stale:          {client.Leaving},
	client.Fatal: {client.Unsubscribed, client.Joining, client.Stable, client.Reconciling, client.Acknowledging,
		client.PrepareLeaving, client.Leaving},
}

var topicsOfWild = []string{"a", "b"}

func newWild(t *rapid.T, streams bool, quirks []client.Quirk) *wild {
	cfg := client.Config{
		GroupID: "g", MemberID: "A", Quirks: quirks, AutoCommit: rapid.Bool().Draw(t, "auto-commit"),
		InstanceID:      rapid.SampledFrom([]string{"", "i"}).Draw(t, "instance"),
		PollInterval:    protocol.Duration(rapid.SampledFrom([]int{0, 0, 700}).Draw(t, "poll")),
		MaxPollInterval: protocol.Duration(rapid.SampledFrom([]int{3000, 300_000}).Draw(t, "max poll")),
		TwoStepJoin:     rapid.Bool().Draw(t, "two-step"),
	}
	if streams {
		topology := twoPartTopology
		cfg.Streams = &client.StreamsConfig{ProcessID: "p", Topology: &topology, HeedsStatus: rapid.Bool().Draw(t, "heeds")}
	}
	w := &wild{T: t, c: client.New(cfg), streams: streams, quirks: len(quirks) > 0, twoStep: cfg.TwoStepJoin, now: start, state: client.Unsubscribed}
	w.did(w.c.Start(w.now, client.Subscription{Topics: topicsOfWild}, topicIDs(topicsOfWild)))
	return w
}

// did checks what the client did.
func (w *wild) did(outs []client.Output) {
	for _, o := range slices.Clone(outs) {
		switch o := o.(type) {
		case client.Send:
			w.sent(o)
		case client.Changed:
			if w.closed {
				w.Fatalf("%s after the end", o.State)
			}
			w.closed = o.State == client.Closed || o.State == client.Crashed
			if o.State != w.state && !w.closed && !w.quirks && !slices.Contains(before[o.State], w.state) {
				w.Fatalf("%s after %s", o.State, w.state)
			}
			w.state = o.State
			if o.State == client.Stale || o.State == client.Unsubscribed {
				w.busy = false // it left, with a heartbeat or without
			}
		case client.Callback:
			if o.Done != w.called {
				w.Fatalf("callback %v %v while called is %v", o.What, o.Done, w.called)
			}
			w.called = !o.Done
		}
	}
	if at, ok := w.c.NextDeadline(w.now); ok && at <= w.now {
		w.Fatalf("the next deadline %d is not after %d", at, w.now)
	}
	if w.c.State() != w.state && !w.closed {
		w.Fatalf("%s was not told", w.c.State())
	}
}

func (w *wild) sent(s client.Send) {
	epoch, joins := s.Request.MemberEpoch, s.Request.RebalanceTimeoutMs > 0 && s.Request.SubscribedTopicNames != nil &&
		s.Request.TopicPartitions != nil && s.Request.TopicPartitions.Len() == 0
	if w.streams {
		epoch, joins = s.Streams.MemberEpoch, s.Streams.Topology != nil && s.Streams.Owned.Present() && s.Streams.Owned.Active.Len() == 0
	}
	w.open = append(w.open, s)
	if epoch < 0 {
		w.busy = false // a rejoin need not wait for the answer
		return
	}
	if w.busy {
		w.Fatalf("a second heartbeat in flight: %v", s)
	}
	w.busy = true
	if w.state == client.Joining && !joins && !w.quirks {
		w.Fatalf("this is no join: %+v %+v", s.Request, s.Streams)
	}
}

func (w *wild) assignment(label string) protocol.Assignment {
	if rapid.IntRange(0, 2).Draw(w.T, label+"?") == 0 {
		return nil
	}
	topics := []string{"a", "b", "unknown"}
	if w.streams {
		topics = []string{"0", "1"}
	}
	var ps []protocol.Partition
	for range rapid.IntRange(0, 4).Draw(w.T, label) {
		ps = append(ps, protocol.Partition{
			Topic:  protocol.TopicID(rapid.SampledFrom(topics).Draw(w.T, "topic")),
			Number: int32(rapid.IntRange(0, 3).Draw(w.T, "number")),
		})
	}
	return protocol.NewAssignment(ps)
}

func (w *wild) answer() {
	if len(w.open) == 0 {
		return
	}
	s := w.open[0]
	w.open, w.busy = w.open[1:], false
	code, _ := protocol.ParseErrorCode(rapid.SampledFrom(append(protocol.ErrorNames(), "NONE", "NONE", "NONE", "NONE", "NONE", "NONE",
		"NONE", "NONE", "NONE", "NONE", "NONE", "NONE", "FENCED_MEMBER_EPOCH", "UNKNOWN_MEMBER_ID")).Draw(w.T, "code"))
	epoch, interval := int32(rapid.IntRange(-2, 9).Draw(w.T, "epoch")), int32(rapid.IntRange(1, 9000).Draw(w.T, "interval"))
	if epoch == 0 && (!w.twoStep || w.state != client.Joining) {
		epoch = 1 // no coordinator answers 0 then
	}
	if !w.streams {
		w.did(w.c.Answer(w.now, s.ID, protocol.ConsumerGroupHeartbeatResponse{
			Error: code, MemberID: "A", MemberEpoch: epoch, HeartbeatIntervalMs: interval, Assignment: w.assignment("assignment"),
		}))
		return
	}
	resp := protocol.StreamsGroupHeartbeatResponse{Error: code, MemberID: "A", MemberEpoch: epoch, HeartbeatIntervalMs: interval}
	if active := w.assignment("active"); active != nil {
		resp.Tasks = protocol.Tasks{Active: active, Standby: w.assignment("standby"), Warmup: protocol.Assignment{}}
	}
	if rapid.Bool().Draw(w.T, "status") {
		resp.Status = []protocol.Status{{Code: protocol.StatusCode(rapid.IntRange(0, 6).Draw(w.T, "status code"))}}
	}
	w.did(w.c.AnswerStreams(w.now, s.ID, resp))
}

func (w *wild) fail() {
	var ids []uint32
	for _, s := range w.open {
		ids = append(ids, s.ID)
	}
	w.open, w.busy = nil, false
	w.did(w.c.Failed(w.now, ids...))
}

// live lets something happen.
func (w *wild) live() {
	w.now += protocol.Instant(rapid.SampledFrom([]int{0, 0, 1, 50, 100, 999, 5000, 40_000}).Draw(w.T, "passes"))
	if at, ok := w.c.NextDeadline(w.now - 1); ok && rapid.Bool().Draw(w.T, "up to the deadline") {
		w.now = max(w.now, at)
	}
	c, now := w.c, w.now
	switch what := rapid.IntRange(0, 19).Draw(w.T, "what"); what {
	case 0, 1, 2, 3, 4:
		w.answer()
	case 5:
		w.fail()
	case 6, 7:
		w.did(c.Found(now, rapid.IntRange(0, 4).Draw(w.T, "lookup fails") == 0))
	case 8, 9, 10:
		if _, running := c.Running(); running {
			w.did(c.CallbackReturned(now))
		}
	case 11, 12:
		w.did(c.Poll(now))
	case 13:
		if c.Paused() {
			w.did(c.Resume(now))
		} else {
			w.did(c.Pause(now))
		}
	case 14:
		w.did(c.Metadata(now, topicIDs(rapid.SampledFrom([][]string{{"a"}, {"a", "b"}, {"a", "unknown"}}).Draw(w.T, "metadata"))))
	case 15:
		w.did(c.Subscribe(now, rapid.SampledFrom([]client.Subscription{{Topics: topicsOfWild}, {Topics: []string{"a"}}, {Pattern: "a.*"}}).Draw(w.T, "to")))
	case 16:
		w.did(c.Unsubscribe(now))
	case 17:
		c.FailCallbacks(rapid.SampledFrom([]client.CallbackKind{client.PartitionsRevoked, client.PartitionsAssigned, client.TasksAssigned}).Draw(w.T, "kind"), 1)
	case 18:
		if rapid.IntRange(0, 9).Draw(w.T, "close") == 0 {
			w.did(c.Close(now, rapid.SampledFrom([]client.LeaveOption{client.LeaveDefault, client.LeaveGroup, client.RemainInGroup}).Draw(w.T, "option")))
		}
	default:
		w.did(c.Wake(now))
	}
	w.did(w.c.Rest())
}

// look is what can be seen of a client.
func look(c *client.Client) string {
	deadline, _ := c.NextDeadline(0)
	revoke, add := c.Pending()
	return fmt.Sprint(c.State(), c.Epoch(), c.Owned(), revoke, add, c.Subscription(), c.InFlight(), c.NextHeartbeat(), deadline, c.Tasks(), c.Status())
}

func wildly(streams, quirks bool) func(t *rapid.T) {
	return func(t *rapid.T) {
		var list []client.Quirk
		if quirks {
			for _, q := range client.Quirks() {
				if rapid.IntRange(0, 3).Draw(t, q.Name) == 0 {
					list = append(list, q.Quirk)
				}
			}
		}
		w := newWild(t, streams, list)
		for range rapid.IntRange(1, 60).Draw(t, "things") {
			twin, before := w.c.Clone(), look(w.c)
			w.live()
			if now := look(twin); now != before {
				t.Fatalf("the clone changed with its original: %s, then %s", before, now)
			}
			twin = w.c.Clone()
			twin.Wake(w.now)
			if again := twin.Wake(w.now); len(again) > 0 && !quirks {
				t.Fatalf("it was not done: %v", again)
			}
		}
	}
}

func TestWhateverHappensAConsumerHasOneHeartbeatInFlightAndItsStatesInOrder(t *testing.T) {
	rapid.Check(t, wildly(false, false))
}

func TestWhateverHappensAStreamsClientHasOneHeartbeatInFlightAndItsStatesInOrder(t *testing.T) {
	rapid.Check(t, wildly(true, false))
}

func TestWhateverHappensAClientWithQuirksLives(t *testing.T) {
	rapid.Check(t, wildly(false, true))
	rapid.Check(t, wildly(true, true))
}
