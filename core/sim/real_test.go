package sim

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"groupscope/core/client"
	"groupscope/core/conformance"
	"groupscope/core/coordinator"
	"groupscope/core/protocol"
)

// TestAWorldIsARunOfTheRealThing runs our coordinator, clients and network
// together and finds what the real ones did, to the millisecond. The traces
// are those that package conformance judges coordinator and client by; here
// they judge the world between them.
func TestAWorldIsARunOfTheRealThing(t *testing.T) {
	count := map[string]int{}
	for _, r := range readRuns(t) {
		if why := r.beyond(); why != "" {
			count[why]++
			continue
		}
		want, got := theirs(r), ours(r.replay(t))
		count["runs"]++
		for who := range want {
			count["things that happened"] += len(want[who])
			if !slices.Equal(want[who], got[who]) {
				n := 0
				for n < len(want[who]) && n < len(got[who]) && want[who][n] == got[who][n] {
					n++
				}
				context := func(lines []string) string { return strings.Join(lines[max(0, n-4):min(len(lines), n+4)], "\n") }
				assert.Fail(t, r.name+": "+who+" differs", "real\n%s\nours\n%s", context(want[who]), context(got[who]))
			}
		}
		assert.Equal(t, len(want), len(got), r.name)
	}
	all := map[string]int{
		"runs": 104, "things that happened": 31075, "beyond: lookups that take time": 26, "beyond: scripted targets": 1,
	}
	if testing.Short() {
		all = map[string]int{
			"runs": 80, "things that happened": 8036, "beyond: lookups that take time": 2, "beyond: scripted targets": 1,
		}
	}
	assert.Equal(t, all, count, "none is left out")
}

// told is what happened to each member, and the coordinator's timers.
type told map[string][]string

func (o told) add(who string, at protocol.Duration, kind string, what map[string]any) {
	o[who] = append(o[who], fmt.Sprintf("%d %s %s", at, kind, asJSON(what)))
}

// forget drops a member's last line if it is this one: close() gives up at
// the instant at which its request times out, and the runs tell of one of both.
func (o told) forget(who, line string) {
	if n := len(o[who]); n > 0 && o[who][n-1] == line {
		o[who] = o[who][:n-1]
	}
}

func asJSON(v any) string {
	out, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(out)
}

var timedOut = map[string]any{"failure": "timeout"}

func ours(events []Event) told {
	out := told{}
	for _, e := range events {
		at := e.At.Sub(DefaultStart)
		switch e := e.What.(type) {
		case Sent:
			words := map[string]any{"request": conformance.RequestWords(&client.Send{Request: e.Request, Streams: e.Streams})}
			if e.Lost {
				words["lost"] = "request"
			}
			out.add(e.Member, at, "request", words)
		case Received:
			words := map[string]any{"failure": e.Failure}
			if e.Failure == "" {
				words = conformance.AnswerWords(&e.Response, e.Streams)
			}
			out.add(e.Member, at, "response", words)
		case ClientChanged:
			c := client.Changed{State: stateNamed(e.Client.State), Epoch: e.Client.Epoch, Owned: e.Client.Owned}
			if e.Client.Streams != nil {
				c.Standby, c.Warmup = e.Client.Streams.Standby, e.Client.Streams.Warmup
			}
			if c.State == client.Closed {
				out.forget(e.Client.Member, fmt.Sprintf("%d response %s", at, asJSON(timedOut)))
				at = 0
			}
			out.add(e.Client.Member, at, "client", seen(conformance.ChangedWords(c), "owned"))
		case Called:
			c := client.Callback{
				What: callbackNamed(e.What), Partitions: e.Partitions, Standby: e.Standby, Warmup: e.Warmup, Done: e.Done, Failed: e.Failed,
			}
			out.add(e.Member, at, "callback", seen(conformance.CallbackWords(c), "partitions"))
		case Raised:
			out.add(e.Member, at, "appError", map[string]any{"code": e.Error.String()})
		case Expired:
			if len(e.Records) > 0 {
				kind := map[coordinator.TimerKind]string{
					coordinator.SessionTimer: "session-timeout", coordinator.RebalanceTimer: "rebalance-timeout",
					coordinator.InitialRebalanceTimer: "initial-rebalance-timeout",
				}
				out.add("coordinator", at, strings.TrimSpace(kind[e.Timer]+" "+e.Member), nil)
			}
		}
	}
	return out
}

func theirs(r *realRun) told {
	out := told{}
	for _, e := range r.Events {
		at := e.At.Sub(conformance.RunStart)
		words := map[string]any{}
		for _, name := range map[string][]string{
			"request": {"request"}, "response": {"response", "error", "failure"}, "client": {"state", "memberEpoch", "owned"},
			"callback": {"what", "phase", "partitions", "failed"}, "appError": {"code"},
		}[e.Kind] {
			if v, ok := e.Tree[name]; ok {
				words[name] = v
			}
		}
		switch e.Kind {
		case "request":
			if e.Tree["lost"] == "request" {
				words["lost"] = "request"
			}
			out.add(e.Member, at, e.Kind, words)
		case "client":
			if words["state"] == "CLOSED" { // an application that polls now and then notices it later
				at = 0
			}
			out.add(e.Member, at, e.Kind, seen(words, "owned"))
		case "callback":
			out.add(e.Member, at, e.Kind, seen(words, "partitions"))
		case "response", "appError":
			out.add(e.Member, at, e.Kind, words)
		case "timer":
			out.add("coordinator", at, e.Tree["timer"].(string), nil)
		}
	}
	return out
}

// seen leaves out what a world does not tell of a streams client: whether its
// group is ready, and the tasks that it has given up once it left.
func seen(words map[string]any, field string) map[string]any {
	if tasks, ok := words[field].(map[string]any); ok && tasks["standby"] != nil {
		delete(tasks, "groupReady")
		if words["state"] == "UNSUBSCRIBED" {
			delete(words, field)
		}
	}
	return words
}

func stateNamed(name string) client.State {
	for s := client.Absent; ; s++ {
		if s.String() == name {
			return s
		}
	}
}

func callbackNamed(name string) client.CallbackKind {
	for k := client.PartitionsRevoked; ; k++ {
		if k.String() == name {
			return k
		}
	}
}
