package sim

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"groupscope/core/coordinator"
	"groupscope/core/protocol"
)

// TestAWorldIsARunOfTheRealThing runs our coordinator, clients and network
// together and finds what the real ones did, to the millisecond.
func TestAWorldIsARunOfTheRealThing(t *testing.T) {
	runs := readRuns(t, "testdata/runs.jsonl.gz")
	assert.Equal(t, []int{31, 3012}, []int{len(runs), compareRuns(t, runs)}, "runs, and things that happened in them")
}

// compareRuns counts the things that happened.
func compareRuns(t *testing.T, runs []realRun) int {
	happened := 0
	for i := range runs {
		r := &runs[i]
		t.Run(r.Name, func(t *testing.T) {
			want, got := theirs(r), ours(DefaultStart, r.replay(t))
			for who := range want {
				happened += len(want[who])
				if !slices.Equal(want[who], got[who]) {
					n := 0
					for n < len(want[who]) && n < len(got[who]) && want[who][n] == got[who][n] {
						n++
					}
					context := func(lines []string) string { return strings.Join(lines[max(0, n-4):min(len(lines), n+4)], "\n") }
					assert.Fail(t, who+" differs", "real\n%s\nours\n%s", context(want[who]), context(got[who]))
				}
			}
			assert.Equal(t, len(want), len(got))
		})
	}
	return happened
}

// told is what happened to each member, and the coordinator's timers, in words.
type told map[string][]string

func (o told) add(who string, at int64, format string, args ...any) {
	o[who] = append(o[who], fmt.Sprintf("%d ", at)+fmt.Sprintf(format, args...))
}

// forget drops a member's last line if it is this one: close() gives up at
// the instant at which its request times out, and the runs tell of one of both.
func (o told) forget(who, line string) {
	if n := len(o[who]); n > 0 && o[who][n-1] == line {
		o[who] = o[who][:n-1]
	}
}

func ours(start protocol.Instant, events []Event) told {
	out := told{}
	for _, e := range events {
		at := int64(e.At - start)
		switch e := e.What.(type) {
		case Sent:
			r := e.Request
			out.add(e.Member, at, "asks %d %d %v %s%s%s", r.MemberEpoch, r.RebalanceTimeoutMs, r.SubscribedTopicNames, r.TopicPartitions,
				beyondAsked(e.Streams), mark(e.Lost))
		case Received:
			switch {
			case e.Failure != "":
				out.add(e.Member, at, "hears %s", e.Failure)
			case e.Response.Error != protocol.None:
				out.add(e.Member, at, "hears %s", e.Response.Error)
			default:
				out.add(e.Member, at, "hears %d %s%s", e.Response.MemberEpoch, e.Response.Assignment, beyondHeard(e.Streams))
			}
		case ClientChanged:
			if e.Client.State == "CLOSED" || e.Client.State == "CRASHED" {
				out.forget(e.Client.Member, fmt.Sprintf("%d hears timeout", at))
				out.add(e.Client.Member, at, "%s", e.Client.State)
			} else {
				out.add(e.Client.Member, at, "%s %d %s%s", e.Client.State, e.Client.Epoch, e.Client.Owned, beyondOwned(e.Client))
			}
		case Called:
			if e.Done {
				out.add(e.Member, at, "%s end", e.What)
			} else {
				out.add(e.Member, at, "%s %s%s", e.What, e.Partitions, beyondCalled(e))
			}
		case Expired:
			if len(e.Records) > 0 {
				kind := map[coordinator.TimerKind]string{
					coordinator.SessionTimer: "session-timeout " + e.Member, coordinator.RebalanceTimer: "rebalance-timeout " + e.Member,
					coordinator.InitialRebalanceTimer: "initial-rebalance-timeout",
				}
				out.add("coordinator", at, "%s", kind[e.Timer])
			}
		}
	}
	return out
}

func theirs(r *realRun) told {
	out := told{}
	for _, e := range r.Events {
		switch {
		case e.Type == "request":
			timeout := int32(-1)
			if e.Request.RebalanceTimeoutMs != nil {
				timeout = *e.Request.RebalanceTimeoutMs
			}
			out.add(e.Member, e.AtMs, "asks %d %d %v %s%s%s", e.Request.MemberEpoch, timeout, e.Request.SubscribedTopicNames,
				e.Request.owned(), e.Request.beyond(r), mark(e.Lost == "request"))
		case e.Type == "response" && e.Failure != "":
			out.add(e.Member, e.AtMs, "hears %s", e.Failure)
		case e.Type == "response" && e.Error != nil:
			out.add(e.Member, e.AtMs, "hears %s", e.Error.Code)
		case e.Type == "response":
			out.add(e.Member, e.AtMs, "hears %d %s%s", e.Response.MemberEpoch, e.Response.assigned(), e.Response.beyond(r))
		case e.Type == "client" && (e.State == "CLOSED" || e.State == "CRASHED"):
			out.add(e.Member, e.AtMs, "%s", e.State)
		case e.Type == "client":
			out.add(e.Member, e.AtMs, "%s %d %s", e.State, e.MemberEpoch, e.owned(r))
		case e.Type == "callback" && e.Phase == "end":
			out.add(e.Member, e.AtMs, "%s end", e.What)
		case e.Type == "callback":
			out.add(e.Member, e.AtMs, "%s %s", e.What, e.called(r))
		case e.Type == "timer":
			out.add("coordinator", e.AtMs, "%s", e.Timer)
		}
	}
	return out
}

func partitions(m map[protocol.TopicID][]int32) protocol.Assignment {
	if m == nil {
		return nil
	}
	var ps []protocol.Partition
	for topic, numbers := range m {
		for _, n := range numbers {
			ps = append(ps, protocol.Partition{Topic: topic, Number: n})
		}
	}
	return protocol.NewAssignment(ps)
}

func mark(lost bool) string {
	if lost {
		return " lost"
	}
	return ""
}
