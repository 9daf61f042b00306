package client_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/core/client"
	"groupscope/core/protocol"
)

// start is where the clock of a replay stands at millisecond 0 of its trace.
const start protocol.Instant = 1_000_000

// replay feeds one member of a trace what the real client was told, at the
// same instants, and writes down what ours does.
type replay struct {
	t                  *testing.T
	tr                 *trace
	member             *traceMember
	c                  *client.Client
	queue              []item
	seq                int
	wake               int // the seq of the wake-up in force
	stopped            bool
	closing, callbacks bool  // close() was called, and ran a callback since
	lastReturn         int64 // when a callback returned
	fed                feed
	got                []line
	before             func() // each thing that happens to the client
}

// item is something that will happen to the client.
type item struct {
	at  int64
	seq int
	do  func(at int64)
}

// line is one thing that a client did, in words.
type line struct {
	at   int64
	text string
}

func (l line) String() string { return fmt.Sprintf("%d %s", l.at, l.text) }

func newReplay(t *testing.T, tr *trace, m *traceMember) *replay {
	r := &replay{t: t, tr: tr, member: m, fed: newFeed(tr, m.ID)}
	r.c = client.New(client.Config{
		MemberID:        m.ID,
		InstanceID:      m.InstanceID,
		RackID:          m.RackID,
		Assignor:        m.ServerAssignor,
		MaxPollInterval: protocol.Duration(m.MaxPollIntervalMs),
		AutoCommit:      m.AutoCommit,
		PollInterval:    protocol.Duration(m.PollMs),
		Streams:         tr.streams(m),
	})
	return r
}

func (r *replay) schedule(at int64, do func(at int64)) int {
	r.seq++
	r.queue = append(r.queue, item{at, r.seq, do})
	return r.seq
}

// run replays to the end and returns what the client did.
func (r *replay) run() []line {
	r.schedule(r.member.StartMs, r.begin)
	for i := range r.tr.Actions {
		if a := &r.tr.Actions[i]; a.Member == r.member.ID {
			r.schedule(a.AtMs, func(at int64) { r.act(at, a) })
		}
	}
	for _, m := range r.fed.metadata {
		asked := m.AtMs - 10
		if ms := r.tr.Config.MetadataMs; ms != nil {
			asked = m.AtMs - *ms
		}
		r.schedule(asked, func(int64) {
			r.schedule(m.AtMs, func(at int64) { r.did(at, r.c.Metadata(instant(at), topicIDs(m.Topics))) })
		})
	}
	for len(r.queue) > 0 && !r.stopped {
		i := 0
		for j := range r.queue {
			if cmp.Or(cmp.Compare(r.queue[j].at, r.queue[i].at), cmp.Compare(r.queue[j].seq, r.queue[i].seq)) < 0 {
				i = j
			}
		}
		next := r.queue[i]
		r.queue = slices.Delete(r.queue, i, i+1)
		if next.at > r.tr.DurationMs {
			break
		}
		if r.before != nil {
			r.before()
		}
		next.do(next.at)
	}
	return r.got
}

func (r *replay) begin(at int64) {
	if r.member.PollMs > 0 {
		r.schedule(at+r.member.PollMs, r.tick)
	}
	r.did(at, r.c.Start(instant(at), client.Subscription{Topics: r.member.Topics, Pattern: r.member.Regex}, r.knownAtStart()))
}

// knownAtStart are the topics that exist, of those that the client asks for
// by name.
func (r *replay) knownAtStart() []protocol.TopicID {
	return slices.DeleteFunc(topicIDs(r.tr.Topics), func(id protocol.TopicID) bool {
		return !slices.Contains(r.member.Topics, string(id))
	})
}

func (r *replay) tick(at int64) {
	r.schedule(at+r.member.PollMs, r.tick)
	r.did(at, r.c.Poll(instant(at)))
}

func (r *replay) act(at int64, a *traceAction) {
	now := instant(at)
	switch a.Op {
	case "subscribe":
		r.did(at, r.c.Subscribe(now, client.Subscription{Topics: a.Topics, Pattern: a.Regex}))
	case "unsubscribe":
		r.did(at, r.c.Unsubscribe(now))
	case "close":
		option := map[string]client.LeaveOption{"LEAVE_GROUP": client.LeaveGroup, "REMAIN_IN_GROUP": client.RemainInGroup}[a.Option]
		r.closing, r.callbacks = true, false
		r.did(at, r.c.Close(now, option))
	case "crash":
		r.c.Crash(now)
		r.stopped = true
	case "pausePoll":
		r.schedule(at+a.DurMs, func(at int64) { r.did(at, r.c.Resume(instant(at))) })
		r.did(at, r.c.Pause(now))
	case "disconnect":
		r.fail(at)
	case "offsets":
		r.did(at, r.c.ReportOffsets(now, a.taskOffsets(r.t)))
	case "shutdownApplication":
		r.did(at, r.c.ShutDownApplication(now))
	default:
		require.Fail(r.t, "unknown action", a.Op)
	}
}

// fail hands in all failures that the trace has at this instant: they come
// together.
func (r *replay) fail(at int64) {
	if ids := r.fed.failures(at); len(ids) > 0 {
		r.did(at, r.c.Failed(instant(at), ids...))
	}
}

// did writes down what the client did and schedules what follows from it.
func (r *replay) did(at int64, outs []client.Output) {
	var blocked bool
	for _, o := range slices.Clone(outs) {
		switch o := o.(type) {
		case client.Send:
			r.sent(at, o)
		case client.FindCoordinator:
			r.log(at, "find")
			if found, failed, ok := r.fed.found(); ok {
				r.schedule(found, func(at int64) { r.did(at, r.c.Found(instant(at), failed)) })
			}
		case client.Callback:
			if o.Done {
				r.log(at, "%s end%s", o.What, failedMark(o.Failed))
				r.lastReturn = at
				continue
			}
			r.log(at, "%s start %s", o.What, calledText(o))
			blocked, r.callbacks = true, true
		case client.Changed:
			if o.State == client.Closed {
				r.log(r.closed(at), "%s", o.State)
				continue
			}
			r.log(at, "%s %d %s", o.State, o.Epoch, changedText(o))
		case client.Raised:
			r.log(at, "throws %s", o.Error)
		}
	}
	if blocked && r.callback(at) {
		return
	}
	if rest := r.c.Rest(); len(rest) > 0 {
		r.did(at, rest)
		return
	}
	if deadline, ok := r.c.NextDeadline(instant(at)); ok {
		r.wake = r.schedule(int64(deadline-start), nil)
		seq := r.wake
		r.queue[len(r.queue)-1].do = func(at int64) {
			if seq == r.wake {
				r.did(at, r.c.Wake(instant(at)))
			}
		}
	}
}

// callback plays the application's rebalance listener. It reports whether
// the callback has returned already.
func (r *replay) callback(at int64) bool {
	end, failed, ok := r.fed.returned()
	if !ok {
		return false // it does not return before the end of the trace
	}
	back := func(at int64) { r.did(at, r.returned(at, failed)) }
	if end == at {
		back(at)
		return true
	}
	r.schedule(end, back)
	return false
}

func (r *replay) returned(at int64, failed bool) []client.Output {
	if running, ok := r.c.Running(); ok && failed {
		r.c.FailCallbacks(running.What, 1)
	}
	return r.c.CallbackReturned(instant(at))
}

// closed is when the trace's application notices the end of close(): if it
// had a callback to run, and to wait for an answer after it, at its next tick.
func (r *replay) closed(at int64) int64 {
	for at > r.lastReturn && r.closing && r.callbacks && r.member.PollMs > 0 && (at-r.member.StartMs)%r.member.PollMs != 0 {
		at++
	}
	return at
}

func (r *replay) sent(at int64, s client.Send) {
	r.log(at, "sends %s", sentText(s))
	e, answer, ok := r.fed.sent(s.ID)
	if !ok {
		return
	}
	if answer == nil {
		return
	}
	if answer.Failure != "" {
		r.schedule(answer.AtMs, r.fail)
		return
	}
	r.schedule(e.ArriveMs, func(int64) {
		r.schedule(answer.AtMs, func(at int64) { r.did(at, r.answer(at, s.ID, answer)) })
	})
}

func (r *replay) answer(at int64, id uint32, e *traceEvent) []client.Output {
	if r.tr.Protocol == "streams" {
		return r.c.AnswerStreams(instant(at), id, e.streamsAnswer(r.t))
	}
	return r.c.Answer(instant(at), id, e.answer(r.t))
}

func (r *replay) log(at int64, format string, args ...any) {
	r.got = append(r.got, line{at, fmt.Sprintf(format, args...)})
}

func TestOurClientDoesWhatTheRealClientDidToTheMillisecond(t *testing.T) {
	assert.Equal(t, []int{90, 297, 23827}, replayAll(t, readTraces(t, "testdata/traces.jsonl.gz")),
		"traces, members and things done: none is left out")
}

// replayAll compares every member of every trace with ours, and counts
// traces, members and things done.
func replayAll(t *testing.T, traces []trace) []int {
	members, lines := 0, 0
	for i := range traces {
		tr := &traces[i]
		t.Run(tr.Name, func(t *testing.T) {
			for j := range tr.Members {
				m := &tr.Members[j]
				want := recorded(tr, m.ID)
				got := newReplay(t, tr, m).run()
				members, lines = members+1, lines+len(want)
				if d := firstDifference(want, got); d != "" {
					assert.Fail(t, "member "+m.ID+" differs", d)
				}
			}
		})
	}
	return []int{len(traces), members, lines}
}

func firstDifference(want, got []line) string {
	for i := range max(len(want), len(got)) {
		w, g := line{text: "nothing"}, line{text: "nothing"}
		if i < len(want) {
			w = want[i]
		}
		if i < len(got) {
			g = got[i]
		}
		if w == g {
			continue
		}
		var b strings.Builder
		for _, l := range want[max(0, i-8):min(i, len(want))] {
			fmt.Fprintf(&b, "       %s\n", l)
		}
		fmt.Fprintf(&b, "real   %s\nours   %s\n", w, g)
		for _, l := range want[min(i+1, len(want)):min(i+4, len(want))] {
			fmt.Fprintf(&b, "real   %s\n", l)
		}
		for _, l := range got[min(i+1, len(got)):min(i+4, len(got))] {
			fmt.Fprintf(&b, "ours   %s\n", l)
		}
		return b.String()
	}
	return ""
}
